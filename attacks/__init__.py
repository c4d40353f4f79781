"""Attacks: judge a model as an adversary sees it, with trials and confidence bounds."""
