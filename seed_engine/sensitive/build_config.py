"""Settings of the building of a special-care data set."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from seed_engine.conversation import Boundary
from seed_engine.sensitive.categories import all_categories

_OLLAMA = "http://127.0.0.1:11434"


class ModelChoice(Boundary):
    """One language model.

    Attributes:
        model: LiteLLM model name (`ollama_chat/...`, `openai/...`).
        api_base: address of its server; None for the provider's own.
    """

    model: str
    api_base: str | None = None


class BuildConfig(Boundary):
    """How texts are labelled and the set is put together; the defaults ask models of an Ollama on this machine.

    Attributes:
        labellers: two smaller models that must agree, of two makers, so that they do not err alike; no two of these and
            the verifier may have one name.
        verifier: a strong model that is asked about what they agree is special-care or related.
        min_confidence: least confidence, in [0, 1], of each of the two; what a model says of its own certainty is a
            coarse measure, so the default only drops what it doubts itself.
        allow_raw_to: providers (`openai`), or hosts of an `api_base`, that may see the texts; nobody but this machine
            without it.
        categories: ids that may be assigned; the eleven of APPI.
        added: ids that are asked about in a question of their own, of texts that are already labelled: a category can
            be added to a finished set without asking everything again.
        merged: categories that become one, by id; the three of crime and procedure are too alike to be told apart by
            annotators, and the paper behind this merges them. Empty keeps all.
        positive_share: share of `scpi` in the set, in (0, 1); 0.1 as the paper has it.
        hard_negative_share: share of `related` among the negatives, in [0, 1], where there are as many: without them a
            classifier learns the topic and not the fact.
        max_chars: letters of a text that are shown, around its first person mention, >= 100.
        attempts: questions for one opinion, >= 1; replies that break the form are asked again with another seed.
        concurrency: texts at once, 1 to 64.
        give_up_after: texts in a row without an answer after which the build stops, to go on later, >= 1.
        review_texts: texts that are offered to people, >= 0; half of them disputed, half settled, so that both the
            doubts and the certainties are judged.
        seed: of sampling and of what is chosen for the set.
    """

    labellers: tuple[ModelChoice, ModelChoice] = (
        ModelChoice(model="ollama_chat/qwen3:4b", api_base=_OLLAMA),
        ModelChoice(model="ollama_chat/gemma3:4b", api_base=_OLLAMA),
    )
    verifier: ModelChoice = ModelChoice(model="ollama_chat/gpt-oss:20b", api_base=_OLLAMA)
    min_confidence: float = Field(0.7, ge=0, le=1)
    allow_raw_to: tuple[str, ...] = ()
    categories: Annotated[tuple[str, ...], Field(min_length=1)] = tuple(
        item.id for item in all_categories() if item.scheme == "appi"
    )
    added: tuple[str, ...] = ("lgbt",)
    merged: dict[str, str] = Field(
        default={"criminal_procedure": "criminal_record", "juvenile_procedure": "criminal_record"}
    )
    positive_share: float = Field(0.1, gt=0, lt=1)
    hard_negative_share: float = Field(0.3, ge=0, le=1)
    max_chars: int = Field(2000, ge=100, le=100_000)
    attempts: int = Field(2, ge=1, le=10)
    concurrency: int = Field(4, ge=1, le=64)
    give_up_after: int = Field(20, ge=1)
    review_texts: int = Field(200, ge=0)
    seed: int = Field(0, ge=0, lt=2**31)

    @model_validator(mode="after")
    def _known(self) -> Self:
        known = {item.id for item in all_categories()}
        if not {*self.categories, *self.added, *self.merged, *self.merged.values()} <= known:
            raise ValueError("a category that is in no scheme")
        if set(self.categories) & set(self.added):
            raise ValueError("an added category is among those that are asked for already")
        # A model's reply is kept under its name: under one name two judges would be one.
        if len({self.verifier.model, *(item.model for item in self.labellers)}) < 3:
            raise ValueError("labellers and verifier are not three models by name")
        return self
