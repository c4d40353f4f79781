"""Write a PEFT adapter of SmolLM2 as a LoRA GGUF, which llama.cpp lays over the pinned base model.

python scripts/train_writer_gguf.py ADAPTER_FOLDER writer.gguf
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from training.adapter import WEIGHTS
from training.gguf_file import write_gguf

# Of SmolLM2-135M.
HEADS, KEY_VALUE_HEADS = 9, 3


def main() -> None:
    """Convert one adapter."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    alpha = float(json.loads((folder / "adapter_config.json").read_text("utf-8"))["lora_alpha"])
    write_gguf(folder / WEIGHTS, out, lora_alpha=alpha, heads=HEADS, key_value_heads=KEY_VALUE_HEADS)


if __name__ == "__main__":
    main()
