"""A Hugging Face `datasets` folder: `load_dataset(OUT)` reads `data/train.jsonl`, and README.md is the dataset card."""

from __future__ import annotations

import json
from pathlib import Path

from flows.export.source import Export
from flows.export.table import record
from seed_engine.atomic import atomic_folder

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_CARD = """\
---
pretty_name: {name}
language:
{languages}
license: {license}
task_categories:
- text-generation
size_categories:
- {size}
tags:
- synthetic
- conversations
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train.jsonl
dataset_info:
  features:
  - name: id
    dtype: string
  - name: seed_id
    dtype: string
  - name: domain
    dtype: string
  - name: language
    dtype: string
  - name: turns
    list:
    - name: role
      dtype: string
    - name: text
      dtype: string
---

# {name}

{description}

## Where it comes from

Every conversation was generated from a *seed*: labels of a closed vocabulary (dialogue acts, topics, slots) and role
markers. No text of a source goes into a seed, and none was shown to whatever wrote the conversations. Whether a run
passed its privacy, leak and memorisation gates stands in its certificate, not here.

## What is in it

| domain | conversations | turns |
|---|---|---|
{rows}

`turns` is the conversation in order: `role` is a role of the domain, `text` what was said.

## Limits

Synthetic text is plainer and more regular than what people write. It says nothing about how often anything happens,
and is no evidence about any person.
"""


def write(export: Export, target: Path) -> int:
    """Write the folder; returns the number of conversations."""
    with atomic_folder(target) as folder:
        (folder / "data").mkdir()
        lines = (json.dumps(record(item), ensure_ascii=False) + "\n" for item in export.conversations)
        (folder / "data" / "train.jsonl").write_text("".join(lines), "utf-8", newline="")
        (folder / "README.md").write_text(_card(export), "utf-8", newline="")
    return len(export.conversations)


def _card(export: Export) -> str:
    count = len(export.conversations)
    return _CARD.format(
        name=export.name,
        license=export.license,
        languages="\n".join(f"- {language}" for language in export.languages),
        size=next((label for most, label in _SIZES if count < most), "n>1M"),
        description=export.description,
        rows="\n".join(_row(export, domain) for domain in export.domains),
    )


def _row(export: Export, domain: str) -> str:
    own = [item for item in export.conversations if item.domain == domain]
    return f"| {domain} | {len(own)} | {sum(len(item.turns) for item in own)} |"
