"""Every operator takes every span out, alike for one thing, and touches nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from seed_engine.conversation import Conversation, Turn
from seed_engine.deidentify import MASK, OPERATORS, deidentify
from seed_engine.errors import UnknownNameError
from seed_engine.readers import read_conversations
from seed_engine.spans import EntitySpan
from tests.seed_engine.test_abstract import tagged

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
TALK = [
    ("patient", "I'm <PERSON|Ana Ruiz>, born <DATE_TIME|March 3, 1985>, mail <EMAIL_ADDRESS|ana@x.org>"),
    (
        "doctor",
        "Thanks <PERSON|ana>. So <DATE_TIME|03/03/1985>, <PERSON|ANA RUIZ>? "
        "And <PERSON|Ruiz's> phone <PHONE_NUMBER|555-0102>",
    ),
]
Case = tuple[Conversation, tuple[tuple[EntitySpan, ...], ...]]


def samples() -> list[Case]:
    cases: list[Case] = []
    for file in sorted(SAMPLES.glob("*.jsonl")):
        golds = (SAMPLES / "gold" / file.name).read_text("utf-8").splitlines()
        for conversation, line in zip(read_conversations(file), golds, strict=True):
            spans = tuple(
                tuple(EntitySpan(s["start"], s["end"], s["entity_type"], 1.0, "gold") for s in turn["spans"])
                for turn in json.loads(line)["turns"]
            )
            cases.append((conversation, spans))
    return cases


@pytest.mark.parametrize("operator", OPERATORS)
def test_no_original_value_is_left_in_its_place(operator: str) -> None:
    for conversation, spans in samples():
        replaced = deidentify(conversation, spans, operator, seed=7)
        for before, after, found in zip(conversation.turns, replaced.turns, spans, strict=True):
            # What is between the spans stands in the same order; the spans' own texts are gone from between.
            kept, at = [], 0
            for span in found:
                kept.append(before.text[at : span.start])
                at = span.end
            pattern = "(.*?)".join(re.escape(part) for part in [*kept, before.text[at:]])
            match = re.fullmatch(pattern, after.text, re.DOTALL)
            assert match is not None
            for group, span in zip(match.groups(), found, strict=True):
                assert group.casefold() != before.text[span.start : span.end].casefold()
                assert group


def test_markers() -> None:
    texts = [turn.text for turn in deidentify(*tagged(TALK, domain="medical")).turns]
    assert texts[0] == "I'm [PATIENT_1], born [DATE_1], mail [EMAIL_1]"
    assert texts[1] == "Thanks [PATIENT_1]. So [DATE_1], [PATIENT_1]? And [PATIENT_1] phone [PHONE_1]"


def test_masks_tell_no_length() -> None:
    (first, _) = deidentify(*tagged(TALK), "mask").turns
    assert first.text == f"I'm {MASK}, born {MASK}, mail {MASK}"


def test_a_surrogate_is_one_person_in_every_way_of_naming() -> None:
    replaced = deidentify(*tagged(TALK, domain="medical"), "surrogate", seed=3)
    first, last = re.findall(r"I'm (\w+) (\w+),", replaced.turns[0].text)[0]
    assert re.search(
        rf"Thanks {first.lower()}\. So .*, {first.upper()} {last.upper()}\? And {last}'s phone", replaced.turns[1].text
    )
    assert {first.casefold(), last.casefold()}.isdisjoint({"ana", "ruiz"})


def test_a_surrogate_date_keeps_its_wording_and_is_one_date() -> None:
    replaced = deidentify(*tagged(TALK, domain="medical"), "surrogate", seed=3)
    month_day, year = re.findall(r"born (\w+ \d+), (\d{4})", replaced.turns[0].text)[0]
    assert re.search(rf"\d\d/{int(month_day.split()[1]):02}/{year}", replaced.turns[1].text)


def test_surrogates_are_drawn_afresh_without_a_seed() -> None:
    drawn = {deidentify(*tagged(TALK), "surrogate").turns[0].text for _ in range(5)}
    assert len(drawn) > 1
    assert deidentify(*tagged(TALK), "surrogate", seed=1) == deidentify(*tagged(TALK), "surrogate", seed=1)


def test_display_names_and_subjects_do_not_stay() -> None:
    conversation = Conversation(
        id="c", language="en", subject="ana@x.org", turns=(Turn(role="a", text="hi", name="Ana"),)
    )
    for operator in OPERATORS:
        assert "ana" not in deidentify(conversation, ((),), operator).model_dump_json().casefold()


def test_subjects_stay_together_under_a_key_only() -> None:
    conversation = Conversation(id="c", language="en", subject="ana@x.org", turns=(Turn(role="a", text="hi"),))
    keyed = {deidentify(conversation, ((),), subject_key=b"k" * 32).subject for _ in range(3)}
    loose = {deidentify(conversation, ((),)).subject for _ in range(3)}
    assert (len(keyed), len(loose)) == (1, 3)


def test_deidentifying_twice_changes_nothing() -> None:
    for conversation, spans in samples()[:10]:
        once = deidentify(conversation, spans)
        assert deidentify(once, tuple(() for _ in once.turns)).turns == once.turns


def test_an_unknown_operator_lists_the_known() -> None:
    with pytest.raises(UnknownNameError, match="marker, mask, surrogate"):
        deidentify(*tagged(TALK), "blur")


def test_a_name_in_place_of_a_role_is_numbered() -> None:
    turns = (Turn(role="Quenvarius Ploddington", text="hi"), Turn(role="Agent", text="hello"))
    found = deidentify(Conversation(id="c", turns=turns), ((), ()))
    assert [turn.role for turn in found.turns] == ["speaker_1", "Agent"]
