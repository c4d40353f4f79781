"""What can go wrong while generating, and what the runner does next.

::

    GeneratorError
    ├── TemplateError          a template file is not as documented; a fault of the project, exit 2
    ├── SeedRejected           the seed breaks the schema; exit 2, with the number of faults
    ├── SurrogateError         the source holds every surrogate that was tried; stop before anything is written
    ├── BudgetSpent            the run's budget holds no further request; keep what there is, go on with a larger one
    └── ProviderError          a language model gave no usable reply; counted, tried again a bounded number of times
        ├── ProviderUnavailable    nobody answers, or the name or key is refused
        ├── ProviderTimeout        no reply within `timeout_s`
        ├── BadReply               a reply without text
        └── ProviderDown           nobody answers any more; stop, and go on later (`--resume`)

No message quotes a prompt, a reply or a provider's own message: labels and counts only.
"""

from __future__ import annotations

from collections.abc import Mapping


class GeneratorError(Exception):
    """Root of the generator's errors."""


class TemplateError(GeneratorError):
    """A template file breaks the documented form."""


class SeedRejected(GeneratorError):  # noqa: N818 - reads as what happened to the seed
    """A seed breaks the schema, so nothing is generated from it."""


class SurrogateError(GeneratorError):
    """Every surrogate that was tried is a value of the source."""


class BudgetSpent(GeneratorError):  # noqa: N818 - reads as what happened
    """The run's budget does not hold another request; nothing was sent."""

    def __init__(self) -> None:
        super().__init__("the budget of tokens or money is spent; raise it in [generator] and run again to go on")


class ProviderError(GeneratorError):
    """A language model gave no usable reply.

    Attributes:
        reason: fixed label under which the failure is counted.
    """

    reason = "provider_error"

    def __init__(self) -> None:
        super().__init__(self.reason)


class ProviderUnavailable(ProviderError):  # noqa: N818 - named after what the runner sees
    """Nobody answers, or the provider refuses the model name, the key or the request."""

    reason = "provider_unavailable"


class ProviderBusy(ProviderError):  # noqa: N818 - named after what the runner sees
    """The provider is there and asks for patience."""

    reason = "provider_busy"


class ProviderTimeout(ProviderError):  # noqa: N818 - named after what the runner sees
    """No reply came in time."""

    reason = "provider_timeout"


class BadReply(ProviderError):  # noqa: N818 - named after what the runner sees
    """The provider replied without text."""

    reason = "bad_reply"


class ProviderDown(ProviderError):  # noqa: N818 - named after what the runner sees
    """Nobody has answered for so many conversations in a row that asking on is waste, or for the last of them.

    Attributes:
        conversations: how many.
        failures: the failures met on the way, by label.
        owed: conversations that are still to be made, those among them.
    """

    reason = "provider_down"

    def __init__(self, conversations: int, failures: Mapping[str, int], owed: int) -> None:
        super().__init__()
        self.conversations, self.failures, self.owed = conversations, dict(failures), owed
        met = ", ".join(f"{label} {count}" for label, count in sorted(failures.items()))
        silent = f"the language model answered nothing for {conversations} conversations in a row ({met})"
        self.args = (f"{silent}; still to be made: {owed}",)
