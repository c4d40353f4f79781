"""Write a PEFT adapter of SmolLM2 as a LoRA GGUF, which llama.cpp lays over the pinned base model.

python scripts/train_writer_gguf.py ADAPTER_FOLDER writer.gguf
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

# Layers of the Llama architecture as llama.cpp calls them.
NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
# Heads of SmolLM2-135M by layer: rotary halves lie side by side in transformers and interleaved in llama.cpp.
HEADS = {"attn_q": 9, "attn_k": 3}


def main() -> None:
    """Convert one adapter."""
    import gguf
    from safetensors.numpy import load_file

    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    config = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    writer = gguf.GGUFWriter(out, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(config["lora_alpha"]))
    writer.add_string("general.name", "semilla-writer")
    for name, array in sorted(load_file(str(folder / "adapter_model.safetensors")).items()):
        writer.add_tensor(*_tensor(name, array))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _tensor(name: str, array: NDArray[np.float32]) -> tuple[str, NDArray[np.float16]]:
    """A tensor of PEFT under llama.cpp's name, rows in llama.cpp's order."""
    layer, rest = name.partition(".layers.")[2].split(".", 1)
    module, matrix = rest.rsplit(".lora_", 1)
    ours = NAMES[module]
    side = matrix[0].lower()
    if side == "b" and ours in HEADS:
        heads = HEADS[ours]
        array = array.reshape(heads, 2, len(array) // heads // 2, -1).swapaxes(1, 2).reshape(array.shape)
    return f"blk.{layer}.{ours}.weight.lora_{side}", array.astype(np.float16)


if __name__ == "__main__":
    main()
