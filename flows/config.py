"""The whole configuration, composed from one TOML file; each stage receives its own section and nothing else."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Annotated, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from attacks.config import AttackConfig
from evaluator.config import EvaluatorConfig
from flows.engine_config import EngineConfig
from flows.errors import UsageError
from generator.config import GeneratorConfig
from seed_engine.config import DetectorConfig, SeedConfig
from seed_engine.conversation import Boundary
from seed_engine.sensitive.build_config import BuildConfig
from training.config import TrainingConfig

# Prefect's own rule for names of blocks; nothing of it can leave a folder.
BlockName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,80}$")]


class CertificateConfig(Boundary):
    """How certificates are signed and what they may claim.

    Attributes:
        key_path: Ed25519 private key (PKCS8 PEM); None takes the user's default key, made at first use.
        key_block: name of a Prefect Secret block that holds such a key, in place of a file.
        max_epsilon: the largest epsilon that is ever certified, > 0; 8 is the customary ceiling for DP-SGD.
        max_attack_rate: the loosest attack threshold that is ever certified, in (0, 1); 0.01 is the product's promise.
        valid_days: until a certificate expires, 1 to 3,650; a year, since attacks get better.
    """

    key_path: Path | None = None
    key_block: BlockName | None = None
    max_epsilon: float = Field(default=8.0, gt=0)
    max_attack_rate: float = Field(default=0.01, gt=0, lt=1)
    valid_days: int = Field(default=365, ge=1, le=3650)

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        if self.key_path is not None and self.key_block is not None:
            raise ValueError("key_path and key_block are two keys; name one")
        return self


class ProviderConfig(Boundary):
    """What providers are given beside a request.

    Attributes:
        secret_blocks: names of Prefect Secret blocks by the environment variable that LiteLLM reads, such as
            `{OPENAI_API_KEY = "openai-key"}`; a variable that is set already stays as it is. Read by whole runs; the
            other commands read the environment.
    """

    secret_blocks: dict[Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,80}$")], BlockName] = Field(
        default_factory=dict
    )


class RunConfig(Boundary):
    """semilla.toml; a section a stage.

    Attributes:
        detector: finding personal data.
        seeds: how seeds leave the house; k-anonymous, private, or as they are.
        generator: which model writes, and how often it may try.
        provider: secrets of language-model providers that Prefect keeps.
        evaluator: thresholds for the data.
        training: DP-SGD LoRA.
        attacks: thresholds and trials for the model.
        certificate: signing.
        sensitive: building special-care data sets; no part of a run.
        run: where the work is done.
    """

    detector: DetectorConfig = DetectorConfig()
    seeds: SeedConfig = SeedConfig()
    generator: GeneratorConfig = GeneratorConfig()
    provider: ProviderConfig = ProviderConfig()
    evaluator: EvaluatorConfig = EvaluatorConfig()
    training: TrainingConfig = TrainingConfig()
    attacks: AttackConfig = AttackConfig()
    certificate: CertificateConfig = CertificateConfig()
    sensitive: BuildConfig = BuildConfig()
    run: EngineConfig = EngineConfig()

    def with_seed(self, seed: int) -> RunConfig:
        """The same configuration, every pseudo-random choice following from `seed`."""
        return self.model_copy(
            update={
                "generator": self.generator.model_copy(update={"seed": seed}),
                "training": self.training.model_copy(update={"seed": seed}),
            }
        )

    def with_domain(self, domain: str) -> RunConfig:
        """The same configuration, for conversations of one domain that do not say so."""
        return self.model_copy(update={"seeds": self.seeds.model_copy(update={"domain": domain})})

    def with_engine(self, engine: str) -> RunConfig:
        """The same configuration, the work done on another engine.

        Raises:
            UsageError: no such engine, or none that a configured scheduler is of.
        """
        return self.model_copy(update={"run": override(self.run, engine=engine)})

    def digest(self) -> str:
        """Hex SHA-256 of the canonical JSON of every value but where the work is done, which changes no result."""
        canonical = json.dumps(self.model_dump(mode="json", exclude={"run"}), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


def load_config(path: Path | None) -> RunConfig:
    """Read a configuration; the defaults where `path` is None.

    Raises:
        UsageError: unreadable, not TOML, an unknown key, or a value out of range (named by path and rule).
    """
    if path is None:
        return RunConfig()
    fault: str
    try:
        return RunConfig.model_validate(tomllib.loads(path.read_text("utf-8-sig")))
    except OSError as error:
        fault = error.strerror or "unreadable"
    except UnicodeDecodeError:
        fault = "not UTF-8"
    except (tomllib.TOMLDecodeError, RecursionError):
        fault = "not TOML"
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        fault = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    raise UsageError(f"{path}: {fault}")


Section = TypeVar("Section", bound=Boundary)


def override(section: Section, **settings: object) -> Section:
    """A section with the settings that are not None in place.

    Raises:
        UsageError: a setting is out of range; named, not shown.
    """
    given = {name: value for name, value in settings.items() if value is not None}
    fault: str
    try:
        return type(section).model_validate(section.model_dump() | given)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        fault = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    raise UsageError(fault)
