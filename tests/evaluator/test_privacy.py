from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import DetectorError
from evaluator.privacy import false_alarms, privacy_score
from seed_engine.conversation import Conversation
from seed_engine.spans import EntitySpan
from tests.evaluator.doubles import CLEAN, detect_capitals, detect_nothing, talk

TEXTS = st.lists(st.sampled_from([*CLEAN, "[PATIENT_1]", "[PATIENT_12][DATE_3]", "", "-- !"]), min_size=1, max_size=6)


@given(TEXTS)
def test_markers_alone_are_never_personal_data(texts: list[str]) -> None:
    conversations = [talk(*texts)]
    first = privacy_score(conversations, detect_capitals)
    assert first.score == 0.0
    assert first == privacy_score(conversations, detect_capitals)
    assert first.findings == ()


def test_score_is_the_share_of_letters_and_digits() -> None:
    result = privacy_score([talk("ask ANNA, or [DOCTOR_1] at 12")], detect_capitals)
    assert (result.covered, result.letters_and_digits, result.score) == (4, 13, 4 / 13)
    (finding,) = result.findings
    assert (finding.conversation, finding.turn, finding.start, finding.end) == (0, 0, 4, 8)
    assert result.by_type == {"PERSON": 1}
    assert "ANNA" not in result.__repr__()


def test_overlapping_spans_count_once_and_a_span_over_a_marker_counts_its_rest() -> None:
    def overlapping(conversation: Conversation) -> tuple[tuple[EntitySpan, ...], ...]:
        return ((EntitySpan(0, 4, "PERSON", 1, "x"), EntitySpan(2, 16, "LOCATION", 1, "x")),)

    result = privacy_score([talk("anna [DATE_1] xy")], overlapping)
    assert (result.covered, result.letters_and_digits) == (6, 6)


def test_a_single_personal_letter_in_a_large_set_is_not_zero() -> None:
    conversations = [talk(*CLEAN, ordinal=i) for i in range(300)] + [talk("ABC")]
    result = privacy_score(
        conversations, lambda c: detect_capitals(c) if c.turns[0].text == "ABC" else detect_nothing(c)
    )
    assert 0 < result.score < 1e-3
    assert result.findings[0].conversation == 300


def test_a_detector_that_skips_turns_is_an_error() -> None:
    with pytest.raises(DetectorError):
        privacy_score([talk("one", "two")], lambda conversation: ((),))


def test_an_empty_set_scores_zero() -> None:
    assert privacy_score([], detect_nothing).score == 0.0


def test_false_alarms_are_finds_per_thousand_turns_and_say_nothing_of_what_was_found() -> None:
    texts = [*CLEAN[1:], "then ASK the OFFICE", "see [PATIENT_1] now"]
    found = false_alarms(texts, "en", detect_capitals)
    assert (found.turns, found.finds, found.per_1000, found.by_type) == (5, 2, 400.0, {"PERSON": 2})
    assert "OFFICE" not in repr(found)
    assert false_alarms(texts, "en", detect_nothing).per_1000 == 0.0
