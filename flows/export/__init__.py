"""Exports of a synthetic set: one room a format, all of them in `flows.export.formats.FORMATS`."""
