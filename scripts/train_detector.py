"""Train the token classifier that ships in seed_engine/detector_data, from one command (`make detector`).

    python scripts/train_detector.py --data ../shared/data/pii [--epochs 6] [--out seed_engine/detector_data]

Start: all-MiniLM-L6-v2 (Apache-2.0). Text: `detector_corpus.py`. Weights and activations run in bfloat16 over float32
masters. The result is an int8 ONNX graph, its tokenizer, its labels and digests; under an hour on two idle cores.
"""

# ruff: noqa: E501 - frames and value lists are read in one piece.
from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from detector_corpus import Document, generated, licensed
from detector_export import export
from detector_values import SLOTS
from tokenizers import Tokenizer
from transformers import AutoModel, BertForTokenClassification

from seed_engine.classifier import case_features, windows
from seed_engine.models import model_path

TYPES = sorted(set(SLOTS.values()))
LABELS = ["O", *(f"{prefix}-{kind}" for kind in TYPES for prefix in "BI")]
INDEX = {label: i for i, label in enumerate(LABELS)}
SILENT = -100
TOKENS_PER_STEP = 4096


@dataclass
class Window:
    """Word pieces of one window, end marks included, with their cases and label indexes."""

    ids: list[int]
    cases: list[int]
    labels: list[int]


def main() -> None:
    """Train and export as the arguments say."""
    cli = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    cli.add_argument("--data", type=Path, required=True, help="folder with the *.train.jsonl sets")
    cli.add_argument("--out", type=Path, default=Path("seed_engine/detector_data"))
    cli.add_argument("--epochs", type=int, default=6)
    cli.add_argument("--generated", type=int, default=7000, help="generated conversations an epoch")
    cli.add_argument("--lr", type=float, default=3e-4)
    cli.add_argument("--threads", type=int, default=1)
    cli.add_argument("--layers", type=int, default=6)
    cli.add_argument("--checkpoint", type=Path, help="where the weights of a run under way are kept")
    args = cli.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(7)
    start = model_path("minilm")
    tokenizer = Tokenizer.from_file(str(start / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    model = _model(start, args.layers)
    trained = train(model, tokenizer, args) if args.epochs else model
    export(trained, start / "tokenizer.json", LABELS, args.out)


def train(
    model: BertForTokenClassification, tokenizer: Tokenizer, args: argparse.Namespace
) -> BertForTokenClassification:
    """AdamW with warm-up and linear decay; every epoch has new generated text and a new lower-cased share."""
    masters = {
        name: weight.detach().clone().requires_grad_()
        for name, weight in model.named_parameters()
        if weight.requires_grad
    }
    decay = [w for n, w in masters.items() if w.ndim > 1 and "embeddings" not in n]
    plain = [w for n, w in masters.items() if not (w.ndim > 1 and "embeddings" not in n)]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=args.lr, fused=True
    )
    model.bfloat16().train()
    rng = random.Random(11)
    began, step, total = time.time(), 0, None
    for epoch in range(args.epochs):
        documents = [*licensed(args.data, epoch), *generated(args.generated, seed=1000 + epoch)]
        batches = _batches(documents, tokenizer, rng)
        total = total or args.epochs * len(batches)
        losses = []
        for batch in batches:
            step += 1
            rate = args.lr * min(step / 100, max(0.0, 1 - step / (total + 50)))
            for group in optimizer.param_groups:
                group["lr"] = rate
            losses.append(_step(model, masters, optimizer, batch))
            if args.checkpoint and step % 40 == 0:
                torch.save({name: weight.detach() for name, weight in masters.items()}, args.checkpoint)
            if step % 20 == 0:
                print(
                    f"epoch {epoch} step {step}/{total} loss {np.mean(losses[-20:]):.4f} {time.time() - began:.0f}s cpu {time.process_time():.0f}",
                    flush=True,
                )
    model.float().eval()
    with torch.no_grad():
        for name, master in masters.items():
            model.get_parameter(name).copy_(master)
    return model


def _step(model, masters, optimizer, batch: list[Window]) -> float:
    width = max(len(w.ids) for w in batch)
    ids = torch.tensor([w.ids + [0] * (width - len(w.ids)) for w in batch])
    cases = torch.tensor([w.cases + [0] * (width - len(w.ids)) for w in batch])
    labels = torch.tensor([w.labels + [SILENT] * (width - len(w.ids)) for w in batch])
    logits = model(ids, attention_mask=(ids != 0).long(), token_type_ids=cases).logits.float()
    loss = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), labels.flatten(), ignore_index=SILENT, label_smoothing=0.02
    )
    loss.backward()
    with torch.no_grad():
        for name, master in masters.items():
            weight = model.get_parameter(name)
            master.grad, weight.grad = weight.grad.float(), None
    torch.nn.utils.clip_grad_norm_(masters.values(), 1.0)
    optimizer.step()
    with torch.no_grad():
        for name, master in masters.items():
            model.get_parameter(name).copy_(master)
    return float(loss.detach())


def _model(start: Path, layers: int) -> BertForTokenClassification:
    base = AutoModel.from_pretrained(start)
    config = base.config
    config.num_labels, config.type_vocab_size, config.num_hidden_layers = len(LABELS), 4, layers
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    # On CPUs the fused attention's backward pass costs more than all matrix products together.
    config._attn_implementation = "eager"
    model = BertForTokenClassification(config)
    state = base.state_dict()
    # Segment embeddings become case embeddings; all start as segment 0, so that nothing changes at first.
    state["embeddings.token_type_embeddings.weight"] = state["embeddings.token_type_embeddings.weight"][:1].repeat(4, 1)
    missing = model.bert.load_state_dict({k: v for k, v in state.items() if not k.startswith("pooler")}, strict=False)
    assert not missing.missing_keys, missing
    # Half of all weights; frozen, rare names keep the neighbourhood that pre-training gave them.
    model.bert.embeddings.word_embeddings.weight.requires_grad_(False)
    return model


def _batches(documents: list[Document], tokenizer: Tokenizer, rng: random.Random) -> list[list[Window]]:
    cut: list[Window] = []
    for text, spans in documents:
        # Case tells nothing in a fifth of the text, so that lower-cased chat is read as well.
        roll = rng.random()
        if roll < 0.2:
            text = "".join(low if len(low := c.lower()) == 1 else c for c in text)
        elif roll < 0.23:
            text = "".join(up if len(up := c.upper()) == 1 else c for c in text)
        cut += _windows(text, spans, tokenizer)
    rng.shuffle(cut)
    pool = TOKENS_PER_STEP * 20 // 40
    batches: list[list[Window]] = []
    for at in range(0, len(cut), pool):
        batch: list[Window] = []
        for window in sorted(cut[at : at + pool], key=lambda w: len(w.ids)):
            if (len(batch) + 1) * len(window.ids) > TOKENS_PER_STEP:
                batches.append(batch)
                batch = []
            batch.append(window)
        batches.append(batch)
    rng.shuffle(batches)
    return batches


def _windows(text: str, spans, tokenizer: Tokenizer) -> list[Window]:
    encoding = tokenizer.encode(text, add_special_tokens=False)
    labels, cases = _labels(encoding.offsets, spans), case_features(text, encoding.offsets)
    out = []
    for a, b in windows(text, encoding.offsets):
        if any(label != SILENT for label in labels[a:b]):
            out.append(Window([101, *encoding.ids[a:b], 102], [0, *cases[a:b], 0], [SILENT, *labels[a:b], SILENT]))
    return out


def _labels(offsets, spans) -> list[int]:
    labels, k, begun = [], 0, -1
    for start, end in offsets:
        while k < len(spans) and spans[k][1] <= start:
            k += 1
        if k < len(spans) and spans[k][0] < end:
            kind = spans[k][2]
            labels.append(SILENT if kind == "?" else INDEX.get(f"{'I' if begun == k else 'B'}-{kind}", SILENT))
            begun = k
        else:
            labels.append(0)
    return labels


if __name__ == "__main__":
    main()
