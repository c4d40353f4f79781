"""Tells one piece of work on shards from another: by everything that its items follow from beside the conversations."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from flows.config import RunConfig
from flows.listing import walk_files
from flows.models_used import family_models, pinned
from flows.reviewing import review_of, reviewed_path
from flows.shard_work import Detecting, Embedding, Seeding
from seed_engine.config import DetectorConfig
from seed_engine.domain_file import own_domains
from seed_engine.models import file_sha256
from seed_engine.profiles import FAMILIES

_ROOT = Path(__file__).resolve().parent.parent
_CODE = ("seed_engine", "generator", "evaluator", "training", "attacks", "flows")
PACKAGES = ("semilla", "onnxruntime", "numpy", "presidio-analyzer", "spacy", "phonenumbers")


def detecting(config: DetectorConfig) -> Detecting:
    """The work of finding personal data."""
    return Detecting(_mark("detect", config), config)


def seeding(config: RunConfig, inputs: Sequence[Path], *, spread: bool) -> Seeding:
    """The work of making seeds, a reviewer's decisions followed.

    Args:
        config: of the run.
        inputs: the run's; decisions stand beside them.
        spread: see `flows.reviewing.reviewed`.

    Raises:
        UsageError: a source has changed since it was reviewed.
    """
    review = review_of(*inputs, spread=spread)
    decided = [file_sha256(path) for path in map(reviewed_path, inputs) if path.is_file()]
    # Without a model that labels, neither section says anything about a seed.
    asked = config.seeds.labeller and [config.seeds.model_dump_json(), config.generator.model_dump_json()]
    mark = _mark("seed", config.detector, spread, decided, asked)
    return Seeding(mark, config.detector, config.seeds, config.generator, review or None)


def embedding() -> Embedding:
    """The work of embedding sentences."""
    versions = {name: version(name) for name in ("numpy", "tokenizers", "torch", "transformers")}
    whole = json.dumps(["embed", versions, pinned("minilm"), code_digest()], sort_keys=True)
    return Embedding(hashlib.sha256(whole.encode("ascii")).hexdigest())


@cache
def code_digest() -> str:
    """Of the house's own code and data: what another line would perhaps not have made is made anew."""
    listed = (f"{part}/{name} {file_sha256(file)}" for part in _CODE for name, file in walk_files(_ROOT / part))
    own = sorted(line for line in listed if "__pycache__" not in line)
    return hashlib.sha256("\n".join(own).encode("utf-8", "surrogatepass")).hexdigest()


def _mark(kind: str, config: DetectorConfig, *more: object) -> str:
    versions = {name: version(name) for name in PACKAGES}
    files = family_models(FAMILIES[config.engine])
    own = [profile.model_dump_json() for profile in own_domains()]
    whole = json.dumps(
        [kind, code_digest(), versions, files, config.model_dump(mode="json"), own, *more], sort_keys=True
    )
    return hashlib.sha256(whole.encode("ascii")).hexdigest()
