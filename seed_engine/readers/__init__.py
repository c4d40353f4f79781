"""Readers: files of conversations in the formats of the contract, told apart by their content."""

from seed_engine.readers.registry import FORMATS, ReadTally, format_name, read_conversations, write_like

__all__ = ["FORMATS", "ReadTally", "format_name", "read_conversations", "write_like"]
