"""The risk of a whole file in counts: how scores are spread, what was found, which laws are touched by how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from seed_engine.risk import BANDS, RiskReport, band

_WIDEST_BAR = 40
_MOST_KINDS = 6


@dataclass(slots=True)
class RiskSummary:
    """Counts over the reports of one file; grows with types and rules, not with documents.

    Attributes:
        documents: reports added.
        total: sum of their scores; `highest` the largest.
        bands: documents by band of the score.
        types: finds by entity type.
        rules: documents that touch a rule, by `(law, rule)`; `touched_by` the types that do.
        hipaa: finds of each Safe Harbor identifier, by `(number, name)`.
        combinations: documents that hold a combination.
        advice: documents that an advice is for.
    """

    documents: int = 0
    total: float = 0.0
    highest: float = 0.0
    bands: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    rules: Counter[tuple[str, str]] = field(default_factory=Counter)
    touched_by: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    hipaa: Counter[tuple[int, str]] = field(default_factory=Counter)
    combinations: Counter[str] = field(default_factory=Counter)
    advice: Counter[str] = field(default_factory=Counter)

    def add(self, report: RiskReport) -> None:
        """Count one report."""
        self.documents += 1
        self.total += report.score
        self.highest = max(self.highest, report.score)
        self.bands[band(report.score)] += 1
        self.types.update(report.types)
        self.combinations.update(item.name for item in report.combinations)
        self.advice.update(report.advice)
        self.hipaa.update({(item.number, item.name): item.count for item in report.hipaa})
        for law, rules in report.regulations.items():
            for rule, kinds in rules.items():
                self.rules[law, rule] += 1
                self.touched_by.setdefault((law, rule), set()).update(kinds)

    @property
    def mean(self) -> float:
        """Mean score, 0 to 100; 0 without documents."""
        return self.total / self.documents if self.documents else 0.0

    def payload(self) -> dict[str, Any]:
        """What `--json` prints."""
        regulations: dict[str, dict[str, Any]] = {}
        for (law, rule), count in self.rules.items():
            entry = {"documents": count, "types": sorted(self.touched_by[law, rule])}
            regulations.setdefault(law, {})[rule] = entry
        return {
            "documents": self.documents,
            "mean_score": round(self.mean, 2),
            "highest_score": self.highest,
            "bands": {name: self.bands[name] for name, _ in BANDS},
            "types": dict(self.types.most_common()),
            "regulations": regulations,
            "hipaa": [{"number": n, "name": name, "count": count} for (n, name), count in sorted(self.hipaa.items())],
            "combinations": dict(self.combinations.most_common()),
            "advice": dict(self.advice.most_common()),
        }

    def lines(self) -> Iterator[str]:
        """What a person reads."""
        yield f"{self.documents} documents, mean risk {self.mean:.1f}, highest {self.highest:.1f} (0 to 100)"
        for name, least in BANDS:
            count = self.bands[name]
            length = round(_WIDEST_BAR * count / self.documents) if self.documents else 0
            yield f"  {name:<9} {least:>3}+  {count:>7}  {'#' * max(length, bool(count))}"
        if not self.types:
            yield "nothing personal was found"
            return
        yield "found: " + ", ".join(f"{kind} {count}" for kind, count in self.types.most_common())
        for name, count in self.combinations.most_common():
            yield f"combination: {name} in {count} documents"
        yield "regulations touched (documents, by what):"
        for (law, rule), count in sorted(self.rules.items(), key=lambda item: (item[0][0], -item[1])):
            if law != "HIPAA":
                yield f"  {law:<6} {rule:<58} {count:>6}  {_few(sorted(self.touched_by[law, rule]))}"
        yield "HIPAA Safe Harbor identifiers, 45 CFR 164.514(b)(2)(i) (finds):"
        for (number, name), count in sorted(self.hipaa.items()):
            yield f"  {number:>2} {name:<58} {count or '-':>6}"
        yield "what to do (documents):"
        for line, count in self.advice.most_common():
            yield f"  {count:>6}  {line}"


def _few(kinds: list[str]) -> str:
    rest = len(kinds) - _MOST_KINDS
    return ", ".join(kinds[:_MOST_KINDS]) + (f" and {rest} more" if rest > 0 else "")
