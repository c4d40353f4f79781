"""Conversations are frozen, closed, and silent about values in their errors."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from seed_engine.conversation import Conversation, Turn

TURN = {"role": "a", "text": "b"}


@pytest.mark.parametrize(
    "record",
    [
        {"id": "Zebulon", "turns": []},
        {"id": 3, "turns": [TURN]},
        {"id": "Zebulon", "turns": [TURN], "extra": "Zebulon"},
        {"id": "Zebulon", "turns": [TURN | {"extra": "Zebulon"}]},
        {"id": "Zebulon", "turns": [TURN], "provenance": "Zebulon"},
        {"id": "Zebulon", "turns": [{"role": "Zebulon"}]},
    ],
)
def test_errors_quote_no_value(record: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as caught:
        Conversation.model_validate(record)
    assert "Zebulon" not in str(caught.value)


def test_a_conversation_cannot_be_changed() -> None:
    conversation = Conversation(id="c", turns=(Turn(role="a", text="b"),))
    with pytest.raises(ValidationError):
        conversation.id = "d"


def test_the_unit_is_the_subject_where_there_is_one() -> None:
    turns = (Turn(role="a", text="b"),)
    assert Conversation(id="c", turns=turns).unit == "c"
    assert Conversation(id="c", turns=turns, subject="s").unit == "s"


def test_json_round_trip() -> None:
    conversation = Conversation(id="c", turns=(Turn(role="a", text="ñ 😊\u202e", name="n"),), language="es")
    assert Conversation.model_validate_json(conversation.model_dump_json()) == conversation
