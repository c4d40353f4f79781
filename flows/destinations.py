"""Where anything would leave this machine: a provider of a language model, or a Prefect server elsewhere."""

from __future__ import annotations

import os
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from generator.config import EMBEDDED_MODEL, GeneratorConfig

# LiteLLM's own defaults, for providers that run on the user's machine.
_LOCAL_PROVIDERS = frozenset({"ollama", "ollama_chat", "llamafile", "lm_studio"})


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
    found = []
    if config.plan != "template" and config.model != EMBEDDED_MODEL:
        found.append(provider_destination(config))
    server = _prefect_server()
    if server:
        what = "to Prefect: stage names, paths of files, figures of gates"
        found.append(Destination(what, _host(server), is_loopback(server)))
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
    """Where the provider of a configuration is, by its address, the environment's or LiteLLM's own."""
    provider, _, _ = config.model.rpartition("/")
    provider = provider.split("/")[0] or "openai"
    named = (os.environ.get(f"{provider.upper()}_{suffix}") for suffix in ("API_BASE", "BASE_URL"))
    address = config.api_base or next((value for value in named if value), None)
    what = "seeds (labels and role markers only)"
    if address is None:
        return Destination(what, config.model, provider in _LOCAL_PROVIDERS)
    return Destination(what, f"{config.model} at {_host(address)}", is_loopback(address))


def _prefect_server() -> str | None:
    """The address of Prefect's server, of the environment or of the user's profile; None for one of the run's own."""
    from prefect.settings import get_current_settings

    return os.environ.get("PREFECT_API_URL") or get_current_settings().api.url


def _host(address: str) -> str:
    try:
        return urlsplit(address if "//" in address else f"//{address}").hostname or "an address that is none"
    except ValueError:
        return "an address that is none"
