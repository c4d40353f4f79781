"""Writes a CycloneDX 1.6 list of what a release is made of: every pinned package and every model file by digest.

python -m scripts.sbom > sbom.cdx.json
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from flows.models_used import coherence_model, detector_files
from seed_engine.models import MODELS

ROOT = Path(__file__).resolve().parent.parent


def bill_of_materials() -> dict[str, Any]:
    """The document; the same checkout gives the same one, so it carries no time and no serial number."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    own = {"type": "application", "bom-ref": "semilla", "name": "semilla", "version": project["version"]}
    own["licenses"] = [{"license": {"id": project["license"]}}]
    pins = [
        line for name in ("constraints.txt", "models.txt") for line in (ROOT / name).read_text("utf-8").splitlines()
    ]
    packages = [_package(*line.split("==")) for line in pins if "==" in line and not line.startswith("#")]
    digests = detector_files() | coherence_model()
    for model, pinned in MODELS.items():
        digests |= {f"{model}/{file}": digest for file, digest in pinned.digests.items()}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [*packages, *(_model(name, digest) for name, digest in sorted(digests.items()))],
    }


def _package(name: str, version: str) -> dict[str, Any]:
    version = version.split(";")[0].split("#")[0].strip()
    component: dict[str, Any] = {"type": "library", "name": name.strip(), "version": version}
    plain = re.sub(r"[-_.]+", "-", name.strip()).lower()  # PEP 503, as auditors look names up
    component["purl"] = component["bom-ref"] = f"pkg:pypi/{plain}@{version}"
    licences = _licences(name.strip())
    return component | ({"licenses": licences} if licences else {})


def _licences(name: str) -> list[dict[str, Any]]:
    """An SPDX expression where a package has one, else how it calls its licence; empty where it is not installed."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return []
    if expression := told.get("License-Expression"):
        return [{"expression": expression}]
    kinds = [line.split(" :: ") for line in told.get_all("Classifier") or [] if line.startswith("License :: ")]
    names = [parts[-1] for parts in kinds if parts[-1] != "OSI Approved"]
    line = (told.get("License") or "").strip()  # some put the whole text there
    names = names or [line] * (0 < len(line) <= 60 and line != "UNKNOWN")
    return [{"license": {"name": licence}} for licence in names]


def _model(name: str, digest: str) -> dict[str, Any]:
    return {
        "type": "machine-learning-model",
        "bom-ref": f"model:{name}",
        "name": name,
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }


if __name__ == "__main__":
    json.dump(bill_of_materials(), sys.stdout, indent=1)
    sys.stdout.write("\n")
