"""Exchange files hold to their form; what is written to a question is said to that question and to no other."""

from __future__ import annotations

import random
import re
from itertools import pairwise, product
from pathlib import Path

import pytest

from generator.catalogue import catalogue
from generator.draft import draft
from generator.errors import TemplateError
from generator.exchanges import OPENERS, SAYS, SIGNS, parse_exchanges, read_exchanges
from generator.names import names_added
from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import vocabulary
from tests.generator.seeds import domain_seed, support_seed

KNOWN = vocabulary()
FILES = list(product(sorted(KNOWN.domains), KNOWN.languages))
FOLDER = Path(__file__).parents[2] / "generator" / "exchanges"
GOOD = "@ delivery agent\n? Did it come?\n+ Yes.\n- No.\n\n@ * customer\nw How long?\n= {duration}.\n"


def test_every_domain_and_language_has_a_file() -> None:
    wanted = {f"{domain}.{language}.txt" for domain, language in FILES}
    wanted |= {f"common.{language}.txt" for language in KNOWN.languages}
    assert {file.name for file in FOLDER.iterdir()} == wanted


@pytest.mark.parametrize(("domain", "language"), FILES)
def test_labels_places_and_names_of_a_file(domain: str, language: str) -> None:
    profile, known = KNOWN.domains[domain], catalogue(domain, language)
    always = set(known.values).union({"topic"}, set.intersection(*(set(s.values) for s in known.scenarios)))
    for exchange in read_exchanges(domain, language) + read_exchanges("common", language):
        assert exchange.topic in (*profile.topics, "*"), exchange
        assert exchange.role in (*profile.roles, "asks", "serves"), exchange
        assert exchange.act in OPENERS.values()
        assert exchange.replies, exchange.opener
        for text in (exchange.opener, *(item for items in exchange.replies.values() for item in items)):
            assert set(re.findall(r"\{(\w+)\}", text)) <= always, text
            assert names_added([re.sub(r"\{\w+\}", "", text)], language) == 0, text
            assert not re.search(r"@|https?:|\d{4,}", text), text
            assert text[-1] in ".?!…", text


def test_a_file_is_read_as_it_stands() -> None:
    first, second = parse_exchanges(GOOD, "x")
    assert (first.key, first.act, first.topic, first.role) == ("x1", "propositionalQuestion", "delivery", "agent")
    assert first.replies == {"+": ("Yes.",), "-": ("No.",)}
    assert (second.topic, second.act, second.replies) == ("*", "setQuestion", {"=": ("{duration}.",)})


@pytest.mark.parametrize(
    "text", ["? Nobody asks?", "@ delivery agent\n+ Yes.", "@ delivery agent\nz What?", "@ delivery\n? What?", "words"]
)
def test_what_has_another_form_is_refused_by_its_line(text: str) -> None:
    with pytest.raises(TemplateError, match=r"x\.txt: line [12]"):
        list(parse_exchanges(text, "x.txt"))


def test_every_sign_is_said_by_an_act_and_every_act_is_known() -> None:
    assert set(SAYS) <= set(KNOWN.dialogue_acts)
    assert {sign for signs in SAYS.values() for sign in signs} == set(SIGNS)


def asked(act: str, reply: str, language: str = "en", domain: str = "support") -> Seed:
    roles = KNOWN.domains[domain].roles[:2]
    steps = [(roles[0], "inform"), (roles[1], act), (roles[0], reply)]
    flow = tuple(FlowStep(role=role, act=name, topic=KNOWN.domains[domain].topics[0]) for role, name in steps)
    return domain_seed(domain, language).model_copy(update={"flow": flow})


@pytest.mark.parametrize(("domain", "language"), FILES)
def test_a_written_question_gets_an_answer_written_for_it(domain: str, language: str) -> None:
    """Over 40 draws; an answer of another exchange would be a non sequitur."""
    exchanges, met = read_exchanges(domain, language), 0
    for number in range(40):
        turns = draft(asked("setQuestion", "answer", language, domain), random.Random(number))
        found = [item for item in exchanges if item.act == "setQuestion" and matches(item.opener, turns[1].text)]
        if found:
            met += 1
            replies = [text for item in found for texts in item.replies.values() for text in texts]
            assert any(matches(text, turns[2].text) for text in replies), (turns[1].text, turns[2].text)
    assert met >= 5


def matches(template: str, text: str) -> bool:
    """Whether a text begins with a template, places and alternatives being anything."""
    loose = re.sub(r"\{\w+\}|<[^>]*>|\([^()]*\|[^()]*\)", "\0", template)
    pattern = ".+?".join(re.escape(part.strip()) for part in loose.split("\0"))
    return re.search(pattern.replace(r"\ ", r"\s*"), text, re.IGNORECASE) is not None


def test_what_was_just_named_is_a_pronoun() -> None:
    steps = [("agent", "propositionalQuestion"), ("customer", "confirm")] * 4
    flow = tuple(FlowStep(role=role, act=act, topic="delivery") for role, act in steps)
    seed = support_seed().model_copy(update={"flow": flow, "roles": ("agent", "customer")})
    for number in range(30):
        turns = [turn.text for turn in draft(seed, random.Random(number))]
        for before, text in pairwise(turns):
            if "taken the parcel in" in text:
                assert "parcel" not in before
