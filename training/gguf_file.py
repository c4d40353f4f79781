"""The adapter once more in llama.cpp's form, in which generation lays it over the embedded model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import AdapterError

GGUF = "adapter.gguf"
# Linear layers of a Llama block, as llama.cpp calls them.
LAYERS = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}


def write_gguf(weights: Path, output: Path, *, lora_alpha: float, heads: int, key_value_heads: int) -> None:
    """Convert LoRA matrices; values and their float32 precision stay as they are.

    Args:
        weights: adapter_model.safetensors of PEFT, of linear layers in `LAYERS`.
        output: file to write.
        lora_alpha: as trained.
        heads: query heads of the base model's attention, >= 1.
        key_value_heads: key heads, >= 1.
    """
    import gguf
    from safetensors.numpy import load_file

    turned = {"attn_q": heads, "attn_k": key_value_heads}
    writer = gguf.GGUFWriter(output, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", lora_alpha)
    for name, array in sorted(load_file(str(weights)).items()):
        writer.add_tensor(*_tensor(name, array, turned))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def gguf_of(folder: Path) -> Path:
    """The file by which generation uses an adapter.

    Raises:
        AdapterError: the folder is not an adapter that was trained here.
    """
    file = folder / GGUF
    if not (file.is_file() and (folder / "training.json").is_file()):
        raise AdapterError(f"{folder} is not an adapter that `semilla train` wrote: {GGUF} or training.json is missing")
    return file.resolve()


def _tensor(name: str, array: NDArray[Any], turned: dict[str, int]) -> tuple[str, NDArray[np.float32]]:
    """A matrix of PEFT under llama.cpp's name, its rows in llama.cpp's order."""
    layer, rest = name.partition(".layers.")[2].split(".", 1)
    module, matrix = rest.removesuffix(".weight").rsplit(".lora_", 1)
    ours, side = LAYERS[module.rsplit(".", 1)[-1]], matrix[0].lower()
    if side == "b" and ours in turned:
        # Rotary halves of a head lie one after the other in transformers, and interleaved in llama.cpp.
        heads = turned[ours]
        array = array.reshape(heads, 2, len(array) // heads // 2, -1).swapaxes(1, 2).reshape(array.shape)
    return f"blk.{layer}.{ours}.weight.lora_{side}", np.ascontiguousarray(array, dtype=np.float32)
