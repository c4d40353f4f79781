"""A language model on loopback that speaks OpenAI's protocol, answers as told, and records what it is sent."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Answer = Callable[[list[dict[str, str]]], str]
Step = tuple[str, str, str, list[str]]

_STEP = re.compile(r"^\d+\. (\w+): (\w+), topic (\w+)(?:, slots (.*))?$", re.M)


class Provider:
    """Serves `/chat/completions` while the context is open.

    Attributes:
        sent: every request body, as bytes, in order.
        base: the address to give as `api_base`.
    """

    def __init__(self, answer: Answer, *, delay_s: float = 0.0, status: int = 200) -> None:
        self.sent: list[bytes] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                provider.sent.append(json.dumps(dict(self.headers)).encode() + body)
                time.sleep(delay_s)
                try:
                    reply = json.dumps(provider._reply(answer, body)).encode()
                except ConnectionAbortedError:
                    self.close_connection = True
                    return
                with contextlib.suppress(OSError):  # whoever asked may have gone
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(reply)))
                    self.end_headers()
                    self.wfile.write(reply)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _reply(self, answer: Answer, body: bytes) -> dict[str, Any]:
        message = {"role": "assistant", "content": answer(json.loads(body)["messages"])}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


def follow_plan(messages: list[dict[str, str]]) -> str:
    """A conversation that does what each step of the plan says, in plain words without personal data."""
    return as_reply([f"{_sentence(step, i)}" for i, step in enumerate(plan(messages))], messages)


def as_reply(texts: list[str], messages: list[dict[str, str]]) -> str:
    """Texts as the JSON that the generator asks for."""
    roles = [role for role, *_ in plan(messages)]
    return json.dumps({"turns": [{"role": r, "text": t} for r, t in zip(roles, texts, strict=True)]})


def plan(messages: list[dict[str, str]]) -> list[Step]:
    """The steps that a request asks for: role, act, topic and slots."""
    found = _STEP.findall(messages[-1]["content"])
    return [(role, act, topic, slots.split()) for role, act, topic, slots in found]


_OPENINGS = ("well then", "as i said", "one more thing", "about that", "sure", "right", "so", "okay", "fine", "yes")


def _sentence(step: Step, number: int) -> str:
    _, act, topic, slots = step
    words = re.sub(r"([A-Z])", r" \1", act).lower()
    first, second = _OPENINGS[number % 10], _OPENINGS[number // 10 % 10]
    return " ".join([f"{first}, {second}, we {words} and talk of {topic.replace('_', ' ')}", *slots]) + "."
