"""The names of what an interrupted training leaves in its folder."""

from __future__ import annotations

# Weights, moments, steps done.
CHECKPOINT = "checkpoint.safetensors"
# The id under which the ledger knows the training.
BOOKING = "booking"
# What decided the canaries' coins.
COINS = "coins"
