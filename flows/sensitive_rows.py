"""Parquet as blocks: batches of the columns `id` and `text`, passed on as Arrow streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from flows.sensitive_pieces import Block, Piece, Place, library, open_any
from seed_engine.errors import InputError

_ROWS = 1024
_COLUMNS = ("id", "text")


def row_blocks(piece: Piece, place: Place) -> Iterator[Block]:
    """Blocks of a Parquet file's rows, read in batches, so that a large row group is never held whole.

    Raises:
        InputError: the file is broken or cut off, or has no column `text`.
    """
    with open_any(piece.path) as raw:
        file = _opened(piece, raw)
        groups = file.metadata.num_row_groups
        wanted = list(range(piece.start, groups if piece.end is None else piece.end))
        columns = [name for name in _COLUMNS if name in file.schema_arrow.names]
        skip, row = place.offset, 0
        for batch in _batches(piece, file, wanted, columns):
            row += batch.num_rows
            if row <= skip:
                continue
            kept = batch.slice(max(0, batch.num_rows - (row - skip)))
            line = piece.line + row - kept.num_rows
            sink = library("pyarrow").BufferOutputStream()
            with library("pyarrow.ipc").new_stream(sink, kept.schema) as stream:
                stream.write_batch(kept)
            read = piece.size * row // max(1, file.metadata.num_rows)
            after = Place(row, piece.line + row)
            yield Block(piece.path, True, line, sink.getvalue().to_pybytes(), after, read, piece.prefix)


def group_rows(piece: Piece) -> list[int]:
    """Rows of each row group.

    Raises:
        InputError: as `row_blocks`.
    """
    with open_any(piece.path) as raw:
        metadata = _opened(piece, raw).metadata
        return [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]


def unpack_rows(content: bytes) -> Iterator[tuple[Any, Any]]:
    """`(id, text)` of an Arrow stream, strings as bytes; the id is None where the file has none."""
    with library("pyarrow.ipc").open_stream(content) as stream:
        for batch in stream:
            texts = _values(batch.column("text"))
            ids = _values(batch.column("id")) if "id" in batch.schema.names else [None] * len(texts)
            yield from zip(ids, texts, strict=True)


def _values(column: Any) -> list[Any]:
    arrow = library("pyarrow")
    # One string that is not UTF-8 would fail its whole batch.
    kinds = {arrow.string(): arrow.binary(), arrow.large_string(): arrow.large_binary()}
    found: list[Any] = column.cast(kinds.get(column.type, column.type)).to_pylist()
    return found


def _opened(piece: Piece, raw: IO[bytes]) -> Any:
    arrow = library("pyarrow")
    # Arrow's default allocator keeps what was freed: 50 MiB more after 800,000 rows, where this one stays level.
    arrow.set_memory_pool(arrow.system_memory_pool())
    fault = None
    try:
        # Buffered ahead, row groups stay in memory until the file is closed.
        file = library("pyarrow.parquet").ParquetFile(raw, pre_buffer=False, buffer_size=1 << 20)
        if "text" not in file.schema_arrow.names:
            fault = "no column `text`"
    except (OSError, ValueError):
        fault = "a broken or cut-off Parquet file"
    if fault:
        raise InputError(piece.path, None, fault)
    return file


def _batches(piece: Piece, file: Any, groups: list[int], columns: list[str]) -> Iterator[Any]:
    batches = file.iter_batches(batch_size=_ROWS, row_groups=groups, columns=columns)
    while True:
        fault = False
        try:
            batch = next(batches, None)
        except (OSError, ValueError):
            batch, fault = None, True
        if fault:
            raise InputError(piece.path, None, "a broken or cut-off Parquet file")
        if batch is None:
            return
        yield batch
