"""Trains the starter model of special-care information from the project's own texts and writes it where it ships.

    python scripts/train_sensitive.py [--per-cell 200]

The threshold keeps a recall of 0.75 on the development frames, which the model has not seen.
"""

from __future__ import annotations

import argparse

import numpy as np

from seed_engine.sensitive.judge import link_scores, save_judge, starter_folder
from seed_engine.sensitive.linking import train_link_model
from seed_engine.sensitive.measures import auc, flagged_at, threshold_for
from seed_engine.sensitive.writing import written_texts

RECALL = 0.75


def main() -> None:
    """Train and store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-cell", type=int, default=200)
    arguments = parser.parse_args()
    texts = written_texts("train", arguments.per_cell)
    developed = written_texts("dev", 40)
    held = [text for text in developed if text.label != "none"]
    link = train_link_model([text.text for text in texts], [text.label == "scpi" for text in texts])
    scores = link_scores(link, [text.text for text in held])
    truth = np.array([text.label == "scpi" for text in held])
    threshold = threshold_for(scores, truth, RECALL)
    save_judge(starter_folder(), link, threshold, "semilla-starter-3")
    print(f"{len(texts)} texts; development frames: AUC {auc(scores, truth):.3f}, threshold {threshold:.3f},")
    print(f"related flagged at recall {RECALL}: {flagged_at(scores, truth, RECALL):.3f}")
    neutral = link_scores(link, [text.text for text in developed if text.label == "none"])
    print(f"texts of no category flagged at that threshold: {(neutral >= threshold).mean():.3f} of {len(neutral)}")


if __name__ == "__main__":
    main()
