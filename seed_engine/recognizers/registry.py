"""Every pattern recognizer, in one list: a new one is a file here, a line below, and a test."""

from __future__ import annotations

from seed_engine.recognizers import (
    contact,
    cued_ids,
    dates,
    finance,
    names,
    national,
    phone,
    places,
    secrets,
)
from seed_engine.recognizers.pattern import Pattern

RECOGNIZERS: tuple[Pattern, ...] = (
    *contact.PATTERNS,
    *phone.PATTERNS,
    *finance.PATTERNS,
    *national.PATTERNS,
    *cued_ids.PATTERNS,
    *dates.PATTERNS,
    *places.PATTERNS,
    *names.PATTERNS,
    *secrets.PATTERNS,
)
