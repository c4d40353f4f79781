"""What a DP step costs beside a plain one: one variant a process, so that its peak memory is its own.

Variants train the same LoRA matrices of the pinned base on the same random tokens. `plain` is PEFT as most people run
it: transformers' own loss, summed gradients, Adam. `opacus hooks` and `opacus ghost` are what one gets by wrapping that
in Opacus; ours are the modes of `training.clipping`. CPU time is counted, which other work disturbs less.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from training.config import TrainingConfig
from training.errors import TrainingError


@dataclass(frozen=True, slots=True)
class Cost:
    """What one variant cost.

    Attributes:
        name: of the variant.
        tokens_per_cpu_second: median over the steps measured.
        peak_mb: largest resident memory of its process, MB (2^20).
    """

    name: str
    tokens_per_cpu_second: float
    peak_mb: float


def measure(length: int, batch: int, steps: int) -> Iterator[Cost]:
    """Measure every variant in a fresh process, one after another.

    Args:
        length: tokens of a record.
        batch: records a step; the physical batch is the logical one.
        steps: measured; one more warms up.

    Raises:
        TrainingError: a variant's process failed.
    """
    for name in VARIANTS:
        call = [sys.executable, "-m", "training.bench", name, str(length), str(batch), str(steps)]
        run = subprocess.run(call, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise TrainingError(f"bench variant {name} ended with {run.returncode}")
        yield Cost(name, **json.loads(run.stdout.splitlines()[-1]))


def measure_here(name: str, length: int, batch: int, steps: int) -> dict[str, float]:
    """Measure one variant in this process."""
    import torch

    from training.adapter import attach_lora, load_base

    config = TrainingConfig(batch_size=batch, physical_batch_tokens=length * batch)
    model = attach_lora(load_base()[0], config).train()
    step = VARIANTS[name](model, config)
    draw = torch.Generator().manual_seed(0)
    times = []
    for _ in range(steps + 1):
        ids = torch.randint(3, 40_000, (batch, length), generator=draw)
        started = time.process_time()
        step(ids)
        times.append(time.process_time() - started)
    rate = length * batch / statistics.median(times[1:])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"tokens_per_cpu_second": rate, "peak_mb": peak}


def _plain(model: Any, config: TrainingConfig) -> Callable[[Any], None]:
    adam = _adam(model, config)

    def step(ids: Any) -> None:
        model(input_ids=ids, labels=ids, use_cache=False).loss.backward()
        adam.step()
        adam.zero_grad(set_to_none=True)

    return step


def _opacus(ghost: bool) -> Callable[[Any, TrainingConfig], Callable[[Any], None]]:
    def variant(model: Any, config: TrainingConfig) -> Callable[[Any], None]:
        from torch.nn.functional import cross_entropy

        import training.loss

        def materialised(rows: Any, head: Any, targets: Any) -> Any:
            return cross_entropy((rows @ head.T).float(), targets, reduction="none")

        # Opacus is measured with the loss that its users have, not with ours.
        training.loss._head_loss = lambda: type("HeadLoss", (), {"apply": staticmethod(materialised)})
        return _ours("ghost" if ghost else "hooks", "float32")(model, config)

    return variant


def _ours(clipping: str, precision: str) -> Callable[[Any, TrainingConfig], Callable[[Any], None]]:
    def variant(model: Any, config: TrainingConfig) -> Callable[[Any], None]:
        from training.clipping import clipping_for
        from training.compute import lower_weights
        from training.sampling import Entropy

        chosen = config.model_copy(update={"clipping": clipping, "precision": precision})
        lower_weights(model, chosen.precision)
        made = clipping_for(model, _adam(model, config), 1.0, chosen, Entropy(None))

        def step(ids: Any) -> None:
            made.backward([tuple(row) for row in ids.tolist()])
            made.optimizer.step()
            made.optimizer.zero_grad(set_to_none=True)

        return step

    return variant


def _adam(model: Any, config: TrainingConfig) -> Any:
    import torch

    return torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=config.learning_rate)


VARIANTS: dict[str, Callable[[Any, TrainingConfig], Callable[[Any], None]]] = {
    "plain": _plain,
    "opacus hooks": _opacus(ghost=False),
    "opacus ghost": _opacus(ghost=True),
    "ours float32": _ours("fused", "float32"),
    "ours bfloat16": _ours("fused", "bfloat16"),
}

if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure_here(sys.argv[1], *map(int, sys.argv[2:5]))) + "\n")
