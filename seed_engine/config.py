"""Settings of the seed engine's stages."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from seed_engine.conversation import Boundary
from seed_engine.seed import Delta, Epsilon, Subjects

Engine = Literal["hybrid", "fast", "presidio", "regex", "ner", "classifier"]


class DetectorConfig(Boundary):
    """How personal data is found.

    Attributes:
        engine: which recognizers run. `hybrid` is patterns and the own classifier; `fast` is patterns and spaCy; the
            others are one family alone, for comparison.
        threshold: least confidence of a span that is kept, in [0, 1]; lower finds more and is wrong more often.
        marked_threshold: the same for a conversation that holds role markers, in [0, 1]; it was searched once, and what
            is found in the rest must be surer, else replacing finds by markers would never come to an end.
        pattern_weight: trust in a pattern recognizer, in [0, 1]; 0.7 after the HybridPII paper.
        classifier_weight: trust in the own classifier, in [0, 1]; as high as a pattern's, since its scores are
            probabilities.
        propagate: search each found value through the whole conversation.
        profiles: take out of a conversation's finds what its domain explains: arithmetic and people of word problems in
            lessons, doses in consultations, prices in support.
        attributes: find sensitive attributes of people too (health, faith, origin, orientation, criminal record), even
            where no name stands beside them; they become `[CONDITION_1]` or `[GROUP_1]`. Off by default: a diagnosis is
            what a consultation is about, and a seed holds no word of it either way.
    """

    engine: Engine = "hybrid"
    threshold: float = Field(0.35, ge=0, le=1)
    marked_threshold: float = Field(0.48, ge=0, le=1)
    pattern_weight: float = Field(0.7, ge=0, le=1)
    classifier_weight: float = Field(0.7, ge=0, le=1)
    propagate: bool = True
    profiles: bool = True
    attributes: bool = False


# Below so many classes of k subjects, a class shares little more than its domain: of the bundled sample's 60
# conversations 50 would lose their objective and 55 a topic.
CROWD = 20


class SeedConfig(Boundary):
    """How seeds leave the house.

    Attributes:
        release: `none` writes one seed a conversation as extracted; `kanonymous` generalises or suppresses what fewer
            than k subjects share; `dp` draws new seeds from differentially private statistics and lets no seed of the
            source through. `auto` is `kanonymous` from 20 x k subjects on and `none` below, where hardly a label
            would be left; what it came to is written down.
        k: subjects that must share a combination of quasi-identifying labels, 2 to 1000; 5 is the customary minimum.
        epsilon: privacy loss of one `dp` release, in (0, 100], add-or-remove-one subject; at 3 and 5,000 subjects the
            distributions of lengths, acts and topics are kept within a total variation of 0.1.
        delta: in (0, 1), two digits; should be far below one over the number of subjects.
        count: seeds that a `dp` release draws, >= 1; None for as many as the noisy count of subjects.
        unit: whom `dp` protects: `subject`, which every conversation must then name, or `conversation`, each for
            itself, whoever is in it. Elsewhere a conversation that names nobody counts for itself under either.
        ledger: JSON file in which every release counts, whatever its inputs; None for the one in the user's
            configuration folder, in which those count that share an input by name or by content.
        ceiling: epsilon that all releases of the source together may cost, in (0, 1000]; 8 as for the adapter.
        domain: profile of conversations that name none, such as transcripts and WhatsApp exports; None: told by their
            words and speakers, which are few there.
        labeller: LiteLLM name of a model that chooses objectives, acts and topics instead of the rules; None, the
            default, shows the text to no model.
        labeller_api_base: address of its server; None for the provider's own.
        allow_raw_to_provider: let that model be elsewhere than on this machine. It sees the source's turns, with
            markers where the detector found something and the rest as it was written.
    """

    release: Literal["auto", "none", "kanonymous", "dp"] = "auto"
    k: Subjects = 5
    epsilon: Epsilon = 3.0
    delta: Delta = 1e-5
    count: int | None = Field(None, ge=1, le=999_999)
    unit: Literal["subject", "conversation"] = "subject"
    ledger: Path | None = None
    ceiling: float = Field(8.0, gt=0, le=1000)
    domain: str | None = None
    labeller: str | None = None
    labeller_api_base: str | None = None
    allow_raw_to_provider: bool = False

    @property
    def private(self) -> bool:
        """Whether nothing exact about the source may be told."""
        return self.release == "dp"
