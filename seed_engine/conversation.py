"""Conversations: the one currency of the house, raw and synthetic alike."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION: Literal["1"] = "1"

Provenance = Literal["source", "synthetic"]


class Boundary(BaseModel):
    """Base of every record that crosses a file: frozen, closed, and silent about values in its errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Turn(Boundary):
    """What one speaker said.

    Attributes:
        role: the speaker's label as the input gives it, or a role of the vocabulary once synthetic.
        text: Unicode text; offsets elsewhere count its code points.
        name: the speaker's display name where the format has one (WhatsApp, MathDial); personal data.
    """

    role: str
    text: str
    name: str | None = None


class Conversation(Boundary):
    """Turns in the order they were said.

    Attributes:
        id: as the input gives it; may itself be personal, so it stays out of logs, seeds and file names.
        turns: at least one.
        language: ISO 639-1, or None when the input does not say.
        domain: a domain profile's name, or whatever the input calls it.
        subject: the person whose privacy is protected; None means "this conversation is one person".
        provenance: where the text comes from. Only `synthetic` may be published.
        seed_id: the seed that a synthetic conversation was generated from.
        metadata: every other string that the source's record carries, each once; only searched for, never written.
        form: `document` for `{"id", "text"}` input, which is carried as a single turn.
    """

    schema_version: Literal["1"] = SCHEMA_VERSION
    id: str
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]
    language: str | None = None
    domain: str | None = None
    subject: str | None = None
    provenance: Provenance = "source"
    seed_id: str | None = None
    metadata: Annotated[tuple[str, ...], Field(exclude=True, repr=False)] = ()
    form: Literal["conversation", "document"] = "conversation"

    @property
    def unit(self) -> str:
        """The privacy unit: the subject where the input names one, else the conversation."""
        return self.subject if self.subject is not None else self.id
