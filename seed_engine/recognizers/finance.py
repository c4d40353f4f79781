"""Cards, bank accounts and coin addresses, with their check digits."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re

from stdnum import bic, iban, luhn

from seed_engine.recognizers.pattern import Pattern, ignoring_case


def _is_card(value: str) -> bool:
    digits = re.sub(r"\D", "", value)
    return 12 <= len(digits) <= 19 and digits[0] in "23456" and len(set(digits)) > 1 and bool(luhn.is_valid(digits))


def _is_iban(value: str) -> bool:
    return bool(iban.is_valid(value, check_country=False))


def _is_bic(value: str) -> bool:
    return bool(bic.is_valid(value))


PATTERNS = (
    Pattern(
        "card_luhn",
        "CREDIT_CARD",
        re.compile(r"(?<![\w.-])\d(?:[ -]?\d){11,18}(?![\w]|[.-]\d)"),
        1.0,
        _is_card,
        "digit",
    ),
    Pattern(
        "card_grouped",
        "CREDIT_CARD",
        re.compile(r"(?<![\w.-])[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{2,4}(?![\w]|[.-]\d)"),
        0.85,
        None,
        "digit",
    ),
    Pattern(
        "card_cued",
        "CREDIT_CARD",
        ignoring_case(
            r"\b(?:card|visa|mastercard|amex|tarjeta|carte|karte)(?:[ ](?:number|no\.?|is|ending|número|de|crédito|es|\#))*[ :#]{0,3}(?P<v>\d(?:[ -]?\d){11,18})(?!\w)"
        ),
        0.9,
        None,
        "digit",
    ),
    Pattern(
        "iban",
        "IBAN_CODE",
        re.compile(r"\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?\b"),
        1.0,
        _is_iban,
        "digit",
    ),
    Pattern(
        "iban_shape",
        "IBAN_CODE",
        re.compile(r"\b[A-Z]{2}\d{2}[A-Z]{0,4}\d{8,26}\b|\b[A-Za-z]{2}\d{2}(?: \w{4}){3,7}(?: \w{1,3})?\b"),
        0.8,
        lambda v: sum(map(str.isdigit, v)) >= 10,
        "digit",
    ),
    Pattern(
        "ifsc",
        "BANK_ACCOUNT",
        re.compile(r"\b[A-Z]{4}0[A-Z0-9]{6}\b"),
        0.85,
        lambda v: sum(map(str.isdigit, v)) >= 4,
        "digit",
    ),
    Pattern(
        "swift_cued",
        "BANK_ACCOUNT",
        re.compile(r"\b(?i:swift|bic)(?i:[ ]code)?(?: is)?[ :#]{1,3}(?P<v>[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\b"),
        0.9,
    ),
    Pattern(
        "bic",
        "BANK_ACCOUNT",
        re.compile(r"\b[A-Z]{6}(?=[A-Z0-9]{0,5}\d)[A-Z0-9]{2}(?:[A-Z0-9]{3})\b"),
        0.6,
        _is_bic,
        "digit",
    ),
    Pattern(
        "sort_code",
        "BANK_ACCOUNT",
        ignoring_case(r"\bsort[ ]?code(?:[ ]is)?[ :#]{0,3}(?P<v>\d{2}[- ]?\d{2}[- ]?\d{2})(?!\d)"),
        0.95,
        None,
        "digit",
    ),
    Pattern(
        "account_cued",
        "BANK_ACCOUNT",
        ignoring_case(
            r"""\b(?:bank[ ]account|account|acct|acc|a/c|routing|aba|cuenta|clabe|kontonummer|rekeningnummer|compte|口座番号)(?:[ ](?:number|no|num|is|bancaria|número|n[uú]m|es|transfer|de|ahorros|\#))*
            [ .:#-]{0,4}(?P<v>\d(?:[ -]?[\dX*]){5,22})(?!\w)"""
        ),
        0.85,
        lambda v: sum(map(str.isdigit, v)) >= 5,
        "digit",
    ),
    Pattern(
        "bitcoin",
        "CRYPTO",
        re.compile(r"\b(?:bc1[a-z0-9]{25,60}|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|0x[a-fA-F0-9]{40})\b"),
        0.9,
        lambda v: any(map(str.isdigit, v)),
        "digit",
    ),
)
