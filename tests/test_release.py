"""What a release ships: a list of its parts with every pin and model; a container file that copies what is there."""

from __future__ import annotations

import re
from pathlib import Path

from flows.models_used import coherence_model, detector_files
from scripts.sbom import bill_of_materials
from seed_engine.models import MODELS

ROOT = Path(__file__).resolve().parent.parent


def test_the_bill_of_materials_names_every_pin_and_every_model_file() -> None:
    bill = bill_of_materials()
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    references = [part["bom-ref"] for part in bill["components"]]
    assert len(references) == len(set(references))
    pins = re.findall(r"^([A-Za-z0-9_.-]+)==([^\s;#]+)", (ROOT / "constraints.txt").read_text("utf-8"), re.M)
    assert len(pins) > 100
    listed = {(part["name"], part["version"]) for part in bill["components"] if part["type"] == "library"}
    assert set(pins) <= listed
    digests = {part["hashes"][0]["content"] for part in bill["components"] if part["type"] == "machine-learning-model"}
    files = [digest for model in MODELS.values() for digest in model.digests.values()]
    assert digests == {*files, *detector_files().values(), *coherence_model().values()}
    assert bill == bill_of_materials()


def test_every_direct_dependency_is_pinned_so_that_it_can_be_audited() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    block = text.split("dependencies = [", 1)[1].split("]", 1)[0]
    pinned = {
        name.lower().replace("_", "-")
        for name in re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text("utf-8"), re.M)
    }
    for name in re.findall(r'"([A-Za-z0-9_.-]+)', block):
        assert name.lower().replace("_", "-") in pinned, name


def test_the_container_copies_what_is_there_and_runs_as_nobody_special() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    copied = {path for line in lines if line.startswith("COPY ") for path in line.split()[1:-1]}
    assert all((ROOT / path).exists() for path in copied)
    packages = re.search(r"^packages = \[(.*)\]", (ROOT / "pyproject.toml").read_text("utf-8"), re.M)
    assert packages
    assert set(re.findall(r'"(\w+)"', packages[1])) <= copied
    user = next(place for place, line in enumerate(lines) if line.startswith("USER "))
    assert lines[user] != "USER root"
    assert any(line.startswith("ENTRYPOINT") for line in lines[user:])
