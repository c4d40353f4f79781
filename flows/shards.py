"""What is remembered of a shard of conversations, so that an interrupted run does not do its work twice.

A shard's file holds offsets, entity types and labels of the closed alphabet, never text. It is named by a keyed hash of
the conversations and of everything else that its content follows from, so that no other run, input or setting can take
it for its own; and sealed by another, since offsets that somebody moved would leave a name standing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from seed_engine.atomic import atomic_path
from seed_engine.conversation import Conversation
from seed_engine.ledger import fingerprint

_SEAL = 64


class ShardStore:
    """The shards of one run.

    Args:
        folder: inside of the run's staging folder, made at the first write (0700).
        key: of the user; at least 16 random bytes.
    """

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder, self._key = folder, key

    def name(self, mark: str, shard: Sequence[Conversation]) -> str:
        """The name of what `mark` makes of a shard; tells nothing to anybody without the key.

        Args:
            mark: of the work, see `flows.shard_work`.
            shard: the conversations, in order.
        """
        said = [[item.id, item.language, item.domain, item.form, _turns(item)] for item in shard]
        whole = json.dumps([mark, said]).encode("ascii")
        return fingerprint(b"shard:" + whole, self._key)

    def read(self, name: str) -> str | None:
        """What was written under a name; None where nothing was, or where it is not as it was written."""
        try:
            content = (self._folder / name).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        body = content[_SEAL:]
        return body if content[:_SEAL] == self._seal(name, body) else None

    def write(self, name: str, body: str) -> None:
        """Write a shard's file (0600), whole or not at all, and flush it to disk."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        with atomic_path(self._folder / name) as part:
            part.write_text(self._seal(name, body) + body, "utf-8", newline="")

    def _seal(self, name: str, body: str) -> str:
        return fingerprint(f"sealed:{name}:{body}".encode(), self._key)


def _turns(item: Conversation) -> list[list[str | None]]:
    return [[turn.role, turn.name, turn.text] for turn in item.turns]
