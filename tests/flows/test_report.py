from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from flows.certificate import certify
from flows.claims import NOT_CLAIMED
from flows.records import RunRecord
from flows.report import render_report, verdict_sentence
from flows.signing import load_or_create_key
from flows.statements import read_certificate
from tests.flows.staged import SOURCE, TRAINING, halted_record, run_record, stage

VOID = {"meta", "br", "link", "img", "input", "hr"}
STYLE = (Path(__file__).parents[2] / "flows/templates/report.css").read_text("utf-8")


class Page(HTMLParser):
    """Tags in order with their attributes, the text, and whether every tag is closed in turn."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(source)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)


@pytest.fixture
def certified(tmp_path: Path) -> str:
    directory = stage(tmp_path / "run")
    certify(directory, run_record(), SOURCE, load_or_create_key(tmp_path / "signing.key"))
    return (directory / "report.html").read_text("utf-8")


@pytest.fixture
def halted(tmp_path: Path) -> str:
    return render_report(stage(tmp_path / "halted"), halted_record(), None).read_text("utf-8")


def test_it_asks_for_nothing_outside_itself_and_runs_nothing(certified: str, halted: str) -> None:
    for source in (certified, halted):
        page = Page(source)
        assert not {tag for tag, _ in page.tags} & {
            "script",
            "link",
            "img",
            "iframe",
            "object",
            "embed",
            "form",
            "base",
        }
        for _, attributes in page.tags:
            assert not [name for name in attributes if name in {"src", "href", "srcset"} or name.startswith("on")]
        assert not re.search(r"https?:|url\(|@import|//[a-z]", source)
        assert "default-src 'none'" in source


def test_it_is_a_sound_page_for_a_screen_reader(certified: str, halted: str) -> None:
    for source in (certified, halted):
        page = Page(source)
        assert page.open == []
        tags = [tag for tag, _ in page.tags]
        assert tags.count("h1") == tags.count("main") == tags.count("title") == 1
        levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h[1-6]", tag)]
        assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
        ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
        assert len(ids) == len(set(ids))
        for tag, attributes in page.tags:
            if tag == "svg":
                assert attributes["role"] == "img"
                assert attributes["aria-label"]
            if tag == "section":
                assert attributes["aria-labelledby"] in ids
            if tag == "th":
                assert attributes["scope"] in {"row", "col"}
        assert ("html", {"lang": "en"}) in page.tags


def test_the_verdict_comes_first_in_one_sentence(certified: str, halted: str) -> None:
    assert "<h1" in certified
    assert Page(certified).text.index("Certified: all 9 gates passed") < 200
    assert "Halted at gate leak: 2 against 0, so nothing was published." in Page(halted).text


def test_every_gate_stands_there_with_figure_threshold_and_verdict(certified: str) -> None:
    text = Page(certified).text
    for words in (
        "schema",
        "privacy score",
        "epsilon 7.997 at most 8",
        "attack: membership 0.004598 below 0.01",
        "✓ pass",
    ):
        assert words in text
    assert "input 60 at least 1" in text


def test_it_shows_the_figures_of_each_part(certified: str) -> None:
    text = Page(certified).text
    assert "PRV 7.997, RDP 8.61, PLD 7.991; the line is the 7.997 that is claimed." in text
    assert "at least 0.31, of at most 5.4 that it could show" in text
    assert "Strongest scorer over the whole curve: ratio" in text
    assert "20 canaries: mean" in text
    assert "523 spans of 6 types" in text
    assert "384 s in all, of which 1.2%" in text
    for line in NOT_CLAIMED:
        assert line in text


def test_the_digests_are_those_of_the_certificate(tmp_path: Path, certified: str) -> None:
    certificate = read_certificate(tmp_path / "run/certificate.json")[1]
    for row in certificate["files"]:
        assert (row["sha256"] in certified) == (row["path"] != "report.html")
    assert certificate["source"]["files"][0] in certified


def test_three_conversations_of_different_kinds_are_shown_with_their_markers_set_apart(certified: str) -> None:
    assert certified.count("<article>") == 3
    for kind in ("support, en", "medical, en", "tutoring, es"):
        assert kind in certified
    assert '<span class="marker">[PATIENT_1]</span>' in certified


def test_text_of_a_provider_is_text_and_not_markup(tmp_path: Path) -> None:
    directory = stage(tmp_path / "run")
    hostile = '</li></ol><script>alert(1)</script><img src=x onerror="y">{{ 7 * 7 }}'
    turns = [{"role": hostile, "text": f"{hostile} [PATIENT_1]"}] * 2
    record = {"id": hostile, "turns": turns, "domain": hostile, "language": '"><script>'}
    (directory / "synthetic.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    source = render_report(directory, run_record(), None).read_text("utf-8")
    page = Page(source)
    assert not {tag for tag, _ in page.tags} & {"script", "img"}
    assert page.text.count("{{ 7 * 7 }}") == 6  # domain, id, and role and text of two turns


def test_a_halted_run_shows_figures_and_no_conversation(tmp_path: Path, halted: str) -> None:
    """The staged set is still there in this test; what leaked may stand in it."""
    assert "<article>" not in halted
    for line in (tmp_path / "halted/synthetic.jsonl").read_text("utf-8").splitlines():
        for turn in json.loads(line)["turns"]:
            assert turn["text"] not in Page(halted).text
    assert "known secrets found, of 1412 looked for" in halted


@pytest.mark.parametrize(
    "missing", ["scores.json", "attacks.json", "adapter/training.json", "synthetic.jsonl", "seeds.jsonl"]
)
def test_what_is_missing_is_left_out_with_a_sentence(tmp_path: Path, missing: str) -> None:
    directory = stage(tmp_path / "run")
    whole = len(render_report(directory, run_record(), None).read_text("utf-8"))
    (directory / missing).unlink()
    page = Page(render_report(directory, run_record(), None).read_text("utf-8"))
    assert page.open == []
    assert missing == "seeds.jsonl" or len((directory / "report.html").read_text("utf-8")) < whole
    words = {
        "scores.json": "did not come to judging",
        "attacks.json": "did not come to the attacks",
        "adapter/training.json": "no training.json to show",
        "synthetic.jsonl": "no synthetic conversations to show",
        "seeds.jsonl": "Certified",
    }
    assert words[missing] in page.text


SPARSE: dict[str, tuple[str, Any]] = {
    "no optional training": ("adapter/training.json", {"epsilon": 3.0}),
    "epsilon without bound": ("adapter/training.json", TRAINING | {"epsilon": "Infinity", "accountants": {}}),
    "accountant that failed": ("adapter/training.json", TRAINING | {"accountants": {"prv": None, "rdp": 8.0}}),
    "audit without ceiling": ("adapter/training.json", TRAINING | {"audit": {"epsilon_lower_bound": 0.0}}),
    "no quality": ("scores.json", {"privacy_score": 0.0}),
    "unmeasured": ("scores.json", {"privacy_score": None, "leaks": {"by_type": {"PERSON": 1}},
                                   "quality": {"a": {"value": None, "range": [0, 1], "better": "higher"}}}),
    "open range": ("scores.json", {"quality": {"a": {"value": 2, "range": [1, None], "better": "lower"}}}),
    "endless range": ("scores.json", {"quality": {"a": {"value": 2, "range": [1, float("inf")], "better": "lower"}}}),
    "no attack": ("attacks.json", {"attacks": [], "verdict": "inconclusive"}),
    "blind attack": ("attacks.json", {"attacks": [{"name": "a", "successes": 0, "trials": 0, "upper_bound": 1.0,
                                                    "confidence": 0.95, "threshold": 0.01}]}),
    "not an object": ("scores.json", []),
}  # fmt: skip


@pytest.mark.parametrize("name", SPARSE)
def test_sparse_figures_make_a_page(tmp_path: Path, name: str) -> None:
    file, content = SPARSE[name]
    directory = stage(tmp_path / "run")
    (directory / file).write_text(json.dumps(content), "utf-8")
    page = Page(render_report(directory, run_record(), None).read_text("utf-8"))
    assert page.open == []
    assert "None" not in page.text
    assert "Undefined" not in page.text


def _stopped(**changes: Any) -> RunRecord:
    return run_record(gates=(), stages=(), **changes)


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (_stopped(status="running"), "Not finished: nothing has been published."),
        (_stopped(status="halted", halted_at="extract"), "Stopped at extract: nothing was published."),
        (
            halted_record().model_copy(update={"status": "inconclusive"}),
            "Inconclusive: gate leak saw too little to pass (2 against 0), so nothing was published.",
        ),
    ],
)
def test_a_run_that_ended_early_makes_a_page(tmp_path: Path, run: RunRecord, sentence: str) -> None:
    assert verdict_sentence(run, {}) == sentence
    page = Page(render_report(tmp_path, run, None).read_text("utf-8"))
    assert sentence in page.text
    assert page.open == []


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_what_it_stands_on(theme: int) -> None:
    """WCAG 2.2 AA: 4.5 to 1 for text."""
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", blocks[theme]))
    pairs = [(ink, ground) for ink in ("ink", "soft", "accent", "fail", "unsure") for ground in ("page", "card")]
    for ink, ground in [*pairs, ("accent", "tint"), ("fail", "wrong"), ("soft", "wrong"), ("unsure", "wrong")]:
        light, dark = sorted((_luminance(colours[ink]), _luminance(colours[ground])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)
