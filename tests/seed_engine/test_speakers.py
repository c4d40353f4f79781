"""Speaker labels become roles of the domain, spelled in the profile or not."""

from __future__ import annotations

import pytest

from seed_engine.conversation import Conversation, Turn
from seed_engine.speakers import turn_roles
from seed_engine.vocabulary import vocabulary

LABELS = [
    ("medical", ("Psicóloga", "paciente"), ("doctor", "patient")),
    ("medical", ("Dr. Paz", "Eva"), ("doctor", "patient")),
    ("medical", ("mother", "doctor"), ("relative", "doctor")),
    ("tutoring", ("madre", "tutora"), ("parent", "tutor")),
    ("legal", ("abogada", "x"), ("lawyer", "client")),
    ("support", ("agent_2", "caller"), ("agent", "customer")),
    ("support", ("Eva", "Leo"), ("customer", "agent")),
]


@pytest.mark.parametrize(("domain", "labels", "roles"), LABELS)
def test_labels(domain: str, labels: tuple[str, ...], roles: tuple[str, ...]) -> None:
    turns = tuple(Turn(role=label, text="x") for label in labels)
    assert turn_roles(Conversation(id="c", turns=turns), vocabulary().domain(domain)) == roles
