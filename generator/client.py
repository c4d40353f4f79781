"""The one door to LiteLLM: any provider by model name, silent, with failures reduced to a label.

LiteLLM would fetch a price list, read `.env` files and may hand prompts to callbacks. All of that is switched off
before it is imported.
"""

from __future__ import annotations

import os
import threading
from typing import Any

from generator.completion import Complete, CompletionRequest
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from generator.errors import BadReply, ProviderError, ProviderTimeout, ProviderUnavailable

_lock = threading.Lock()


def completer(config: GeneratorConfig) -> Complete:
    """A function that answers requests with the configured model.

    Raises (when called):
        ProviderUnavailable: nobody answers, or the name, key or request is refused.
        ProviderTimeout: no reply within `config.timeout_s`.
        BadReply: a reply without text.
    """
    litellm = _litellm()
    if config.model.startswith("semilla/"):
        _register_embedded(litellm, config)

    def complete(request: CompletionRequest) -> str:
        failure: type[ProviderError] = BadReply
        reply = None
        try:
            response = litellm.completion(**_arguments(request, config))
            reply = response.choices[0].message.content
        except Exception as error:
            failure = _kind(error, litellm)
        # Raised here, so that the provider's error, which quotes the prompt, is not carried along as its context.
        if not isinstance(reply, str) or not reply.strip():
            raise failure
        return reply

    return complete


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
