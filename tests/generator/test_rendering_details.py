"""Surrogates fit together: mail and name, age and birth date, city and area code, Spanish words and first names."""

from __future__ import annotations

import re
from datetime import date, datetime
from itertools import pairwise

import phonenumbers
import pytest
from faker import Faker

from generator.grammar_gender import genders
from generator.places import AREAS
from generator.render import Rendered, render
from generator.surrogates import SurrogateMaker
from seed_engine.conversation import Conversation, Turn
from seed_engine.markers import parse_marker

MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()  # noqa: SIM905


def rendered(language: str, *texts: str, seed: int = 1) -> tuple[Rendered, dict[str, str]]:
    turns = tuple(Turn(role=("patient", "doctor")[i % 2], text=text) for i, text in enumerate(texts))
    talk = Conversation(id=f"c-{seed}", turns=turns, language=language, provenance="synthetic")
    made = render(talk, seed=seed, forbidden=lambda _: False)
    return made, {p.marker: made.turns[p.turn].text[p.start : p.end] for p in made.surrogates}


def day(text: str, language: str) -> date:
    if language == "en":
        return datetime.strptime(text, "%B %d, %Y").date()
    number, month, year = text.split(" de ")
    return date(int(year), MONTHS.index(month) + 1, int(number))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "My date of birth is [DATE_1] and I am [AGE_1: 30-44]. It began on [DATE_2]."),
        ("en", "I am [AGE_1]. I was born on [DATE_1]. It began on [DATE_2]."),
        ("es", "Mi fecha de nacimiento es el [DATE_1] y tengo [AGE_1: 30-44] años. Empezó el [DATE_2]."),
        ("es", "Tengo [AGE_1] años, nací el [DATE_1]. Empezó el [DATE_2]."),
    ],
)
def test_the_age_fits_the_birth_date(language: str, told: str) -> None:
    for seed in range(40):
        _, values = rendered(language, told, seed=seed)
        age = next(int(value) for marker, value in values.items() if marker.startswith("[AGE_1"))
        born, today = day(values["[DATE_1]"], language), day(values["[DATE_2]"], language)
        birthday_past = (today.month, today.day) >= (born.month, born.day)
        assert today.year - born.year - (not birthday_past) == age


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_area_code_fits_the_city(language: str) -> None:
    fitting = 0
    for seed in range(60):
        _, values = rendered(language, "I live in [LOCATION_1: city], call [PHONE_1].", seed=seed)
        city = values["[LOCATION_1: city]"]
        if city in AREAS[language]:
            fitting += 1
            assert re.sub(r"\D", "", values["[PHONE_1]"]).startswith(AREAS[language][city])
    assert fitting > 35


@pytest.mark.parametrize(("language", "country"), [("en", "US"), ("es", "ES")])
def test_no_number_reaches_anybody(language: str, country: str) -> None:
    for seed in range(200):
        _, values = rendered(language, "In [LOCATION_1], [PHONE_1].", seed=seed)
        number = phonenumbers.parse(values["[PHONE_1]"], country)
        fictional = country == "US" and re.search(r"555-01\d\d$", values["[PHONE_1]"])
        assert fictional or not phonenumbers.is_possible_number(number)


def test_postcodes_are_ones_that_nobody_has() -> None:
    for language in ("en", "es"):
        maker = SurrogateMaker(language, 1)
        codes = {maker.draw(parse_marker("[LOCATION_1: postcode]")) for _ in range(50)}
        assert all(re.fullmatch(r"00\d{3}", code) for code in codes)


def test_test_cards_pass_the_checksum_and_are_the_published_ones() -> None:
    maker = SurrogateMaker("en", 1)
    published = {"4242424242424242", "4000056655665556", "5555555555554444", "5105105105105100"}
    assert {maker.draw(parse_marker("[CARD_1]")).replace(" ", "") for _ in range(60)} == published


@pytest.mark.parametrize(
    ("language", "texts", "marker", "gender"),
    [
        ("es", ["La doctora [DOCTOR_1] me atendió."], "[DOCTOR_1]", "f"),
        ("es", ["El doctor [DOCTOR_1] me atendió."], "[DOCTOR_1]", "m"),
        ("es", ["Soy [PATIENT_1].", "Dígame.", "Estoy muy preocupada por esto."], "[PATIENT_1]", "f"),
        ("es", ["Soy [PATIENT_1].", "Dígame.", "Estoy un poco cansado."], "[PATIENT_1]", "m"),
        ("es", ["Hola.", "Bienvenida, [PATIENT_1]."], "[PATIENT_1]", "f"),
        ("es", ["Viene [PATIENT_1.daughter]."], "[PATIENT_1.daughter]", "f"),
        ("es", ["Viene [RELATIVE_1: son]."], "[RELATIVE_1: son]", "m"),
        ("en", ["I saw Mrs. [PERSON_1]."], "[PERSON_1]", "f"),
        ("en", ["I saw Mr. [PERSON_1]."], "[PERSON_1]", "m"),
    ],
)
def test_first_names_agree_with_the_words_around_them(
    language: str, texts: list[str], marker: str, gender: str
) -> None:
    provider = Faker({"es": "es_ES", "en": "en_US"}[language]).get_providers()
    names = next(p for p in provider if type(p).__module__.startswith("faker.providers.person"))
    fitting = set(names.first_names_female if gender == "f" else names.first_names_male)
    for seed in range(25):
        _, values = rendered(language, *texts, seed=seed)
        assert any(values[marker].startswith(f"{name} ") for name in fitting)


def test_nobody_has_a_gender_that_no_word_tells() -> None:
    turns = (Turn(role="patient", text="Soy [PATIENT_1] y estoy con [RELATIVE_1: spouse]. La cita está confirmada."),)
    assert genders(Conversation(id="c", turns=turns, language="es", provenance="synthetic")) == {}


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_chain_of_dates_keeps_its_order(language: str) -> None:
    texts = ["[DATE_1], [DATE_2: DATE_1 + 2 weeks], [DATE_3: DATE_2 + 3 months], [DATE_4: DATE_3 - 1 day]"]
    for seed in range(30):
        _, values = rendered(language, *texts, seed=seed)
        days = [day(value, language) for _, value in sorted(values.items())]
        gaps = [(later - earlier).days for earlier, later in pairwise(days)]
        assert 10 <= gaps[0] <= 18
        assert 80 <= gaps[1] <= 120
        assert gaps[2] == -1
