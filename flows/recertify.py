"""Signs a certified run again, with another key or after a key was lost; its files must still be what was signed."""

from __future__ import annotations

from pathlib import Path

from flows.blocks import signing_key
from flows.certificate import RUN, certify, read_object
from flows.config import CertificateConfig
from flows.errors import CertificateError
from flows.listing import CERTIFICATE
from flows.records import RunRecord, SourceCommitment
from flows.statements import read_certificate
from flows.verify import verify


def recertify(directory: Path, config: CertificateConfig, public_key: Path | None = None) -> Path:
    """Write certificate.json anew.

    Args:
        directory: a published run.
        config: the key to sign with, and the largest epsilon that is certified.
        public_key: of whoever signed it before (PEM); None: the configured key did. A certificate that is trusted for
            the key it brings along could be anybody's, so that is never enough to sign it again.

    Raises:
        CertificateError: the run was never certified, or a file is not what was signed.
    """
    key = signing_key(config)
    result = verify(directory, public_key or key.path.with_suffix(".pub"))
    if not result.ok:
        raise CertificateError(f"{result.faults[0].path}: {result.faults[0].rule}")
    run = RunRecord.model_validate(read_object(directory / RUN))
    source = SourceCommitment.model_validate(read_certificate(directory / CERTIFICATE)[1]["source"])
    limits = {"max_epsilon": config.max_epsilon, "max_attack_rate": config.max_attack_rate}
    return certify(directory, run, source, key, **limits, valid_days=config.valid_days)
