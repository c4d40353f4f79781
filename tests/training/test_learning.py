from __future__ import annotations

import pytest

from seed_engine.conversation import Conversation, Turn
from tests.training.tiny import tiny_base
from training.config import TrainingConfig
from training.learning import Learned, compare

CONFIG = TrainingConfig(
    epsilon=50.0, epochs=60.0, batch_size=8, max_length=64, learning_rate=1e-2, precision="float32", secure_rng=False
)


def conversations(text: str, count: int) -> list[Conversation]:
    turns = (Turn(role="agent", text=text), Turn(role="user", text=f"{text}, yes"))
    return [Conversation(id=f"{text} {place}", turns=turns) for place in range(count)]


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[Learned]:
    monkeypatch.setattr("training.learning.load_base", tiny_base)
    return list(compare(conversations("hello there", 12), conversations(request.param, 3), CONFIG))


@pytest.mark.parametrize("rows", ["hello there"], indirect=True)
def test_what_was_learned_is_likelier_than_before(rows: list[Learned]) -> None:
    base, private, plain = rows
    assert [row.name for row in rows] == ["base", "epsilon 50", "no privacy"]
    assert private.perplexity < base.perplexity * 0.5
    assert plain.perplexity < base.perplexity * 0.5
    assert (base.lower, private.lower, plain.lower, plain.conversations) == (0, 3, 3, 3)


@pytest.mark.parametrize("rows", ["zzz"], indirect=True)
def test_marks_of_the_template_are_no_merit(rows: list[Learned]) -> None:
    """Other words in the same form: marks are learned at once, what is said becomes no likelier."""
    base, _, plain = rows
    assert base.tokens == 3 * (3 + 8)
    assert plain.with_marks < base.with_marks
    assert plain.perplexity > base.perplexity
