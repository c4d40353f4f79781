"""Template files hold to their form: known places, full coverage, nothing that looks like a person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from generator.catalogue import ANY, Catalogue, Line, catalogue
from generator.errors import TemplateError
from generator.names import names_added
from seed_engine.vocabulary import vocabulary

KNOWN = vocabulary()
FILES = list(product(sorted(KNOWN.domains), KNOWN.languages))
TEMPLATES = Path(__file__).parents[2] / "generator" / "templates"


def every_line(known: Catalogue) -> Iterator[Line]:
    for table in (known.lines, known.clauses, known.moods):
        for lines in table.values():
            yield from lines


@pytest.mark.parametrize(("domain", "language"), FILES)
def test_places_are_known_and_always_filled(domain: str, language: str) -> None:
    known = catalogue(domain, language)
    always = set(known.values).union({"topic"}, set.intersection(*(set(s.values) for s in known.scenarios)))
    optional = {name for scenario in known.scenarios for name in scenario.values}
    for line in every_line(known):
        assert set(line.kinds) <= set(KNOWN.marker_kinds), line.text
        # `{name}` is the marker itself, in the clauses that any kind can have.
        assert line.slots <= always | {"name"}, (line.text, line.slots & optional - always)
        assert "{" not in "".join(re.findall(r"\([^()]*\|[^()]*\)", line.text)), line.text


@pytest.mark.parametrize(("domain", "language"), FILES)
def test_every_act_slot_kind_and_topic_has_words(domain: str, language: str) -> None:
    known = catalogue(domain, language)
    for act in KNOWN.dialogue_acts:
        plain = [line for line in known.lines[act, ANY, ANY] if not line.kinds]
        assert len(plain) >= 3, act
    for name in (*KNOWN.slots, *KNOWN.marker_kinds):
        assert known.clauses[name, "state"], name
    for side in ("asks", "serves"):
        assert known.clauses[f"again/{side}", "self"]
    for name in ("again", "many"):
        assert all("name" in line.slots for mood in ("state", "ask") for line in known.clauses[name, mood])
    for name, mood in known.clauses:
        assert "/" not in name or name.split("/")[0] in (*KNOWN.slots, *KNOWN.marker_kinds, "again", "many"), (
            name,
            mood,
        )
    for role in KNOWN.domains[domain].roles:
        assert known.clauses[role.upper(), "self"]
    assert set(known.topics) == set(KNOWN.domains[domain].topics)
    assert set(KNOWN.slots) <= set(known.values)
    assert set(known.moods) >= set(KNOWN.tones) - {"neutral"}


@pytest.mark.parametrize(("domain", "language"), FILES)
def test_labels_in_the_files_are_labels_of_the_vocabulary(domain: str, language: str) -> None:
    profile = KNOWN.domains[domain]
    known = catalogue(domain, language)
    for act, topic, role in known.lines:
        assert act in KNOWN.dialogue_acts
        assert topic in (*profile.topics, ANY), topic
        assert role in (*profile.roles, "asks", "serves", ANY), role
    for scenario in known.scenarios:
        assert set(scenario.topics) <= set(profile.topics)


@pytest.mark.parametrize(("domain", "language"), FILES)
def test_no_names_numbers_or_addresses_stand_in_templates(domain: str, language: str) -> None:
    known = catalogue(domain, language)
    values = [value for scenario in known.scenarios for value in scenario.values.values()]
    values += [value for items in known.values.values() for value in items]
    texts = [line.text for line in every_line(known)] + values
    assert names_added((re.sub(r"\{\w+\}", "", text) for text in texts), language) == 0
    for text in texts:
        assert not re.search(r"@|https?:|\d{4,}", text), text


def test_folder_and_vocabulary_name_the_same_files() -> None:
    wanted = {f"{domain}.{language}.json" for domain, language in FILES}
    wanted |= {f"common.{language}.json" for language in KNOWN.languages}
    assert {file.name for file in TEMPLATES.glob("*.json")} == wanted


def test_unknown_domain_is_an_error() -> None:
    with pytest.raises(TemplateError):
        catalogue("astrology", "en")
