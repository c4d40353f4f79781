"""De-identification: the same conversation with its personal spans replaced by markers, surrogates or a mask."""

from __future__ import annotations

from hashlib import blake2b
from secrets import token_bytes
from typing import Literal

from seed_engine.abstract import Abstraction, abstract
from seed_engine.conversation import Conversation, Turn
from seed_engine.errors import UnknownNameError
from seed_engine.markers import Marker
from seed_engine.readers.speakers import SpeakerLabels
from seed_engine.spans import EntitySpan
from seed_engine.surrogates import Surrogates

Operator = Literal["marker", "surrogate", "mask"]
OPERATORS: tuple[Operator, ...] = ("marker", "surrogate", "mask")

# One length for all, since the length of a name or number is a hint at it.
MASK = "*****"


def deidentify(
    conversation: Conversation,
    spans: tuple[tuple[EntitySpan, ...], ...],
    operator: str = "marker",
    *,
    seed: int | None = None,
    subject_key: bytes = b"",
) -> Conversation:
    """Replace every personal span; the same thing by the same replacement through the conversation.

    Display names are dropped, a speaker label that is no role of the vocabulary becomes `speaker_N`, and the `subject`
    becomes a keyed hash, since all of them may name people. The id is kept: it is what
    joins the output with the input. What the spans miss stays as it was.

    Args:
        conversation: the source.
        spans: the detector's, one tuple a turn.
        operator: `marker` (`[PATIENT_1]`), `surrogate` (another plausible value) or `mask` (`*****`).
        seed: makes surrogates repeatable, for tests; None draws them afresh, so that nothing links two runs.
        subject_key: secret of a run, 16 to 64 bytes, under which conversations of one subject stay together; without
            one every conversation gets another subject.

    Raises:
        UnknownNameError: no such operator.
    """
    if operator not in OPERATORS:
        raise UnknownNameError("operator", OPERATORS)
    abstraction = abstract(conversation, spans)
    texts = abstraction.texts
    if operator != "marker":
        texts = _rewritten(conversation, abstraction, operator, seed)
    labels = SpeakerLabels()
    roles = [turn.role if labels.knows(turn.role) else labels.numbered(turn.role) for turn in conversation.turns]
    turns = tuple(Turn(role=role, text=text) for role, text in zip(roles, texts, strict=True))
    subject = None
    if conversation.subject is not None:
        key = subject_key or token_bytes(32)
        subject = "subject-" + blake2b(conversation.subject.encode(), key=key, digest_size=8).hexdigest()
    return conversation.model_copy(update={"turns": turns, "subject": subject})


def _rewritten(
    conversation: Conversation, abstraction: Abstraction, operator: str, seed: int | None
) -> tuple[str, ...]:
    surrogates = Surrogates(abstraction, seed) if operator == "surrogate" else None
    texts = []
    for turn, marked in zip(conversation.turns, abstraction.marked, strict=True):
        pieces, at = [], 0
        for span in marked:
            surface = turn.text[span.start : span.end]
            pieces += [turn.text[at : span.start], _replacement(surrogates, span.marker, surface)]
            at = span.end
        texts.append("".join([*pieces, turn.text[at:]]))
    return tuple(texts)


def _replacement(surrogates: Surrogates | None, marker: Marker, surface: str) -> str:
    return MASK if surrogates is None else surrogates.of(marker, surface)
