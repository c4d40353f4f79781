"""Every pattern recognizer, in one list: a new one is a file here, a line below, and a test."""

from __future__ import annotations

from seed_engine.recognizers import contact
from seed_engine.recognizers.pattern import Pattern

RECOGNIZERS: tuple[Pattern, ...] = (*contact.PATTERNS,)
