"""What Prefect keeps for a team: the signing key and providers' secrets, as Secret blocks.

A block is read when it is needed and never written. Prefect encrypts it under a key that stands in the same database,
unless PREFECT_SERVER_ENCRYPTION_KEY names another: who may read the database may sign, so a file is the default.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from flows.config import CertificateConfig
from flows.errors import CertificateError, UsageError
from flows.signing import SigningKey, config_home, key_of, load_or_create_key


def signing_key(config: CertificateConfig) -> SigningKey:
    """The key to sign with: out of the configured Secret block, else a file, made where there is none.

    Raises:
        CertificateError: there is no such block, or no unencrypted Ed25519 key in it or in the file.
    """
    if config.key_block is None:
        return load_or_create_key(config.key_path)
    name = f"Secret block {config.key_block}"
    pem = _secret(config.key_block)
    if pem is None:
        raise CertificateError(f"{name}: not found, or Prefect does not answer")
    return key_of(pem.encode(), config_home() / f"{config.key_block}.key", name)


def provide_secrets(blocks: Mapping[str, str]) -> None:
    """Put secrets where LiteLLM looks for them; a variable that is set already stays as it is.

    Args:
        blocks: name of a Secret block by environment variable.

    Raises:
        UsageError: there is no such block.
    """
    for variable, block in blocks.items():
        if os.environ.get(variable):
            continue
        value = _secret(block)
        if value is None:
            raise UsageError(f"Secret block {block}: not found, or Prefect does not answer")
        os.environ[variable] = value


def _secret(block: str) -> str | None:
    """A block's value; None where it cannot be had, whatever the reason: an error could quote it."""
    from prefect.blocks.system import Secret

    load: Any = Secret.load  # its type allows for a coroutine, which `_sync` rules out
    try:
        value = load(block, _sync=True).value.get_secret_value()
    except Exception:
        return None
    return value if isinstance(value, str) else None
