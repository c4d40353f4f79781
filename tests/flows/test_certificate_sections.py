"""What a certificate must hold for an auditor: every section, detectors with recall, and law told with care."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from flows.certificate import certify
from flows.detectors_used import detectors_used
from flows.legal import LEGAL, legal_mapping
from flows.models_used import coherence_model, detector_files
from flows.signing import load_or_create_key
from flows.statements import read_certificate
from tests.flows.staged import SOURCE, run_record, stage


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("certificate")
    path = certify(stage(folder / "run"), run_record(), SOURCE, load_or_create_key(folder / "signing.key"))
    return read_certificate(path)[1]


def test_every_section_that_an_auditor_is_promised_is_there(certificate: dict[str, Any]) -> None:
    promised = {
        "files", "run", "source", "models", "detectors", "release", "training", "gates", "attacks", "not_claimed",
        "legal_mapping", "code", "contents", "data", "issued", "expires", "signer",
    }  # fmt: skip
    assert promised <= set(certificate)
    assert {"root", "algorithm", "conversations"} <= set(certificate["source"])
    assert certificate["run"]["config_digest"]
    assert {"epsilon", "delta", "unit"} <= set(certificate["training"])
    assert all({"name", "figure", "threshold", "verdict"} <= set(gate) for gate in certificate["gates"])


def test_evidence_points_to_sections_that_exist(certificate: dict[str, Any]) -> None:
    gates = {gate["name"].replace("attacks.", "") for gate in certificate["gates"]}
    for row in certificate["legal_mapping"]["rows"]:
        for pointer in row["evidence"]:
            section, _, name = pointer.partition(": ")
            assert section.split(".")[0] in certificate, pointer
            if section == "gates" and name:
                assert name in gates, pointer
        assert row["open"], "a row without what it leaves open would read as a promise"


def test_the_named_frameworks_are_there_and_none_is_said_to_be_met(certificate: dict[str, Any]) -> None:
    laws = {row["law"] for row in certificate["legal_mapping"]["rows"]}
    assert laws == {"GDPR", "HIPAA", "ISO 31700-1", "APPI (Japan)", "DPDP Act 2023 (India)", "EU AI Act"}
    provisions = {provision for _, provision, *_ in LEGAL}
    for test in ("singling out", "linkability", "inference"):
        assert f"Recital 26: {test}" in provisions
    said = json.dumps(certificate["legal_mapping"])
    assert not re.search(r"\b(complian(t|ce)|certifies|guarantees|satisf\w+|fulfil\w+|is anonymous)\b", said, re.I)


def test_the_eighteen_identifiers_stand_in_the_rule_s_order() -> None:
    identifiers = legal_mapping()["safe_harbor_identifiers"]
    assert [row["number"] for row in identifiers] == list(range(1, 19))
    assert identifiers[6]["looked_for_as"] == ["US_SSN"]


def test_recall_is_told_of_the_classifier_that_was_measured_and_of_no_other() -> None:
    """The shipped figures must be of the shipped classifier: a new one has to be measured again."""
    shipped = {"detector/detector.onnx": detector_files()["detector/detector.onnx"]}
    known = detectors_used(shipped, {"semilla": "0.1.0", "spacy": "3"})
    assert known["measured"].startswith("semilla bench pii")
    assert all(0 < row["recall"] <= 1 and row["spans"] > 0 and row["language"] for row in known["measured_recall"])
    assert known["engines"] == {}
    for other in ({}, {"detector/detector.onnx": "00" * 32}):
        told = detectors_used(other, {})
        assert (told["measured"], told["measured_recall"]) == ("not measured for what ran here", [])


def test_the_network_that_judges_is_named_by_the_digest_of_what_ships() -> None:
    raw = (files("evaluator") / "coherence_data/coherence.npz").read_bytes()
    assert coherence_model() == {"coherence/coherence.npz": hashlib.sha256(raw).hexdigest()}


def test_the_spanish_report_does_not_hide_that_english_binds(tmp_path: Path) -> None:
    from flows.language import language_of
    from flows.report import report_page

    directory = stage(tmp_path / "run")
    path = certify(directory, run_record(), SOURCE, load_or_create_key(tmp_path / "signing.key"))
    page = report_page(directory, run_record(), read_certificate(path)[1], language_of("es"))
    assert "firmado en inglés" in page
