"""The one door to llama.cpp: the embedded model as a LiteLLM custom provider, in this process, without a network."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

from seed_engine.models import model_path

_SLOTS = 4
_CONTEXT_PER_SLOT = 2048


@cache
def handler() -> Any:
    """The LiteLLM handler of the embedded model; the model is loaded at the first request.

    Guarantees:
        The same request with the same seed gives the same reply when it is asked alone; next to others the last
        digits of the sums may differ with the batch, so a run's drafts are reproducible and its rewrites nearly so.
    """
    from litellm import CustomLLM

    class Embedded(CustomLLM):  # type: ignore[misc]
        """Runs chat completions on the model file that the project pins."""

        def completion(self, *_: Any, **call: Any) -> Any:
            options = call["optional_params"]
            body: dict[str, Any] = {
                "messages": call["messages"],
                "cache_prompt": True,
                "stream": False,
                "top_p": 0.9,
                "repeat_penalty": 1.1,
                "max_tokens": options.get("max_tokens", 256),
                "temperature": options.get("temperature", 0.7),
                "seed": options.get("seed", 0),
            }
            grammar = options.get("grammar") or (options.get("extra_body") or {}).get("grammar")
            if grammar:
                body["grammar"] = grammar
            elif options.get("response_format"):
                body["response_format"] = options["response_format"]
            reply = chat(body, options.get("lora"))
            response = call["model_response"]
            response.choices[0].message.content = reply["choices"][0]["message"]["content"]
            response.choices[0].finish_reason = reply["choices"][0].get("finish_reason") or "stop"
            response.usage = _usage(reply)
            return response

    return Embedded()


def chat(body: dict[str, Any], lora: str | None = None) -> dict[str, Any]:
    """Answer an OpenAI-style chat request; blocks until a slot is free.

    Args:
        body: the request.
        lora: LoRA file laid over the model; None for the model as it is.

    Raises:
        ModelError: the model file is missing or not the pinned one.
        RuntimeError: llama.cpp refused the request; the message quotes nothing.
    """
    reply = dict(_server(lora).handle_chat_completions(body))
    if "choices" not in reply:
        raise RuntimeError("llama.cpp refused the request")
    return reply


_loading = threading.Lock()


def _server(lora: str | None) -> Any:
    # Two threads may ask first at the same time, and `cache` alone would load the model twice.
    with _loading:
        return _load(lora)


@cache
def _load(lora: str | None) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_path("smollm2"))
    params.n_ctx = _SLOTS * _CONTEXT_PER_SLOT
    params.n_parallel = _SLOTS
    params.n_predict = 512
    # llama.cpp's threads spin at every layer. On cores shared with other work two were 17 times slower than one.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.cache_prompt = True
    # llama.cpp would keep up to 8 GiB of earlier prompts (`bench generation` grew to 4.5 GB); draws of a seed share.
    params.cache_ram_mib = 256
    params.cont_batching = True
    params.offline = True
    params.warmup = False
    params.endpoint_metrics = False
    params.endpoint_slots = False
    params.verbosity = 0
    if lora is not None:
        laid = xllamacpp.CommonAdapterLoraInfo()
        laid.path, laid.scale = lora, 1.0
        params.lora_adapters = [laid]
    return xllamacpp.Server(params)


def _usage(reply: dict[str, Any]) -> Any:
    from litellm import Usage

    used = reply.get("usage", {})
    prompt, new = used.get("prompt_tokens", 0), used.get("completion_tokens", 0)
    return Usage(prompt_tokens=prompt, completion_tokens=new, total_tokens=prompt + new)
