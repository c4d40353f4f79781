"""UNCASE's seeds as seeds: labels chosen from the vocabulary by what the free text says, never the text itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seed_engine.content import best_objective, objective_votes
from seed_engine.conversation import Conversation, Turn
from seed_engine.fold import fold
from seed_engine.rules import Rules, domain_rules, hits
from seed_engine.schema import violations
from seed_engine.seed import Floors, FlowStep, Guarantee, Seed
from seed_engine.speakers import turn_roles
from seed_engine.uncase.export import METHOD, TONES
from seed_engine.uncase.records import DOMAINS, UncaseSeed
from seed_engine.vocabulary import DomainProfile, band, vocabulary

_TONES = {uncase: own for own, uncase in TONES.items()} | {"empatico": "friendly", "cordial": "friendly"}
# UNCASE names stages freely, in Spanish or English; what a stage does is told by its first words.
_ACTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("initialGreeting", re.compile(r"salud|bienvenid|greet|welcome|apertura|opening")),
    ("initialGoodbye", re.compile(r"desped|cierre|closing|goodbye|farewell|wrap.?up")),
    ("thanking", re.compile(r"agradec|thank")),
    ("disagreement", re.compile(r"objecion|objection|contraoferta|counter.?offer|desacuerdo|rechazo")),
    ("checkQuestion", re.compile(r"confirm|verific|validac|verif")),
    ("offer", re.compile(r"oferta|offer|propuesta|proposal")),
    ("suggest", re.compile(r"recomend|suger|alternativ|suggest|recommend|programac|schedul|proximos|next.?step|plan")),
    ("instruct", re.compile(r"instruc|guia|explicac|explain|paso")),
    (
        "setQuestion",
        re.compile(r"identific|consulta|pregunta|indag|question|ask|anamnes|diagnos|explor|escucha|evalua"),
    ),
    ("answer", re.compile(r"resoluc|respuesta|aclarac|answer|resol|duda")),
)


def from_uncase(record: UncaseSeed, seed_id: str) -> Seed:
    """A valid seed for an UNCASE seed; one that was exported here comes back as it was, but for its id and promises.

    What was promised of the file that it once stood in, and what was asked of it, anybody can write into a record: it
    is not taken over.

    Args:
        record: of any origin; its free text chooses labels and is not copied.
        seed_id: `seed-` and a running number.
    """
    own = _exported(record, seed_id)
    if own is not None:
        return own
    known = vocabulary()
    profile = known.domain(DOMAINS[record.dominio])
    rules = domain_rules()[profile.name]
    speakers = tuple(Turn(role=role, text="") for role in record.roles)
    roles = turn_roles(Conversation(id="", turns=speakers), profile)
    flow = tuple(_flow(record, tuple(dict.fromkeys(roles)), profile, rules))
    aims = [fold(text) for text in (record.objetivo, " ".join(record.etiquetas))]
    votes = objective_votes(
        [(profile.roles[0], text) for text in aims], [hits(rules.topics, t) for t in aims], profile, rules
    )
    language = fold(record.idioma)[:2]
    return Seed(
        id=seed_id,
        vocabulary_version=known.version,
        domain=profile.name,
        language=language if language in known.languages else "es",
        roles=tuple(dict.fromkeys(step.role for step in flow)),
        objective=best_objective(votes, profile),
        tone=_TONES.get(fold(record.tono), "neutral"),
        flow=flow,
        turn_range=band((record.pasos_turnos.turnos_min + record.pasos_turnos.turnos_max) // 2, known.turn_bands),
    )


def _exported(record: UncaseSeed, seed_id: str) -> Seed | None:
    """The seed that `to_uncase` wrote; None when this is another's, or was changed into what is no valid seed."""
    told = dict(record.parametros_factuales.metadata)
    if record.privacidad.metodo_anonimizacion != METHOD or not {"turn_range", "tone"} <= set(told):
        return None
    steps = [line.split("|") for line in record.pasos_turnos.flujo_con_roles]
    if not steps or any(len(step) < 3 for step in steps):
        return None
    for name in (*Guarantee.model_fields, *Floors.model_fields):
        told.pop(name, None)
    seed = Seed(
        id=seed_id,
        vocabulary_version=told.pop("vocabulary_version", ""),
        domain=DOMAINS[record.dominio],
        language=record.idioma,
        roles=tuple(record.roles),
        objective=record.objetivo,
        turn_range=told.pop("turn_range"),
        tone=told.pop("tone"),
        flow=tuple(FlowStep(role=s[0], act=s[1], topic=s[2], slots=tuple(s[3:])) for s in steps),
        facts=told,
    )
    return seed if not violations(seed) else None


def _flow(record: UncaseSeed, roles: tuple[str, ...], profile: DomainProfile, rules: Rules) -> Iterator[FlowStep]:
    """A step a stage, the roles taking turns."""
    topic = profile.topics[0]
    # A seed talks between two; when UNCASE's roles fall together, the domain's first other one joins.
    pair = roles if len(roles) > 1 else (*roles, next(role for role in profile.roles if role not in roles))
    stages = record.pasos_turnos.flujo_esperado
    for i in range(max(len(stages), 2)):
        text = fold(stages[i].replace("_", " ")) if i < len(stages) else ""
        act = next((act for act, pattern in _ACTS if pattern.search(text)), "inform")
        found = hits(rules.topics, text)
        topic = max(found, key=lambda name: (found[name], -profile.topics.index(name)), default=topic)
        yield FlowStep(role=pair[i % len(pair)], act=act, topic=topic)
