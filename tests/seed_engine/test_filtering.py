"""Filtering: a higher threshold never finds more, and the configured one is what `detect` does."""

from itertools import pairwise

import pytest

from seed_engine.config import DetectorConfig
from seed_engine.detect import Detector

TEXTS = (
    "Mail Wei Okonkwo at wei@example.org about the flat, 415-555-0132, or ask at 12 Elm Street in Leeds.",
    "hi its zoe, my ssn is 536-22-1234 and my card 4111 1111 1111 1111",
    "The error code is 0x80070057 and the part is RX-4420.",
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(DetectorConfig())


@pytest.mark.parametrize("text", TEXTS)
def test_a_higher_threshold_never_covers_more(detector: Detector, text: str) -> None:
    covered = [
        {i for span in detector.detect_with_filtering(text, step / 10) for i in range(span.start, span.end)}
        for step in range(11)
    ]
    assert all(more >= less for more, less in pairwise(covered))
    assert covered[10] == set()


@pytest.mark.parametrize("text", TEXTS)
def test_the_configured_threshold_is_what_detect_does(detector: Detector, text: str) -> None:
    assert detector.detect_with_filtering(text, detector.config.threshold) == detector.detect(text)


def test_the_detector_stays_as_it_is_and_keeps_the_loaded_model() -> None:
    detector = Detector(DetectorConfig())
    detector.detect_with_filtering(TEXTS[0], 0.9)
    assert detector.config == DetectorConfig()
    model = detector._classifier
    detector.detect_with_filtering(TEXTS[0], 0.1)
    assert detector._classifier is model


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_out_of_range_is_refused(detector: Detector, threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        detector.detect_with_filtering(TEXTS[0], threshold)
