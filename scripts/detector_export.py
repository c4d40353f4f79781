"""From a trained torch model to the files that ship: int8 ONNX graph, tokenizer, labels, digests."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import torch

from seed_engine.models import file_sha256


def export(model: torch.nn.Module, tokenizer: Path, labels: list[str], out: Path) -> None:
    """Write `detector.onnx`, `tokenizer.json` and `detector.json` (labels and SHA-256 digests)."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "full.onnx"
        ids = torch.ones(2, 16, dtype=torch.long)
        torch.onnx.export(
            _Probabilities(model.float().eval()),
            (ids, ids, ids * 0),
            str(full),
            input_names=["input_ids", "attention_mask", "token_type_ids"],
            output_names=["probabilities"],
            dynamic_axes={
                name: {0: "batch", 1: "tokens"}
                for name in ("input_ids", "attention_mask", "token_type_ids", "probabilities")
            },
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(full, out / "detector.onnx", weight_type=QuantType.QInt8, per_channel=True)
    shutil.copyfile(tokenizer, out / "tokenizer.json")
    digests = {name: file_sha256(out / name) for name in ("detector.onnx", "tokenizer.json")}
    (out / "detector.json").write_text(json.dumps({"labels": labels, "sha256": digests}, indent=1) + "\n", "utf-8")


class _Probabilities(torch.nn.Module):
    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, cases: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.model(ids, attention_mask=mask, token_type_ids=cases).logits, -1)
