"""Peers: what others ship, as they ship it, so that a bench can run it beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seed_engine.conversation import Conversation
from seed_engine.models import model_path
from seed_engine.spans import EntitySpan

if TYPE_CHECKING:
    from seed_engine.pii_bench import Finder


def presidio() -> Finder:
    """Presidio's default `AnalyzerEngine` with the small spaCy model, text by text, nothing of ours around it.

    Its engine knows English alone, so every text is given to it as English.
    """
    analyzer = presidio_engine()

    def find(text: str) -> tuple[EntitySpan, ...]:
        results = analyzer.analyze(text, language="en") if text.strip() else []
        return tuple(EntitySpan(item.start, item.end, item.entity_type, item.score, "presidio") for item in results)

    def find_all(documents: Sequence[Conversation]) -> list[tuple[tuple[EntitySpan, ...], ...]]:
        return [tuple(find(turn.text) for turn in document.turns) for document in documents]

    return find_all


PEERS = {"presidio": presidio}


def presidio_engine() -> Any:
    """The engine of Presidio's own `conf/default.yaml`, the model's name apart, kept off the network."""
    import presidio_analyzer
    import tldextract
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    # At the first e-mail address Presidio would download the list of public suffixes.
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    tldextract.extract = tldextract.tldextract.TLD_EXTRACTOR
    settings = Path(presidio_analyzer.__file__).parent / "conf" / "default.yaml"
    configuration = dict(NlpEngineProvider(conf_file=settings).nlp_configuration)
    configuration["models"] = [{"lang_code": "en", "model_name": str(model_path("spacy-en"))}]
    engine = NlpEngineProvider(nlp_configuration=configuration).create_engine()
    return presidio_analyzer.AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
