"""What a process does with one shard, whichever engine it works for: text comes in, offsets and labels go out."""

from __future__ import annotations

import json
import os
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from flows.offline import keep_private
from generator.config import GeneratorConfig
from seed_engine.config import DetectorConfig, SeedConfig
from seed_engine.conversation import Conversation
from seed_engine.errors import InputError
from seed_engine.spans import EntitySpan

if TYPE_CHECKING:
    from seed_engine.detect import Detector
    from seed_engine.review import Review

Shard = tuple[Conversation, ...]
# The number of a shard, and the shard.
Job = tuple[int, Shard]


@dataclass(frozen=True, slots=True)
class Made:
    """What became of a shard.

    Attributes:
        items: one value of JSON for each conversation.
        models: families of the detector that are loaded, and `minilm`.
    """

    items: list[Any]
    models: tuple[str, ...]


class Work(Protocol):
    """What is done with each shard; goes to every process."""

    @property
    def mark(self) -> str:
        """Changes with whatever the items follow from beside the conversations."""
        ...

    def load(self, detector: Detector | None = None) -> Callable[[Shard], Made]:
        """The work itself, on a detector that is there already or on one of its own."""
        ...

    def __hash__(self) -> int:
        """It is loaded once a process."""
        ...


@dataclass(frozen=True, slots=True)
class Detecting:
    """Spans of each turn: `[start, end, entity type, score, recognizer]`.

    Attributes:
        mark: see `Work`.
        detector: how personal data is found.
    """

    mark: str
    detector: DetectorConfig = field(compare=False)

    def load(self, detector: Detector | None = None) -> Callable[[Shard], Made]:
        """See `Work`."""
        found = detector or _detector(self.detector)

        def detect(shard: Shard) -> Made:
            spans = found.detect_conversations(shard)
            items = [
                [[[s.start, s.end, s.entity_type, s.score, s.recognizer] for s in turn] for turn in turns]
                for turns in spans
            ]
            return Made(items, tuple(found.loaded))

        return detect


def spans_of(item: Sequence[Sequence[Sequence[Any]]]) -> tuple[tuple[EntitySpan, ...], ...]:
    """The spans that `Detecting` has written, one tuple a turn."""
    return tuple(tuple(EntitySpan(*span) for span in turn) for turn in item)


@dataclass(frozen=True, slots=True)
class Seeding:
    """What extraction gives: `seed` or why there is none, `marked` places of personal values, `types` of all spans.

    Attributes:
        mark: see `Work`.
        detector: how personal data is found.
        seeds: names the model that labels, if one does.
        generator: how that is asked.
        review: a reviewer's decisions, None without any; they hold values of the source, as the conversations do.
    """

    mark: str
    detector: DetectorConfig = field(compare=False)
    seeds: SeedConfig = field(compare=False)
    generator: GeneratorConfig = field(compare=False)
    review: Review | None = field(compare=False, repr=False, default=None)

    def load(self, detector: Detector | None = None) -> Callable[[Shard], Made]:
        """See `Work`."""
        from flows.labelling import labeller
        from flows.reviewing import ReviewedDetector
        from seed_engine.embedding import MiniLM
        from seed_engine.extract import extract

        plain = detector or _detector(self.detector)
        found = ReviewedDetector(plain, self.review) if self.review else plain
        embed, choose = MiniLM(), labeller(self.seeds, self.generator)

        def seed(shard: Shard) -> Made:
            items = []
            for conversation, spans in zip(shard, found.detect_conversations(shard), strict=True):
                made = extract(conversation, spans, "seed-000000", embed, choose)
                item = {
                    "seed": made.seed and made.seed.model_dump(mode="json", exclude_none=True),
                    "skipped": made.skipped,
                    "marked": [[[s.start, s.end, s.entity_type] for s in turn] for turn in made.abstraction.marked],
                    "types": Counter(span.entity_type for turn in spans for span in turn),
                }
                items.append(item)
            return Made(items, (*plain.loaded, *(("minilm",) if embed.loaded else ())))

        return seed


@dataclass(frozen=True, slots=True)
class Embedding:
    """The unit vector of what the first turn says, float32[384] little-endian, as Base64.

    Attributes:
        mark: see `Work`.
    """

    mark: str

    def load(self, detector: Detector | None = None) -> Callable[[Shard], Made]:
        """See `Work`; no detector is needed."""
        from evaluator.embedding import embed_alone

        def embed(shard: Shard) -> Made:
            vectors = embed_alone([item.turns[0].text for item in shard])
            return Made([b64encode(vector.astype("<f4").tobytes()).decode() for vector in vectors], ("minilm",))

        return embed


@dataclass(frozen=True, slots=True)
class Outcome:
    """A shard's result on its way back; no exception travels, since a cluster would log what it quotes.

    Attributes:
        number: of the shard.
        body: `Made` as JSON; None after a fault.
        fault: of an `InputError` its path, line and rule; else one thing that may be said of it.
        cpu_seconds: of the process that did it.
        process: its id.
    """

    number: int
    body: str | None
    fault: tuple[Any, ...] = ()
    cpu_seconds: float = 0.0
    process: int = 0


def work_elsewhere(work: Work, job: Job) -> Outcome:
    """Do a shard in a process of an engine."""
    return work_here(_loaded, work, job)


def work_here(load: Callable[[Work], Callable[[Shard], Made]], work: Work, job: Job) -> Outcome:
    """Do a shard.

    Args:
        load: gives the work itself.
        work: what is done.
        job: the shard, with its number.
    """
    from flows.sealed import fault_words

    begun = time.process_time()
    body, fault = None, tuple[Any, ...]()
    try:
        made = load(work)(job[1])
        body = json.dumps({"models": made.models, "items": made.items}, separators=(",", ":"))
    except InputError as error:
        fault = error.path, error.line, error.rule
    except Exception as error:
        fault = (fault_words(error),)
    return Outcome(job[0], body, fault, time.process_time() - begun, os.getpid())


@lru_cache(maxsize=1)
def _loaded(work: Work) -> Callable[[Shard], Made]:
    """The work, loaded once a process."""
    keep_private()
    return work.load()


@lru_cache(maxsize=1)
def _detector(config: DetectorConfig) -> Detector:
    from seed_engine.detect import Detector

    return Detector(config)
