"""A user's own profile: one file, closed labels, usable from extraction to generation, and no way to smuggle a name."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.catalogue import catalogue
from generator.draft import draft
from seed_engine import domain, domain_file, rules, vocabulary
from seed_engine.conversation import Conversation, Turn
from seed_engine.domain_file import read_domain
from seed_engine.errors import InputError
from seed_engine.extract import extract
from seed_engine.schema import violations
from seed_engine.spans import EntitySpan

PROFILE: dict[str, Any] = {
    "name": "veterinary",
    "roles": ["customer", "doctor"],
    "speakers": {"customer": ["owner"], "doctor": ["vet"]},
    "topics": ["animal_health", "vaccination", "closing"],
    "objectives": ["treat_animal", "vaccinate_animal", "general_question"],
    "rules": {
        "inputs": ["vet", "pets"],
        "topics": {"animal_health": ["limp*", "paw"], "vaccination": ["vaccin*", "shot"]},
        "objectives": {"treat_animal": ["limp*"], "vaccinate_animal": ["vaccin*"]},
        "slots": {"symptom": ["limp*"]},
        "leads": {"animal_health": "treat_animal"},
    },
    "spoken": {"en": {"animal_health": ["the paw"]}},
    "examples": {"treat_animal": ["My dog is not well."]},
}
Use = Callable[[dict[str, Any]], Path]


def forget() -> None:
    for cached in (
        domain_file.own_domains,
        vocabulary.vocabulary,
        rules.domain_rules,
        domain._telling_labels,
        catalogue,
    ):
        cached.cache_clear()


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    def write(record: dict[str, Any]) -> Path:
        path = tmp_path / "own.json"
        path.write_text(json.dumps(record), "utf-8")
        monkeypatch.setenv(domain_file.VARIABLE, str(path))
        forget()
        return path

    yield write
    monkeypatch.delenv(domain_file.VARIABLE)
    forget()


def talk(*texts: str, name: str | None = "veterinary") -> Conversation:
    turns = tuple(Turn(role=("owner", "vet")[i % 2], text=text) for i, text in enumerate(texts))
    return Conversation(id="c", turns=turns, language="en", domain=name)


def test_an_own_domain_is_extracted_validated_and_generated(use: Use) -> None:
    use(PROFILE)
    conversation = talk("Hi, my dog is limping, I'm Ana", "Let me see the paw.", "Thank you!")
    seed = extract(conversation, ((EntitySpan(27, 30, "PERSON", 1.0, "t"),), (), ()), "seed-000001").seed
    assert seed is not None
    assert violations(seed) == ()
    assert (seed.domain, seed.objective, seed.roles) == ("veterinary", "treat_animal", ("customer", "doctor"))
    assert seed.flow[0].topic == "animal_health"
    assert "symptom" in seed.flow[0].slots
    for language in ("en", "es"):
        drafts = draft(seed.model_copy(update={"language": language}), random.Random(1))
        assert len(drafts) == len(seed.flow)
        assert all(item.text for item in drafts)


def test_an_own_domain_is_found_by_its_labels_and_input_words(use: Use) -> None:
    use(PROFILE)
    assert domain.find_domain(talk("the paw", "ok", name="pets")).name == "veterinary"
    assert domain.find_domain(talk("my dog limps, the paw needs a shot", "ok", name=None)).name == "veterinary"


@pytest.mark.parametrize(
    "change",
    [
        {"topics": ["animal_health", "vaccination", "zebulon_quark"]},
        {"topics": ["animal_health", "vaccination", "quark_complaint"]},
        {"spoken": {"en": {"vaccination": ["what Zebulon told us"]}}},
    ],
)
def test_a_label_that_is_somebodys_name_halts(change: dict[str, Any], use: Use) -> None:
    use(PROFILE | change)
    with pytest.raises(InputError) as caught:
        extract(talk("I am Zebulon Quark", "ok"), ((EntitySpan(5, 18, "PERSON", 1.0, "t"),), ()), "seed-000001")
    assert "Quark" not in str(caught.value)


FAULTS: dict[str, dict[str, Any]] = {
    "name": {"name": "Ana Ruiz"},
    "topics": {"topics": ["Zebulon Quark"]},
    "objectives": {"objectives": ["treat_animal", "vaccinate_animal", "x" * 33]},
    "roles": {"roles": ["customer", "customer"]},
    "rules": {"rules": {"topics": {"zebulon": ["a"]}}},
    "speakers": {"speakers": {"zebulon": ["a"]}},
    "spoken": {"spoken": {"en": {"zebulon": ["a"]}}},
    "examples": {"examples": {"zebulon": ["a"]}},
    "not a domain profile": {"zebulon": 1},
}


@pytest.mark.parametrize("field", FAULTS)
def test_every_fault_is_named_by_field_and_quotes_nothing(field: str, use: Use) -> None:
    path = use(PROFILE | FAULTS[field])
    with pytest.raises(InputError, match=field) as caught:
        read_domain(path)
    assert not {"zebulon", "ana ruiz", "x" * 33} & {caught.value.rule.lower()}
    assert "zebulon" not in str(caught.value).lower().replace("not a domain profile (zebulon", "")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "medical"},
        {"roles": ["customer", "zebulon"], "speakers": {}},
        {"rules": {"slots": {"zebulon": ["a"]}}},
    ],
)
def test_what_the_vocabulary_does_not_have_is_refused(change: dict[str, Any], use: Use) -> None:
    use(PROFILE | change)
    with pytest.raises(InputError, match="taken, or not in the vocabulary"):
        vocabulary.vocabulary()


@pytest.mark.parametrize("text", ["", "[]", '{"name": "a", "name": "b"}', "[" * 10_000])
def test_what_is_no_profile_at_all_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError):
        read_domain(path)
    with pytest.raises(InputError):
        read_domain(tmp_path / "missing.json")


def test_regular_expressions_are_not_taken_from_strangers(use: Use) -> None:
    path = use(PROFILE | {"rules": {"topics": {"vaccination": ["re:(a+)+$"]}}})
    with pytest.raises(InputError, match="regular expressions"):
        read_domain(path)
