"""National identity numbers, each with its own check digit where it has one."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

from seed_engine.recognizers.pattern import CUE_END, Pattern, ignoring_case


def _stdnum(module: str) -> Callable[[str], bool]:
    # Bound at first use: forty modules at import would cost every command 50 ms.
    return lambda value: bool(import_module(f"stdnum.{module}").is_valid(value))


def _is_ssn(value: str) -> bool:
    area, group, serial = re.findall(r"\d+", value)
    return area not in ("000", "666") and group != "00" and serial != "0000"


def _p(name: str, kind: str, regex: str, score: float, check: Callable[[str], bool] | None = None) -> Pattern:
    return Pattern(name, kind, re.compile(rf"(?<![\w-])(?:{regex})(?![\w]|-\d)"), score, check, "digit")


PATTERNS = (
    _p("us_ssn", "US_SSN", r"\d{3}([- ])\d{2}\1\d{4}", 0.9, _is_ssn),
    _p("us_itin", "US_ITIN", r"9\d{2}-\d{2}-\d{4}", 0.8),
    _p("uk_nino", "UK_NINO", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", 0.9),
    _p("uk_nhs", "UK_NHS", r"\d{3}[ -]\d{3}[ -]\d{4}", 0.6, _stdnum("gb.nhs")),
    _p("in_pan", "IN_PAN", r"[A-Z]{5}\d{4}[A-Z]", 0.9),
    _p("in_aadhaar", "IN_AADHAAR", r"[2-9]\d{3} ?\d{4} ?\d{4}", 0.8, _stdnum("in_.aadhaar")),
    _p("mx_curp", "MX_CURP", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", 0.95),
    _p("mx_rfc", "MX_RFC", r"[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}", 0.85),
    _p("es_nif", "ES_NIF", r"\d{1,2}[. ]?\d{3}[. ]?\d{3}[- ]?[A-HJ-NP-TV-Za-hj-np-tv-z]", 0.9, _stdnum("es.dni")),
    _p("es_dni_shape", "ES_NIF", r"\d{8}-?[A-HJ-NP-TV-Z]", 0.7),
    _p("es_nie", "ES_NIE", r"[XYZxyz]-?\d{7}-?[A-Za-z]", 0.9),
    _p("it_fiscal_code", "IT_FISCAL_CODE", r"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]", 0.95),
    _p("fr_nir", "FR_NIR", r"[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}", 0.85),
    _p("nl_bsn", "NL_BSN", r"\d{9}", 0.2, _stdnum("nl.bsn")),
    _p("br_cpf", "BR_CPF", r"\d{3}\.\d{3}\.\d{3}-\d{2}", 0.95),
    _p("fi_hetu", "FI_PERSONAL_IDENTITY_CODE", r"\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]", 0.8, _stdnum("fi.hetu")),
    _p("cl_rut", "NATIONAL_ID", r"\d{1,2}\.\d{3}\.\d{3}-[\dkK]", 0.9),
    _p("prefixed_id", "NATIONAL_ID", r"[A-Z]{2}-(?:ID|NIN|SSN)-\d{5,14}", 0.95),
    _p("prefixed_licence", "DRIVER_LICENSE", r"[A-Z]{2}-DL-[A-Z0-9]{5,16}", 0.95),
    _p("us_ein", "NATIONAL_ID", r"\d{2}-\d{7}", 0.7),
    Pattern(
        "jp_my_number",
        "JP_MY_NUMBER",
        re.compile(r"(?:マイナンバー|個人番号)\D{0,6}(?P<v>\d{4}[- ]?\d{4}[- ]?\d{4})"),
        0.95,
        None,
        "digit",
    ),
    Pattern(
        "national_cued",
        "NATIONAL_ID",
        ignoring_case(
            rf"""\b(?:ssn|social[ ]security(?:[ ](?:number|no))?|social|s\.s\.n|itin|tax(?:payer)?[ ](?:id|number|no)|tin|national[ ](?:id|identity)(?:[ ]?(?:number|no|card))?|nino|ni[ ]number
            |national[ ]insurance(?:[ ]number)?|nhs(?:[ ](?:number|no))?|aadhaar|aadhar|pan|curp|rfc|dni|nif|nie|cif|c[eé]dula|cuil|cuit|bsn|burgerservicenummer|nir|steuer-?id
            |codice[ ]fiscale|seguridad[ ]social|nass|nuss|n[uú]mero[ ]de[ ]identidad|identity[ ](?:card|number)|id[ ]card|employee[ ]id(?:[ ]card)?|sin|ein|ppsn?){CUE_END}
            (?:[ ](?:number|no|num|is|was|it's|es|card|número|n[uú]m))*[ .:#º=-]{{0,4}}(?P<v>(?=[A-Z0-9./ -]{{0,14}}\d[A-Z0-9./ -]?\d)[A-Z0-9](?:[./ -]?[A-Z0-9]){{4,20}})(?!\w)"""
        ),
        0.85,
        lambda value: sum(map(str.isdigit, value)) >= 4 and not re.search(r"[a-z]{3}", value),
        "digit",
    ),
)
