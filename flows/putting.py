"""Puts a certified run where fsspec writes (`s3://`, `gs://`, a mounted folder); the certificate goes last.

Object storage has no rename of a folder. So that nobody finds half a set and takes it for one, the certificate, which
names every file, is written when all of them are there: a set without one is none.
"""

from __future__ import annotations

from pathlib import Path

from flows.errors import CertificateError, UsageError
from flows.listing import CERTIFICATE, walk_files
from flows.sensitive_pieces import place_of
from flows.verify import verify


def put_run(run: Path, target: str, public_key: Path | None) -> int:
    """Copy a certified run.

    Args:
        run: its directory.
        target: folder or address; holds no certificate yet. What an earlier copy left there unfinished is replaced.
        public_key: whose signature it must bear (PEM).

    Returns:
        Files written, the certificate among them.

    Raises:
        CertificateError: the run does not verify; nothing is written.
        UsageError: no such file system, a set is there already, or it cannot be written.
    """
    if not run.is_dir():
        raise UsageError(f"{run}: no such run")
    result = verify(run, public_key)
    if not result.ok:
        raise CertificateError(f"{result.faults[0].path}: {result.faults[0].rule}; nothing was written")
    system, folder = place_of(target)
    names = [*sorted(name for name, _ in walk_files(run)), CERTIFICATE]
    fault = ""
    try:
        if system.exists(f"{folder}/{CERTIFICATE}"):
            raise UsageError("a certified set is there already")
        for name in names:
            place = f"{folder}/{name}"
            system.makedirs(place.rpartition("/")[0], exist_ok=True)
            system.put_file(str(run / name), place)
    except UsageError:
        raise
    except Exception as error:
        # Of whatever library stands behind the address; its message may quote a key that stands in it.
        fault = type(error).__name__
    if fault:
        raise UsageError(f"the copy is not whole: {fault}; it has no certificate, and may be made again")
    return len(names)
