"""Keys and secrets out of Prefect's Secret blocks: the same key signs, and no fault tells what a block holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from prefect.blocks.system import Secret
from prefect.client.orchestration import get_client
from prefect.testing.utilities import prefect_test_harness
from typer.testing import CliRunner

from flows.blocks import provide_secrets, signing_key
from flows.certificate import certify
from flows.cli import app
from flows.config import CertificateConfig, load_config
from flows.errors import CertificateError, UsageError
from flows.recertify import recertify
from flows.signing import config_home, load_or_create_key, load_public_key, verify_signature
from flows.verify import verify
from tests.flows.staged import SOURCE, run_record, stage


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Blocks without a server, which takes ten seconds to start; the slow test has one."""
    values: dict[str, Any] = {}
    monkeypatch.setattr(Secret, "load", lambda name, _sync: Secret(value=values[name]))
    return values


def test_a_key_in_a_block_signs_as_the_same_key_in_a_file(tmp_path: Path, kept: dict[str, Any]) -> None:
    file = load_or_create_key(tmp_path / "signing.key")
    kept["signer"] = file.path.read_text()
    key = signing_key(CertificateConfig(key_block="signer"))
    assert verify_signature(file.public, b"message", key.sign(b"message"))
    assert load_public_key(config_home() / "signer.pub") == file.public
    assert [path.name for path in config_home().iterdir()] == ["signer.pub"]  # the private half is never written


def test_a_run_is_signed_and_revoked_with_the_block(tmp_path: Path, kept: dict[str, Any]) -> None:
    file = load_or_create_key(tmp_path / "signing.key")
    kept["signer"] = file.path.read_text()
    run, config = stage(tmp_path / "run"), tmp_path / "semilla.toml"
    config.write_text('[certificate]\nkey_block = "signer"\n')
    settings = load_config(config).certificate
    certify(run, run_record(), SOURCE, signing_key(settings))
    recertify(run, settings)
    assert verify(run, tmp_path / "signing.pub").ok
    revoke = ["revoke", str(run), "--reason", "a test", "--config", str(config)]
    assert CliRunner().invoke(app, revoke).exit_code == 0
    assert not verify(run, tmp_path / "signing.pub").ok


@pytest.mark.parametrize("value", ["hunter2", {"pem": "hunter2"}])
def test_what_is_no_key_is_refused_without_quoting_it(value: object, kept: dict[str, Any]) -> None:
    kept["bad"] = value
    with pytest.raises(CertificateError, match="Secret block bad") as caught:
        signing_key(CertificateConfig(key_block="bad"))
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_block_that_is_not_there_is_named(kept: dict[str, Any]) -> None:
    with pytest.raises(CertificateError, match="Secret block nobody: not found") as caught:
        signing_key(CertificateConfig(key_block="nobody"))
    assert caught.value.__context__ is None
    with pytest.raises(UsageError, match="Secret block nobody: not found"):
        provide_secrets({"SEMILLA_TEST_SECRET": "nobody"})


def test_a_secret_reaches_the_environment_and_replaces_nothing(
    monkeypatch: pytest.MonkeyPatch, kept: dict[str, Any]
) -> None:
    monkeypatch.setenv("SEMILLA_TEST_SET", "mine")
    monkeypatch.setenv("SEMILLA_TEST_SECRET", "")  # so that it is taken back after the test
    kept["provider"] = "from the block"
    provide_secrets({"SEMILLA_TEST_SET": "provider", "SEMILLA_TEST_SECRET": "provider"})
    assert (os.environ["SEMILLA_TEST_SET"], os.environ["SEMILLA_TEST_SECRET"]) == ("mine", "from the block")


@pytest.mark.parametrize(
    "text",
    [
        '[certificate]\nkey_block = "../escape"\n',
        '[certificate]\nkey_block = "a"\nkey_path = "b"\n',
        '[provider]\nsecret_blocks = {"lower" = "a"}\n',
    ],
)
def test_names_that_cannot_be_meant_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "semilla.toml").write_text(text)
    with pytest.raises(UsageError):
        load_config(tmp_path / "semilla.toml")


@pytest.mark.slow
def test_with_a_server_a_block_is_read_and_stored_in_no_plain_words(tmp_path: Path) -> None:
    file = load_or_create_key(tmp_path / "signing.key")
    with prefect_test_harness(server_startup_timeout=180):
        Secret(value=file.path.read_text()).save("signer")
        assert signing_key(CertificateConfig(key_block="signer")).public == file.public
        with pytest.raises(CertificateError, match="not found"):
            signing_key(CertificateConfig(key_block="nobody"))
        with get_client(sync_client=True) as client:
            told = client.request("POST", "/block_documents/filter", json={}).text
    assert "signer" in told
    assert "PRIVATE KEY" not in told
