"""Entity types of detectors and the marker kinds that stand for them."""

from __future__ import annotations

# Presidio's names and those that datasets use. What is not here is decided by a word of its name, else it is an ID.
MARKER_KINDS: dict[str, str] = {
    "DATE_TIME": "DATE",
    "DATE": "DATE",
    "DATE_OF_BIRTH": "DATE",
    "AGE": "AGE",
    "LOCATION": "LOCATION",
    "ADDRESS": "LOCATION",
    "GPE": "LOCATION",
    "FACILITY": "LOCATION",
    "ORGANIZATION": "ORGANIZATION",
    "NRP": "GROUP",
    "SENSITIVE_GROUP": "GROUP",
    "SENSITIVE_CONDITION": "CONDITION",
    "OCCUPATION": "OCCUPATION",
    "EMAIL_ADDRESS": "EMAIL",
    "PHONE_NUMBER": "PHONE",
    "URL": "URL",
    "DOMAIN_NAME": "URL",
    "IP_ADDRESS": "IP",
    "MAC_ADDRESS": "IP",
    "CREDIT_CARD": "CARD",
    "BANK_ACCOUNT": "BANK_ACCOUNT",
    "CRYPTO": "BANK_ACCOUNT",
    "NATIONAL_ID": "NATIONAL_ID",
    "MEDICAL_RECORD": "RECORD",
    "MEDICAL_LICENSE": "ID",
    "USERNAME": "USERNAME",
    "PASSWORD": "PASSWORD",
    "ORDER_ID": "ORDER",
    "ORDER_NUMBER": "ORDER",
    "ID_OTHER": "ID",
}

_BY_WORD: tuple[tuple[tuple[str, ...], str], ...] = (
    (("PASSPORT",), "PASSPORT"),
    (("DRIVER", "DRIVING"), "DRIVER_LICENSE"),
    (("IBAN", "BANK", "SWIFT", "ABA"), "BANK_ACCOUNT"),
    (("INSURANCE", "MEDICARE", "MBI", "HEALTH"), "INSURANCE"),
    (("VEHICLE", "PLATE", "VIN"), "VEHICLE"),
    (
        ("SSN", "ITIN", "NIF", "NIE", "DNI", "CURP", "RFC", "NINO", "PESEL", "AADHAAR", "PAN", "TFN", "NHS"),
        "NATIONAL_ID",
    ),
    (("RECORD", "MRN"), "RECORD"),
    (("ORDER",), "ORDER"),
    (("PHONE",), "PHONE"),
    (("EMAIL",), "EMAIL"),
)


def marker_kind(entity_type: str) -> str:
    """The marker kind of an entity type that is not a person; `ID` where nothing closer is known."""
    if entity_type in MARKER_KINDS:
        return MARKER_KINDS[entity_type]
    words = set(entity_type.split("_"))
    return next((kind for names, kind in _BY_WORD if words & set(names)), "ID")
