"""Which rules a certificate's figures can be evidence for, and what they do not settle; never that a rule is met.

Each row names a provision, where its question is answered in the certificate, and what stays open. Whether a law is
complied with is a judgement of whoever is responsible; nothing here anticipates it.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

MAPPING_NOTE = (
    "Pointers from provisions to figures of this certificate. They are offered as evidence for somebody's assessment; "
    "no row says that a provision is complied with."
)

# Provision, fields of this certificate that bear on it, and what they do not settle.
LEGAL: tuple[tuple[str, str, str, tuple[str, ...], str], ...] = (
    (
        "GDPR", "Art. 25", "data protection by design and by default",
        ("source", "gates", "release", "training"),
        "Organisational measures, and the purpose and legal basis of handling the inputs, are outside this run.",
    ),
    (
        "GDPR", "Recital 26: singling out", "can a person be isolated in what is published",
        ("release.k", "attacks: text_only", "attacks: source_canaries", "gates: leak"),
        "A situation so rare that it singles somebody out without a name is only met by k-anonymity or a dp release.",
    ),
    (
        "GDPR", "Recital 26: linkability", "can two records be tied to one person",
        ("gates: privacy_score", "gates: leak", "attacks: membership"),
        "Data that others hold was not at hand; linking with it was not tried.",
    ),
    (
        "GDPR", "Recital 26: inference", "can something about a person be deduced",
        ("training.epsilon", "training.audit", "attacks: extraction", "release.epsilon"),
        "The training's epsilon is about its own units; inference about a subject is bounded by a dp release alone.",
    ),
    (
        "HIPAA", "45 CFR 164.514(b)(1)", "expert determination: a very small risk, with methods and results documented",
        ("attacks", "release", "training", "detectors", "gates"),
        "An expert must determine; figures are not a determination.",
    ),
    (
        "HIPAA", "45 CFR 164.514(b)(2)", "the 18 identifiers of Safe Harbor",
        ("gates: privacy_score", "detectors", "legal_mapping.safe_harbor_identifiers"),
        "Safe Harbor asks for removal of all 18 and no actual knowledge; a detector's recall is below one, and no "
        "epsilon stands for it.",
    ),
    (
        "ISO 31700-1", "privacy by design for consumer products", "privacy controls designed, documented and tested",
        ("gates", "source", "code", "not_claimed"),
        "The standard asks for a whole product's processes; this is one run.",
    ),
    (
        "APPI (Japan)", "Art. 2(5)-(6), 41, 43", "pseudonymously and anonymously processed information",
        ("gates", "release", "detectors"),
        "The processing standards of the commission's rules are for the handler to check; special-care facts are "
        "reported by `semilla risk`, and marked in conversations only where `detector.attributes` was switched on.",
    ),
    (
        "DPDP Act 2023 (India)", "Sec. 8(5)", "reasonable security safeguards against a breach",
        ("source", "gates: leak", "files"),
        "Notice, consent and erasure at the source are outside this run.",
    ),
    (
        "EU AI Act", "Art. 10", "data governance of training data: origin, preparation, examination for bias, gaps",
        ("source", "contents", "models", "gates", "not_claimed"),
        "Representativeness and bias of the data for its purpose are not examined here.",
    ),
)  # fmt: skip


def legal_mapping() -> dict[str, Any]:
    """The section of a certificate."""
    rows = [
        {"law": law, "provision": provision, "asks": asks, "evidence": list(evidence), "open": left}
        for law, provision, asks, evidence, left in LEGAL
    ]
    return {"note": MAPPING_NOTE, "rows": rows, "safe_harbor_identifiers": safe_harbor()}


def safe_harbor() -> list[dict[str, Any]]:
    """The 18 identifiers in the rule's order, each with the entity types by which the detector looks for it."""
    tables = json.loads((files("seed_engine") / "data/risk.json").read_text("utf-8"))
    return [
        {"number": row["number"], "identifier": row["name"], "looked_for_as": row.get("types", [])}
        for row in tables["hipaa"]
    ]
