"""The texts of a source, one after the other, each with the name of its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from flows.sensitive_blocks import blocks
from flows.sensitive_inputs import whole_files
from flows.sensitive_work import documents_of
from seed_engine.errors import InputError
from seed_engine.readers.record import Fault
from seed_engine.sensitive.scan_documents import Document


def source_documents(inputs: Sequence[str], counts: Counter[str], *, skip_bad: bool) -> Iterator[tuple[str, Document]]:
    """Read documents.

    Args:
        inputs: files, folders or patterns, on disk or wherever fsspec reads.
        counts: `read` and `skipped` are counted here.
        skip_bad: pass over broken lines.

    Raises:
        InputError: a file or a line cannot be read.
    """
    for file in whole_files([str(Path(name).absolute()) if "://" not in name else name for name in inputs]):
        name = file.path.rpartition("/")[2]
        for block in blocks(file):
            for item in documents_of(block):
                if not isinstance(item, Fault):
                    counts["read"] += 1
                    yield name, item
                elif skip_bad:
                    counts["skipped"] += 1
                else:
                    raise InputError(file.path, item.line, item.rule)
