"""Text-only: copies among the published texts are found, honest sets pass, and blindness is admitted."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from attacks.config import AttackConfig
from attacks.paraphrase import paraphrased
from attacks.resemblance import People
from attacks.text_only import attack_published_text
from attacks.verdict import AttackResult, conclude, joint_verdict

CONFIG = AttackConfig()
OPENINGS = ("Good morning, how can I help you today?", "Thanks for calling, what can I do for you?")
ASKED = ("It is about my order, please look it up.", "I have a problem with the price. Can you check it now?")
SYLLABLES = ("ba", "ko", "mi", "tu", "re", "sa", "lon", "der", "fi", "wex")


def conversations(count: int, rng: np.random.Generator) -> list[str]:
    """Shared openings and four turns of eight words out of five hundred: boilerplate and content of one's own."""
    vocabulary = np.array([a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES[:5]])
    return [
        "\n".join([*rng.choice(OPENINGS, 1), *rng.choice(ASKED, 1), *(_turn(vocabulary, rng) for _ in range(4))])
        for _ in range(count)
    ]


def _turn(vocabulary: np.ndarray, rng: np.random.Generator) -> str:
    said = rng.choice(vocabulary, 8)
    return f"I want the {' '.join(said[:4])}, but {' '.join(said[4:])}. Thanks!"


def disguised(text: str, rng: np.random.Generator) -> str:
    """Not the attack's own paraphrase: every turn's sentences reversed, a word in eight replaced, small words cut."""
    lines = []
    for line in text.split("\n"):
        words = [w for w in line.split() if w.lower() not in {"i", "the", "it", "is", "my", "a", "with"}]
        words = ["something" if rng.random() < 0.125 else word for word in words]
        middle = len(words) // 2
        lines.append(" ".join(words[middle:] + words[:middle]))
    return "\n".join(lines)


@cache
def attack(seed: int, copies: float, *, held_back: bool = True, people: int = 320) -> AttackResult:
    rng = np.random.default_rng(seed)
    sources, controls, published = (conversations(n, rng) for n in (people, 350, 100))
    published += [disguised(text, rng) for text in sources[: round(copies * people)]]
    control = People.of(controls) if held_back else None
    return attack_published_text(published, People.of(sources), control, CONFIG)[0]


def test_two_in_a_hundred_disguised_copies_fail() -> None:
    _copies_fail(0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_two_in_a_hundred_disguised_copies_fail_on_other_seeds(seed: int) -> None:
    _copies_fail(seed)


def _copies_fail(seed: int) -> None:
    found = attack(seed, 0.02)
    assert (found.verdict, found.trials, found.bearing) == ("fail", 320, "gate")
    assert found.successes >= 5


def test_an_honest_set_passes() -> None:
    found = attack(0, 0.0)
    assert (found.verdict, found.trials) == ("pass", 320)


@pytest.mark.slow
def test_honest_sets_pass() -> None:
    """Six fixed seeds; each may be inconclusive by chance, none may fail."""
    verdicts = [attack(seed, 0.0).verdict for seed in range(6)]
    assert verdicts.count("pass") >= 4
    assert "fail" not in verdicts


def test_without_controls_it_watches() -> None:
    """60 people can fail a report by one copy, and say nothing else; a pass of the others does not wait for them."""
    copied, honest = (attack(0, share, held_back=False, people=60) for share in (1 / 60, 0.0))
    assert (copied.verdict, copied.bearing, copied.successes) == ("fail", "watch", 1)
    assert (honest.verdict, honest.bearing, honest.successes) == ("inconclusive", "watch", 0)
    gate = attack(0, 0.0)
    assert joint_verdict([gate, honest]) == gate.verdict == "pass"
    assert joint_verdict([gate, copied]) == "fail"
    assert conclude([honest]).verdict == "inconclusive"
    many = attack(0, 0.0, held_back=False)
    assert (many.successes, many.verdict, many.bearing) == (0, "inconclusive", "watch")


def test_it_admits_that_copies_would_not_be_seen() -> None:
    rng = np.random.default_rng(0)
    same = [OPENINGS[i % 2] for i in range(320)]
    everybody = People.of(same)
    found = attack_published_text([*conversations(50, rng), *OPENINGS], everybody, everybody, CONFIG)[0]
    assert (found.successes, found.verdict) == (0, "inconclusive")
    assert found.details["recognised_copies"] == 0.0


def test_a_person_is_one_trial_however_many_conversations_leak() -> None:
    rng = np.random.default_rng(3)
    sources, controls = conversations(360, rng), conversations(400, rng)
    units = [f"person {i // 6 if i < 60 else i}" for i in range(360)]
    published = [*conversations(150, rng), *(disguised(text, rng) for text in sources[:6])]
    found = attack_published_text(published, People.of(sources, units), People.of(controls), CONFIG)[0]
    assert (found.trials, found.successes) == (310, 1)


def test_strangers_who_say_the_same_are_not_taken_for_copies() -> None:
    """Half of all people say what somebody else says too; only who leaked stands out."""
    rng = np.random.default_rng(4)
    scripts = conversations(200, rng)
    said = [disguised(scripts[i % 200], rng) for i in range(920)]
    order = rng.permutation(920)
    sources, controls = ([said[i] for i in order[a:b]] for a, b in ((0, 400), (400, 800)))
    found = attack_published_text([said[i] for i in order[800:]], People.of(sources), People.of(controls), CONFIG)[0]
    assert found.verdict != "fail"


@pytest.mark.parametrize(("copies", "verdict"), [(0, "pass"), (9, "fail")])
def test_one_control_that_happens_to_be_published_hides_nobody(copies: int, verdict: str) -> None:
    """A stranger said word for word what a control said: copies are seen all the same, and nobody is accused."""
    rng = np.random.default_rng(5)
    sources, controls, published = (conversations(n, rng) for n in (320, 350, 100))
    published += [controls[200], *(disguised(text, rng) for text in sources[:copies])]
    found = attack_published_text(published, People.of(sources), People.of(controls), CONFIG)[0]
    assert found.verdict == verdict
    assert found.details["controls_above"] == 1
    strict = CONFIG.model_copy(update={"text_outliers": 0})
    blind = attack_published_text(published, People.of(sources), People.of(controls), strict)[0]
    assert blind.verdict == "inconclusive" or not copies


@pytest.mark.parametrize(("published", "sources", "controls"), [(0, 320, 320), (9, 5, 320), (9, 320, 5)])
def test_too_little_text_is_inconclusive(published: int, sources: int, controls: int) -> None:
    rng = np.random.default_rng(1)
    sides = [conversations(n, rng) for n in (published, sources, controls)]
    found = attack_published_text(sides[0], People.of(sides[1]), People.of(sides[2]), CONFIG)[0]
    assert found.verdict == "inconclusive"


def test_a_paraphrase_keeps_turns_and_most_words() -> None:
    text = "Hello, I want help with the order 4711. It came late!\nSorry to hear that. Please tell me more."
    found = paraphrased(text, random.Random(1))
    assert found.count("\n") == 1
    assert found != text
    assert len(set(found.lower().split()) & set(text.lower().split())) >= 6
    assert paraphrased("日本語 テキスト", random.Random(1)).split() == ["日本語", "テキスト"]


def test_people_are_numbered_split_and_joined() -> None:
    people = People.of(["a1", "b1", "a2", "c1"], ["a", "b", "a", "c"])
    assert (people.count, list(people.owners)) == (3, [0, 1, 0, 2])
    some = people.subset(np.array([2, 0]))
    assert (some.texts, list(some.owners)) == (("c1", "a1", "a2"), [0, 1, 1])
    assert list(People.joined(some, people).owners) == [0, 1, 1, 2, 3, 2, 4]
    assert people.moved_last(np.array([0])).texts == ("b1", "c1", "a1", "a2")
    assert list(people.highest(np.array([1.0, 5.0, 3.0, 2.0]))) == [3.0, 5.0, 2.0]
    assert "a1" not in repr(people)
