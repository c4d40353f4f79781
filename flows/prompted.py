"""Language models as finders of personal data in lessons: each model prompted each way, from a file of replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from flows.labelling import raw_completer, raw_provider
from flows.recorded import Recorder
from generator.completion import CompletionRequest
from generator.config import GeneratorConfig
from generator.spending import Spending, Usage
from seed_engine.conversation import Conversation
from seed_engine.pii_bench import Found
from seed_engine.prompted_reply import Reading, read_reply
from seed_engine.spans import EntitySpan
from seed_engine.tutoring_prompts import REPLY_SCHEMA, Window, prompt, windows

# Room for some thirty finds; a reply that is cut is unreadable and counted.
_MAX_TOKENS = 1_024


@dataclass(slots=True)
class Tally:
    """What a strategy's replies were like and cost, recorded ones included.

    Attributes:
        reported: values that the model reported.
        made_up: of them those that stand nowhere; they were dropped.
        unreadable: replies that were not the JSON asked for.
        usage: requests, tokens and US dollars.
        seconds: of each request, waiting included.
    """

    reported: int = 0
    made_up: int = 0
    unreadable: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: list[float] = field(default_factory=list)

    def payload(self) -> dict[str, Any]:
        """The figures by name; the median of seconds is NaN-free: 0 without requests."""
        return {
            "requests": len(self.seconds),
            "reported": self.reported,
            "made_up": self.made_up,
            "unreadable": self.unreadable,
            "prompt_tokens": self.usage.prompt_tokens,
            "completion_tokens": self.usage.completion_tokens,
            "cost_usd": round(self.usage.cost_usd, 6),
            "unpriced": self.usage.unpriced,
            "seconds": round(sum(self.seconds), 3),
            "median_seconds": round(median(self.seconds), 3) if self.seconds else 0.0,
        }


class PromptedFinder:
    """One model prompted one way.

    Args:
        strategy: one of `tutoring_prompts.STRATEGIES`.
        ask: the model.
        flags: for each session and message whether it stands inside mathematics.
        seed: sampling seed of the requests.
    """

    def __init__(self, strategy: str, ask: Recorder, flags: Sequence[Sequence[bool]], seed: int) -> None:
        self._strategy, self._ask, self._flags, self._seed = strategy, ask, flags, seed
        self.tally = Tally()

    def __call__(self, documents: Sequence[Conversation]) -> Found:
        """Finds by session and turn."""
        return [self._session(talk, flags) for talk, flags in zip(documents, self._flags, strict=True)]

    def _session(self, talk: Conversation, flags: Sequence[bool]) -> tuple[tuple[EntitySpan, ...], ...]:
        roles, texts = [turn.role for turn in talk.turns], [turn.text for turn in talk.turns]
        found: list[tuple[EntitySpan, ...]] = []
        for window in windows(texts, flags):
            found += self._window(roles, texts, window).spans
        return tuple(found)

    def _window(self, roles: Sequence[str], texts: Sequence[str], window: Window) -> Reading:
        asked = prompt(self._strategy, roles, texts, window)
        answer = self._ask(
            CompletionRequest(asked.system, asked.question, _MAX_TOKENS, self._seed, json_schema=REPLY_SCHEMA)
        )
        reading = read_reply(answer.reply, texts[window.start : window.end])
        self.tally.reported += reading.reported
        self.tally.made_up += reading.made_up
        self.tally.unreadable += not reading.readable
        self.tally.usage += answer.usage
        self.tally.seconds.append(answer.seconds)
        return reading


def prompted_finders(
    models: Sequence[str],
    strategies: Sequence[str],
    flags: Sequence[Sequence[bool]],
    generator: GeneratorConfig,
    *,
    api_base: str | None,
    allowed: Sequence[str],
    replies: Path | None,
) -> dict[str, PromptedFinder]:
    """Every model prompted every way, by `model, strategy`; nothing is sent before a finder is called.

    Args:
        models: LiteLLM names.
        strategies: of `tutoring_prompts.STRATEGIES`.
        flags: see `PromptedFinder`.
        generator: waiting time, seed and budget.
        api_base: address of the models' server; None for each provider's own.
        allowed: names of models that may see the text although they are not certainly on this machine.
        replies: file of recorded replies.
    """
    finders = {}
    for model in models:
        ask = _recorder(model, raw_provider(model, api_base, generator), model in allowed, replies)
        for strategy in strategies:
            finders[f"{model}, {strategy}"] = PromptedFinder(strategy, ask, flags, generator.seed)
    return finders


def _recorder(model: str, asked: GeneratorConfig, allowed: bool, replies: Path | None) -> Recorder:
    spending = Spending(asked)
    refusal = (
        f"{model} would see the lessons' text and is not on this machine for certain; a loopback --api-base makes it "
        f"so, --allow-raw-to {model} lets the text leave to it"
    )
    return Recorder(
        model, replies, lambda: raw_completer(asked, allowed=allowed, refusal=refusal, spending=spending), spending
    )
