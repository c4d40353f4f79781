"""Nouns of office before a name, "nurse Odette", "mi abogada Covadonga Prieto", and the roles that they give."""

from __future__ import annotations

import re
from functools import cache

from seed_engine.fold import fold
from seed_engine.relations import relation_words
from seed_engine.vocabulary import vocabulary

# Role, domains (empty: all), words.
_NOUNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "doctor",
        (),
        r"dr|dra|doctor|doctora|doc|physician|surgeon|cardiologist|dermatologist|neurologist|oncologist|gp|"
        r"psychiatrist|psychologist|therapist|gynecologist|gynaecologist|dentist|pediatrician|paediatrician|consultant|"
        r"medic[oa](?: de cabecera)?|cardiolog[oa]|pediatra|dermatolog[oa]|cirujan[oa]|especialista|psicolog[oa]|"
        r"psiquiatra|ginecolog[oa]|neurolog[oa]|oncolog[oa]|dentista|traumatolog[oa]",
    ),
    ("nurse", (), r"nurse|enfermer[oa]|receptionist|recepcionista|matrona|midwife"),
    ("patient", ("medical",), r"patient|paciente"),
    ("student", ("tutoring",), r"student|pupil|classmate|alumn[oa]|estudiante|companer[oa](?: de clase)?"),
    (
        "tutor",
        (),
        r"prof|professor|profesora?|profe|teacher|tutora?|maestr[oa]|coach|sen[oe]|miss(?= )",
    ),
    (
        "lawyer",
        (),
        r"lawyer|attorney|solicitor|barrister|counsel|abogad[oa]|letrad[oa]|licenciad[oa]|lic|procurador(?:a)?",
    ),
    ("client", ("legal", "finance"), r"client|cliente|clienta"),
    ("manager", ("finance", "automotive"), r"(?:branch |sales |finance )?manager|gerente"),
)
# Whoever works where the second role of a domain does; there it is the seller, here the agent.
_STAFF = (
    r"agent|representative|rep|technician|advisor|adviser|colleague|coworker|manager|supervisor|engineer|courier|"
    r"driver|salesman|saleswoman|salesperson|salesguy|banker|teller|broker|agente|tecnic[oa]|asesora?|"
    r"companer[oa]|supervisora?|repartidor|vendedora?|comercial|operadora?|gestora?|encargad[oa]"
)
_STAFF_DOMAINS = ("support", "finance", "automotive")
_LINK = r"\.?\s*(?:(?:se llama|es|called|named|is|an?|un tal|una tal)\s+)?"
# "My lawyer, Ana Paz" and "a lawyer, a Ms. Paz" tell an office; "doctor, Ana has a cough" does not.
_WHOSE = r"(?:my|our|your|his|her|their|the|an?|mi|tu|su|nuestr[oa]|el|la|una?)"
_TITLE = r"(?:(?:mr|mrs|ms|dr|dra|don|dona|sr|sra|senora?)\b\.?\s*)?"


def noun_roles(before: str, surface: str, domain: str) -> tuple[str, ...]:
    """Roles, as marker kinds, that nouns before a name or at its start give.

    Args:
        before: folded text before the name.
        surface: the folded name, titles included.
        domain: the domain profile's name.
    """
    titles = [word.rstrip(".,") for word in surface.split()[:-1][:2]]
    return tuple(
        kind
        for kind, pattern in _patterns(domain)
        if pattern.search(before) or any(pattern.fullmatch(title) for title in titles)
    )


def label_role(label: str, domain: str) -> str | None:
    """The domain's role that a speaker label is a noun of ("psicóloga", "Dr. Paz", "tutora"); None when of none."""
    words = [word for word in re.split(r"[^\w]+|_|\d+", fold(label)) if word]
    known = vocabulary().domain(domain).roles
    for word in (" ".join(words), *words[:1]):
        for kind, pattern in _patterns(domain):
            if kind.lower() in known and word and pattern.fullmatch(word):
                return kind.lower()
    relation = relation_words().get(" ".join(words))
    if relation is None or not relation.kin:
        return None
    wanted = ("parent", "relative") if relation.side == "parent" else ("relative",)
    return next((role for role in wanted if role in known), None)


@cache
def _patterns(domain: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    known = vocabulary()
    nouns = [(role, words) for role, domains, words in _NOUNS if not domains or domain in domains]
    if domain in _STAFF_DOMAINS:
        nouns.append((known.domain(domain).roles[1], _STAFF))
    return tuple(
        (
            role.upper(),
            _pattern(words),
        )
        for role, words in nouns
        if role in known.roles
    )


def _pattern(words: str) -> re.Pattern[str]:
    beside = rf"(?:{words}){_LINK}"
    owned = rf"{_WHOSE}\s+(?:\w+\s+)?(?:{words})\s*[,:]\s*{_LINK}"
    stranger = rf"(?:{words})\s*,\s*(?:an?|un tal|una tal)\s+"
    return re.compile(rf"(?<![\w-])(?:{beside}|{owned}|{stranger}){_TITLE}$")
