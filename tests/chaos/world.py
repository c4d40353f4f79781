"""A small run that can be ended at any moment: its input and its settings."""

from __future__ import annotations

import json

NAME = "Quenvarius Ploddington"

# As few canaries as the gates can see anything with: what is tested is the run, not the power of its attacks.
SMALL = """
[training]
canaries = 160
canary_controls = 100
max_length = 64

[attacks]
threshold = 0.2

[certificate]
max_attack_rate = 0.2
"""

# The fastest settings that still pass through every stage and end in a certificate.
CONFIG = f"""
[detector]
engine = "regex"

[generator]
strategy = "template"
{SMALL}"""


def conversations(count: int = 8) -> str:
    """Support calls of a customer whose name and address are canaries."""
    mail = NAME.lower().replace(" ", ".")
    lines = []
    for number in range(count):
        texts = (
            f"Hello, I am {NAME} and I ordered a lamp that is late. My mail is {mail}{number}@example.org.",
            "Sorry to hear that. When did you order it?",
            "Last week. Can I have my money back?",
            "Of course. Anything else?",
            "No, thank you. Goodbye.",
            "Goodbye.",
        )
        turns = [{"role": ("customer", "agent")[i % 2], "text": text} for i, text in enumerate(texts)]
        lines.append(json.dumps({"id": f"call-{number}", "domain": "support", "turns": turns}) + "\n")
    return "".join(lines)
