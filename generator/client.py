"""The one door to LiteLLM: any provider by model name, silent, with failures reduced to a label.

LiteLLM would fetch a price list, read `.env` files and may hand prompts to callbacks. All of that is switched off
before it is imported.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

from generator.completion import Complete, CompletionRequest
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from generator.errors import BadReply, ProviderError, ProviderTimeout, ProviderUnavailable
from seed_engine.models import model_path

_lock = threading.Lock()


def completer(config: GeneratorConfig) -> Complete:
    """A function that answers requests with the configured model; strategy `template` asks none and loads none.

    Raises (when called):
        ProviderUnavailable: nobody answers, or the name, key or request is refused.
        ProviderTimeout: no whole reply within `config.timeout_s`, however the provider stalls.
        BadReply: a reply without text.

    Raises:
        ModelError: the embedded model is asked for, and its file is missing or not the pinned one.
        ProviderUnavailable: there is no embedded model of that name.
    """
    if config.plan == "template":
        return _nobody
    litellm = _litellm()
    if config.model.startswith("semilla/"):
        _register_embedded(litellm, config)

    def complete(request: CompletionRequest) -> str:
        reply = _within(config.timeout_s, lambda: _text(litellm, _arguments(request, config)))
        # Raised here, so that the provider's error, which quotes the prompt, is not carried along as its context.
        if not isinstance(reply, str):
            raise reply
        if not reply.strip():
            raise BadReply
        return reply

    return complete


def _nobody(request: CompletionRequest) -> str:
    raise ProviderUnavailable


def _text(litellm: Any, arguments: dict[str, Any]) -> str | type[ProviderError]:
    try:
        reply = litellm.completion(**arguments).choices[0].message.content
    except Exception as error:
        return _kind(error, litellm)
    return reply if isinstance(reply, str) else BadReply


def _within(seconds: float, ask: Callable[[], str | type[ProviderError]]) -> str | type[ProviderError]:
    """What `ask` returns, or `ProviderTimeout` once that many seconds have passed.

    A provider's own limit is not enough: it starts anew with every byte that arrives, and the embedded model has none.
    """
    answer: SimpleQueue[str | type[ProviderError]] = SimpleQueue()
    # A daemon, so that a command can end while a provider still keeps somebody waiting.
    threading.Thread(target=lambda: answer.put(ask()), daemon=True, name="ask").start()
    try:
        return answer.get(timeout=seconds)
    except Empty:
        return ProviderTimeout


def _litellm() -> Any:
    with _lock:
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        os.environ["LITELLM_MODE"] = "PRODUCTION"
        import litellm

        litellm.telemetry = False
        litellm.suppress_debug_info = True
        litellm.turn_off_message_logging = True
        litellm.drop_params = True
        for name in ("callbacks", "input_callback", "success_callback", "failure_callback", "_async_success_callback"):
            setattr(litellm, name, [])
        return litellm


def _register_embedded(litellm: Any, config: GeneratorConfig) -> None:
    from generator.local import handler

    if config.model != EMBEDDED_MODEL:
        raise ProviderUnavailable
    model_path("smollm2")  # told now: LiteLLM would make a provider's failure of it, one for every request
    entry = {"provider": "semilla", "custom_handler": handler()}
    with _lock:
        if entry not in litellm.custom_provider_map:
            litellm.custom_provider_map = [*litellm.custom_provider_map, entry]
            litellm.utils.custom_llm_setup()


def _arguments(request: CompletionRequest, config: GeneratorConfig) -> dict[str, Any]:
    messages = [{"role": "system", "content": request.system}]
    for question, reply in request.examples:
        messages += [{"role": "user", "content": question}, {"role": "assistant", "content": reply}]
    messages.append({"role": "user", "content": request.prompt})
    arguments: dict[str, Any] = {
        "model": config.model,
        "messages": messages,
        "temperature": config.temperature,
        "max_tokens": request.max_tokens,
        "timeout": config.timeout_s,
        "seed": request.seed,
        "num_retries": 0,
        "no-log": True,
    }
    if config.api_base:
        arguments["api_base"] = config.api_base
    if request.json_schema is not None:
        schema = {"name": "conversation", "schema": request.json_schema, "strict": True}
        arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.grammar is not None and config.model == EMBEDDED_MODEL:
        arguments["grammar"] = request.grammar
    return arguments


def _kind(error: Exception, litellm: Any) -> type[ProviderError]:
    if isinstance(error, (litellm.Timeout, TimeoutError)):
        return ProviderTimeout
    return ProviderUnavailable
