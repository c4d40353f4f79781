"""Sentences for every dialogue act, topic and role, written by the project; data, not code."""
