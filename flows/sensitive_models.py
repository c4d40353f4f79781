"""The three language models of a build: on this machine unless the user lets a provider see the texts, by its name."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flows.destinations import is_sent_here, provider_destination
from flows.errors import UsageError
from generator.completion import Complete, CompletionRequest
from generator.config import GeneratorConfig
from generator.errors import BadReply, ProviderError
from generator.journal import Journal
from generator.spending import Spending
from seed_engine.sensitive.build_config import BuildConfig, ModelChoice
from seed_engine.sensitive.build_label import ROLES, Role
from seed_engine.sensitive.build_prompt import Question, closed, read_opinion
from seed_engine.sensitive.build_records import Opinion

if TYPE_CHECKING:
    from pathlib import Path


class ClosedJournal(Journal):
    """A journal that keeps labels and numbers of replies only: a model may repeat the text that it was asked about."""

    def add(self, model: str, request: CompletionRequest, reply: str) -> None:
        """As a journal does; what breaks the form is kept as an empty object, so that it is not paid for again."""
        super().add(model, request, closed(reply))


@dataclass(frozen=True, slots=True)
class _Judge:
    model: str
    complete: Complete


class Models:
    """Asks the labellers and the verifier; safe to use from several threads.

    Args:
        config: models, and who else may see the texts.
        generator: waiting time, retries and budget of requests.
        journal: file of the replies so far.
        asked: roles that will be asked; the others' models need not be allowed.

    Attributes:
        faults: requests without a usable reply, by label.
        spending: what was paid for.

    Raises:
        UsageError: it is not certain that a model is on this machine, and nobody allowed it by name.
    """

    def __init__(
        self, config: BuildConfig, generator: GeneratorConfig, journal: Path, asked: Sequence[Role] = ROLES
    ) -> None:
        roles: dict[Role, ModelChoice] = {
            "labeller 1": config.labellers[0],
            "labeller 2": config.labellers[1],
            "verifier": config.verifier,
        }
        wanted = {role: _settings(roles[role], generator) for role in asked}
        for role, settings in wanted.items():
            _require_allowed(role, settings, config.allow_raw_to)
        from generator.client import completer

        self.faults: Counter[str] = Counter()
        self.spending = Spending(generator)
        self._attempts, self._seed = config.attempts, config.seed
        self._lock = threading.Lock()
        kept = ClosedJournal(journal)
        self._judges = {
            role: _Judge(settings.model, completer(settings, self.spending, kept)) for role, settings in wanted.items()
        }

    def __call__(self, role: Role, asked: Question) -> Opinion | None:
        """An opinion; None where no reply keeps to the form.

        Raises:
            ProviderError: nobody answers.
            BudgetSpent: nothing was sent.
        """
        judge = self._judges[role]
        for attempt in range(self._attempts):
            try:
                reply = judge.complete(_request(asked, self._seed + attempt))
            except BadReply:
                reply = ""
            opinion = read_opinion(reply, asked, judge.model)
            if opinion is not None:
                return opinion
            self.count("bad_reply")
        return None

    def count(self, label: str) -> None:
        """Count a fault."""
        with self._lock:
            self.faults[label] += 1


class Patience:
    """Counts texts in a row that nobody answered about; safe to use from several threads.

    Args:
        most: after so many it is over, >= 1.
    """

    def __init__(self, most: int) -> None:
        self._most, self._row = most, 0
        self._lock = threading.Lock()

    def failed(self, error: ProviderError) -> None:
        """One more.

        Raises:
            ProviderError: the error that was given, when patience is over.
        """
        with self._lock:
            self._row += 1
            over = self._row >= self._most
        if over:
            raise error

    def answered(self) -> None:
        """Somebody is there."""
        with self._lock:
            self._row = 0


def _settings(choice: ModelChoice, generator: GeneratorConfig) -> GeneratorConfig:
    """The configuration under which a model is asked; leave to see the text is given to this model alone."""
    changes = {"fallbacks": (), "strategy": "conversation", "temperature": 0.0}
    return generator.model_copy(update={"model": choice.model, "api_base": choice.api_base, **changes})


def _require_allowed(role: str, asked: GeneratorConfig, allowed: tuple[str, ...]) -> None:
    if is_sent_here(asked) or set(_names(asked)) & set(allowed):
        return
    raise UsageError(
        f"the {role} would see the source's texts and is not on this machine for certain; a loopback api_base makes "
        "it so, its provider or host in sensitive.allow_raw_to lets the texts leave"
    )


def _names(asked: GeneratorConfig) -> Iterator[str]:
    """What must be allowed by name: the host where there is an address, else the provider whose address is its own."""
    where = provider_destination(asked).where
    model, _, host = where.rpartition(" at ")
    yield host if model else asked.model.partition("/")[0]


def _request(asked: Question, seed: int) -> CompletionRequest:
    return CompletionRequest(asked.system, asked.prompt, asked.max_tokens, seed, json_schema=asked.schema)
