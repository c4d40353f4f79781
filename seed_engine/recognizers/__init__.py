"""Recognizers of personal data: one idea a file, listed in `registry`."""
