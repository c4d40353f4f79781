"""Measures what the report's radar is drawn against: the bundled sample as it is, and spoilt in each known way.

python -m scripts.measure_baselines      # about a minute of CPU; writes flows/templates/quality_baselines.json
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

from evaluator.config import EvaluatorConfig
from evaluator.corruptions import CORRUPTIONS
from evaluator.discrimination import FEWEST_TURNS
from evaluator.embedding import Embed, embed, remembering
from evaluator.metrics.metric import Evidence
from evaluator.quality import quality
from seed_engine.conversation import Conversation
from seed_engine.readers import read_conversations

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "flows/templates/quality_baselines.json"
SEED = 0
AXES = ("soundness", "turn_order", "speaker_fit", "next_turn", "progress", "fluency", "topic_continuity", "mattr")


def main() -> None:
    """Measure, and write the file."""
    talks = [talk for path in sorted((ROOT / "samples").glob("*.jsonl")) for talk in read_conversations(path)]
    talks = [talk for talk in talks if len(talk.turns) >= FEWEST_TURNS]
    stream, shared = Random(SEED), remembering(embed)
    others = [*talks[1:], *talks[:1]]
    sets: dict[str, Sequence[Conversation]] = {"whole": talks}
    for name, spoil in CORRUPTIONS.items():
        sets[name] = [spoil(talk, other, stream) for talk, other in zip(talks, others, strict=True)]
    measured = {name: _values(items, shared) for name, items in sets.items()}
    OUT.write_text(json.dumps({"conversations": len(talks), "sets": measured}, indent=1) + "\n", "utf-8")


def _values(talks: Sequence[Conversation], shared: Embed) -> dict[str, float]:
    found = quality(Evidence(talks, EvaluatorConfig(), embed=shared))
    return {name: round(value, 3) for name in AXES if (value := found[name].value) is not None}


if __name__ == "__main__":
    main()
