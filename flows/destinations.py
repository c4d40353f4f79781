"""Where anything would leave this machine: a provider of a language model, or a Prefect server elsewhere."""

from __future__ import annotations

import os
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from generator.config import EMBEDDED_MODEL, GeneratorConfig

# LiteLLM's providers that may be on the user's machine: the variables that it asks for their address, in its order, and
# whether they are here when none is told. All others have an address of their own, whatever the environment says.
_PROVIDERS: dict[str, tuple[tuple[str, ...], bool]] = {
    "hosted_vllm": (("HOSTED_VLLM_API_BASE",), False),
    "llamafile": (("LLAMAFILE_API_BASE",), True),
    "lm_studio": (("LM_STUDIO_API_BASE",), False),
    "ollama": (("OLLAMA_API_BASE",), True),
    "ollama_chat": (("OLLAMA_API_BASE",), True),
    "openai": (("OPENAI_BASE_URL", "OPENAI_API_BASE"), False),
}


@dataclass(frozen=True, slots=True)
class Destination:
    """One address that something is sent to.

    Attributes:
        what: what is sent.
        where: to whom: a host, or a provider's name where its address is its own; never a user name or password.
        here: whether it is this machine.
    """

    what: str
    where: str
    here: bool


def destinations(config: GeneratorConfig) -> tuple[Destination, ...]:
    """Every address that a run with this configuration, and the environment as it is, would send something to."""
    # The address in the configuration is of the first model; the fallbacks are where their providers are.
    asked = (config, *(config.model_copy(update={"model": name, "api_base": None}) for name in config.fallbacks))
    found = [provider_destination(one) for one in asked if config.plan != "template" and one.model != EMBEDDED_MODEL]
    server = _prefect_server()
    if server:
        what = "to Prefect: stage names, paths of files, figures of gates"
        found.append(Destination(what, _host(server), stays(server)))
    return tuple(found)


def is_loopback(address: str) -> bool:
    """Whether a URL, or a host with or without a port, is this machine."""
    host = _host(address).rstrip(".").casefold()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        number = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(number, "ipv4_mapped", None)
    return number.is_loopback or number.is_unspecified or bool(mapped and mapped.is_loopback)


def provider_destination(config: GeneratorConfig) -> Destination:
    """Where the provider of a configuration is: by its address, else as LiteLLM reads the environment."""
    named, default_here = _PROVIDERS.get(_provider(config.model), ((), False))
    # LiteLLM can be told to ask a server of its own instead of every provider.
    told = ("LITELLM_PROXY_API_BASE",) if os.environ.get("USE_LITELLM_PROXY") else named
    address = config.api_base or next((value for name in told if (value := os.environ.get(name))), None)
    what = "seeds (labels and role markers only)"
    if address is None:
        return Destination(what, config.model, default_here and told == named and not _proxied("http://127.0.0.1"))
    return Destination(what, f"{config.model} at {_host(address)}", stays(address))


def is_sent_here(config: GeneratorConfig) -> bool:
    """Whether it is certain that what a model is asked stays on this machine.

    Raw text may hang on it, so nothing is inferred from a provider's name or the environment: the model is the embedded
    one, or its address is given, is loopback, and belongs to a provider that is known to be asked there.
    """
    if config.api_base is None:
        return config.model == EMBEDDED_MODEL
    return _provider(config.model) in _PROVIDERS and stays(config.api_base)


def stays(address: str) -> bool:
    """Whether what is sent to an address stays here: it is loopback, and no proxy stands before it."""
    return is_loopback(address) and not _proxied(address)


def _provider(model: str) -> str:
    """The provider that a model's name begins with; empty where LiteLLM would have to guess it."""
    return model.partition("/")[0] if "/" in model else ""


def _proxied(address: str) -> bool:
    """Whether the environment names a proxy, and does not except this address from it."""
    return bool({"http", "https", "all"} & getproxies().keys()) and not proxy_bypass(_host(address))


def _prefect_server() -> str | None:
    """The address of Prefect's server, of the environment or of the user's profile; None for one of the run's own."""
    from prefect.settings import get_current_settings

    return os.environ.get("PREFECT_API_URL") or get_current_settings().api.url


def _host(address: str) -> str:
    try:
        return urlsplit(address if "//" in address else f"//{address}").hostname or "an address that is none"
    except ValueError:
        return "an address that is none"
