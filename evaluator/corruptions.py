"""Corruptions: ways to spoil a good conversation, so that a measure can show that it sees the difference.

Each takes a conversation, a stranger to borrow from, and a random stream, and gives a conversation with as many turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from seed_engine.conversation import Conversation, Turn

Corrupt = Callable[[Conversation, Conversation, Random], Conversation]


def shuffled_turns(conversation: Conversation, stranger: Conversation, stream: Random) -> Conversation:
    """The texts in another order; speakers stay where they are."""
    texts = [turn.text for turn in conversation.turns]
    order = list(range(len(texts)))
    while len(set(texts)) > 1 and [texts[i] for i in order] == texts:
        stream.shuffle(order)
    return _with_texts(conversation, [texts[i] for i in order])


def crossed_speakers(conversation: Conversation, stranger: Conversation, stream: Random) -> Conversation:
    """Every turn is said by the next speaker in order of first appearance."""
    roles = list(dict.fromkeys(turn.role for turn in conversation.turns))
    following = dict(zip(roles, [*roles[1:], roles[0]], strict=True))
    turns = tuple(turn.model_copy(update={"role": following[turn.role]}) for turn in conversation.turns)
    return conversation.model_copy(update={"turns": turns})


def crossed_conversations(conversation: Conversation, stranger: Conversation, stream: Random) -> Conversation:
    """Every second turn is the stranger's at the same place."""
    borrowed = [turn.text for turn in stranger.turns]
    texts = [
        borrowed[number % len(borrowed)] if number % 2 else turn.text for number, turn in enumerate(conversation.turns)
    ]
    return _with_texts(conversation, texts)


def repeated_turns(conversation: Conversation, stranger: Conversation, stream: Random) -> Conversation:
    """Every third turn says again what the same speaker said before."""
    texts = [turn.text for turn in conversation.turns]
    for number in range(2, len(texts), 3):
        texts[number] = texts[number - 2]
    return _with_texts(conversation, texts)


def random_words(conversation: Conversation, stranger: Conversation, stream: Random) -> Conversation:
    """Every second turn is words of both conversations in random order."""
    lexicon = [word for talk in (conversation, stranger) for turn in talk.turns for word in turn.text.split()]
    texts = [
        " ".join(stream.choices(lexicon, k=max(3, len(turn.text.split())))) if number % 2 else turn.text
        for number, turn in enumerate(conversation.turns)
    ]
    return _with_texts(conversation, texts)


def off_topic(conversation: Conversation, stranger: Conversation, stream: Random) -> Conversation:
    """Every third turn is one of the stranger's, from anywhere."""
    texts = [
        stream.choice(stranger.turns).text if number % 3 == 1 else turn.text
        for number, turn in enumerate(conversation.turns)
    ]
    return _with_texts(conversation, texts)


CORRUPTIONS: Mapping[str, Corrupt] = {
    corrupt.__name__: corrupt
    for corrupt in (shuffled_turns, crossed_speakers, crossed_conversations, repeated_turns, random_words, off_topic)
}


def _with_texts(conversation: Conversation, texts: list[str]) -> Conversation:
    turns = tuple(
        Turn(role=turn.role, text=text, name=turn.name) for turn, text in zip(conversation.turns, texts, strict=True)
    )
    return conversation.model_copy(update={"turns": turns})
