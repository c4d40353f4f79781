"""The door to transformers and PEFT: the base model from the GGUF, a LoRA adapter on it, and its folder.

Guarantees:
    The base is the file whose SHA-256 is pinned in `seed_engine.models`; an adapter of another base is refused. The
    folder names no path of this machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seed_engine.models import MODELS, file_sha256, model_path
from training.config import TrainingConfig
from training.errors import AdapterError
from training.gguf_file import GGUF, LAYERS, write_gguf

BASE = "smollm2"
WEIGHTS = "adapter_model.safetensors"


def load_base() -> tuple[Any, Any]:
    """The pinned base model (float32, evaluation mode) and its tokenizer."""
    _stay_offline()
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    file = model_path(BASE)
    source = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name, "local_files_only": True}
    # The GGUF reader draws a progress bar that no switch turns off.
    with contextlib.redirect_stderr(io.StringIO()):
        tokenizer = AutoTokenizer.from_pretrained(**source)
        model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    return model.eval(), tokenizer


def attach_lora(model: Any, config: TrainingConfig) -> Any:
    """The model with fresh LoRA matrices, which alone can be trained; it computes what the base computes.

    Raises:
        AdapterError: no linear layer of the model's blocks has one of the `target_modules` names.
    """
    import torch
    from peft import LoraConfig, get_peft_model

    names = {name.rsplit(".", 1)[-1] for name, _ in model.named_modules()} & LAYERS.keys()
    if unknown := sorted(set(config.target_modules) - names):
        raise AdapterError(f"the base model has no layer {', '.join(unknown)} that can be adapted")
    lora = LoraConfig(
        task_type="CAUSAL_LM",
        r=config.r,
        lora_alpha=config.lora_alpha,
        target_modules=list(config.target_modules),
        lora_dropout=0.0,
    )
    with torch.random.fork_rng(devices=[]), _peft_quiet():
        torch.manual_seed(config.seed)
        return get_peft_model(model, lora)


def save_adapter(model: Any, folder: Path) -> None:
    """Write PEFT's two files, and llama.cpp's; the base is named by package and digest instead of by its path here."""
    model.peft_config["default"].base_model_name_or_path = BASE
    model.save_pretrained(str(folder), safe_serialization=True, save_embedding_layers=False)
    # PEFT's model card is a form to fill in; ours is written by `training.card`.
    (folder / "README.md").unlink(missing_ok=True)
    config = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    config["base_model_name_or_path"] = BASE
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", "utf-8")
    sizes = model.get_base_model().config
    write_gguf(
        folder / WEIGHTS,
        folder / GGUF,
        lora_alpha=float(config["lora_alpha"]),
        heads=sizes.num_attention_heads,
        key_value_heads=sizes.num_key_value_heads,
    )


def load_lora(folder: Path) -> tuple[Any, Any]:
    """The base with a saved adapter, and the tokenizer.

    Raises:
        AdapterError: the folder is not an adapter of this base model.
    """
    try:
        config = json.loads((folder / "adapter_config.json").read_text("utf-8"))
        named = config["base_model_name_or_path"]
    except (OSError, ValueError, KeyError, TypeError):
        named = None
    if named != BASE or not (folder / WEIGHTS).is_file():
        raise AdapterError(f"{folder} is not an adapter of {BASE}")
    model, tokenizer = load_base()
    from peft import PeftModel

    with _peft_quiet():
        return PeftModel.from_pretrained(model, str(folder), local_files_only=True).eval(), tokenizer


def base_sha256() -> str:
    """Pinned SHA-256 of the base model's file, as it was checked at load."""
    return MODELS[BASE].digests[MODELS[BASE].path]


def adapter_sha256(folder: Path) -> str:
    """SHA-256 of the adapter's weights."""
    return file_sha256(folder / WEIGHTS)


def parameter_digest(model: Any, *, trainable: bool) -> str:
    """SHA-256 over the model's frozen or trainable parameters: names and bytes, in order of name."""
    import torch

    digest = hashlib.sha256()
    for name, parameter in sorted(model.named_parameters()):
        if parameter.requires_grad == trainable:
            digest.update(name.encode())
            digest.update(parameter.detach().cpu().contiguous().view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _stay_offline() -> None:
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1")


@contextlib.contextmanager
def _peft_quiet() -> Iterator[None]:
    # PEFT asks the model for an attribute that transformers is about to rename.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is_gradient_checkpointing", category=FutureWarning)
        yield
