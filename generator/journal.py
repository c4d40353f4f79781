"""The journal of replies: what a provider answered and was paid for is on disk before it is used, and asked once.

A line is the key of a request (SHA-256 of everything that was asked, sampling seed and model included) and its reply.
An interrupted run that is started again with the same seeds and settings asks the same questions, finds the answers
here, and pays for the others only. The file holds what a provider wrote about seeds, and nothing of a source.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from generator.completion import CompletionRequest


class Journal:
    """Replies by request, in an append-only file that only its owner can read; safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._replies = dict(_whole_lines(path))

    def find(self, model: str, request: CompletionRequest) -> str | None:
        """The reply that this model gave to exactly this request."""
        with self._lock:
            return self._replies.get(_key(model, request))

    def add(self, model: str, request: CompletionRequest, reply: str) -> None:
        """Write a reply to disk; it is there when this returns."""
        key = _key(model, request)
        line = json.dumps({"key": key, "reply": reply}) + "\n"
        with self._lock:
            self._replies[key] = reply
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with open(descriptor, "a", encoding="utf-8") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())

    def close(self) -> None:
        """Remove the file: everything that it holds is in the output."""
        self._path.unlink(missing_ok=True)


def _whole_lines(path: Path) -> list[tuple[str, str]]:
    """The entries; a last line that a crash cut is removed from the file."""
    if not path.exists():
        return []
    with path.open("rb+") as file:
        content = file.read()
        whole = content.rfind(b"\n") + 1
        file.truncate(whole)
    found = []
    for line in content[:whole].splitlines():
        try:
            entry: Any = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and isinstance(entry.get("reply"), str):
            found.append((str(entry.get("key")), entry["reply"]))
    return found


def _key(model: str, request: CompletionRequest) -> str:
    asked = json.dumps([model, asdict(request)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(asked.encode()).hexdigest()
