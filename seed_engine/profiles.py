"""Profiles: which families of recognizers an engine runs, and how far each is trusted."""

from __future__ import annotations

from seed_engine.config import DetectorConfig, Engine

FAMILIES: dict[Engine, tuple[str, ...]] = {
    "hybrid": ("pattern", "classifier"),
    "fast": ("pattern", "ner"),
    "presidio": ("presidio",),
    "regex": ("pattern",),
    "ner": ("ner",),
    "classifier": ("classifier",),
}


def weights_of(config: DetectorConfig) -> dict[str, float]:
    """Trust in each family of the engine, in [0, 1]; an engine without the classifier has none to contradict, so 1."""
    if config.engine != "hybrid":
        return dict.fromkeys(FAMILIES[config.engine], 1.0)
    return {"pattern": config.pattern_weight, "classifier": config.classifier_weight}
