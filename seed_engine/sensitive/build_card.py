"""The data card of a built set: where its labels come from, how far judges agree, what it does not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from seed_engine.sensitive.build_agreement import Agreement, agreement
from seed_engine.sensitive.build_config import BuildConfig
from seed_engine.sensitive.build_records import Labelling, Opinion
from seed_engine.sensitive.categories import category


def agreements(labellings: Sequence[Labelling]) -> dict[str, Agreement]:
    """Cohen's kappa of each pair of judges, over the texts that both judged.

    Returns:
        `labellers`: of the two models on the label alone; `labellers_category`: on label and category; `verifier`: of
        the two, where they agree and say more than `none`, with the strong model, so that its base is chosen by the
        labellers and its kappa is no measure of all texts; `person`: of the models' settled label with a person's.
    """
    pairs = [pair for item in labellings if (pair := _both(item.labellers)) is not None]
    strong = [(item.labellers[0], item.verifier) for item in labellings]
    people = [(_models(item), item.correction) for item in labellings]
    return {
        "labellers": agreement((first.label, second.label) for first, second in pairs),
        "labellers_category": agreement((first.verdict, second.verdict) for first, second in pairs),
        "verifier": agreement((a.verdict, b.verdict) for a, b in strong if a is not None and b is not None),
        "person": agreement((said, b.label) for said, b in people if said is not None and b is not None),
    }


def data_card(
    labellings: Sequence[Labelling], chosen: Sequence[Labelling], counts: dict[str, int], config: BuildConfig
) -> str:
    """The card, Markdown; holds counts, names of models and laws, no text and no id.

    Args:
        labellings: all candidates.
        chosen: the set.
        counts: texts read, candidates and what else the building counted.
        config: it was built with.
    """
    kappas = agreements(labellings)
    return "\n".join(
        (
            "# Data card: special-care information about people\n",
            "Labels of texts, one a line, bound to each text by its SHA-256. The texts themselves are not part of the "
            "set; whoever holds the source can join them.\n",
            "## How texts came in\n",
            *_table(("step", "texts"), [(name, str(count)) for name, count in counts.items()]),
            *_table(("stage reached", "texts"), _counted(item.stage for item in labellings)),
            "## Who judged\n",
            *_table(
                ("role", "model"),
                [
                    *((f"labeller {i}", one.model) for i, one in enumerate(config.labellers, 1)),
                    ("verifier", config.verifier.model),
                    ("people", f"{sum(item.correction is not None for item in labellings)} texts"),
                ],
            ),
            f"The two labellers must give the same label and category, each with confidence {config.min_confidence} or "
            "more by its own account. The verifier is asked, without knowing what they said, where they agree on more "
            "than `none`. A person's decision overrides all three.\n",
            "## Agreement (Cohen's kappa)\n",
            *_table(
                ("judges", "texts", "observed", "kappa", "standard error"), [_row(*item) for item in kappas.items()]
            ),
            "## The set\n",
            *_table(("label", "texts"), _counted(str(item.label) for item in chosen)),
            *_table(("category", "law", "scpi", "related"), _by_category(chosen)),
            *_table(("refinement", "texts"), _counted(name for item in labellings for name in item.refined)),
            f"Asked for: {config.positive_share:.0%} `scpi`; of the negatives {config.hard_negative_share:.0%} "
            "`related`, which speak of the topic and of nobody in particular.\n",
            "## What it does not show\n",
            *(f"- {line}" for line in _limits(kappas)),
            "",
        )
    )


def _limits(kappas: dict[str, Agreement]) -> Iterable[str]:
    yield "One label a text: a text that states facts of two categories carries one of them."
    yield "Texts that the models left open are not in the set, so it is easier than the corpus that it was drawn from."
    yield "Shares are chosen, not those of the corpus: precision measured on the set is not precision in the corpus."
    yield "A model's confidence is its own account and is not calibrated."
    yield "Texts without a person mention were never looked at."
    if not kappas["person"].texts:
        yield "No person has looked at any of it: every label is a model's."


def _models(item: Labelling) -> str | None:
    """What the models came to without the person."""
    if item.added_opinions:
        return item.added_opinions[0].label
    pair = _both(item.labellers)
    if pair is None or pair[0].verdict != pair[1].verdict:
        return None
    if item.verifier is not None and item.verifier.verdict != pair[0].verdict:
        return None
    return pair[0].label


def _both(pair: tuple[Opinion | None, Opinion | None]) -> tuple[Opinion, Opinion] | None:
    first, second = pair
    return None if first is None or second is None else (first, second)


def _row(name: str, found: Agreement) -> tuple[str, ...]:
    figures = (found.observed, found.kappa, found.standard_error)
    return name, str(found.texts), *("-" if figure is None else f"{figure:.3f}" for figure in figures)


def _by_category(chosen: Sequence[Labelling]) -> list[tuple[str, ...]]:
    counts = Counter((item.category, item.label) for item in chosen if item.category is not None)
    names = sorted({name for name, _ in counts})
    return [
        (f"{category(name).en} ({category(name).ja})", category(name).source, str(counts[name, "scpi"]), related)
        for name in names
        for related in (str(counts[name, "related"]),)
    ]


def _counted(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, str(count)) for name, count in sorted(Counter(names).items())]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    lines = [head, ["---"] * len(head), *rows]
    return [*("| " + " | ".join(line) + " |" for line in lines), ""]
