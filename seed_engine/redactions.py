"""Redactions that another tool left in a transcript: where they stand, what they say was there, and which are one.

`[REDACTED]`, `<NAME_1>`, `{{PHONE}}`, `****` and blocks of ink are redactions. A line of underscores is a blank to fill
in, and `[laughs]` is a stage direction: what stands in brackets must be a word that tools put there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_KINDS = {
    "PERSON": "person name first_name last_name full_name student student_name teacher teacher_name tutor tutor_name "
    "parent parent_name child speaker per nombre alumno alumna profesor profesora persona",
    "PHONE_NUMBER": "phone phone_number telephone telephone_number tel mobile telefono us_phone_number",
    "EMAIL_ADDRESS": "email email_address e-mail mail correo",
    "LOCATION": "location loc gpe address street_address street city town place state zip direccion ciudad",
    "ORGANIZATION": "organization organisation org school school_name institution colegio escuela",
    "DATE_TIME": "date date_time datetime time dob date_of_birth birthday fecha",
    "AGE": "age edad",
    "URL": "url link website meeting_link zoom_link",
    "USERNAME": "username user_name user handle screen_name usuario",
    "PASSWORD": "password passcode pin meeting_code contrasena",
    "ID_OTHER": "id id_number student_id number ssn us_ssn us_driver_license us_passport us_bank_number us_itin "
    "credit_card account iban_code medical_license ip_address identifier numero nrp",
    "": "redacted removed pii phi deleted anonymized anonymised hidden private censored masked sensitive omitted "
    "confidential personal_information redactado omitido",
}
_KIND = {label: kind for kind, labels in _KINDS.items() for label in labels.split()}
_LABEL = r"([A-Za-z][A-Za-z_ -]{0,30}?)(?:[ _:#-](\d{1,4}|[A-Z])|(\d{1,4}))?"
_MARK = re.compile(
    rf"(?:\[{{1,2}}|<{{1,2}}|\{{{{1,2}})\s?{_LABEL}\s?(?:\]{{1,2}}|>{{1,2}}|\}}{{1,2}})"
    r"|(?<![\w*])\*{3,40}(?![\w*])|[█▇■▉]{2,60}|\bX{4,20}\b"
)


@dataclass(frozen=True, slots=True)
class Redaction:
    """One redaction, half-open.

    Attributes:
        start: first code point.
        end: one past the last.
        kind: the entity type that it says was there; empty where it says none.
        number: what tells it from others of its kind, as `1` of `<NAME_1>`; empty where nothing does.
    """

    start: int
    end: int
    kind: str
    number: str


def redactions(text: str) -> tuple[Redaction, ...]:
    """The redactions of a text, in order and apart.

    Examples:
        >>> [(mark.kind, mark.number) for mark in redactions("Hi <NAME_1>, 3 + [REDACTED] = 12, [laughs] ____")]
        [('PERSON', '1'), ('', '')]
    """
    found = []
    for match in _MARK.finditer(text):
        kind = _kind(match[1])
        if kind is not None:
            found.append(Redaction(*match.span(), kind, match[2] or match[3] or ""))
    return tuple(found)


def _kind(label: str | None) -> str | None:
    """The type of a label; empty for one without; None for a word that no tool puts there."""
    if label is None:
        return ""
    plain = re.sub(r"[ -]+", "_", label.strip().lower()).strip("_")
    return _KIND.get(plain, _KIND.get(plain.removesuffix("_redacted").removeprefix("redacted_")))
