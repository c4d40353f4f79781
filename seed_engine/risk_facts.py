"""What a find says beyond its type, read from its value and the words before it: a birth date, a postcode, a fax.

Recognizers name a date a date; whether it is somebody's birth date decides how much it gives away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from seed_engine.kinds import marker_kind
from seed_engine.spans import EntitySpan

_SEX = re.compile(
    r"\b(?:fe)?male\b|\b(?:wo)?man\b|\bgirl\b|\bboy\b|\bmujer\b|\bhombre\b|\bvarón\b|\bniñ[oa]\b|\bfemme\b|\bhomme\b"
    r"|\bweiblich\b|\bmännlich\b|\bvrouw\b|\b(?:sexo|sexe|sex|gender|geschlecht|geslacht): ?[hmvfw]\b|[男女]性",
    re.I,
)
_POSTCODE = re.compile(
    r"\b\d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|〒|\b\d{4} ?[A-Z]{2}\b|\b\d{3}-\d{4}\b"
)
_BIRTH = re.compile(
    r"(?:\bd\.?o\.?b\b\.?|\bborn\b|\bbirth ?(?:date|day)?\b|\bnac(?:id[oa]|imiento|í)\b|\bné(?:e|\(e\))?\b"
    r"|\bnaissance\b|\bgeboren\b|\bgeburtsdatum\b|\bgeboortedatum\b|生年月日|誕生日)[^\n.;]{0,14}$",
    re.I,
)
_FAX = re.compile(r"\b(?:tele)?fax\b[^\n.;]{0,14}$", re.I)
_DEVICE = re.compile(r"\b(?:serial|imei|device id|udid|implant|pacemaker)\b[^\n.;]{0,16}$", re.I)
_SSN = re.compile(r"\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}")
# Words of care; two different ones make a text one about somebody's health.
_HEALTH = re.compile(
    r"\b(?:patients?|pacientes?|patiënt\w*|diagn\w+|symptom\w*|síntomas?|prescri\w+|prescrib\w+|recetó|medica(?:tions?|ción)"
    r"|allerg\w*|alérgic\w*|surgery|cirugía|chirurg\w*|biops\w+|tumou?rs?|cancer|cáncer|diabet\w*|asthma|asma"
    r"|hypertens\w*|hipertens\w*|blood pressure|tensión|bp|hr|mri|ct scan|x-ray|icd-10|\d+ ?mg|mmhg|dos(?:e|is|age)"
    r"|fever|fiebre|fieber|pain|dolor|schmerz\w*|pregnan\w+|embaraz\w+|therap\w+|terapia|vaccin\w+"
    r"|chemo\w*|insulin\w*|depress\w+|anxiety"
    r"|creatinine|egfr|hba1c|inr|spo2|haemoglobin|hemoglobin|penicill?in\w*|antibiotics?|parkinson\w*|crohn\w*|lymphoma"
    r"|pharmacy|farmacia|catheter|(?:cardio|neuro|nephro|uro|onco|dermato|gynaeco)log\w+|md|mrn|cpt)\b|患者|診断|症状|薬|手術",
    re.I,
)
_HEALTH_WORDS = 2
_BEFORE = 30
_OLDEST = 89


def kind_of(text: str, span: EntitySpan) -> str:
    """The find's type, made closer where its value or the words before it say so."""
    if span.entity_type in ("DATE_TIME", "DATE") and _BIRTH.search(_before(text, span)):
        return "DATE_OF_BIRTH"
    if span.entity_type == "NATIONAL_ID" and _SSN.fullmatch(text[span.start : span.end]):
        return "US_SSN"
    return span.entity_type


def tag_of(text: str, span: EntitySpan) -> str | None:
    """`POSTCODE`, `AGE_OVER_89`, `FAX` or `DEVICE` where the find is one."""
    value = text[span.start : span.end]
    if span.entity_type == "LOCATION" and _POSTCODE.search(value):
        return "POSTCODE"
    if span.entity_type == "AGE" and any(int(age) > _OLDEST for age in re.findall(r"\d{1,3}", value)):
        return "AGE_OVER_89"
    if span.entity_type == "PHONE_NUMBER" and _FAX.search(_before(text, span)):
        return "FAX"
    if marker_kind(span.entity_type) == "ID" and _DEVICE.search(_before(text, span)):
        return "DEVICE"
    return None


def tells_sex(text: str) -> bool:
    """Whether a text says that somebody is a man or a woman."""
    return _SEX.search(text) is not None


def tells_health(texts: Iterable[str]) -> bool:
    """Whether texts speak of somebody's health: at least two different words of care."""
    words: set[str] = set()
    for text in texts:
        for match in _HEALTH.finditer(text):
            words.add(match[0].casefold())
            if len(words) >= _HEALTH_WORDS:
                return True
    return False


def _before(text: str, span: EntitySpan) -> str:
    return text[max(0, span.start - _BEFORE) : span.start]
