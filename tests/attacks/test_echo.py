"""Echo: invented values that come out are counted, and those that anybody finds prove nothing."""

from __future__ import annotations

import pytest

from attacks.config import AttackConfig
from attacks.echo import attack_echo
from attacks.near_copy import letters
from attacks.source_canaries import SourceCanary, make_source_canaries

CONFIG = AttackConfig()
CANARIES = make_source_canaries(800, 0)
PLANTED, ABSENT = CANARIES[:400], CANARIES[400:]
SAID = "The customer asks about a parcel. The agent looks it up in the system and sends a new one."


def verdict(released: list[str]) -> tuple[str, int]:
    found = attack_echo(PLANTED, released, ABSENT, CONFIG)
    return found.verdict, found.successes


def test_nothing_comes_out() -> None:
    assert verdict([SAID] * 400) == ("pass", 0)


@pytest.mark.parametrize(
    "written",
    [
        lambda value: value,
        lambda value: value.upper().replace(" ", "-"),
        lambda value: " ".join(value),
        lambda value: value[:3] + value[4:],  # one letter of twelve or more is missing
    ],
)
def test_an_echo_counts_however_it_is_written(written: object) -> None:
    released = [SAID] * 400
    for i in range(0, 48, 6):  # names
        released[i] = f"{SAID} {written(PLANTED[i].value)}"  # type: ignore[operator]
    assert verdict(released) == ("fail", 8)


def test_an_echo_in_another_conversation_counts() -> None:
    released = [SAID] * 399 + [" ".join(canary.value for canary in PLANTED[:5])]
    assert verdict(released) == ("fail", 5)


def test_values_said_nowhere_that_come_out_too_prove_nothing() -> None:
    released = [SAID] * 399 + [" ".join(c.value for c in (*PLANTED[:8], *ABSENT[:8]))]
    assert verdict(released) == ("inconclusive", 8)


def test_nothing_made_and_too_few_are_inconclusive() -> None:
    assert verdict([" "] * 400)[0] == "inconclusive"
    assert attack_echo(PLANTED[:250], [SAID] * 250, ABSENT, CONFIG).verdict == "inconclusive"
    assert attack_echo([], [], ABSENT, CONFIG).verdict == "inconclusive"


def test_canaries_are_told_apart_and_said_in_two_languages() -> None:
    values = [letters(canary.value) for canary in CANARIES]
    assert len(set(values)) == 800
    assert min(map(len, values)) >= 8
    assert not any(a in b for a in values[:60] for b in values if a != b)
    canary = SourceCanary("Zorquimvel Draxsson", 0)
    assert canary.said("es") == "Me llamo Zorquimvel Draxsson."
    assert canary.said("de") == canary.said(None) == "My name is Zorquimvel Draxsson."
    assert "Zorquim" not in repr(canary)
    assert make_source_canaries(5, 1) != make_source_canaries(5, 2)
