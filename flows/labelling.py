"""The language model that may label a source's turns: on this machine, unless the user sends raw text elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from flows.destinations import Destination, is_sent_here, provider_destination
from flows.errors import UsageError
from generator.completion import Complete, CompletionRequest
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from generator.spending import Spending
from seed_engine.config import SeedConfig

if TYPE_CHECKING:
    from seed_engine.labelling import Choose

_SYSTEM = {
    "objective": "You read how a conversation opens. Answer with the one label that says what it is for.",
    "act": "You read one turn of a conversation. Answer with the one label that says what the turn does.",
    "topic": "You read one turn of a conversation. Answer with the one label that says what the turn is about.",
}


def labeller(config: SeedConfig, generator: GeneratorConfig) -> Choose | None:
    """A function that asks the configured model; None when no model is configured, which is the default.

    Args:
        config: names the model and where it is.
        generator: waiting time and random seed.

    Raises:
        UsageError: it is not certain that the model is on this machine, and `allow_raw_to_provider` is not set.
    """
    asked = labeller_provider(config, generator)
    if asked is None:
        return None
    complete = raw_completer(
        asked,
        allowed=config.allow_raw_to_provider,
        refusal="seeds.labeller would see the source's text and is not on this machine for certain; a loopback "
        "seeds.labeller_api_base makes it so, seeds.allow_raw_to_provider = true lets the text leave",
    )

    def choose(part: str, text: str, labels: tuple[str, ...], /) -> str:
        request = CompletionRequest(
            system=f"{_SYSTEM[part]} Labels: {', '.join(labels)}.",
            prompt=text,
            max_tokens=16,
            seed=generator.seed,
            grammar="root ::= " + " | ".join(json.dumps(label) for label in labels),
        )
        return complete(request).strip().strip("\"'`.")

    return choose


def raw_completer(asked: GeneratorConfig, *, allowed: bool, refusal: str, spending: Spending | None = None) -> Complete:
    """The one door through which a model is shown a source's text.

    Args:
        asked: `raw_provider`'s.
        allowed: whether the user lets the text leave to this very model.
        refusal: what the user is told otherwise.
        spending: the account that requests are booked in.

    Raises:
        UsageError: it is not certain that the model is on this machine, and it is not allowed.
    """
    if not allowed and not is_sent_here(asked):
        raise UsageError(refusal)
    from generator.client import completer

    return completer(asked) if spending is None else completer(asked, spending)


def raw_provider(model: str, api_base: str | None, generator: GeneratorConfig) -> GeneratorConfig:
    """The configuration under which a model is asked about a source's text: itself, nobody in its place."""
    # Leave to see the text is given to this model alone.
    only = {"fallbacks": (), "strategy": "conversation", "temperature": 0.0}
    return generator.model_copy(update={"model": model, "api_base": api_base, **only})


def labeller_destination(config: SeedConfig, generator: GeneratorConfig) -> Destination | None:
    """Where the turns of the source go for their labels; None when no model labels them."""
    asked = labeller_provider(config, generator)
    if asked is None:
        return None
    where = asked.model if asked.model == EMBEDDED_MODEL else provider_destination(asked).where
    return Destination("turns of the source, for their labels", where, is_sent_here(asked))


def labeller_provider(config: SeedConfig, generator: GeneratorConfig) -> GeneratorConfig | None:
    """The configuration under which the labelling model is asked; None when none is configured."""
    if config.labeller is None:
        return None
    return raw_provider(config.labeller, config.labeller_api_base, generator)
