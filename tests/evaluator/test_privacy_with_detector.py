from __future__ import annotations

import pytest

from evaluator.privacy import privacy_score
from seed_engine.config import DetectorConfig
from seed_engine.detect import Detector
from tests.evaluator.doubles import CLEAN, talk

EVERYDAY = (
    "Good morning! How can I help you today?",
    "Hi, the parcel that I ordered last week has not arrived, it is [ORDER_1].",
    "Thank you. May I have your name and the e-mail address of the account?",
    "[CUSTOMER_1], [EMAIL_1]. I will be at home tomorrow from nine to five.",
    "Thanks, [CUSTOMER_1]. The driver will come on Friday, between two and four in the afternoon.",
    "Great, that works for me. Have a nice day!",
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(DetectorConfig())


def test_clean_text_with_markers_scores_exactly_zero_twice(detector: Detector) -> None:
    conversations = [talk(*CLEAN), talk(*EVERYDAY, roles=("agent", "customer"))]
    one, two = (privacy_score(conversations, detector.detect_conversation) for _ in range(2))
    assert (one.score, one.findings) == (0.0, ())
    assert one == two


def test_one_name_in_clean_text_does_not_pass(detector: Detector) -> None:
    result = privacy_score([talk(*CLEAN, "My name is John Smith.")], detector.detect_conversation)
    assert result.score > 0
    assert {finding.turn for finding in result.findings} == {len(CLEAN)}
