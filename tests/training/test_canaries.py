from __future__ import annotations

from training.canaries import SECRET_DIGITS, WORDS, make_canaries
from training.config import TrainingConfig


def test_same_seed_same_canaries_and_another_seed_others() -> None:
    assert make_canaries(50, 20, 1) == make_canaries(50, 20, 1)
    assert make_canaries(50, 20, 1) != make_canaries(50, 20, 2)


def test_prefixes_are_unique_and_coins_are_fair() -> None:
    drawn = make_canaries(2000, 500, 7)
    prefixes = [c.prefix for c in drawn.members + drawn.nonmembers]
    assert len(set(prefixes)) == len(prefixes) == 2500
    # Binomial(2000, 1/2) leaves 1000 +- 112 with probability 6e-7.
    assert abs(len(drawn.members) - 1000) < 112
    assert drawn.flipped_nonmembers + len(drawn.members) == 2000
    assert all(c.secret[0] == " " and len(c.secret) == 1 + SECRET_DIGITS for c in drawn.members)


def test_default_gives_the_gate_its_power() -> None:
    """The default of 1,450 flips falls below 650 members with probability 4e-5; twenty seeds do with 7e-4."""
    for seed in range(20):
        drawn = make_canaries(TrainingConfig().canaries, TrainingConfig().canary_controls, seed)
        assert len(drawn.members) >= 650
        assert len(drawn.nonmembers) >= 1500


def test_members_and_nonmembers_look_alike() -> None:
    """Frequencies of words and digits differ by chance only: chi-square over both, 5 sigma above its mean."""
    drawn = make_canaries(4000, 0, 3)
    for features in (lambda c: c.prefix[:-1].split()[2:], lambda c: list(c.secret.strip())):
        counts: dict[str, list[int]] = {}
        for side, canaries in enumerate((drawn.members, drawn.nonmembers)):
            for canary in canaries:
                for feature in features(canary):
                    counts.setdefault(feature, [0, 0])[side] += 1
        share = sum(a for a, _ in counts.values()) / sum(a + b for a, b in counts.values())
        chi2 = sum((a - share * (a + b)) ** 2 / (share * (1 - share) * (a + b)) for a, b in counts.values())
        assert chi2 < len(counts) + 5 * (2 * len(counts)) ** 0.5


def test_words_are_words() -> None:
    assert len(set(WORDS)) == len(WORDS) == 64


def test_a_secret_decides_the_coins_and_nothing_else() -> None:
    """Ten secrets, 60 coins each: two sets agree in all of them with probability 45 * 2^-60."""
    drawn = [make_canaries(60, 20, 1, coins=f"{place:032x}") for place in range(10)]
    assert drawn[3] == make_canaries(60, 20, 1, coins=f"{3:032x}")
    assert len({canaries.members for canaries in drawn}) == 10
    assert len({frozenset(canaries.members + canaries.nonmembers) for canaries in drawn}) == 1
    assert len({canaries.nonmembers[canaries.flipped_nonmembers :] for canaries in drawn}) == 1
