"""Passwords, PINs and API keys: what opens a door."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re

from seed_engine.recognizers.pattern import Pattern

_CUE = (
    r"(?:pass(?:word|code|phrase|wd)|pwd|contraseña|clave(?: de acceso)?|mot de passe|passwort|wachtwoord|パスワード)"
)

PATTERNS = (
    Pattern("password_cued", "PASSWORD", re.compile(rf"\b(?i:{_CUE})(?i: (?:is|es|was|to|now|temporal|temporary))*\s?[:=]?\s{{0,2}}[\"'`]?(?P<v>(?=[^\s\"'`]{{0,40}}[\d!@#$%^&*()_+~?<>{{}}=/\\|-])[^\s\"'`]{{6,64}}(?<![.,;]))"), 0.9, lambda v: _looks_secret(v)),
    Pattern("password_short_cue", "PASSWORD", re.compile(r"\b(?i:pw|pass)\s?(?:is|:|=)\s?(?P<v>\S{6,64})"), 0.85, lambda v: _looks_secret(v)),
    Pattern("pin", "PASSWORD", re.compile(r"\b(?i:pin(?: code)?|otp|cvv|cvc|verification code|security code|c[oó]digo de verificaci[oó]n)(?i: (?:is|es|code|number))*\s?[:#]?\s?(?P<v>\d{3,8})(?!\d|[.,]\d)"), 0.85, None, "digit"),
    Pattern("api_key", "PASSWORD", re.compile(r"\b(?:sk|pk|rk)[-_](?:live|test|proj)?[-_]?[A-Za-z0-9]{16,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAIza[\w-]{35}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}"), 1.0),
    Pattern("token_cued", "PASSWORD", re.compile(r"\b(?i:api[ _-]?key|secret(?: key)?|token|bearer|clave api)(?i: is)?\s?[:=]?\s?[\"'`]?(?P<v>[A-Za-z0-9_\-+/=]{16,128})"), 0.9, lambda v: any(map(str.isdigit, v))),
    Pattern("private_key", "PASSWORD", re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[A-Za-z0-9+/=\s]{20,5000}-----END (?:[A-Z]+ )?PRIVATE KEY-----"), 1.0, None, "PRIVATE KEY"),
)  # fmt: skip


def _looks_secret(value: str) -> bool:
    kinds = (
        any(map(str.islower, value)),
        any(map(str.isupper, value)),
        any(map(str.isdigit, value)),
        not value.isalnum(),
    )
    return sum(kinds) >= 2 and not re.fullmatch(
        r"[A-Za-z]+[-/'][A-Za-z]+\W?|\d+[-./]\d+\W?|[A-Za-z]+\W|[A-Z][a-z]+", value
    )
