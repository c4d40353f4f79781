"""What detection costs: memory does not grow with the file, time grows with the text and no faster."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from seed_engine.config import DetectorConfig
from seed_engine.detect import Detector
from seed_engine.paper_documents import paper_documents
from tests.clock import growth


def peak_mb(source: Path, target: Path) -> float:
    command = [sys.executable, "-m", "flows", "detect", str(source), "-o", str(target), "--engine", "regex"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_maxrss / 1024


def test_a_longer_file_takes_no_more_memory(tmp_path: Path) -> None:
    texts = [text for _, text, _ in paper_documents(40, 2)]
    peaks = []
    for copies in (1, 20):
        source = tmp_path / f"{copies}.jsonl"
        source.write_text(
            "".join(
                json.dumps({"id": f"{n}", "text": texts[n % 40], "language": "en"}) + "\n" for n in range(40 * copies)
            )
        )
        peaks.append(peak_mb(source, tmp_path / "spans.jsonl"))
    # 800 documents of 760 characters: held at once with their spans they would take more than this.
    assert peaks[1] - peaks[0] < 6


@pytest.mark.parametrize("engine", ["regex", pytest.param("hybrid", marks=pytest.mark.slow)])
def test_a_long_turn_costs_no_more_than_its_parts(engine: str) -> None:
    size = 100_000
    text = "\n".join(text for _, text, _ in paper_documents(200, 2))[:size]
    assert len(text) == size
    parts = [text[at : at + size // 10] for at in range(0, size, size // 10)]
    detector = Detector(DetectorConfig(engine=engine))
    detector.detect("Ann Lee")
    assert growth(lambda: detector.detect(text), lambda: [detector.detect(part) for part in parts]) <= 1.3
