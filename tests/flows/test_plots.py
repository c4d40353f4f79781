from __future__ import annotations

import math
import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from flows.picture import STEPS, pipeline_picture, steps
from flows.plots import Scale, audit_line, bars, gate_bar, histogram, loss_plot, number, range_bar, roc_plot
from flows.stages import STAGES
from tests.flows.staged import halted_record, roc, run_record

HOSTILE = '<script>alert("x")</script>&"\''
PLOTS: dict[str, Callable[[], Markup]] = {
    "gate": lambda: gate_bar(0.0046, 0.01, "pass", HOSTILE, (0.0, 0.0046)),
    "gate at zero": lambda: gate_bar(0, 0, "pass", HOSTILE),
    "gate of an unknown verdict": lambda: gate_bar(1, 2, HOSTILE, HOSTILE),
    "roc": lambda: roc_plot({HOSTILE: roc(0.5), "b": roc(1.0)}, HOSTILE, HOSTILE),
    "roc of two points": lambda: roc_plot({"a": ((0.0, 0.0), (1.0, 1.0))}, "a", HOSTILE),
    "histogram": lambda: histogram((0.0, 2.2, 5.0), 5.0, 1.4, HOSTILE),
    "histogram above its ceiling": lambda: histogram((9.0,), 0.4, None, HOSTILE),
    "bars": lambda: bars([(HOSTILE, 2.0), ("b", 0.0)], HOSTILE, 1.0, HOSTILE),
    "bars of nothing": lambda: bars([("a", 0.0)], HOSTILE),
    "audit": lambda: audit_line(0.3, 5.4, 7.997, HOSTILE),
    "audit without ceiling": lambda: audit_line(9.0, None, 8.0, HOSTILE),
    "losses": lambda: loss_plot([(0, 5.1), (10, 4.2), (20, 4.4)], HOSTILE),
    "a loss": lambda: loss_plot([(3, 5.1)], HOSTILE),
    "range": lambda: range_bar(0.4, -1, 1, HOSTILE),
    "picture": lambda: pipeline_picture(steps(run_record()), 4, HOSTILE),
    "picture of a halt": lambda: pipeline_picture(steps(halted_record()), 1, HOSTILE),
}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_well_formed_labelled_and_escapes_what_it_is_given(name: str) -> None:
    root = ElementTree.fromstring(PLOTS[name]())
    assert root.tag == "svg"
    assert root.get("role") == "img"
    assert root.get("aria-label")
    assert {element.tag for element in root.iter()} <= {
        "svg",
        "g",
        "rect",
        "line",
        "circle",
        "text",
        "path",
        "polyline",
    }


@pytest.mark.parametrize("name", PLOTS)
def test_nothing_is_drawn_outside_and_every_number_is_finite(name: str) -> None:
    root = ElementTree.fromstring(PLOTS[name]())
    left, top, width, height = (float(part) for part in root.attrib["viewBox"].split())
    for element in root.iter():
        for attribute, value in element.attrib.items():
            if attribute in {"x", "x1", "x2", "cx"}:
                assert left <= float(value) <= left + width, (element.tag, attribute)
            if attribute in {"y", "y1", "y2", "cy"}:
                assert top <= float(value) <= top + height, (element.tag, attribute)
            if attribute in {"width", "height"}:
                assert float(value) >= 0
    assert not re.search(r"\b(nan|inf)\b", PLOTS[name]().lower())


@given(value=st.floats(0, 1e9), threshold=st.floats(0, 1e9), rate=st.booleans())
def test_a_gate_is_drawn_on_the_side_of_its_threshold_where_it_is(value: float, threshold: float, rate: bool) -> None:
    root = ElementTree.fromstring(gate_bar(value, threshold, "pass", "", (0.0, value) if rate else None))
    dot = next(float(e.attrib["cx"]) for e in root.iter("circle"))
    tick = next(float(e.attrib["x1"]) for e in root.iter("line") if e.get("class") == "limit")
    assert (dot - tick) * (value - threshold) >= 0
    assert 4 <= dot <= 156
    assert 4 <= tick <= 156


@given(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))
def test_a_scale_keeps_order_and_its_ends(one: float, two: float) -> None:
    for scale in (Scale(1e-6, 1e6, 0, 100, log=True), Scale(0, 1e6, 0, 100)):
        assert (scale(one) - scale(two)) * (one - two) >= 0
    assert Scale(1e-3, 1, 0, 90, log=True)(0.01) == 30
    assert Scale(1e-3, 1, 90, 0, log=True)(0) == 90


def test_roc_points_stand_where_their_logarithms_are() -> None:
    """The slow way: each decade of an axis is equally long, and the diagonal passes through equal rates."""
    plot = roc_plot({"a": ((0.0, 0.0), (0.001, 0.01), (0.1, 0.1), (1.0, 1.0))}, "a", "")
    line = next(ElementTree.fromstring(plot).iter("polyline"))
    points = [tuple(map(float, pair.split(","))) for pair in line.attrib["points"].split()]
    decade_x, decade_y = (330 - 60) / 3, (214 - 10) / 3
    expected = [(60, 214), (60, 214 - decade_y), (330 - decade_x, 10 + decade_y), (330, 10)]
    for (x, y), (wanted_x, wanted_y) in zip(points, expected, strict=True):
        assert math.isclose(x, wanted_x, abs_tol=0.1)
        assert math.isclose(y, wanted_y, abs_tol=0.1)


@given(st.lists(st.floats(0, 5), min_size=1, max_size=60))
def test_a_histogram_s_bars_are_as_high_as_a_naive_count(values: list[float]) -> None:
    root = ElementTree.fromstring(histogram(values, 5.0, None, ""))
    heights = sorted(float(rect.attrib["height"]) for rect in root.iter("rect"))
    edges = [i / 2 for i in range(10)]
    naive = [sum(e <= v < e + 0.5 or (v == 5 and e == 4.5) for v in values) for e in edges]
    unit = 136 / max(naive)
    assert heights == pytest.approx(sorted(n * unit for n in naive if n), abs=0.11)


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0"), (7.997, "7.997"), (0.00459812, "0.004598"), (1e-5, "1e-5"), (2.5e-7, "2.5e-7"), (3, "3"),
     (1412, "1\u2009412"), (1234567.8, "1\u2009234\u2009568"), (-0.5, "-0.5"), (-2e-4, "-2e-4"), (float("inf"), "inf")],
)  # fmt: skip
def test_numbers_are_written_as_people_write_them(value: float, words: str) -> None:
    assert number(value) == words


def test_an_empty_range_is_not_drawn() -> None:
    assert range_bar(1, 1, 1, "") == ""


def test_the_picture_shows_the_stages_there_are() -> None:
    assert [name for name, _, _ in STEPS] == list(STAGES)


def test_the_picture_says_where_a_run_stopped() -> None:
    assert {box.state for box in steps(run_record())} == {"pass"}
    assert [box.state for box in steps(halted_record())] == ["pass"] * 3 + ["fail"] + ["waiting"] * 5
    blind = halted_record().model_copy(update={"status": "inconclusive"})
    assert steps(blind)[3].state == "inconclusive"
    fault = run_record(status="halted", halted_at="validate", gates=(), stages=run_record().stages[:1])
    assert [box.state for box in steps(fault)][:3] == ["pass", "fail", "waiting"]


def test_the_picture_adds_up_what_was_dropped() -> None:
    assert steps(run_record())[2].note == "58 conversations, 2 dropped"
