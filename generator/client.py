"""The one door to LiteLLM: any provider by model name, silent, with failures reduced to a label.

LiteLLM would fetch a price list, read `.env` files and may hand prompts to callbacks. All of that is switched off
before it is imported.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from generator.completion import Complete, CompletionRequest
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from generator.errors import ProviderBusy, ProviderError, ProviderTimeout, ProviderUnavailable
from generator.journal import Journal
from generator.persistence import Answer, persistent
from generator.spending import Spending, Usage
from seed_engine.models import model_path

_lock = threading.Lock()


def completer(config: GeneratorConfig, spending: Spending | None = None, journal: Journal | None = None) -> Complete:
    """A function that answers requests with the configured models; strategy `template` asks none and loads none.

    Args:
        config: model, fallbacks and bounds.
        spending: the run's account; a fresh one unless given.
        journal: replies that were paid for before, and from now on; None keeps none.

    Raises (when called):
        BudgetSpent: the budget does not hold the request.
        ProviderUnavailable: nobody answers, or the name, key or request is refused.
        ProviderBusy: still busy after `config.retries` pauses.
        ProviderTimeout: no whole reply within `config.timeout_s`, however the provider stalls.
        BadReply: a reply without text.

    Raises:
        ModelError: the embedded model is asked for, and its file is missing or not the pinned one.
        ProviderUnavailable: there is no embedded model of that name.
    """
    if config.plan == "template":
        return _nobody
    litellm = _litellm()
    models = (config.model, *config.fallbacks)
    for model in models:
        if model.startswith("semilla/"):
            _register_embedded(litellm, model)
    asks = [(model, partial(_ask, litellm, config, model)) for model in models]
    return persistent(asks, config, spending or Spending(config), journal)


def _ask(litellm: Any, config: GeneratorConfig, model: str, request: CompletionRequest) -> Answer:
    answer = _within(config.timeout_s, lambda: _answer(litellm, _arguments(request, config, model)))
    # Raised here, so that the provider's error, which quotes the prompt, is not carried along as its context.
    if not isinstance(answer, Answer):
        raise answer
    return answer


def _nobody(request: CompletionRequest) -> str:
    raise ProviderUnavailable


def _answer(litellm: Any, arguments: dict[str, Any]) -> Answer | type[ProviderError]:
    try:
        response = litellm.completion(**arguments)
        text = response.choices[0].message.content
    except Exception as error:
        return _kind(error, litellm)
    return Answer(text if isinstance(text, str) else "", _usage(litellm, response, arguments["model"]))


def _usage(litellm: Any, response: Any, model: str) -> Usage:
    told = getattr(response, "usage", None)
    prompt = int(getattr(told, "prompt_tokens", None) or 0)
    completion = int(getattr(told, "completion_tokens", None) or 0)
    if model.startswith("semilla/"):
        return Usage(1, prompt, completion)
    try:
        cost, unpriced = float(litellm.completion_cost(completion_response=response)), 0
    except Exception:  # a model that the price list does not know, or a reply without usage
        cost, unpriced = 0.0, 1
    return Usage(1, prompt, completion, cost, unpriced)


def _within(seconds: float, ask: Callable[[], Answer | type[ProviderError]]) -> Answer | type[ProviderError]:
    """What `ask` returns, or `ProviderTimeout` once that many seconds have passed.

    A provider's own limit is not enough: it starts anew with every byte that arrives, and the embedded model has none.
    """
    answer: SimpleQueue[Answer | type[ProviderError]] = SimpleQueue()
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


def _register_embedded(litellm: Any, model: str) -> None:
    from generator.local import handler

    if model != EMBEDDED_MODEL:
        raise ProviderUnavailable
    model_path("smollm2")  # told now: LiteLLM would make a provider's failure of it, one for every request
    entry = {"provider": "semilla", "custom_handler": handler()}
    with _lock:
        if entry not in litellm.custom_provider_map:
            litellm.custom_provider_map = [*litellm.custom_provider_map, entry]
            litellm.utils.custom_llm_setup()


def _arguments(request: CompletionRequest, config: GeneratorConfig, model: str) -> dict[str, Any]:
    messages = [{"role": "system", "content": request.system}]
    for question, reply in request.examples:
        messages += [{"role": "user", "content": question}, {"role": "assistant", "content": reply}]
    messages.append({"role": "user", "content": request.prompt})
    arguments: dict[str, Any] = {
        "model": model,
        "messages": messages,
        "temperature": config.temperature,
        "max_tokens": request.max_tokens,
        "timeout": config.timeout_s,
        "seed": request.seed,
        "num_retries": 0,
        "no-log": True,
    }
    if config.api_base and model == config.model:
        arguments["api_base"] = config.api_base
    if request.json_schema is not None:
        schema = {"name": "conversation", "schema": request.json_schema, "strict": True}
        arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.grammar is not None and model == EMBEDDED_MODEL:
        arguments["grammar"] = request.grammar
    if config.lora is not None and model == EMBEDDED_MODEL:
        arguments["lora"] = str(config.lora)
    return arguments


def _kind(error: Exception, litellm: Any) -> type[ProviderError]:
    if isinstance(error, (litellm.Timeout, TimeoutError)):
        return ProviderTimeout
    busy = ("RateLimitError", "ServiceUnavailableError")
    if isinstance(error, tuple(kind for name in busy if isinstance(kind := getattr(litellm, name, None), type))):
        return ProviderBusy
    return ProviderUnavailable
