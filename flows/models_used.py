"""Which models a stage really used: digests of the files that were loaded, and the name of the provider asked."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from generator.config import EMBEDDED_MODEL, GeneratorConfig
from seed_engine.errors import ModelError
from seed_engine.models import MODELS, file_sha256
from seed_engine.profiles import FAMILIES

if TYPE_CHECKING:
    from seed_engine.detect import Detector

_TAGGER_PACKAGE = "unidic-lite"


def pinned(name: str) -> dict[str, str]:
    """Digests of a pinned model's files, which are checked before it is loaded; `name` is a key of `MODELS`."""
    return {f"{name}/{file}": digest for file, digest in MODELS[name].digests.items()}


def detector_models(detector: Detector, *, private: bool = False, elsewhere: Iterable[str] = ()) -> dict[str, str]:
    """What a detector has loaded so far; nothing for an engine of patterns alone.

    Args:
        detector: the run's.
        private: name what its engine may load instead: that it did would tell of which language a conversation is.
        elsewhere: families that were loaded in other processes of the run, or before it was gone on with.
    """
    return family_models(FAMILIES[detector.config.engine] if private else (*detector.loaded, *elsewhere))


def family_models(families: Collection[str]) -> dict[str, str]:
    """Digests, or the version, of what families of recognizers run on; names of other things are passed over."""
    used: dict[str, str] = {}
    if "classifier" in families:
        used |= detector_files()
    if "japanese" in families:
        used[f"tagger/{_TAGGER_PACKAGE}"] = version(_TAGGER_PACKAGE)
    if {"ner", "presidio"} & set(families):
        used |= pinned("spacy-en")
    return used


def detector_files() -> dict[str, str]:
    """Digests of the own classifier's files.

    Raises:
        ModelError: a file is missing or not the one that was trained.
    """
    folder = Path(str(files("seed_engine") / "detector_data"))
    try:
        trained = json.loads((folder / "detector.json").read_text("utf-8"))["sha256"]
        digests = {name: file_sha256(folder / name) for name in trained}
    except (OSError, ValueError, KeyError):
        trained, digests = {}, {"": ""}
    if digests != trained:
        raise ModelError("detector_data: a file is missing or not the one that was trained; reinstall semilla")
    return {f"detector/{name}": digest for name, digest in digests.items()}


def coherence_model() -> dict[str, str]:
    """Digest of the network that judges whether a conversation holds together, which is checked when it is loaded."""
    card = json.loads((files("evaluator") / "coherence_data/coherence.json").read_text("utf-8"))
    return {"coherence/coherence.npz": card["sha256"]}


def provider_models(config: GeneratorConfig) -> dict[str, str]:
    """The language model that writes or chooses: its name, and digests where it runs in this process."""
    if config.plan == "template":
        return {}
    embedded = pinned("smollm2") if config.model == EMBEDDED_MODEL else {}
    adapter = {"adapter": file_sha256(config.lora)} if embedded and config.lora is not None else {}
    return {"provider": config.model} | embedded | adapter
