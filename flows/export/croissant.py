"""Croissant 1.0 metadata (MLCommons, JSON-LD) in `croissant.json`, beside the JSONL file of turns that it describes."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flows.export.source import Export
from seed_engine.atomic import atomic_folder

_DATA = "turns.jsonl"
_FIELDS = (
    ("conversation_id", "sc:Text", "Which conversation."),
    ("turn", "sc:Integer", "Place in the conversation, from 1."),
    ("role", "sc:Text", "Who speaks, a role of the domain."),
    ("text", "sc:Text", "What is said."),
    ("domain", "sc:Text", "Domain profile."),
    ("language", "sc:Text", "ISO 639-1."),
)
# The context that the reference implementation writes.
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def write(export: Export, target: Path) -> int:
    """Write the folder; returns the number of conversations."""
    content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(export)).encode()
    with atomic_folder(target) as folder:
        (folder / _DATA).write_bytes(content)
        metadata = json.dumps(_metadata(export, content), ensure_ascii=False, indent=1)
        (folder / "croissant.json").write_text(metadata + "\n", "utf-8", newline="")
    return len(export.conversations)


def _rows(export: Export) -> list[dict[str, Any]]:
    return [
        {
            "conversation_id": item.id,
            "turn": number,
            "role": turn.role,
            "text": turn.text,
            "domain": item.domain or "",
            "language": item.language or "",
        }
        for item in export.conversations
        for number, turn in enumerate(item.turns, 1)
    ]


def _metadata(export: Export, content: bytes) -> dict[str, Any]:
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": export.name,
        "description": export.description,
        "license": export.license,
        "url": _DATA,
        "creator": {"@type": "sc:Organization", "name": "semilla"},
        "datePublished": datetime.now(UTC).date().isoformat(),
        "version": "1.0.0",
        "inLanguage": list(export.languages),
        "keywords": ["synthetic", "conversations", *export.domains],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": _DATA,
                "name": _DATA,
                "contentUrl": _DATA,
                "contentSize": f"{len(content)} B",
                "encodingFormat": "application/jsonlines",
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        ],
        "recordSet": [
            {"@type": "cr:RecordSet", "@id": "turns", "name": "turns", "field": [_field(*field) for field in _FIELDS]}
        ],
    }


def _field(name: str, kind: str, description: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"turns/{name}",
        "name": name,
        "description": description,
        "dataType": kind,
        "source": {"fileObject": {"@id": _DATA}, "extract": {"column": name}},
    }
