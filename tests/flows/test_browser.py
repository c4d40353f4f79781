"""The pages in headless Chromium: nothing is asked for, nothing is cut off; axe-core finds no serious fault.

Skipped where Chromium or Playwright is missing; the accessibility part where `AXE` names no axe.min.js.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.comparison import comparison_page
from flows.language import language_of
from flows.report import report_page
from tests.flows.staged import halted_record, run_record, stage

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = Path(os.environ.get("AXE", "/nowhere/axe.min.js"))
VIEWS = {"desktop": (1280, "light"), "phone": (390, "light"), "dark": (1280, "dark")}

pytestmark = [
    pytest.mark.slow,  # a browser starts; 25 CPU-seconds
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium (apt-get install chromium)"),
]


# Pairs of cells of one row of which the text of one stands on that of the other.
OVERLAPS = """[...document.querySelectorAll('tbody tr')].flatMap(row => {
  const boxes = [...row.children].map(cell => { const r = document.createRange(); r.selectNodeContents(cell);
    return [...r.getClientRects()].filter(box => box.width > 1 && box.height > 1); });
  const meet = (a, b) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
  return boxes.flatMap((mine, i) => boxes.slice(i + 1).map((others, j) => [i, i + 1 + j, mine, others]))
    .filter(([,, mine, others]) => mine.some(a => others.some(b => meet(a, b))))
    .map(([i, j]) => `${row.children[i].textContent.trim()} | ${row.children[j].textContent.trim()}`);
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with driver.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    run, spanish = stage(folder / "run"), language_of("es")
    made = {
        "certified": report_page(run, run_record(), None),
        "halted": report_page(run, halted_record(), None, spanish, [("2026-12-01T00:00:00+00:00", 1.0)]),
        "compared": comparison_page([(run, run_record()), (run, halted_record())]),
    }
    for name, text in made.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return {name: folder / f"{name}.html" for name in made}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["certified", "halted", "compared"])
def test_a_page_fits_and_asks_for_nothing(browser: Any, pages: dict[str, Path], name: str, view: str) -> None:
    width, scheme = VIEWS[view]
    heard: list[str] = []
    page = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=True
    ).new_page()
    page.on("console", lambda message: heard.append(message.text))
    page.on("request", lambda request: heard.append(request.url))
    page.goto(pages[name].as_uri())
    assert heard == [pages[name].as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate("document.querySelectorAll('svg').length") >= 1
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 21, 23)"
    assert dark == (scheme == "dark")
    page.context.close()


@pytest.mark.skipif(not AXE.is_file(), reason="AXE names no axe.min.js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["certified", "halted", "compared"])
def test_axe_finds_no_serious_fault(browser: Any, pages: dict[str, Path], name: str, scheme: str) -> None:
    page = browser.new_context(color_scheme=scheme, bypass_csp=True).new_page()
    page.goto(pages[name].as_uri())
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    assert [fault["id"] for fault in found if fault["impact"] in ("serious", "critical")] == []
    page.context.close()
