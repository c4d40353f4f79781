"""Numbers that only their cue makes personal: records, policies, passports, licences, plates, cases, orders."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re

from seed_engine.recognizers.pattern import CUE_END, Pattern, ignoring_case

_LINK = r"(?:[ ]?(?:number|no|nº|n°|num|núm|número|numero|nr|id|card|is|was|it's|es|de|el|the|attribute|ref)\b\.?){0,4}[ .:#º°=()-]{0,5}"
_VALUE = r"(?P<v>(?=[\w./-]{0,24}\d)[A-Za-z0-9](?:[./-]?[A-Za-z0-9]){3,24})(?!\w)"
_GROUPED = r"(?P<v>(?=[\w./ -]{0,24}\d)[A-Z0-9]{1,8}(?:[./ -]?[A-Z0-9]{1,8}){0,5})(?!\w)"


def _enough(value: str) -> bool:
    return sum(map(str.isdigit, value)) >= 3 and sum(map(str.isalnum, value)) >= 4 and not re.search(r"[a-z]{4}", value)


def _cued(name: str, kind: str, cues: str, value: str = _VALUE, score: float = 0.85) -> Pattern:
    return Pattern(name, kind, ignoring_case(rf"\b(?:{cues}){CUE_END}{_LINK}{value}"), score, _enough, "digit")


# Particles and copulas stand where other languages have a blank.
_CUES_JA = r"番号|電話|携帯|パスポート|旅券|免許証?|保険証?|口座|会員|社員|学籍|号码|号碼|手机|手機|电话|電話"

PATTERNS = (
    Pattern(
        "number_cued_ja",
        "ID_OTHER",
        re.compile(
            rf"(?:{_CUES_JA})[はがをも：:是号码番号 　]{{0,5}}(?P<v>[A-Z]{{0,3}}-?\d[\d-]{{4,20}}\d)(?![A-Za-z\d])"
        ),
        0.8,
        None,
        "digit",
        frozenset({"ja"}),
    ),
    _cued("passport", "PASSPORT", r"passport|pasaporte|passeport|reisepass|paspoort|travel[ ]document|パスポート"),
    _cued(
        "driver_license",
        "DRIVER_LICENSE",
        r"driv(?:er'?s?|ing)[ ]licen[cs]e|(?<!/)\bdl|licen[cs]e(?=[ ](?:number|no|is|\#))|licencia(?:[ ]de[ ]conducir)?|carn[eé]t?[ ]de[ ]conducir|permis[ ]de[ ]conduire|führerschein",
    ),
    _cued(
        "medical_record",
        "MEDICAL_RECORD",
        r"mrn|medical[ ]record|chart|patient[ ]id|nhc|n[ºo°]?\.?[ ]?col(?:egiado|\.)?|historia(?:[ ]clínica)?|hospital[ ]number|dossier|患者番号",
        _GROUPED,
    ),
    _cued(
        "insurance",
        "INSURANCE_ID",
        r"member|insurance|policy|subscriber|medicare|medicaid|health[ ]plan|group|p[oó]liza|afiliado|tarjeta[ ]sanitaria|cipa|beneficiary|保険証",
        score=0.7,
    ),
    _cued("student", "ID_OTHER", r"student|learner|matrícula[ ]de[ ]alumno|id[ ]de[ ]estudiante|alumno", score=0.7),
    _cued(
        "case", "ID_OTHER", r"case|application|docket|file|expediente|dossier|aktenzeichen|reg(?:istration)?", score=0.7
    ),
    Pattern(
        "case_slash",
        "ID_OTHER",
        re.compile(r"\b(?:nos?|No|Nos)\.\s?(?P<v>\d{2,6}/\d{2,4}(?:(?:,| and| &) \d{2,6}/\d{2,4}){0,6})"),
        0.9,
        None,
        "/",
    ),
    _cued(
        "order",
        "ID_OTHER",
        r"order|booking|reservation|ticket|tracking|reference|confirmation|customer|invoice|claim|account|pedido|reserva|referencia|localizador|factura|cliente|serial",
        r"(?P<v>(?:[A-Z]{1,4}-?)?\d(?:-?\d){5,20}|(?=[A-Z0-9-]{0,12}\d)(?=[A-Z0-9-]{0,12}[A-Z])[A-Z0-9-]{6,20})(?!\w)",
        score=0.7,
    ),
    Pattern(
        "vin",
        "VEHICLE_ID",
        re.compile(r"\b(?=[A-Z0-9]{0,16}\d)(?=[A-Z0-9]{0,16}[A-Z])[A-HJ-NPR-Z0-9]{17}\b"),
        0.85,
        lambda v: 4 <= sum(map(str.isdigit, v)) <= 16,
        "digit",
    ),
    _cued("vehicle", "VEHICLE_ID", r"vin|vehicle|bastidor|chassis", score=0.85),
    Pattern(
        "plate",
        "VEHICLE_ID",
        ignoring_case(
            rf"\b(?:licen[cs]e[ ]plate|number[ ]plate|plate|reg(?:istration)?|matr[ií]cula|placa|kennzeichen|kenteken|immatriculation){CUE_END}(?:[ ](?:number|no|is|es|nº))*[ .:#]{{0,3}}(?P<v>(?=[A-Z0-9 -]{{0,8}}\d)[A-Z0-9]{{1,4}}(?:[ -]?[A-Z0-9]{{1,5}}){{1,3}})(?!\w)"
        ),
        0.8,
        lambda v: 4 <= sum(map(str.isalnum, v)) <= 9 and not re.search(r"[a-z]{4}", v),
        "digit",
    ),
    Pattern(
        "plate_es",
        "VEHICLE_ID",
        re.compile(r"\b\d{4}[ -]?[BCDFGHJKLMNPRSTVWXYZ]{3}\b"),
        0.6,
        None,
        "digit",
        frozenset({"es"}),
    ),
    Pattern(
        "patient_numbers_es",
        "MEDICAL_RECORD",
        re.compile(
            r"(?:NHC|NASS|N[ºo°]\s?Col|CIPA|Nº Historia|episodio|Episodio)\.?\s?:?\s{0,3}(?P<v>\d[\d ./-]{2,18}\d)"
        ),
        0.95,
        None,
        "digit",
    ),
)
