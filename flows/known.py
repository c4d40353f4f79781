"""What a run knows of its sources: the values to be looked for in everything that is published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seed_engine.carried import carried
from seed_engine.conversation import Conversation
from seed_engine.extract import Secret
from seed_engine.fold import words
from seed_engine.secret_forms import forms


class KnownValues:
    """Original values of a source, as they come; for the memory of a run only.

    Attributes:
        found: values that the detector found in the texts.
        beside: values that the records carry beside their texts.
    """

    def __init__(self) -> None:
        self.found: dict[Secret, None] = {}
        self.beside: dict[Secret, None] = {}

    def __repr__(self) -> str:
        return f"KnownValues({len(self.found)} found, {len(self.beside)} beside)"

    def add(self, conversation: Conversation, secrets: Iterable[Secret]) -> None:
        """Take in a conversation and what extraction found in its texts."""
        self.found.update(dict.fromkeys(secrets))
        self.beside.update(dict.fromkeys(carried(conversation)))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """All of them as `(value, entity_type)`."""
        return ((secret.value, secret.entity_type) for secret in (*self.found, *self.beside))

    def sees(self, house: Iterable[str]) -> bool:
        """Whether the detector found anything that can be searched for.

        If it did not, the sources hold nobody or the detector is blind, and ids that can be searched change nothing
        about that.

        Args:
            house: texts that the house itself writes; their words count as ordinary.
        """
        own = frozenset(word for text in house for word in words(text))
        return any(not isinstance(forms(secret.value, secret.entity_type, own), str) for secret in self.found)
