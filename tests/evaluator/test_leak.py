from __future__ import annotations

import pytest

from evaluator.leak import find_leaks
from seed_engine.conversation import Conversation, Turn
from seed_engine.secrets import SecretIndex
from tests.evaluator.doubles import CLEAN, talk

KEY = b"a key that only this test knows."
INDEX = SecretIndex.build([("Martha Quillfeather", "PERSON"), ("555-867-5309", "PHONE_NUMBER")], KEY)


def test_clean_set_has_no_leak() -> None:
    result = find_leaks([talk(*CLEAN)] * 3, INDEX)
    assert (result.by_how, result.by_type, result.findings) == ({}, {}, ())


@pytest.mark.parametrize(
    ("texts", "how"),
    [
        (("I am Martha Quillfeather",), "exact"),
        (("I am martha quillfeather",), "normalised"),
        (("5558675309",), "digits"),
        (("it is 555 867", "go on", "5309"), "split"),
    ],
)
def test_each_kind_is_counted_and_placed(texts: tuple[str, ...], how: str) -> None:
    result = find_leaks([talk(*CLEAN), talk(*texts)], INDEX)
    assert result.by_how == {how: 1}
    (finding,) = result.findings
    assert (finding.conversation, finding.turn, finding.kind) == (1, 0, "known_secret")
    assert "uill" not in repr(result).lower()


@pytest.mark.parametrize("field", ["id", "subject", "name", "role"])
def test_fields_of_the_record_are_searched(field: str) -> None:
    turn = {"role": "patient", "text": "hello", field: "martha quillfeather"}
    record = {"id": "syn-1", field: "martha quillfeather"}
    kept = {key: value for key, value in turn.items() if key in Turn.model_fields}
    record = {key: value for key, value in record.items() if key in Conversation.model_fields}
    result = find_leaks([Conversation.model_validate({**record, "turns": (Turn(**kept),)})], INDEX)
    (finding,) = result.findings
    assert finding.turn is None
