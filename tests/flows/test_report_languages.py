"""The report in Spanish, what it draws of seeds, quality and ledgers, the story of a halt, and runs side by side."""

from __future__ import annotations

import ast
import json
import re
import string
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.certificate import certify
from flows.claims import NOT_CLAIMED
from flows.cli import app
from flows.comparison import comparison_page
from flows.halted import ADVICE, halt_story
from flows.language import LANGUAGES, language_of
from flows.picture import STEPS
from flows.released import ledger_figures, quality_radar, set_figures
from flows.report import report_page
from flows.rundir import write_json
from flows.signing import load_or_create_key
from tests.flows.staged import SCORES, SOURCE, halted_record, run_record, stage
from tests.flows.test_report import Page

FLOWS = Path(__file__).parents[2] / "flows"
SPEAKING = ("figures", "plots", "picture", "report", "released", "halted", "comparison")
SPANISH = language_of("es")


def _sentences() -> set[str]:
    found = set(NOT_CLAIMED) | {text for pair in ADVICE.values() for text in pair} | {title for _, title, _ in STEPS}
    for page in (FLOWS / "templates").glob("*.html"):
        found |= set(re.findall(r'(?:say|markup)\("((?:[^"\\]|\\.)*)"', page.read_text("utf-8")))
    for room in SPEAKING:
        for node in ast.walk(ast.parse((FLOWS / f"{room}.py").read_text("utf-8"))):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "say"
            if called and node.args and isinstance(node.args[0], ast.Constant):
                found.add(str(node.args[0].value))
    return found


def test_every_sentence_of_the_page_has_a_translation_with_the_same_figures() -> None:
    sentences = _sentences()
    assert len(sentences) > 120
    for sentence in sentences - {"Bytes"}:
        other = SPANISH.catalogue[sentence]
        assert other != sentence or sentence == "Bytes", sentence
        if sentence not in NOT_CLAIMED:
            names = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in (sentence, other)]
            assert names[0] == names[1], sentence


def test_recorded_words_are_translated_with_their_figures_in_place() -> None:
    assert SPANISH.recorded("violations, in 3 of 1,200 seeds") == "infracciones, en 3 de 1,200 semillas"
    assert (
        SPANISH.recorded("0 of 706 trials; bound at 95% confidence")
        == "0 de 706 intentos; cota con una confianza del 95%"
    )
    assert SPANISH.recorded("words that nobody translated, 7 of them") == "words that nobody translated, 7 of them"
    assert language_of("en").recorded("violations, in 3 of 60 seeds") == "violations, in 3 of 60 seeds"


@pytest.mark.parametrize("record", [run_record(), halted_record()], ids=["certified", "halted"])
def test_the_spanish_page_is_sound_and_says_the_verdict_in_spanish(tmp_path: Path, record: object) -> None:
    page = Page(report_page(stage(tmp_path / "run"), record, None, SPANISH))  # type: ignore[arg-type]
    assert page.open == []
    assert ("html", {"lang": "es"}) in page.tags
    verdict = r"Certificado: se superaron las \d+ pruebas|Detenido en la prueba fuga: 2 frente a 0"
    assert re.search(verdict, page.text)
    for english in ("What happened", "Gates", "against the threshold", "passed here", "is better"):
        assert english not in page.text


def test_the_page_written_with_the_certificate_speaks_the_language_of_most_of_the_set(tmp_path: Path) -> None:
    directory = stage(tmp_path / "run")
    lines = (directory / "synthetic.jsonl").read_text("utf-8").splitlines()
    spanish = [json.dumps(json.loads(line) | {"language": "es"}) for line in lines]
    (directory / "synthetic.jsonl").write_text("\n".join(spanish) + "\n", "utf-8")
    certify(directory, run_record(), SOURCE, load_or_create_key(tmp_path / "signing.key"))
    assert '<html lang="es">' in (directory / "report.html").read_text("utf-8")


def test_markers_and_shares_are_counted_from_what_is_published(tmp_path: Path) -> None:
    flow = [{"slots": ["[PATIENT_1]", "symptom", "[DATE_2: DATE_1 + 3 weeks]"]}, {"slots": ["[PATIENT_1]"]}]
    seeds = [{"domain": "medical", "language": "en", "flow": flow}] * 3 + [
        {"domain": "support", "language": "es", "flow": flow}
    ]
    (tmp_path / "seeds.jsonl").write_text("".join(json.dumps(seed) + "\n" for seed in seeds))
    talk = {"domain": "medical", "language": "en", "turns": [{}] * 13}
    (tmp_path / "synthetic.jsonl").write_text(json.dumps(talk) + "\n")
    found = set_figures(tmp_path)
    assert found["markers_words"] == "8 markers of 2 kinds; a marker is counted once in each seed."
    drawn = {share["title"]: str(share["plot"]) for share in found["shares"]}
    assert "medical: seeds 75%, published 100%" in drawn["Domains"]
    assert "12\u201315: seeds 0%, published 100%" in drawn["Turns"]
    assert set_figures(tmp_path / "nowhere") == {"markers": None, "shares": []}


def test_the_radar_needs_every_measure_and_stands_beside_spoilt_conversations() -> None:
    baselines = json.loads((FLOWS / "templates/quality_baselines.json").read_text())["sets"]
    whole = baselines.pop("whole")
    # A baseline that does not tell good from spoilt would make every set look good.
    for axis, spoilt in (
        ("turn_order", "shuffled_turns"),
        ("speaker_fit", "crossed_speakers"),
        ("progress", "repeated_turns"),
    ):
        assert whole[axis] - baselines[spoilt][axis] > 0.9
    scores = {"quality": {name: {"value": 0.5} for name in whole}}
    found = quality_radar(scores)
    assert "turn order: 0.5, whole sample 0.995" in str(found["plot"])
    assert len(found["rows"]) == 7
    del scores["quality"]["mattr"]
    assert quality_radar(scores) == {}
    assert quality_radar(SCORES) == {}


def test_a_ledger_is_drawn_as_a_sum_over_time() -> None:
    found = ledger_figures([("2026-11-01T01:00:00+00:00", 1.0), ("2026-12-01T01:00:00+00:00", 1.6)])
    assert found["words"] == "2 entries; together epsilon 1.6 since 2026-11-01."
    assert ledger_figures([]) == {}


def test_the_story_of_a_halt_names_the_gate_what_ran_and_what_did_not() -> None:
    story = halt_story(halted_record(), {"leaks": {"by_type": {"PERSON": 2}}})
    assert story["figures"] == "The figure was 2; the limit is 0."
    assert story["ran"] == ["Find and abstract", "Check the seeds", "Write anew", "Judge the text"]
    assert story["left"][-1] == "Attack the model"
    assert story["types"] == [("PERSON", "2")]
    assert halt_story(run_record(), {}) == {}
    stopped = halt_story(run_record(status="halted", halted_at="train", gates=()), {})
    assert "the stage itself could not end" in stopped["sought"]


def test_runs_are_set_side_by_side_without_any_text(tmp_path: Path) -> None:
    one, two = stage(tmp_path / "one"), stage(tmp_path / "two")
    for code in LANGUAGES:
        page = Page(comparison_page([(one, run_record()), (two, halted_record())], language_of(code)))
        assert page.open == []
        assert "[PATIENT_1]" not in page.text
    assert "not run" in Page(comparison_page([(one, run_record()), (two, halted_record())])).text


def test_the_command_writes_beside_the_run_and_never_into_it(tmp_path: Path) -> None:
    run = stage(tmp_path / "run")
    certify(run, run_record(), SOURCE, load_or_create_key(tmp_path / "signing.key"))
    before = sorted(path.name for path in run.rglob("*"))
    assert CliRunner().invoke(app, ["report", str(run), "--language", "es"]).exit_code == 0
    assert (tmp_path / "run.report.es.html").is_file()
    assert CliRunner().invoke(app, ["report", str(run), str(run), "-o", str(tmp_path / "c.html")]).exit_code == 0
    for refused in (["-o", str(run / "x.html")], ["--language", "fr"], ["--ledger", str(tmp_path / "none")]):
        assert CliRunner().invoke(app, ["report", str(run), *refused]).exit_code == 2
    assert sorted(path.name for path in run.rglob("*")) == before


def test_no_page_is_made_of_a_run_that_was_changed_since(tmp_path: Path) -> None:
    run = stage(tmp_path / "run")
    certify(run, run_record(), SOURCE, load_or_create_key(tmp_path / "signing.key"))
    (run / "synthetic.jsonl").write_text("{}\n")
    result = CliRunner().invoke(app, ["report", str(run)])
    assert (result.exit_code, (tmp_path / "run.report.en.html").exists()) == (2, False)
    write_json(run / "run.json", {})
    assert CliRunner().invoke(app, ["report", str(run)]).exit_code == 2
