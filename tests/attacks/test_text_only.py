"""Text-only: copies among the published texts are found, honest sets pass, and blindness is admitted."""

from __future__ import annotations

import numpy as np
import pytest

from attacks.config import AttackConfig
from attacks.text_only import attack_published_text
from attacks.text_scorers import TEXT_SCORERS
from attacks.verdict import AttackResult

CONFIG = AttackConfig()
OPENINGS = ("Good morning, how can I help you today?", "Thanks for calling, what can I do for you?")
SYLLABLES = ("ba", "ko", "mi", "tu", "re", "sa", "lon", "der", "fi", "wex")


def conversations(count: int, rng: np.random.Generator) -> list[str]:
    """A shared opening and sixty words out of five hundred: boilerplate in common, content of one's own."""
    vocabulary = np.array([a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES[:5]])
    return [f"{rng.choice(OPENINGS)} {' '.join(rng.choice(vocabulary, 60))}" for _ in range(count)]


def paraphrased(text: str, rng: np.random.Generator) -> str:
    return " ".join("something" if rng.random() < 0.1 else word for word in text.split() if rng.random() > 0.05)


def attack(seed: int, copies: float) -> AttackResult:
    rng = np.random.default_rng(seed)
    sources, controls, published = (conversations(n, rng) for n in (320, 400, 150))
    published += [paraphrased(text, rng) for text in sources[: round(copies * 320)]]
    return attack_published_text(published, sources, controls, CONFIG)[0]


@pytest.mark.parametrize("seed", range(5))
def test_two_in_a_hundred_paraphrased_copies_fail(seed: int) -> None:
    found = attack(seed, 0.02)
    assert (found.verdict, found.trials) == ("fail", 320)
    assert found.successes >= 6


def test_honest_sets_pass() -> None:
    """Five fixed seeds; each may be inconclusive by chance, none may fail."""
    verdicts = [attack(seed, 0.0).verdict for seed in range(5)]
    assert verdicts.count("pass") >= 4
    assert "fail" not in verdicts


def test_it_admits_that_copies_would_not_be_seen() -> None:
    rng = np.random.default_rng(0)
    same = [OPENINGS[i % 2] for i in range(320)]
    found = attack_published_text([*conversations(50, rng), *OPENINGS], same, same, CONFIG)[0]
    assert (found.successes, found.verdict) == (0, "inconclusive")
    assert found.details["recognised_copies"] == 0.0


@pytest.mark.parametrize(("published", "sources", "controls"), [(0, 320, 320), (9, 5, 320), (9, 320, 5)])
def test_too_little_text_is_inconclusive(published: int, sources: int, controls: int) -> None:
    rng = np.random.default_rng(1)
    sides = [conversations(n, rng) for n in (published, sources, controls)]
    assert attack_published_text(sides[0], sides[1], sides[2], CONFIG)[0].verdict == "inconclusive"


def test_scorers_on_cases_worked_by_hand() -> None:
    published = ["the old grey cat sat on a mat", "nothing else of note"]
    texts = ["the old grey cat sat on a mat", "my old grey cat sat down", "", "völlig anders"]
    runs = TEXT_SCORERS["longest_run"](texts, published)
    shares = TEXT_SCORERS["shared_ngrams"](texts, published)
    cosines = TEXT_SCORERS["nearest"](texts, published)
    assert list(runs) == [8.0, 4.0, 0.0, 0.0]
    assert shares == pytest.approx([1.0, 2 / 4, 0.0, 0.0])
    assert cosines[0] == pytest.approx(1.0, abs=1e-6)
    assert cosines[0] > cosines[1] > cosines[3] >= cosines[2] == 0.0


def test_a_run_does_not_cross_two_published_texts() -> None:
    assert TEXT_SCORERS["longest_run"](["a b c d e f g h"], ["a b c d", "e f g h"])[0] == 4.0
