"""The detector: one door to patterns, the own classifier, spaCy and Presidio.

A detector is loaded at its first use and may be shared between threads. Nothing is downloaded and nothing is logged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from itertools import islice
from threading import Lock
from typing import Any

from seed_engine.classifier import Classifier, find_in_groups
from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation
from seed_engine.domain_profiles import Setting, apply_profile, setting_of
from seed_engine.excerpts import excerpts
from seed_engine.fuse import fuse
from seed_engine.japanese import JapaneseTagger
from seed_engine.language import LANGUAGES, detect_language
from seed_engine.models import model_path
from seed_engine.normal_form import normalized
from seed_engine.peers import presidio_engine
from seed_engine.policy import BLANK, keep, mask_markers, tidy
from seed_engine.profiles import FAMILIES, weights_of
from seed_engine.propagate import propagate
from seed_engine.recognizers.pattern import apart, scan
from seed_engine.recognizers.registry import RECOGNIZERS
from seed_engine.spans import EntitySpan
from seed_engine.word_vectors import WordVectors

Spans = tuple[EntitySpan, ...]

_SPACY_TYPES = {"PERSON": "PERSON", "GPE": "LOCATION", "LOC": "LOCATION", "FAC": "LOCATION", "DATE": "DATE_TIME"}
# Presidio's own default would look for these in English texts; they are not identifiers.
_NOT_PERSONAL = frozenset({"NRP", "ORGANIZATION"})
_SPACY_SCORE = 0.85


class Detector:
    """Finds personal data in texts and conversations.

    Args:
        config: engine, weights and threshold.

    Guarantees:
        Spans are sorted, lie inside the text, do not overlap, and never touch a role marker.
    """

    def __init__(self, config: DetectorConfig) -> None:
        self.config = config
        self._lock = Lock()

    @property
    def loaded(self) -> tuple[str, ...]:
        """Families whose model has been loaded so far, of `classifier`, `japanese`, `ner` and `presidio`."""
        doors = {"classifier": "_classifier", "japanese": "_tagger", "ner": "_spacy", "presidio": "_analyzer"}
        return tuple(name for name, door in doors.items() if door in vars(self))

    def detect(self, text: str, language: str | None = "en", domain: str | None = None) -> Spans:
        """Personal data of one text.

        Args:
            text: any Unicode text.
            language: ISO 639-1; None, or one that is not in `LANGUAGES`, is detected.
            domain: a domain profile's name; the same data is personal in every domain, so it decides nothing yet.
        """
        return self.detect_many([text], language)[0]

    def detect_with_filtering(self, text: str, threshold: float, language: str | None = "en") -> Spans:
        """`detect` at another threshold than the configuration's; the models are shared (HybridPII's name for it).

        Args:
            text: any Unicode text.
            threshold: least confidence of a span that is kept, in [0, 1].
            language: as `detect` has it.

        Raises:
            ValueError: the threshold is out of range.
        """
        twin = copy(self)
        twin.config = DetectorConfig.model_validate(self.config.model_dump() | {"threshold": threshold})
        found = twin.detect(text, language)
        vars(self).update({door: model for door, model in vars(twin).items() if door not in vars(self)})
        return found

    def detect_conversation(self, conversation: Conversation) -> tuple[Spans, ...]:
        """Personal data of each turn; a value found in one turn is searched through all of them."""
        return next(iter(self.detect_conversations([conversation])))

    def detect_conversations(self, conversations: Iterable[Conversation]) -> Iterable[tuple[Spans, ...]]:
        """`detect_conversation` for many, in order and in constant memory, faster than one by one."""
        rest = iter(conversations)
        while block := list(islice(rest, 32)):
            sizes = [len(conversation.turns) for conversation in block]
            codes = [self._language(conversation) for conversation in block]
            languages = [code for code, size in zip(codes, sizes, strict=True) for _ in range(size)]
            settings = [setting_of(item) if self.config.profiles else None for item in block]
            texts = [turn.text for item in block for turn in item.turns]
            found = iter(self._detect(texts, languages, sizes, settings))
            yield from (tuple(islice(found, size)) for size in sizes)

    def detect_many(self, texts: Sequence[str], language: str | None = None) -> list[Spans]:
        """Personal data of unrelated texts, in their order; faster than one by one.

        Args:
            texts: any Unicode texts.
            language: of all of them; None is detected for each.
        """
        languages = [language if language in LANGUAGES else detect_language(text) for text in texts]
        return self._detect(texts, languages, [1] * len(texts), [None] * len(texts))

    def _language(self, conversation: Conversation) -> str:
        if conversation.language in LANGUAGES:
            return str(conversation.language)
        return detect_language("\n".join(turn.text for turn in conversation.turns[:20]))

    def _detect(
        self, texts: Sequence[str], languages: Sequence[str], sizes: Sequence[int], settings: Sequence[Setting | None]
    ) -> list[Spans]:
        """Spans of each text; `sizes` tells how many texts in a row belong to one conversation."""
        normal = [normalized(text) for text in texts]
        masked = [mask_markers(item.text) for item in normal]
        found = self._find(masked, languages, sizes)
        groups: list[Spans] = []
        for size, setting in zip(sizes, settings, strict=True):
            turns = slice(len(groups), len(groups) + size)
            groups += self._settle(masked[turns], found[turns], setting)
        return [item.back(spans) for item, spans in zip(normal, groups, strict=True)]

    def _settle(self, texts: Sequence[str], found: Sequence[Spans], setting: Setting | None) -> Sequence[Spans]:
        """What a conversation's domain explains is taken out before the rest is searched through all its turns."""
        if setting is not None:
            found = apply_profile(setting, texts, found, self._vectors)
        return propagate(texts, found) if self.config.propagate else found

    def _find(self, masked: Sequence[str], languages: Sequence[str], sizes: Sequence[int]) -> list[Spans]:
        run = {
            "pattern": lambda: self._pattern(masked, languages),
            # The classifier knows no Japanese; it would mark at random there.
            "classifier": lambda: find_in_groups(self._classifier, _without(masked, languages, "ja"), sizes),
            "japanese": lambda: self._japanese(masked, languages),
            "ner": lambda: self._ner(masked, languages),
            "presidio": lambda: self._presidio(masked),
        }
        families = {name: run[name]() for name in FAMILIES[self.config.engine]}
        weights, thresholds = weights_of(self.config), self._thresholds(masked, sizes)
        spans: list[Spans] = [
            tidy(text, fuse({name: keep(text, spans[i]) for name, spans in families.items()}, weights, thresholds[i]))
            for i, text in enumerate(masked)
        ]
        return self._attributed(masked, languages, spans) if self.config.attributes else spans

    def _attributed(self, masked: Sequence[str], languages: Sequence[str], spans: Sequence[Spans]) -> list[Spans]:
        # Late: the Japanese link model is no light load.
        from seed_engine.sensitive.abstracting import with_attributes

        return with_attributes(masked, languages, spans)

    def _thresholds(self, masked: Sequence[str], sizes: Sequence[int]) -> list[float]:
        thresholds: list[float] = []
        for size in sizes:
            marked = any(BLANK in text for text in masked[len(thresholds) : len(thresholds) + size])
            least = max(self.config.threshold, self.config.marked_threshold) if marked else self.config.threshold
            thresholds += [least] * size
        return thresholds

    def _pattern(self, texts: Sequence[str], languages: Sequence[str]) -> list[list[EntitySpan]]:
        found = []
        for text, language in zip(texts, languages, strict=True):
            found.append(scan(RECOGNIZERS, text, language))
            if (spaced := apart(text)) != text:
                found[-1] += scan(RECOGNIZERS, spaced, language)
        return found

    def _japanese(self, texts: Sequence[str], languages: Sequence[str]) -> list[list[EntitySpan]]:
        with self._lock:
            return [
                self._tagger.find(text) if language == "ja" else []
                for text, language in zip(texts, languages, strict=True)
            ]

    def _ner(self, texts: Sequence[str], languages: Sequence[str]) -> list[list[EntitySpan]]:
        english = [i for i, language in enumerate(languages) if language == "en" and texts[i].strip()]
        found: list[list[EntitySpan]] = [[] for _ in texts]
        with self._lock:
            nlp = self._spacy
            pieces = ((texts[i][start:end], (i, start)) for i in english for start, end in excerpts(texts[i]))
            for document, (i, at) in nlp.pipe(pieces, as_tuples=True, batch_size=256):
                found[i] += [
                    EntitySpan(at + e.start_char, at + e.end_char, _SPACY_TYPES[e.label_], _SPACY_SCORE, "spacy")
                    for e in document.ents
                    if e.label_ in _SPACY_TYPES
                ]
        return found

    def _presidio(self, texts: Sequence[str]) -> list[list[EntitySpan]]:
        with self._lock:
            analyzer = self._analyzer
            results = [analyzer.analyze(text, language="en") if text.strip() else [] for text in texts]
        return [
            [
                EntitySpan(r.start, r.end, r.entity_type, r.score, "presidio")
                for r in items
                if r.entity_type not in _NOT_PERSONAL
            ]
            for items in results
        ]

    @cached_property
    def _vectors(self) -> WordVectors:
        return WordVectors()

    @cached_property
    def _classifier(self) -> Classifier:
        return Classifier()

    @cached_property
    def _tagger(self) -> JapaneseTagger:
        return JapaneseTagger()

    @cached_property
    def _spacy(self) -> Any:
        import spacy

        # Entities need tok2vec alone: the tagger and parser would cost half the time.
        return spacy.load(
            model_path("spacy-en"), exclude=["tagger", "parser", "attribute_ruler", "lemmatizer", "senter"]
        )

    @cached_property
    def _analyzer(self) -> Any:
        return presidio_engine()


def _without(texts: Sequence[str], languages: Sequence[str], language: str) -> list[str]:
    """The texts, with those of one language left empty."""
    return ["" if code == language else text for text, code in zip(texts, languages, strict=True)]
