"""Which detector looked, in which version, and what its recall was where it was measured.

The figures in `detector_figures.json` belong to one trained classifier, named by its digest; for any other the
certificate says that nothing was measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_FIGURES = Path(__file__).parent / "detector_figures.json"
_CLASSIFIER = "detector/detector.onnx"
_ENGINES = ("spacy", "presidio-analyzer")


def detectors_used(models: Mapping[str, str], versions: Mapping[str, str]) -> dict[str, Any]:
    """The section of a certificate.

    Args:
        models: of run.json: digests of what was loaded.
        versions: of run.json.

    Returns:
        `patterns` (the version of the house), `classifier` (its digest, or None where it did not run), `engines` of
        others that were loaded, and `measured_recall`: rows of set, language, spans and recall in [0, 1]; empty where
        this classifier was never measured, which `measured` then says.
    """
    figures = json.loads(_FIGURES.read_text("utf-8"))
    digest = models.get(_CLASSIFIER)
    known = digest is not None and digest == figures["classifier"]
    loaded = any(name.startswith("spacy-en/") for name in models)
    return {
        "patterns": f"semilla {versions.get('semilla', 'unknown')}",
        "classifier": digest,
        "engines": {name: versions[name] for name in _ENGINES if loaded and name in versions},
        "measured": figures["command"] if known else "not measured for what ran here",
        "measured_recall": figures["sets"] if known else [],
    }
