"""Settings of the generation stage."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from generator.manner import Diversity
from seed_engine.conversation import Boundary

EMBEDDED_MODEL = "semilla/smollm2-135m-instruct"


class GeneratorConfig(Boundary):
    """How seeds become conversations; every default runs without a network on two cores."""

    model: str = Field(
        EMBEDDED_MODEL,
        description="LiteLLM model name (`openai/...`, `ollama/...`). The default is the embedded model: no network.",
    )
    lora: Path | None = Field(
        None,
        description="LoRA file (GGUF) laid over the embedded model; `generate --model ADAPTER` names it. None: the "
        "model as it is.",
    )
    api_base: str | None = Field(None, description="Address of the provider's server, e.g. a local Ollama.")
    strategy: Literal["auto", "template", "choose", "rewrite", "conversation"] = Field(
        "auto",
        description="`template`: drafts only. `choose`: the model chooses among equally fitting wordings of a turn. "
        "`rewrite`: drafts, a share of them rewritten turn by turn. `conversation`: the whole conversation asked for "
        "as JSON. `auto`: choose with the embedded model (its rewrites change the meaning), else conversation.",
    )
    temperature: float = Field(0.7, ge=0, le=2, description="Sampling temperature; 0.7 varies without rambling.")
    seed: int = Field(0, ge=0, lt=2**31, description="Random seed of the run: same seed, same drafts and choices.")
    per_seed: int = Field(1, ge=1, le=1000, description="Conversations for each seed.")
    max_attempts: int = Field(3, ge=1, le=10, description="Requests for one conversation before it is dropped.")
    timeout_s: float = Field(60, gt=0, le=3600, description="Seconds to wait for one reply, queueing included.")
    concurrency: int = Field(
        4,
        ge=1,
        le=64,
        description="Conversations at once; 4 is where the embedded model's rate levels off on two cores.",
    )
    model_share: float = Field(
        0.25,
        ge=0,
        le=1,
        description="Share of turns that the model is asked about (`choose`, `rewrite`); bounds the time on two cores.",
    )
    min_similarity: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Least similarity of a rewrite to its draft (0 = nothing in common, 1 = equal); see "
        "`generator.rewrite`. Below it the draft is kept.",
    )

    diversity: Diversity = Field(
        Diversity(), description="Distributions of persona, register, length, outcome and difficulty."
    )
    redraws: int = Field(
        30,
        ge=0,
        le=100,
        description="Draws after the first, when it is like an earlier conversation or the evaluator would not let it "
        "pass. Where one draw in ten passes, 30 more let 96% through, in one to three seconds.",
    )
    fallbacks: tuple[str, ...] = Field(
        (), description="LiteLLM model names to ask when `model` fails, in order. None: another model is a choice."
    )
    retries: int = Field(2, ge=0, le=10, description="Times that a busy provider is asked again.")
    backoff_s: float = Field(
        1, ge=0, le=60, description="Seconds before the first time; doubles each time, up to a minute."
    )
    requests_per_minute: int | None = Field(None, ge=1, description="Most requests a minute; None: as they come.")
    max_tokens: int | None = Field(
        None,
        ge=1,
        description="Most tokens of prompts and replies in a run; None: no limit, the embedded model is free.",
    )
    max_cost_usd: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="US dollars at which a run stops asking; None: no limit."
    )

    @property
    def plan(self) -> Literal["template", "choose", "rewrite", "conversation"]:
        """The strategy with `auto` resolved."""
        if self.strategy != "auto":
            return self.strategy
        return "choose" if self.model == EMBEDDED_MODEL else "conversation"

    @property
    def pays(self) -> bool:
        """Whether requests go to somebody who may charge for them."""
        return self.plan != "template" and any(name != EMBEDDED_MODEL for name in (self.model, *self.fallbacks))
