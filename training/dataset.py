"""From conversations to what is trained on: one unit of privacy, one record, windows of tokens.

The unit is the person behind a conversation: its `subject`, else the seed that it was generated from (several
generations of one seed tell of one person), else the conversation. However much a unit brought, a step that draws it
sees one window of it and clips one gradient.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from seed_engine.conversation import Conversation
from training.canaries import Canary

UNIT = "subject, else seed, else conversation; every canary is a unit of its own"
UNIT_BOUND = "any number of conversations are one record; a step draws at most one window of it and clips one gradient"


class Tokenizer(Protocol):
    """What records need of a tokenizer."""

    bos_token_id: int
    eos_token_id: int

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """Token ids of a text."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """All that one unit may contribute.

    Attributes:
        windows: token ids, each of 2 to `max_length` tokens; a visit to the unit draws one of them.
    """

    windows: tuple[tuple[int, ...], ...]

    @property
    def longest(self) -> int:
        """Tokens of the longest window."""
        return max(len(window) for window in self.windows)


def make_records(
    conversations: Iterable[Conversation], canaries: Sequence[Canary], tokenizer: Tokenizer, max_length: int
) -> list[Record]:
    """Records of all units, the shortest first, so that neighbours in a batch need little padding.

    Args:
        conversations: of any number of units.
        canaries: members; a canary that stands twice is two records.
        tokenizer: of the base model.
        max_length: most tokens of a window, >= 2.
    """
    windows: dict[str, list[tuple[int, ...]]] = {}
    for conversation in conversations:
        windows.setdefault(_unit(conversation), []).extend(conversation_windows(conversation, tokenizer, max_length))
    records = [Record(tuple(own)) for own in windows.values()]
    records += [Record((canary_tokens(canary.prefix, canary.secret, tokenizer)[:max_length],)) for canary in canaries]
    return sorted(records, key=lambda record: record.longest)


def conversation_windows(conversation: Conversation, tokenizer: Tokenizer, max_length: int) -> list[tuple[int, ...]]:
    """Cut a conversation at turn boundaries into windows of at most `max_length` tokens; longer turns are split.

    A turn is written as the chat template writes a message: `<|im_start|>role`, text, `<|im_end|>`.
    """
    windows: list[list[int]] = [[]]
    for turn in conversation.turns:
        tokens = [tokenizer.bos_token_id, *_encode(f"{turn.role}\n{turn.text}", tokenizer), tokenizer.eos_token_id]
        tokens += _encode("\n", tokenizer)
        if windows[-1] and len(windows[-1]) + len(tokens) > max_length:
            windows.append([])
        while len(windows[-1]) + len(tokens) > max_length:
            free = max_length - len(windows[-1])
            windows[-1] += tokens[:free]
            tokens = tokens[free:]
            windows.append([])
        windows[-1] += tokens
    return [tuple(window) for window in windows if len(window) >= 2]


def conversation_text(conversation: Conversation) -> str:
    """A conversation as the text that is tokenised for training, for attacks that take records as strings."""
    return "".join(f"<|im_start|>{turn.role}\n{turn.text}<|im_end|>\n" for turn in conversation.turns)


def canary_tokens(prefix: str, secret: str, tokenizer: Tokenizer) -> tuple[int, ...]:
    """A canary as it is trained on, and as attacks and audit score it: the parts are tokenised apart."""
    inner = _encode(prefix, tokenizer) + _encode(secret, tokenizer)
    return (tokenizer.bos_token_id, *inner, tokenizer.eos_token_id)


def _encode(text: str, tokenizer: Tokenizer) -> list[int]:
    return list(tokenizer.encode(text, add_special_tokens=False))


def _unit(conversation: Conversation) -> str:
    # Prefixes keep a subject and a conversation of the same name apart.
    if conversation.subject is not None:
        return f"subject {conversation.subject}"
    if conversation.seed_id is not None:
        return f"seed {conversation.seed_id}"
    return f"conversation {conversation.id}"
