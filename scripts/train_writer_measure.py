"""Set the trained writer against the templates: the same seeds, the same drafts, one set as drafted and one rewritten.

It writes `OUT.templates.jsonl` and `OUT.writer.jsonl`, and prints what became of the turns, what the gate says of both
sets, and which share of their 8-word runs stands in the half of the public dialogues that the writer learnt from and in
the half that it did not. `semilla bench utility` reads both files.

    python scripts/train_writer_measure.py writer.gguf SEEDS.jsonl talks.jsonl OUT --each 20
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from train_writer_prompt import Writer, objection

from evaluator.config import EvaluatorConfig
from evaluator.embedding import embed
from evaluator.metrics.composite import passes
from evaluator.soundness import soundness
from generator.draft import Draft, draft
from seed_engine.conversation import Conversation, Turn
from seed_engine.fold import words
from seed_engine.markers import MARKER_PATTERN
from seed_engine.models import model_path
from seed_engine.seed import Seed

RUN = 8
# A marker's note is no part of what the writer learnt.
_NOTED = re.compile(r"\[([A-Z_]+_\d+): [^\]]*\]")


def main() -> None:
    """Write and judge both sets."""
    parser = argparse.ArgumentParser()
    parser.add_argument("adapter", type=Path)
    parser.add_argument("seeds", type=Path)
    parser.add_argument("talks", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--each", type=int, default=20, help="seeds of a domain and language")
    parser.add_argument("--tries", type=int, default=2)
    asked = parser.parse_args()
    seeds = list(chosen(asked.seeds, asked.each))
    complete, used = completer(asked.adapter)
    begun, cpu = time.monotonic(), time.process_time()
    sets: dict[str, list[Conversation]] = {"templates": [], "writer": []}
    became: Counter[str] = Counter()
    for seed in seeds:
        drafts = draft(seed, random.Random(f"0/{seed.id}/0"))
        sets["templates"].append(_conversation(seed, [item.text for item in drafts]))
        sets["writer"].append(_conversation(seed, written(seed, drafts, complete, asked.tries, became)))
    spent = time.process_time() - cpu
    print(
        f"turns: {dict(became)}; {used['tokens'] / spent:.0f} tokens and {60 * len(seeds) / spent:.1f} conversations a"
    )
    print(f"minute on one core's worth of CPU time ({time.monotonic() - begun:.0f} s of the clock)")
    halves = {half: set(runs(texts_of(asked.talks, half))) for half in ("seen", "unseen")}
    for name, talks in sets.items():
        lines = [talk.model_dump_json() for talk in talks]
        asked.out.with_suffix(f".{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        print(name, *judged(talks, seeds), *(f"{half} {shared(talks, known)}" for half, known in halves.items()))


def chosen(file: Path, each: int) -> Iterator[Seed]:
    """Yield so many seeds of every domain and language."""
    taken: Counter[tuple[str, str]] = Counter()
    for line in file.read_text("utf-8").splitlines():
        seed = Seed.model_validate_json(line)
        taken[seed.domain, seed.language] += 1
        if taken[seed.domain, seed.language] <= each:
            yield seed


def written(
    seed: Seed, drafts: Iterable[Draft], complete: Callable[[str, int, int], str], tries: int, became: Counter[str]
) -> list[str]:
    """The turns with everything that the writer may say in the drafts' place; counts what became of each."""
    writer, texts = Writer(seed.domain, seed.language), []
    for index, item in enumerate(drafts):
        notes = {f"[{match[1]}]": match[0] for match in _NOTED.finditer(item.text)}
        plain = _NOTED.sub(r"[\1]", item.text)
        text, fault = plain, "short"
        prompt = writer.prompt(item.role, item.act, plain)
        for number in range(tries if 4 <= len(plain.split()) <= 40 else 0):
            reply = complete(prompt, 20 + len(plain) // 2, 10 * index + number).strip()
            fault = objection(plain, reply, seed.language, writer.texts) or "written"
            if fault == "written":
                text = reply
                break
        became[fault] += 1
        writer.remember(item.role, item.act, plain, text)
        for bare, noted in notes.items():
            text = text.replace(bare, noted)
        texts.append(text)
    return texts


def completer(adapter: Path) -> tuple[Callable[[str, int, int], str], Counter[str]]:
    """What continues a prompt by one line, and the tokens that it wrote so far."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_path("smollm2"))
    params.n_ctx, params.n_parallel, params.verbosity = 1024, 1, 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.offline, params.warmup = True, False
    lora = xllamacpp.CommonAdapterLoraInfo()
    lora.path, lora.scale = str(adapter), 1.0
    params.lora_adapters = [lora]
    server, used = xllamacpp.Server(params), Counter[str]()

    def complete(prompt: str, most: int, seed: int) -> str:
        body = {"prompt": prompt, "n_predict": most, "temperature": 0.7, "top_p": 0.95, "seed": seed, "stop": ["\n"]}
        reply: dict[str, Any] = dict(server.handle_completions(body | {"cache_prompt": True}))
        used["tokens"] += reply["usage"]["completion_tokens"]
        return str(reply["choices"][0]["text"])

    return complete, used


def judged(talks: list[Conversation], seeds: list[Seed]) -> tuple[str, str]:
    """Share that passes the gate, and the mean composite."""
    found = [
        passes(talk, seed, verdict, EvaluatorConfig())
        for talk, seed, verdict in zip(talks, seeds, soundness(talks, embed), strict=True)
    ]
    passing, score = (sum(values) / len(found) for values in ([good for _, good in found], [s for s, _ in found]))
    return f"passing {passing:.2f}", f"composite {score:.3f}"


def shared(talks: Iterable[Conversation], known: set[tuple[str, ...]]) -> str:
    """How many runs of eight words of a set are known, of how many."""
    found = list(runs(turn.text for talk in talks for turn in talk.turns))
    return f"{sum(run in known for run in found)}/{len(found)}"


def runs(texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield every run of eight words; a marker is a word, whichever it is."""
    for text in texts:
        said = words(MARKER_PATTERN.sub(" M ", text))
        yield from (tuple(said[i : i + RUN]) for i in range(len(said) - RUN + 1))


def texts_of(talks: Path, half: str) -> Iterator[str]:
    """Yield the turns of a half of the public dialogues; the own templates are everybody's."""
    for record in map(json.loads, talks.read_text("utf-8").splitlines()):
        if record["half"] == half and record["source"] != "templates":
            yield from (turn["text"] for turn in record["turns"])


def _conversation(seed: Seed, texts: Iterable[str]) -> Conversation:
    turns = tuple(Turn(role=step.role, text=text) for step, text in zip(seed.flow, texts, strict=True))
    return Conversation(
        id=f"{seed.id}-0",
        turns=turns,
        language=seed.language,
        domain=seed.domain,
        provenance="synthetic",
        seed_id=seed.id,
    )


if __name__ == "__main__":
    main()
