"""Two ways of naming are one person's, or are not; titles tell gender and which half of a name follows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.names import ALIKE, DIFFERENT, GUESSED, SAME, is_login_of, likeness, name_tokens
from seed_engine.person import read_name

LIKE = [
    ("Ana Ruiz", "Ana Ruiz", SAME),
    ("Ana Ruiz", "RUIZ, Ana's", DIFFERENT),
    ("Ana Ruiz", "Ruiz", SAME),
    ("Ana Ruiz", "a. ruiz", ALIKE),
    ("Ana Ruiz", "A.R.", ALIKE),
    ("Ana Ruiz", "aruiz", ALIKE),
    ("Robert Smith", "Bob", ALIKE),
    ("Consuelo Prats", "Chelo", ALIKE),
    ("Katherine Doe", "Kathy Doe", ALIKE),
    ("Gonzalez", "Gonzales", GUESSED),
    ("Amaya", "Amaia", GUESSED),
    ("Pemberton", "Pembertn", GUESSED),
    ("Garside", "Garsyde", GUESSED),
    ("Ludivina", "Ludi", GUESSED),
    ("Carmenza", "Carmencita", GUESSED),
    ("R-U-I-Z", "Ruiz", SAME),
    ("Ana Ruiz", "Ana Soto", DIFFERENT),
    ("Ana", "Anabel", DIFFERENT),
    ("Maria", "Marta", DIFFERENT),
    ("Daniel", "Daniela", DIFFERENT),
    ("Julian Paz", "Juliana Paz", DIFFERENT),
    ("Ana Ruiz", "B. Ruiz", DIFFERENT),
    ("Sam", "Pam", DIFFERENT),
]


@pytest.mark.parametrize(("known", "said", "like"), LIKE)
def test_likeness(known: str, said: str, like: int) -> None:
    assert likeness(name_tokens(said), name_tokens(known)) == like
    assert likeness(name_tokens(known), name_tokens(said)) == like


_names = st.lists(
    st.sampled_from(["ana", "ruiz", "paz", "john", "smith", "gonzalez", "b", "lopez", "maria"]), min_size=1, max_size=3
)


@given(_names)
def test_a_name_is_its_own_and_holds_its_parts(parts: list[str]) -> None:
    tokens = tuple(parts)
    assert likeness(tokens, tokens) >= ALIKE
    assert all(likeness((part,), tokens) >= ALIKE for part in tokens)


LOGINS = [
    ("aruiz84", "Ana Ruiz", True),
    ("ana.ruiz", "Ana Ruiz", True),
    ("ruiz_ana", "Ana Ruiz", True),
    ("e.vasquezthornton", "Eleanor Vasquez-Thornton", True),
    ("anar", "Ana Ruiz", True),
    ("gprewitt", "Prewitt", True),
    ("bruiz", "Ana Ruiz", False),
    ("support", "Ana Ruiz", False),
    ("ar", "Ana Ruiz", False),
    ("analyst", "Ana Ruiz", False),
]


@pytest.mark.parametrize(("login", "name", "owns"), LOGINS)
def test_logins(login: str, name: str, owns: bool) -> None:
    assert is_login_of(name_tokens(f"{login}@mail.example"), name_tokens(name)) is owns


TITLES = [
    ("Mr. Paz", "m", True),
    ("Mrs Escobar-Lynch", "f", True),
    ("señora Paz", "f", True),
    ("la señora Paz", "f", True),
    ("doña Ana", "f", False),
    ("Dr. Halvorsen", "", True),
    ("Dr. Samuel", "m", False),
    ("Ana Paz", "f", False),
    ("Guadalupe", "", False),
]


@pytest.mark.parametrize(("surface", "gender", "surname"), TITLES)
def test_titles_tell_gender_and_half(surface: str, gender: str, surname: bool) -> None:
    name = read_name(surface)
    assert (name.gender, name.surname) == (gender, surname)
