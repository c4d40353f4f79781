"""Profiles: which families of recognizers an engine runs, and how far each is trusted."""

from __future__ import annotations

from seed_engine.config import DetectorConfig, Engine

FAMILIES: dict[Engine, tuple[str, ...]] = {
    "hybrid": ("pattern", "classifier", "japanese"),
    "fast": ("pattern", "ner", "japanese"),
    "presidio": ("presidio",),
    "regex": ("pattern",),
    "ner": ("ner", "japanese"),
    "classifier": ("classifier",),
}


def weights_of(config: DetectorConfig) -> dict[str, float]:
    """Trust in each family of the engine, in [0, 1]; an engine without the classifier has none to contradict, so 1."""
    if config.engine != "hybrid":
        return dict.fromkeys(FAMILIES[config.engine], 1.0)
    # Japanese text has the tagger in the classifier's place.
    weight = config.classifier_weight
    return {"pattern": config.pattern_weight, "classifier": weight, "japanese": weight}
