"""What stands in a run's folder: every file by path, digest and size, and names that somebody else chose."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from flows.errors import CertificateError
from seed_engine.models import file_sha256

CERTIFICATE = "certificate.json"
# Put beside a certificate after it was signed, by whoever signed it.
REVOKED = "revoked.json"


def digest_files(directory: Path) -> list[dict[str, str | int]]:
    """Path, SHA-256 and size in bytes of every file below a directory but its certificate, sorted by path.

    Raises:
        CertificateError: something there is neither a file nor a folder (a link could change what was signed), or its
            name is not Unicode, which no certificate can spell.
    """
    found: list[dict[str, str | int]] = []
    for relative, path in walk_files(directory):
        if path.is_symlink() or not path.is_file() or not is_unicode(relative):
            raise CertificateError(f"{printable(relative)}: not a regular file with a Unicode name")
        found.append({"path": relative, "sha256": file_sha256(path), "size": path.stat().st_size})
    return sorted(found, key=lambda file: str(file["path"]))


def walk_files(directory: Path) -> Iterator[tuple[str, Path]]:
    """Yield (relative path with /, path) of everything below a directory but folders and its certificate.

    Bytes of a name that are not UTF-8 come as lone surrogates, as Python has them, so that no two names meet.
    """
    for folder, folders, files in os.walk(directory):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in (*files, *links):
            path = Path(folder) / name
            relative = path.relative_to(directory).as_posix()
            if relative != CERTIFICATE:
                yield relative, path


def is_unicode(text: str) -> bool:
    """Whether a text has no lone surrogate and so can be written."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def printable(text: str) -> str:
    r"""A text that somebody else chose, on one line and without a way to act on a terminal.

    Examples:
        >>> printable("año 1.txt"), printable("a\n\x1b[2Jb")
        ('año 1.txt', 'a\\n\\x1b[2Jb')
    """
    return "".join(char if char.isprintable() and char != "\\" else ascii(char)[1:-1] for char in text)
