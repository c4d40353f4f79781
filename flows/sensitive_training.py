"""Training of a judge from a file: texts with labels, or a built set joined with the source that it was built from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from flows.errors import UsageError
from flows.records_io import read_objects
from flows.sensitive_blocks import blocks
from flows.sensitive_inputs import whole_files
from flows.sensitive_work import documents_of
from seed_engine.readers.record import Fault
from seed_engine.sensitive.build_records import Labelling, text_digest

if TYPE_CHECKING:
    from seed_engine.sensitive.training import LabelledText

Record = TypeVar("Record", bound=BaseModel)


def labelled_texts(path: Path, sources: Sequence[str]) -> list[LabelledText]:
    """What a judge is trained on.

    Args:
        path: JSONL of `{"text", "label", "category", "group"}`; with sources, the dataset.jsonl of a build.
        sources: files that the set was built from; a text's group is its file.

    Raises:
        InputError: a line is not JSON.
        UsageError: a line is no such record, or a text of the set is not in the sources any more.
    """
    from seed_engine.sensitive.training import LabelledText

    if sources:
        return list(_joined({item.digest: item for item in _records(path, Labelling)}, path, sources))
    return list(_records(path, LabelledText))


def _joined(wanted: dict[str, Labelling], path: Path, sources: Sequence[str]) -> Iterator[LabelledText]:
    from seed_engine.sensitive.training import LabelledText

    for file in whole_files([str(Path(name).absolute()) if "://" not in name else name for name in sources]):
        for block in blocks(file):
            for item in documents_of(block):
                found = None if isinstance(item, Fault) else wanted.pop(text_digest(item.text), None)
                if found is None or isinstance(item, Fault) or found.label is None:
                    continue
                yield LabelledText(text=item.text, label=found.label, category=found.category, group=found.source)
    if wanted:
        raise UsageError(f"{path}: {len(wanted)} of its texts are not in the sources")


def _records(path: Path, kind: type[Record]) -> Iterator[Record]:
    for number, value in read_objects(path):
        try:
            record = kind.model_validate(value)
        except ValidationError:
            record = None
        if record is None:
            raise UsageError(f"{path}:{number}: not a {kind.__name__} record; a built set needs its --source")
        yield record
