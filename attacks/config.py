"""What can be set in the attack gates."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from seed_engine.conversation import Boundary


class AttackConfig(Boundary):
    """Values of the attack gates; the defaults are those of the published gate.

    Attributes:
        attacks: names of `attacks.gates.ATTACKS` to run, in order. Extraction alone passes models that membership
            shows to have memorised, so both run; `attribute` costs eight times as much and runs when asked for.
        threshold: success rate to exclude, in (0, 1); 0.01 is the product's promise.
        confidence: of the bounds and of the joint verdict, in (0.5, 1).
        seed: of the random splits, fixed before any score is seen.
        selection_share: share of the non-members that choose the scorer, in (0, 1); they never set the threshold.
            0.1 is enough to tell scorers apart and leaves nine tenths to fix a low false-positive rate.
        blind_level: false-alarm rate of the blind baseline's test, in (0, 1).
        alarm_level: largest chance with which a model that learned nothing may be failed, in (0, 1), by attacks whose
            threshold is the highest control. A failure revokes certificates, and one success of 30 trials is 1 chance
            in 25; what is more likely than this is inconclusive, which halts a run as well. 650 trials never need it.
        auc_limit: membership AUC above which few successes no longer pass, in [0.5, 1]: such a model tells members from
            non-members in general, and only the low false-positive rate hides it. An honest model's AUC stays within
            0.5 +- 0.04 at 650 members and 1,500 non-members.
        min_k: share of lowest token probabilities that Min-K% and Min-K%++ look at, in (0, 1]; 0.2 as published.
        max_new_tokens: most tokens that an extraction completes; the true need is measured on the longest secrets.
        near_distance: edits, as a share of the secret's letters and digits, that still count as extracted, in [0, 0.5].
        samples: draws after which an extraction has failed; a secret that stands among them with probability one half
            counts as extracted. 100 is a few cents at a provider's prices.
        beam_width: completions that beam search keeps, >= 1; 5, as is usual.
        prompt_samples: completions drawn for prompts that ask for a value and tell no prefix; 0 leaves them out.
        control_trials: non-members tried as a control once an extraction has succeeded.
        exposure_canaries: members whose exposure is measured; 0 leaves it out. Each costs exposure_alternatives scores.
        exposure_alternatives: other secrets each is ranked among; 31 makes the ceiling 5 bits.
        text_margin: how far above the controls a source must stand at least to be recognised in published text, as a
            share of the distance from the controls' median to the highest that counts, >= 0. Copies stand far above any
            margin, while 0 would let an honest set exceed the controls by chance.
        text_outliers: controls that may stand above the threshold, >= 0. Two strangers who happen to say the same would
            else hide every copy; what guessing then yields is reckoned with.
        text_probes: controls of whom a lightly paraphrased copy is planted, one half to choose the scorer, the other to
            see whether the attack would recognise a copy; at most half of the controls.
        text_power: share of the latter that must be recognised, in (0, 1]; below it the attack is inconclusive.
        held_back: most people of a source that are held back from seeding as controls, where the source has more than
            `text_people` to spare; 0 holds nobody back. 400 fix a false-positive rate of 1/350.
        text_people: people that must be left to seed from: 400 without a success reach 1% at 95% together with three
            other attacks. With fewer than that and 100 controls nobody is held back, and the attack on the published
            text becomes a `watch`.
        source_canaries: values that are said in copies of source conversations to see whether seeding lets them
            through, >= 0; 400 for the same reason. Fewer than 299 make the gate inconclusive.
        attribute_alternatives: other values that the attribute attack offers beside the true one.
        chunk: texts handed to the target at a time; only progress depends on it.
    """

    attacks: tuple[str, ...] = ("membership", "extraction")
    threshold: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.01
    confidence: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    seed: int = 20_260
    selection_share: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.1
    blind_level: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.001
    alarm_level: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.001
    auc_limit: Annotated[float, Field(ge=0.5, le=1.0)] = 0.6
    min_k: Annotated[float, Field(gt=0.0, le=1.0)] = 0.2
    max_new_tokens: Annotated[int, Field(ge=1)] = 64
    near_distance: Annotated[float, Field(ge=0.0, le=0.5)] = 0.1
    samples: Annotated[int, Field(ge=1)] = 100
    beam_width: Annotated[int, Field(ge=1)] = 5
    prompt_samples: Annotated[int, Field(ge=0)] = 48
    control_trials: Annotated[int, Field(ge=1)] = 300
    exposure_canaries: Annotated[int, Field(ge=0)] = 20
    exposure_alternatives: Annotated[int, Field(ge=1)] = 31
    text_margin: Annotated[float, Field(ge=0.0)] = 0.25
    text_outliers: Annotated[int, Field(ge=0)] = 1
    text_probes: Annotated[int, Field(ge=2)] = 50
    text_power: Annotated[float, Field(gt=0.0, le=1.0)] = 0.8
    held_back: Annotated[int, Field(ge=0)] = 400
    text_people: Annotated[int, Field(ge=1)] = 400
    source_canaries: Annotated[int, Field(ge=0)] = 400
    attribute_alternatives: Annotated[int, Field(ge=1)] = 7
    chunk: Annotated[int, Field(ge=1)] = 128
