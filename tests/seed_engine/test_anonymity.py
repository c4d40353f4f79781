"""k-anonymity: an independent query over the written seeds finds no combination that fewer than k subjects share."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.anonymity import anonymise
from seed_engine.generalise import Shared, generalise
from seed_engine.quasi_identifiers import TELLING, attributes, mention_sorts
from seed_engine.schema import violations
from seed_engine.seed import Floors, FlowStep, Seed
from seed_engine.seed_population import population

People = list[tuple[str, Seed]]


def people(count: int, seed: int = 0, shared_by: int = 1) -> People:
    """Subjects with `shared_by` seeds each, some of which name relatives, places, and dates that count from others."""
    rng = np.random.default_rng(seed)
    extra = (
        "[RELATIVE_1: daughter]",
        "[RELATIVE_1: son]",
        "[PATIENT_1.spouse]",
        "[LOCATION_1: city]",
        "[AGE_1: 30-44]",
        "[NURSE_1]",
    )
    items = []
    for number, (_, plain) in enumerate(population(count, rng, ("medical", "support"))):
        flow = list(plain.flow)
        told = tuple(slot for slot in extra if rng.random() < 0.12 and not slot.startswith("[PATIENT"))
        dates = ("[DATE_1]", "[DATE_2: DATE_1 + 3 weeks]") if rng.random() < 0.3 else ()
        flow[0] = flow[0].model_copy(update={"slots": (*told[:1], *dates)})
        flow[1:] = [step.model_copy(update={"slots": ("amount", "symptom")[: number % 3]}) for step in flow[1:]]
        if told and rng.random() < 0.5:  # two of a sort, three, now and then seven
            more = told[0].replace("_1", "_{}")
            count_of = int(rng.choice([2, 3, 7]))
            flow[1] = flow[1].model_copy(
                update={"slots": (*(more.format(n) for n in range(2, count_of + 1)), *flow[1].slots)}
            )
        # Ids are drawn anew; a tag in the floors, which nothing reads here, tells whose seed came back.
        tag = Floors(composite=number // 101, mattr=number % 101)
        items.append((f"person-{number // shared_by}", plain.model_copy(update={"flow": tuple(flow), "floors": tag})))
    assert not [fault for _, seed in items for fault in violations(seed)]
    return items


def query(lines: list[tuple[str, str]]) -> dict[str, int]:
    """Subjects by combination, from JSON and regular expressions alone: nothing of the house is used but `TELLING`."""
    sharing: dict[str, set[str]] = defaultdict(set)
    for unit, line in lines:
        seed: dict[str, Any] = json.loads(line)
        told = []
        for slot in {slot for step in seed["flow"] for slot in step["slots"]}:
            kind = re.match(r"\[([A-Z_]+)_\d+", slot)
            name = kind[1] if kind else slot
            rest = re.sub(r"^\[[A-Z_]+_\d+|\]$|[A-Z]+_\d+ ", "", slot) if kind else ""
            if name in TELLING or rest:
                told.append(name + rest)  # as often as there are such things
        topics = sorted({step["topic"] for step in seed["flow"]} - {"closing"})
        key = [seed["domain"], seed["language"], seed["objective"], seed["tone"], sorted(seed["roles"])]
        sharing[json.dumps([*key, seed["facts"], topics, sorted(told)], sort_keys=True)].add(unit)
    return {key: len(units) for key, units in sharing.items()}


def released(items: People, k: int, crowd: int = 0) -> tuple[list[tuple[str, str]], Counter[str]]:
    owner, counts = {seed.floors: unit for unit, seed in items}, Counter[str]()
    seeds = list(anonymise(items, k, counts, crowd))
    return [(owner[seed.floors], seed.model_dump_json()) for seed in seeds], counts


def test_order_and_ids_tell_nothing_of_who_was_left_out() -> None:
    items = people(400)
    alone = [("alone", items[0][1].model_copy(update={"language": "fr"}))]
    counts = Counter[str]()
    seeds = list(anonymise(alone + items, 5, counts))
    assert counts["suppressed"] == 1
    assert [seed.id for seed in seeds] == [f"seed-{number:06d}" for number in range(1, 401)]
    place = {seed.floors: number for number, (_, seed) in enumerate(items)}
    came = [place[seed.floors] for seed in seeds]
    assert sorted(came) == list(range(400))
    # A random order keeps 199.5 neighbours in order, deviation 5.8 (false alarm below one in a million).
    assert abs(sum(a < b for a, b in pairwise(came)) - 199.5) < 30
    again = [place[seed.floors] for seed in anonymise(items, 5, Counter())]
    assert again != came


def test_the_marker_of_a_role_goes_with_the_role() -> None:
    nurse = medical(step("symptoms", "[NURSE_1]", role="nurse"), step("symptoms"), floors=Floors(mattr=1))
    doctor = medical(step("symptoms", role="doctor"), step("symptoms"))
    items = [("n", nurse), *((f"p{number}", doctor) for number in range(5))]
    for seed in anonymise(items, 5, Counter()):
        assert "NURSE" not in seed.model_dump_json()
        assert "nurse" not in seed.model_dump_json()


def test_a_number_of_relatives_singles_nobody_out() -> None:
    seven = tuple(f"[RELATIVE_{number}: daughter]" for number in range(1, 8))
    for others, left in ((1, 1), (2, 2), (3, 2)):
        few = medical(step("symptoms", *seven[:others]))
        items = [("seven", medical(step("symptoms", *seven)))] + [(f"p{number}", few) for number in range(5)]
        for seed in anonymise(items, 5, Counter()):
            assert seed.flow[0].slots == seven[:left]


def test_no_combination_is_left_that_fewer_than_five_subjects_share() -> None:
    items = people(1500)
    before = query([(unit, seed.model_dump_json()) for unit, seed in items])
    assert sum(1 for count in before.values() if count == 1) > 200  # the query can see what it looks for
    lines, counts = released(items, 5)
    after = query(lines)
    assert min(after.values()) >= 5
    assert min(after.values()) == counts["smallest_class"] or len(after) < counts["classes"]
    assert counts["seeds_in"] == 1500 == len(lines) + counts["suppressed"]


@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 3), st.integers(1, 150))
@settings(max_examples=25, deadline=None)
def test_for_any_source_and_k_every_combination_is_shared(seed: int, k: int, shared_by: int, count: int) -> None:
    lines, _ = released(people(count, seed, shared_by), k)
    assert all(sharing >= k for sharing in query(lines).values())


def test_what_is_written_is_valid_says_k_and_keeps_how_the_talk_went() -> None:
    items, counts = people(200), Counter[str]()
    before = {seed.floors: seed for _, seed in items}
    for seed in anonymise(items, 5, counts):
        assert not violations(seed)
        assert seed.privacy is not None
        assert (seed.privacy.k, seed.privacy.epsilon) == (5, None)
        assert [step.act for step in seed.flow] == [step.act for step in before[seed.floors].flow]
        assert seed.turn_range == before[seed.floors].turn_range


def test_one_subject_with_many_conversations_is_no_crowd() -> None:
    items = [("only one", seed) for _, seed in people(40)]
    lines, counts = released(items, 2)
    assert lines == []
    assert counts["suppressed"] == 40


def test_people_who_are_alike_lose_nothing() -> None:
    seed = medical(step("symptoms", "[RELATIVE_1: daughter]", "[AGE_1: 30-44]", "[NURSE_1]"), step("closing"))
    items = [(f"p{i}", seed) for i in range(1, 6)]
    lines, counts = released(items, 5)
    assert [attributes(Seed.model_validate_json(line)) for _, line in lines] == [attributes(seed)] * 5
    assert not [name for name in counts if name.startswith("generalised")]


def test_below_a_crowd_nothing_is_done_and_nothing_is_claimed() -> None:
    items = people(30)
    lines, counts = released(items, 5, crowd=31)
    assert [json.loads(line) for _, line in lines] == [seed.model_dump(mode="json") for _, seed in items]
    assert not counts


def step(topic: str, *slots: str, role: str = "patient") -> FlowStep:
    return FlowStep(role=role, act="inform", topic=topic, slots=slots)


def medical(*flow: FlowStep, **changes: Any) -> Seed:
    roles = tuple(dict.fromkeys(item.role for item in flow))
    (_, seed), *_ = population(1, np.random.default_rng(0), ("medical",))
    return seed.model_copy(update={"flow": flow, "roles": roles, "facts": {"age_band": "80+"}, **changes})


MENTIONS = [
    (("[RELATIVE_1: daughter]",), ("RELATIVE",), ("[RELATIVE_1]",)),
    (("[RELATIVE_1: daughter]",), (), ()),
    (("[DATE_1]", "[DATE_2: DATE_1 + 3 weeks]"), (), ("[DATE_1]", "[DATE_2]")),
    (("[DATE_1]", "[DATE_2: DATE_1 + 3 weeks]"), ("DATE: + 3 weeks",), ("[DATE_1]", "[DATE_2: DATE_1 + 3 weeks]")),
    (("[PATIENT_1.spouse]", "[PATIENT_2]"), ("PATIENT",), ("[PATIENT_1]",)),
    (("[PATIENT_1.spouse]", "[PATIENT_2]"), (), ()),
    (("[RELATIVE_1: son]", "[RELATIVE_2: daughter]"), ("RELATIVE", "RELATIVE: daughter"), ("[RELATIVE_1: daughter]",)),
    (
        ("[RELATIVE_1: son]", "[RELATIVE_2: daughter]"),
        ("RELATIVE", "RELATIVE: daughter", "RELATIVE twice"),
        ("[RELATIVE_1]", "[RELATIVE_2: daughter]"),
    ),
    (("symptom", "amount"), (), ("amount",)),
]


@pytest.mark.parametrize(("told", "common", "left"), MENTIONS)
def test_a_mention_is_generalised_to_its_kind_or_left_out(
    told: tuple[str, ...], common: tuple[str, ...], left: tuple[str, ...]
) -> None:
    seed = medical(step("symptoms", *told))
    rewritten, changed = generalise(seed, Shared({"mention": frozenset(common)}, "symptoms"))
    assert rewritten.flow[0].slots == left
    assert {sort for slot in left for sort in mention_sorts(slot)} <= set(common)
    assert not violations(rewritten)
    assert "facts" in changed


def test_roles_that_differ_become_the_two_sides_and_topics_the_shared_one() -> None:
    seed = medical(step("lifestyle", role="nurse"), step("insurance"), step("closing", role="nurse"))
    rewritten, changed = generalise(seed, Shared({"topic": frozenset({"insurance"})}, "symptoms"))
    assert [item.role for item in rewritten.flow] == ["doctor", "patient", "doctor"]
    assert [item.topic for item in rewritten.flow] == ["insurance", "insurance", "closing"]
    assert rewritten.objective == "general_consultation"
    assert rewritten.facts == {}
    assert {"roles", "topics", "objective"} <= set(changed)
    alone, _ = generalise(seed, Shared({}, "follow_up"))
    assert [item.topic for item in alone.flow] == ["follow_up", "follow_up", "closing"]
