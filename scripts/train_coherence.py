"""Train the network of evaluator/soundness.py, from one command (`make coherence`).

    python scripts/train_coherence.py --data ../shared/data [--steps 1500] [--out evaluator/coherence_data]

Good conversations are half of each public set (by a digest of the id: the other half is never read here) and this
project's samples; bad ones are the same, spoilt as evaluator/corruptions.py does. See MODEL_CARD.md beside the weights.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from evaluator.corruptions import CORRUPTIONS
from evaluator.embedding import embed
from evaluator.metrics.repetition import repetition
from evaluator.sides import side
from evaluator.soundness import FARTHEST, SUREST
from evaluator.turn_features import STRETCH, Components, read_aloud, turn_features
from evaluator.word_order import BEGIN, END, NUMBER, OTHER, WordOrder, tokenize, word_class
from seed_engine.conversation import Conversation, Turn
from seed_engine.vocabulary import vocabulary

SETS = ("taskmaster4", "mts_dialog", "sgd", "mathdial")
# Running text with a permissive licence, for the table of neighbouring words; at most this many characters of each.
RUNNING = ["presidio_synth", "kiji", "clinical_queries", "nlu_home", "wnut17", "tab", "meddocan_es"]
MOST_CHARACTERS = 1_500_000
FREQUENT, SUFFIXES, TELLING_NOTHING = 600, 250, 150
STEP = 0.05  # of the int8 table, nats
COMPONENTS, HIDDEN, POOLED, SIDE_HIDDEN = 64, 96, 24, 32
BATCH = 64


@dataclass
class Example:
    """One conversation, sound (0) or spoilt (1 to 6)."""

    features: np.ndarray
    sides: np.ndarray
    repeated: float
    outcome: int


def main() -> None:
    """Train and write as the arguments say."""
    cli = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    cli.add_argument("--data", type=Path, required=True, help="folder with dialogues/ and pii/")
    cli.add_argument("--out", type=Path, default=Path("evaluator/coherence_data"))
    cli.add_argument("--without", nargs="*", default=[], help="sets to leave out, to see how it does on unseen kinds")
    cli.add_argument("--steps", type=int, default=1500)
    cli.add_argument("--forget", type=float, default=0.3, help="how often a block of meaning is blanked in training")
    args = cli.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(7)
    begin = time.time()
    pools = {name: first_half(read(args.data / "dialogues" / f"{name}.jsonl")) for name in SETS}
    pools = {name: pool for name, pool in pools.items() if name not in args.without}
    pools["samples"] = [c for path in sorted(Path("samples").glob("*.jsonl")) for c in read(path)]
    order, table = word_order(running_text(args.data / "pii", pools))
    talks = [(name, outcome, talk) for name, pool in pools.items() for outcome, talk in spoilt(pool, pools)]
    print(f"{len(talks)} conversations, {time.time() - begin:.0f} s", flush=True)
    vectors = Memory({read_aloud(turn.text) for _, _, talk in talks for turn in talk.turns[:STRETCH]})
    seen = {read_aloud(turn.text) for pool in pools.values() for talk in pool for turn in talk.turns}
    components = principal(vectors([text for text in sorted(seen) if text in vectors.place]))
    print(f"{len(vectors.place)} texts, {time.time() - begin:.0f} s", flush=True)
    examples: dict[tuple[str, int], list[Example]] = defaultdict(list)
    for name, outcome, talk in talks:
        examples[name, outcome].append(example(talk, outcome, vectors, components, order))
    print(f"features, {time.time() - begin:.0f} s", flush=True)
    weights = fit(examples, args.steps, args.forget)
    write(args.out, weights, components, order, table)
    print(f"done, {time.time() - begin:.0f} s")


def read(path: Path) -> list[Conversation]:
    """Conversations of a file."""
    records = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return [
        Conversation(id=r["id"], turns=tuple(Turn(role=t["role"], text=t["text"]) for t in r["turns"])) for r in records
    ]


def first_half(talks: list[Conversation]) -> list[Conversation]:
    """The half to train on; `semilla bench quality --half unseen` reports the other."""
    return [talk for talk in talks if hashlib.sha256(talk.id.encode()).digest()[0] % 2 == 0 and len(talk.turns) >= 3]


def whole_turns_shuffled(talk: Conversation, stranger: Conversation, stream: random.Random) -> Conversation:
    """Turns with their speakers in another order: a second way to shuffle, so that one is not learnt by its form."""
    turns = list(talk.turns)
    while len(set(turns)) > 1 and tuple(turns) == talk.turns:
        stream.shuffle(turns)
    return talk.model_copy(update={"turns": tuple(turns)})


def spoilt(pool: list[Conversation], pools: dict[str, list[Conversation]]) -> Iterator[tuple[int, Conversation]]:
    """Every conversation of a pool, and each way to spoil it; a quarter of the strangers come from other pools."""
    stream = random.Random(len(pool))
    everyone = [talk for other in pools.values() for talk in other]
    for copy in range(max(1, 400 // len(pool))):
        for talk in pool:
            stranger = talk
            while stranger.id == talk.id:
                stranger = stream.choice(everyone if stream.random() < 0.25 else pool)
            if copy == 0:
                yield 0, talk
            for outcome, corrupt in enumerate(CORRUPTIONS.values(), 1):
                yield outcome, corrupt(talk, stranger, stream)
            yield 1, whole_turns_shuffled(talk, stranger, stream)


def running_text(folder: Path, pools: dict[str, list[Conversation]]) -> Iterator[str]:
    """Turns of the pools and other running text."""
    yield from (turn.text for pool in pools.values() for talk in pool for turn in talk.turns)
    for name in RUNNING:
        size = 0
        for line in (folder / f"{name}.train.jsonl").open(encoding="utf-8"):
            record = json.loads(line)
            for text in [record["text"]] if "text" in record else [turn["text"] for turn in record["turns"]]:
                size += len(text)
                if size < MOST_CHARACTERS:
                    yield text


def word_order(texts: Iterator[str]) -> tuple[WordOrder, np.ndarray]:
    """Classes of words and the mutual information of neighbours, as numbers and as written (int8)."""
    said = [tokenize(text) for text in texts]
    counts = Counter(token for tokens in said for token in tokens)
    frequent = [token for token, _ in counts.most_common(FREQUENT)]
    suffixes: Counter[str] = Counter()
    for token, count in counts.items():
        if token not in set(frequent[:FREQUENT]) and not token.isdigit():
            suffixes[f"-{token[-3:]}"] += count
    names = [*frequent, *(name for name, _ in suffixes.most_common(SUFFIXES)), NUMBER, OTHER, BEGIN, END]
    classes = {name: number for number, name in enumerate(names)}
    met = np.zeros((len(names), len(names)))
    for tokens in said:
        at = [classes[BEGIN], *(word_class(classes, token) for token in tokens), classes[END]]
        np.add.at(met, (at[:-1], at[1:]), 1)
    expected = met.sum(1, keepdims=True) * met.sum(0, keepdims=True) / met.sum()
    # Rare pairs are drawn towards chance: five pairs' worth of doubt where many are expected, less where few are.
    doubt = 5 * expected / (expected + 1) + 0.3 * np.minimum(expected, 1) + 1e-3
    table = np.clip(np.log((met + doubt) / (expected + doubt)) / STEP, -80, 120).round().astype(np.int8)
    return WordOrder(classes, table.astype(np.float32) * STEP, frozenset(names[:TELLING_NOTHING])), table


class Memory:
    """Sentence embeddings of texts, computed once."""

    def __init__(self, texts: set[str]) -> None:
        ordered = sorted(texts)
        self.place = {text: number for number, text in enumerate(ordered)}
        self.vectors = embed(ordered)

    def __call__(self, texts: list[str]) -> np.ndarray:
        """Vectors of texts."""
        return self.vectors[[self.place[text] for text in texts]]


def principal(vectors: np.ndarray) -> Components:
    """Principal components, rounded as they are written."""
    mean = vectors.mean(axis=0)
    axes = np.linalg.eigh(np.cov((vectors - mean).T))[1][:, ::-1][:, :COMPONENTS]
    return Components(mean.astype(np.float16).astype(np.float32), axes.astype(np.float16).astype(np.float32))


def example(talk: Conversation, outcome: int, vectors: Memory, components: Components, order: WordOrder) -> Example:
    """Features of one conversation."""
    turns = talk.turns[:STRETCH]
    features = turn_features(
        talk, vectors([read_aloud(turn.text) for turn in turns]), components, order, vocabulary().dialogue_acts
    )
    sides = np.array([side(turn.role) for turn in turns], dtype=np.float32)
    return Example(features.astype(np.float16), sides, repetition(talk), outcome)


class Network(nn.Module):
    """As `evaluator.soundness.conversation_logits`, over padded batches."""

    def __init__(self, features: int, forget: float) -> None:
        super().__init__()
        self.forget = forget
        self.turn_1, self.turn_2 = nn.Linear(features, HIDDEN), nn.Linear(HIDDEN, POOLED)
        self.side_1, self.side_2 = nn.Linear(features, SIDE_HIDDEN), nn.Linear(SIDE_HIDDEN, 1)
        self.outcome = nn.Linear(2 * POOLED + 6, 1 + len(CORRUPTIONS))

    def forward(self, values: torch.Tensor, sides: torch.Tensor, there: torch.Tensor, repeated: torch.Tensor):
        """Logits of the outcomes, and of each turn's side."""
        act = nn.GELU(approximate="tanh")
        values = self.blank(nn.functional.dropout(values, 0.1, self.training))
        turns = self.turn_2(nn.functional.dropout(act(self.turn_1(values)), 0.3, self.training))
        speaker = self.side_2(nn.functional.dropout(act(self.side_1(values)), 0.3, self.training))[..., 0]
        count = there.sum(1)
        mean = (turns * there[..., None]).sum(1) / count[:, None]
        highest = torch.logsumexp(turns + (there[..., None] - 1) * 30, 1) - count.log()[:, None]
        agrees = speaker.clamp(-SUREST, SUREST) * sides
        agree, against = (agrees * there).sum(1) / count, (torch.relu(-agrees) * there).sum(1) / count
        rest = [agree, against, repeated, count.log(), agree * count.log(), (sides.abs() * there).sum(1) / count]
        return self.outcome(torch.cat([mean, highest, torch.stack(rest, 1)], 1)), speaker

    def blank(self, values: torch.Tensor) -> torch.Tensor:
        """Some conversations without parts of their meaning, so that topics are not all that is learnt."""
        if not self.training:
            return values
        keep = torch.ones(len(values), 1, values.shape[2])
        for first, last in ((0, 3), (3, 5), (5, 6)):
            lost = torch.rand(len(values)) < self.forget
            keep[lost, :, first * COMPONENTS : last * COMPONENTS] = 0
        return values * keep


def fit(examples: dict[tuple[str, int], list[Example]], steps: int, forget: float) -> dict[str, np.ndarray]:
    """Train; weights by name, ready to be written."""
    sound = np.concatenate([e.features for (_, outcome), es in examples.items() if not outcome for e in es])
    mean, scale = sound.mean(0, dtype=np.float64), sound.std(0, dtype=np.float64) + 0.02
    network = Network(len(mean), forget)
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=0.1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps)
    names = sorted({name for name, _ in examples})
    shares = [len(examples[name, 0]) ** 0.4 for name in names]
    prior = torch.log(torch.tensor([0.25] + [0.125] * len(CORRUPTIONS)))
    stream = random.Random(7)
    for _ in range(steps):
        drawn = [
            stream.choice(examples[name, 0 if stream.random() < 0.25 else stream.randint(1, len(CORRUPTIONS))])
            for name in stream.choices(names, shares, k=BATCH)
        ]
        values, sides, there, repeated, outcomes = batch(drawn, mean, scale, stream)
        logits, speaker = network(values, sides, there, repeated)
        loss = nn.functional.cross_entropy(logits + prior, outcomes, label_smoothing=0.02)
        told = there * (sides != 0) * (outcomes == 0)[:, None]
        if told.any():
            wrong = nn.functional.binary_cross_entropy_with_logits(speaker, (sides > 0).float(), reduction="none")
            loss = loss + 0.5 * (wrong * told).sum() / told.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    weights = {"mean": mean, "scale": scale}
    for name, value in network.state_dict().items():
        layer, part = name.split(".")
        weights[f"{layer}_bias" if part == "bias" else layer] = (value if part == "bias" else value.T).numpy()
    return {name: value.astype(np.float16) for name, value in weights.items()}


def batch(drawn: list[Example], mean: np.ndarray, scale: np.ndarray, stream: random.Random) -> list[torch.Tensor]:
    """A padded batch; every seventh conversation has speakers that say nothing about sides."""
    longest = max(len(e.features) for e in drawn)
    values = np.zeros((len(drawn), longest, len(mean)), np.float32)
    sides, there = np.zeros((len(drawn), longest), np.float32), np.zeros((len(drawn), longest), np.float32)
    for row, e in enumerate(drawn):
        values[row, : len(e.features)] = np.clip((e.features - mean) / scale, -FARTHEST, FARTHEST)
        there[row, : len(e.features)] = 1
        # Nobody can tell crossed speakers from labels that mean nothing.
        if e.outcome == 2 or stream.random() > 1 / 7:
            sides[row, : len(e.sides)] = e.sides
    repeated = np.array([e.repeated for e in drawn], np.float32)
    return [*map(torch.tensor, (values, sides, there, repeated)), torch.tensor([e.outcome for e in drawn])]


def write(
    out: Path, weights: dict[str, np.ndarray], components: Components, order: WordOrder, table: np.ndarray
) -> None:
    """The arrays, and the card that names their parts and digest."""
    out.mkdir(parents=True, exist_ok=True)
    arrays = weights | {
        "component_mean": components.mean.astype(np.float16),
        "component_axes": components.axes.astype(np.float16),
        "word_order": table,
    }
    np.savez_compressed(out / "coherence.npz", **arrays)
    card = {
        "sha256": hashlib.sha256((out / "coherence.npz").read_bytes()).hexdigest(),
        "outcomes": list(CORRUPTIONS),
        "acts": list(vocabulary().dialogue_acts),
        "word_order_step": STEP,
        "frequent": TELLING_NOTHING,
        "classes": list(order.classes),
    }
    (out / "coherence.json").write_text(json.dumps(card, ensure_ascii=False, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
