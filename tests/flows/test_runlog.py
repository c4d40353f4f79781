"""What run.json says of cost and of models: from the command's start on, and exactly what was loaded."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from flows.config import RunConfig
from flows.models_used import detector_files, detector_models, pinned, provider_models
from flows.runlog import RunLog, process_started
from flows.workspace import StageResult
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from seed_engine.config import DetectorConfig
from seed_engine.detect import Detector


def test_time_before_the_flow_counts_as_overhead() -> None:
    log = RunLog(RunConfig(), started=time.monotonic() - 30)
    log.add("extract", StageResult(seconds=10.0))
    record = log.certified()
    assert 30 <= record.seconds < 35
    assert 0.6 < record.overhead_share < 0.72


def test_the_clock_starts_with_the_process_and_not_with_an_import() -> None:
    code = "import time; time.sleep(1.5); from flows.runlog import process_started as s; print(time.monotonic() - s())"
    began = time.monotonic()
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert 1.5 <= float(printed) <= time.monotonic() - began + 0.05
    assert process_started() <= time.monotonic()


def test_without_a_kernel_that_tells_it_starts_with_the_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.runlog.time.clock_gettime", lambda _: (_ for _ in ()).throw(OSError()))
    assert process_started() <= time.monotonic()


def test_a_run_names_the_models_of_the_stages_that_ran_and_no_other() -> None:
    log = RunLog(RunConfig(), limit=7, skip_bad=True)
    assert log.record.models == {}
    log.add("extract", StageResult(models={"a": "1"}))
    log.add("generate", StageResult(models={"b": "2", "a": "1"}))
    assert (log.record.models, log.record.limit, log.record.skip_bad) == ({"a": "1", "b": "2"}, 7, True)


@pytest.mark.parametrize("engine", ["regex", "hybrid", "classifier"])
def test_a_detector_names_what_it_has_loaded(engine: str) -> None:
    detector = Detector(DetectorConfig.model_validate({"engine": engine}))
    assert detector_models(detector) == {}
    detector.detect("Hello, I am Martha Quill.", "en")
    expected = {} if engine == "regex" else detector_files()
    assert detector_models(detector) == expected
    assert all(len(digest) == 64 for digest in expected.values())


def test_the_language_model_is_named_with_its_digest_where_it_runs_here() -> None:
    assert provider_models(GeneratorConfig(strategy="template")) == {}
    assert provider_models(GeneratorConfig(model="openai/x")) == {"provider": "openai/x"}
    assert provider_models(GeneratorConfig()) == {"provider": EMBEDDED_MODEL} | pinned("smollm2")
