"""What was told or asked in other words weighs against a line."""

from __future__ import annotations

from generator.catalogue import Line
from generator.memory import Memory, content


def said(text: str) -> Line:
    return Line(text, frozenset(), frozenset(), ())


TOLD = said("The courier rang the doorbell twice yesterday evening.")
AGAIN = said("Yesterday evening the courier rang twice at the doorbell.")
OTHER = said("The invoice shows a wrong address.")


def test_what_somebody_says_again_in_other_words_is_noticed_and_what_is_new_is_not() -> None:
    memory = Memory("support", "en")
    memory.note("customer", TOLD)
    assert memory.repeats("customer", AGAIN, asks=False) > 0.8
    assert memory.repeats("customer", OTHER, asks=False) == 0.0


def test_the_other_side_may_say_it_too_but_does_not_ask_for_it_later() -> None:
    memory = Memory("support", "en")
    memory.note("customer", TOLD)
    assert memory.repeats("agent", AGAIN, asks=False) == 0.0
    assert memory.repeats("agent", AGAIN, asks=True) == 0.0  # just now said: taken up
    memory.note("agent", OTHER)
    assert memory.repeats("agent", AGAIN, asks=True) > 0.8


def test_words_that_everybody_says_are_no_repetition() -> None:
    memory = Memory("support", "en")
    memory.note("agent", said("Is there anything else that I can do for you?"))
    assert memory.repeats("agent", said("Can I do anything for you?"), asks=False) == 0.0


def test_content_leaves_out_places_accents_and_endings() -> None:
    assert content("El préstamo de {amount}") == content("Él préstamos, de")
