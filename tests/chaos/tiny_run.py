"""`semilla` on a base model of two layers: a run of every stage in seconds, to be killed in any of them."""

from __future__ import annotations

import training.adapter
import training.train
from flows.cli import app
from tests.training.tiny import CharTokenizer, tiny_base


class AnyText(CharTokenizer):
    """Reads every text; what it has no letter for is a question mark."""

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        known = "".join(c if c in f"{self.alphabet}<|>" else "?" for c in text)
        return super().encode(known, add_special_tokens=add_special_tokens)


def small_base() -> tuple[object, AnyText]:
    return tiny_base()[0], AnyText()


if __name__ == "__main__":
    for module in (training.adapter, training.train):
        vars(module)["load_base"] = small_base
    app(prog_name="semilla")
