from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from seed_engine.conversation import Conversation, Turn
from tests.training.tiny import tiny_base
from training.adapter import attach_lora, save_adapter
from training.config import TrainingConfig
from training.errors import AdapterError
from training.gguf_file import GGUF, LAYERS, gguf_of, write_gguf

PREFIX = "base_model.model.model.layers.3"


def tensors(file: Path) -> dict[str, np.ndarray]:
    import gguf

    return {tensor.name: np.asarray(tensor.data) for tensor in gguf.GGUFReader(file).tensors}


def test_rows_of_queries_and_keys_are_interleaved_and_all_else_stays(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(24, 2)).astype(np.float32)
    modules = {name: "self_attn" if name[0] in "qkvo" else "mlp" for name in LAYERS}
    whole = {f"{PREFIX}.{part}.{name}.lora_{m}.weight": rows for name, part in modules.items() for m in "AB"}
    save_file(whole, tmp_path / "a.safetensors")
    write_gguf(tmp_path / "a.safetensors", tmp_path / "a.gguf", lora_alpha=4.0, heads=3, key_value_heads=2)
    found = tensors(tmp_path / "a.gguf")
    assert set(found) == {f"blk.3.{name}.weight.lora_{m}" for name in LAYERS.values() for m in "ab"}
    for name, array in found.items():
        heads = {"blk.3.attn_q.weight.lora_b": 3, "blk.3.attn_k.weight.lora_b": 2}.get(name)
        if heads is None:
            assert (array == rows).all()
            continue
        width = len(rows) // heads
        # Row i of the first half of a head goes to place 2i, row i of the second half beside it.
        for head in range(heads):
            for row in range(width // 2):
                assert (array[head * width + 2 * row] == rows[head * width + row]).all()
                assert (array[head * width + 2 * row + 1] == rows[head * width + width // 2 + row]).all()


def test_a_saved_adapter_has_every_matrix_and_its_scale_in_both_forms(tmp_path: Path) -> None:
    import gguf
    from safetensors.numpy import load_file

    save_adapter(attach_lora(tiny_base()[0], TrainingConfig(r=4, lora_alpha=6.0)), tmp_path)
    assert len(tensors(tmp_path / GGUF)) == len(load_file(tmp_path / "adapter_model.safetensors")) == 16
    fields = gguf.GGUFReader(tmp_path / GGUF).fields
    assert fields["adapter.lora.alpha"].contents() == 6.0
    assert str(tmp_path).encode() not in (tmp_path / GGUF).read_bytes()


def test_only_a_finished_adapter_is_used(tmp_path: Path) -> None:
    for name in (GGUF, "training.json"):
        with pytest.raises(AdapterError, match="is not an adapter"):
            gguf_of(tmp_path)
        (tmp_path / name).write_bytes(b"")
    assert gguf_of(tmp_path) == (tmp_path / GGUF).resolve()


@pytest.mark.slow
def test_llama_cpp_says_with_the_file_what_transformers_say_with_the_adapter(tmp_path: Path) -> None:
    """Greedy replies on the pinned base after a few steps without privacy; the base alone says something else."""
    from generator.local import chat
    from training.scoring import load_adapter
    from training.train import train

    turns = (Turn(role="user", text="Which fruit?"), Turn(role="assistant", text="Seven ripe bananas on a blue train."))
    config = TrainingConfig(
        epsilon=float("inf"), canaries=0, canary_controls=0, epochs=15.0, batch_size=8, learning_rate=5e-3, r=4
    )
    train([Conversation(id=str(i), turns=turns) for i in range(8)], config, tmp_path / "a")
    asked = [{"role": "system", "content": "Hello."}, {"role": "user", "content": "Which fruit?"}]
    body = {"messages": asked, "temperature": 0.0, "max_tokens": 12, "repeat_penalty": 1.0}
    prefix = "system\nHello.<|im_end|>\n<|im_start|>user\nWhich fruit?<|im_end|>\n<|im_start|>assistant\n"
    ours = load_adapter(tmp_path / "a").complete([prefix], 12)[0]
    theirs, bare = (
        chat(body, lora)["choices"][0]["message"]["content"] for lora in (str(gguf_of(tmp_path / "a")), None)
    )
    assert theirs == ours
    assert theirs.startswith("Seven ripe bananas")
    assert bare != ours
