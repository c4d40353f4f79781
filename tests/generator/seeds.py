"""Random valid seeds for the generator's tests, drawn from the vocabulary alone."""

from __future__ import annotations

from hypothesis import strategies as st

from seed_engine.numbering import renumbered
from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import vocabulary


@st.composite
def seeds(draw: st.DrawFn) -> Seed:
    known = vocabulary()
    profile = known.domains[draw(st.sampled_from(sorted(known.domains)))]
    roles = tuple(draw(st.lists(st.sampled_from(profile.roles), min_size=2, max_size=3, unique=True)))
    marker = st.builds("[{}_{}]".format, st.sampled_from(known.marker_kinds), st.integers(1, 3))
    slots = st.lists(st.one_of(st.sampled_from(known.slots), marker), max_size=5, unique=True)
    step = st.builds(
        FlowStep,
        role=st.sampled_from(roles),
        act=st.sampled_from(known.dialogue_acts),
        topic=st.sampled_from(profile.topics),
        slots=slots.map(tuple),
    )
    return Seed(
        id=f"seed-{draw(st.integers(0, 999_999)):06d}",
        domain=profile.name,
        language=draw(st.sampled_from(known.languages)),
        roles=roles,
        objective=draw(st.sampled_from(profile.objectives)),
        tone=draw(st.sampled_from(known.tones)),
        flow=renumbered(draw(st.lists(step, min_size=1, max_size=14))),
        turn_range="9-12",
    )


def support_seed(turns: int = 4) -> Seed:
    """A small seed with one marker a turn."""
    roles = ("customer", "agent")
    flow = tuple(
        FlowStep(role=roles[i % 2], act="inform", topic="delivery", slots=("product", f"[ORDER_{i + 1}]"))
        for i in range(turns)
    )
    return Seed(
        id="seed-000001",
        domain="support",
        language="en",
        roles=roles,
        objective="track_delivery",
        tone="neutral",
        flow=flow,
        turn_range="1-4",
    )


# What two sides do in a conversation of twelve turns: greeting, matter, questions and answers, an offer, a goodbye.
_ACTS = (
    *("initialGreeting", "returnGreeting", "inform", "setQuestion", "answer", "propositionalQuestion"),
    *("confirm", "inform", "request", "promise", "thanking", "returnGoodbye"),
)


def domain_seed(domain: str, language: str, number: int = 1, shift: int = 0) -> Seed:
    """A seed of twelve turns about two topics of any domain; `shift` chooses other ones."""
    profile = vocabulary().domains[domain]
    roles = profile.roles[:2]
    matters = [topic for topic in profile.topics if topic not in ("closing", "identity_check", "contact_details")]
    one, other = (matters[(shift + i) % len(matters)] for i in (0, 1))
    asker = roles[0].upper()
    slots = {0: (f"[{asker}_1]",), 4: ("duration", "[DATE_1]"), 7: ("amount", "[DATE_2]"), 8: ("[PHONE_1]",)}
    flow = tuple(
        FlowStep(
            role=roles[i % 2],
            act=act,
            topic="closing" if i > 9 else one if i < 6 else other,
            slots=slots.get(i, ()),
        )
        for i, act in enumerate(_ACTS)
    )
    return Seed(
        id=f"seed-{number:06d}",
        domain=domain,
        language=language,
        roles=roles,
        objective=profile.objectives[shift % len(profile.objectives)],
        tone="neutral",
        flow=flow,
        turn_range="9-12",
    )
