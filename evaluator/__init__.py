"""Evaluator: judges data (privacy, leaks, memorisation, quality)."""
