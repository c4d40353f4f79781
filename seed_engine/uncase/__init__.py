"""UNCASE's SeedSchema 1.0 and conversations, in and out: their records, and what becomes of them here."""

from seed_engine.uncase.conversations import csv_rows, to_uncase_conversation
from seed_engine.uncase.export import NoCounterpart, to_uncase
from seed_engine.uncase.faults import free_text, is_uncase, read_uncase, uncase_violations
from seed_engine.uncase.intake import from_uncase
from seed_engine.uncase.records import UncaseSeed

__all__ = [
    "NoCounterpart",
    "UncaseSeed",
    "csv_rows",
    "free_text",
    "from_uncase",
    "is_uncase",
    "read_uncase",
    "to_uncase",
    "to_uncase_conversation",
    "uncase_violations",
]
