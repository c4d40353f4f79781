"""Print what the gates say of adapters that were trained without privacy, and of the same records with it.

    python -m scripts.measure_overfit seeds [--seeds 10] [--private] [--base smollm2|tiny]
    python -m scripts.measure_overfit records [--records 600] [--epochs 5] [--private]

`seeds` overfits one adapter a seed on about thirty planted texts and prints a row each; `--private` adds the same
records with epsilon 8. `records` trains on 324 of 600 conversations of about 170 tokens, told by templates with planted
numbers, and attacks them against the 276 that were held back: AUC of each scorer, exposure and extraction stand beside
what a first measurement of such records found after three epochs (its batch, rank and learning rate were not written
down). A window holds a whole record: what is learned in halves is known by heart in neither.
The CPU time is that of training and attack together.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from attacks.config import AttackConfig
from attacks.verdict import GateReport
from flows.attacking import attack_adapter
from seed_engine.conversation import Conversation, Turn
from training.config import TrainingConfig
from training.train import train

ONE = (Conversation(id="1", turns=(Turn(role="agent", text="How can I help?"),)),)
LINEAR = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
# Enough visits to know most of some thirty texts by heart, for each base.
SETTINGS: dict[str, dict[str, Any]] = {
    "smollm2": {"canaries": 56, "canary_controls": 60, "epochs": 30.0, "batch_size": 16, "learning_rate": 4e-3},
    "tiny": {
        "canaries": 60,
        "canary_controls": 800,
        "epochs": 300.0,
        "batch_size": 16,
        "learning_rate": 5e-3,
        "r": 16,
        "lora_alpha": 32.0,
        "max_length": 64,
        "target_modules": LINEAR,
        "precision": "float32",
        "secure_rng": False,
        "physical_batch_tokens": 16_384,
    },
}
# What a first measurement of 324 and 276 such records found, by name of the figure.
FOUND = {
    "auc_loss": 0.757,
    "auc_zlib_ratio": 0.773,
    "auc_min_k": 0.760,
    "auc_min_k_plus_plus": 0.707,
    "auc_reference": 0.551,
    "tpr_at_fpr_0.01": 0.096,
    "exposure_mean_bits": 5.73,
    "verbatim": 0,
}
MEMBER_SHARE = 324 / 600


def main() -> None:
    """Read the command line and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("seeds", "records"))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--private", action="store_true")
    parser.add_argument("--base", choices=sorted(SETTINGS), default="smollm2")
    parser.add_argument("--records", type=int, default=600)
    parser.add_argument("--epochs", type=float, default=8.0)
    given = parser.parse_args()
    if given.what == "records":
        _records(given.records, given.epochs, 8.0 if given.private else math.inf)
        return
    if given.base == "tiny":
        _use_tiny()
    print("seed epsilon | membership      AUC loss  reference  TPR at 1% | extraction | report       CPU-s")
    for seed in range(given.first, given.first + given.seeds):
        for epsilon in (math.inf, 8.0) if given.private else (math.inf,):
            _row(seed, epsilon, SETTINGS[given.base])


def _row(seed: int, epsilon: float, settings: dict[str, Any]) -> None:
    began = process_time()
    with tempfile.TemporaryDirectory() as folder:
        report = _attacked(Path(folder) / "adapter", TrainingConfig(seed=seed, epsilon=epsilon, **settings))
    known, said = report.attacks
    figures = [float(known.details.get(name, math.nan)) for name in ("auc_loss", "auc_reference", "tpr_at_fpr_0.01")]
    print(
        f"{seed:4} {epsilon:7} | {known.successes:3}/{known.trials:<3} {known.verdict:12} "
        + "  ".join(f"{figure:7.3f}" for figure in figures)
        + f" | {said.successes:3}/{said.trials:<3} {said.verdict:12} | {report.verdict:12}"
        + f" {process_time() - began:5.0f}",
        flush=True,
    )


def _attacked(folder: Path, config: TrainingConfig) -> GateReport:
    train(ONE, config, folder)
    # Exposure has no verdict and would cost more than everything else here.
    return attack_adapter(folder, AttackConfig(exposure_canaries=0), lambda done, total: None)


def _records(count: int, epochs: float, epsilon: float) -> None:
    began, members = process_time(), round(MEMBER_SHARE * count)
    rng = random.Random(0)
    told = [_told(number, rng) for number in range(count)]
    config = TrainingConfig(
        epsilon=epsilon,
        canaries=60,
        canary_controls=80,
        epochs=epochs,
        batch_size=4,
        learning_rate=2e-3,
        r=16,
        lora_alpha=32.0,
        max_length=192,
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = train(told[:members], config, folder / "adapter")
        trained = process_time() - began
        sides = [_written(folder / "in.jsonl", told[:members]), _written(folder / "out.jsonl", told[members:])]
        report = attack_adapter(
            folder / "adapter",
            AttackConfig(exposure_canaries=15, exposure_alternatives=60),
            lambda done, total: None,
            members=sides[0],
            nonmembers=sides[1],
        )
    print(f"epsilon {run.epsilon:.3f}, {run.units} units, {run.steps} steps: {trained:.0f} CPU-s")
    print(f"report {report.verdict}: {process_time() - began - trained:.0f} CPU-s")
    for row in report.attacks:
        print(f"{row.name:20} {row.successes}/{row.trials} {row.verdict} {row.reason}")
        for figure, value in row.details.items():
            shown = f"{value:.3f}" if isinstance(value, float) else str(value)
            print(f"    {figure:28} {shown:>24}   {FOUND.get(figure, '')}")


def _told(number: int, rng: random.Random) -> Conversation:
    """One of six stories about an order, with numbers that nothing else tells; about 170 tokens."""
    order, amount, day = rng.randrange(10**8), rng.randrange(1000, 99_999) / 100, rng.randrange(1, 29)
    thing = rng.choice(("kettle", "garden chair", "router", "winter coat", "keyboard", "lamp", "tent", "mirror"))
    trouble = rng.choice(("arrived broken", "has not come", "is the wrong size", "makes a noise", "was charged twice"))
    wish = rng.choice(("my money back", "another one", "to change the address", "to know what happens now"))
    month = rng.choice(("January", "March", "May", "August", "October", "November"))
    said = (
        "Good morning, thank you for calling. How can I help you today?",
        f"Hello, the {thing} that I ordered {trouble}. The order number is {order:08d} and I paid {amount:.2f} euros.",
        f"I am sorry to hear that. I see order {order:08d} here, of {day} {month}. What would you like us to do?",
        f"I would like {wish}, please. You can reach me at {rng.randrange(10**9):09d}.",
        f"That is noted under case {rng.randrange(10**6):06d}. You will hear from us within two days.",
        "Thank you very much, goodbye.",
    )
    turns = tuple(Turn(role="customer" if i % 2 else "agent", text=text) for i, text in enumerate(said))
    return Conversation(id=f"told-{number}", turns=turns)


def _written(path: Path, told: list[Conversation]) -> Path:
    lines = (json.dumps({"id": t.id, "turns": [{"role": s.role, "text": s.text} for s in t.turns]}) for t in told)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def _use_tiny() -> None:
    import training.adapter
    import training.train
    from tests.training.tiny import tiny_base

    for module in (training.adapter, training.train):
        vars(module)["load_base"] = tiny_base


if __name__ == "__main__":
    main()
