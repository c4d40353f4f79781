"""The documentation is true: its commands run and print what they are said to, its names exist, its pages ask nobody.

A page is a script: a fence with a title is a file, a line after `$ ` in a `console` fence is a command, what follows is
what it prints (`...` for anything), `# exit N` is its exit code. The commands of a page run in one folder, in order.
"""

from __future__ import annotations

import contextlib
import doctest
import functools
import os
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from flows.config import RunConfig, load_config
from scripts.docs_pages import verbs
from tests.provider import Provider, follow_plan

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
# The page whose provider is a double on loopback, in the place of the address that it tells.
PROVIDER = "http://127.0.0.1:8000/v1"

# Commands that no test runs here, and who runs them or why nobody can.
NOT_RUN = {
    "make setup": "what installs the tests runs before them",
    "make run": "minutes; tests/test_pipeline.py and tests/test_canary_sweep.py run the pipeline",
    "docker build -t semilla .": "no daemon; the page says that it was not built",
    'docker run --rm --network none -v "$PWD/work:/work" semilla doctor': "as above",
    "semilla run --config semilla.toml --domain support --input example/*.txt --out runs/real": "minutes; the same "
    "command as the one before it with 1,450 canaries",
    "ssh -N -L 8000:127.0.0.1:8000 gpu-machine &": "no other machine",
    "semilla serve --drops drops --runs runs --config semilla.toml": "tests/test_served.py",
    "python -m http.server --bind 127.0.0.1 -d build/site": "serves until it is ended; the browser test serves as much",
    "prefect work-pool create semilla --type process": "Prefect's; tests/flows/test_nightly.py reads prefect.yaml",
    "prefect deploy --all": "as above",
}
# Pages of minutes: a run, or a Prefect server.
SLOW = {"tutorial.md", "how-to/nightly.md", "how-to/domain.md", "how-to/provider.md"}

_FENCE = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.M | re.S)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@dataclass(frozen=True)
class Block:
    """A fence: its language, the file that it is, and its text."""

    language: str
    title: str
    text: str


@dataclass(frozen=True)
class Command:
    """A line that is typed, its exit code, and what it prints; empty where nothing is said of that."""

    line: str
    exit_code: int
    printed: str


def blocks(page: str) -> list[Block]:
    return [Block(*found) for found in _FENCE.findall((DOCS / page).read_text("utf-8"))]


def commands(text: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        line, _, printed = part.partition("\n")
        typed, _, code = line.partition("  # exit ")
        yield Command(typed, int(code or 0), printed)


def all_commands() -> list[str]:
    return [c.line for page in PAGES for b in blocks(page) if b.language == "console" for c in commands(b.text)]


# --- What is quick: names, settings, links.


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_in_the_menu_and_its_fences_are_known(page: str) -> None:
    assert f" {page}\n" in (ROOT / "mkdocs.yml").read_text("utf-8")
    text = (DOCS / page).read_text("utf-8")
    assert text.count("```") == 2 * len(blocks(page)), "an unclosed fence, or one that this test cannot read"
    for block in blocks(page):
        assert block.language in {"console", "python", "toml", "json", "text", "diff"}
        assert block.title or block.language not in {"python", "diff", "json"}, "code that nothing runs"
        if block.language == "console":
            assert block.text.startswith("$ ")


def test_what_is_not_run_is_said_and_nothing_else() -> None:
    assert set(NOT_RUN) <= set(all_commands())


def _words(text: str) -> list[str]:
    return re.findall(r"[\w.-]+|\S", text.replace("\\|", " | "))


@pytest.mark.parametrize("page", [*PAGES, "../README.md", "../SECURITY.md"])
def test_every_verb_and_option_named_exists(page: str) -> None:
    known = dict(verbs())
    text = (DOCS / page).read_text("utf-8")
    named = [span for span in _SPAN.findall(text) if span.startswith("semilla ")]
    named += [line for line in re.findall(r"^(?:\$ )?(?:\.venv/bin/)?(semilla .*)$", text, flags=re.M)]
    for span in named:
        words = _words(span)
        verb = max((name for name in known if words[: len(name.split())] == name.split()), key=len, default="")
        several = not verb or "|" in words[:4]  # `semilla sensitive build|train|scan`
        meant = [verb] if not several else [name for name in known if name.startswith(" ".join(words[:2]) + " ")]
        assert meant or not re.match(r"semilla [a-z]", span), span
        options = {option for name in meant for param in known[name].params for option in param.opts}
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", span)) <= options | {"--help"}, span


@pytest.mark.parametrize("page", PAGES)
def test_every_setting_named_exists(page: str, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.language == "toml":
            assert set(tomllib.loads(block.text)) <= set(RunConfig.model_fields)
            (tmp_path / "semilla.toml").write_text(block.text)
            load_config(tmp_path / "semilla.toml")
    sections = "|".join(RunConfig.model_fields)
    for section, key in re.findall(rf"`({sections})\.(\w+)`", (DOCS / page).read_text("utf-8")):
        assert key in {"json", "py"} or key in type(getattr(RunConfig(), section)).model_fields, (section, key)


@pytest.mark.parametrize("page", [*PAGES, "../README.md", "../SECURITY.md"])
def test_every_link_and_file_named_is_there(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    for target in _LINK.findall(text):
        assert target.startswith("https://") or (DOCS / page).parent.joinpath(target).exists(), target
    packages = "seed_engine|generator|evaluator|training|attacks|flows|tests|scripts"
    made = {block.title for block in blocks(page)} if page in PAGES else set()
    for path in re.findall(rf"`((?:{packages})/[\w/.-]+)`", text):
        assert (ROOT / path).exists() or path in made or "NAME" in path, path


# --- What runs.


def _checkout(folder: Path) -> None:
    """A folder that stands for a checkout, where a page changes one: packages of links into the repository."""
    for package in ("seed_engine", "attacks"):
        shutil.copytree(ROOT / package, folder / package, symlinks=True, copy_function=os.symlink)


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.slow] if page in SLOW else []) for page in PAGES]
)
def test_a_page_runs(page: str, tmp_path: Path) -> None:
    if any(block.language == "diff" for block in blocks(page)):
        _checkout(tmp_path)
    with Provider(follow_plan) as provider:
        environment: list[str] = []
        for block in blocks(page):
            if block.language == "console":
                _type(block, tmp_path, environment)
            elif block.language == "diff":
                _patch(tmp_path / block.title, block.text)
            elif block.title:
                folder = _folder(tmp_path, environment)
                (folder / block.title).parent.mkdir(parents=True, exist_ok=True)
                (folder / block.title).write_text(block.text.replace(PROVIDER, provider.base), "utf-8")


def _folder(start: Path, environment: list[str]) -> Path:
    """Where the reader is by now."""
    for line in environment:
        if line.startswith("cd "):
            start = start / line.removeprefix("cd ")
    return start


def _type(block: Block, folder: Path, environment: list[str]) -> None:
    for command in commands(block.text):
        if command.line in NOT_RUN:
            continue
        if command.line.startswith(("cd ", "export ")):
            environment.append(command.line)
            continue
        script = "\n".join([f"cd {folder}", *environment, command.line])
        done = subprocess.run(
            ["bash", "-c", script],
            env={
                **os.environ,
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
                # Under pytest's own home; ids of runs and times differ, paths of the user's do not stand in the page.
                "PYTHONPATH": str(folder),
                "PYTHONWARNINGS": "ignore",
                "COLUMNS": "200",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=3600,
        )
        assert done.returncode == command.exit_code, f"{command.line}\n{done.stdout}"
        if command.printed.strip():
            checker = doctest.OutputChecker()
            flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            assert checker.check_output(command.printed, done.stdout, flags), f"{command.line}\n{done.stdout}"


def _patch(path: Path, text: str) -> None:
    """Apply a hunk; its context must stand in the file, once."""
    lines = textwrap.dedent(text).splitlines() if not text.startswith((" ", "+", "-")) else text.splitlines()
    old = "".join(line[1:] + "\n" for line in lines if not line.startswith("+"))
    new = "".join(line[1:] + "\n" for line in lines if not line.startswith("-"))
    before = path.read_text("utf-8")
    assert before.count(old) == 1, f"{path.name} is no longer as the page has it"
    path.unlink()  # a link into the repository
    path.write_text(before.replace(old, new), "utf-8")


# --- The built pages.


class Fetched(HTMLParser):
    """Addresses that a browser asks for by itself; links that somebody must click are none."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" or (tag == "link" and given.get("rel") in {"next", "prev", "canonical"}):
            return
        self.found += [value for name, value in attrs if value and name in {"src", "srcset", "href", "data", "action"}]
        self.found += re.findall(r"url\(([^)]+)\)", given.get("style") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed (extra `docs`)")
    pytest.importorskip("mkdocstrings", reason="mkdocstrings is not installed (extra `docs`)")
    target = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(build, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def test_the_pages_are_built_without_a_warning_and_hold_what_is_generated(site: Path) -> None:
    text = (site / "reference/commands.html").read_text("utf-8")
    assert all(f"<code>{name}</code>" in text for name, _ in verbs())
    assert "max_attack_rate" in (site / "reference/settings.html").read_text("utf-8")
    assert "upper_bound" in (site / "reference/attacks.html").read_text("utf-8")
    assert "Who attacks with what" in (site / "explanation/security.html").read_text("utf-8")
    assert "Marisol Quintanar" in (site / "tutorial.html").read_text("utf-8")
    assert "--8&lt;--" not in "".join(path.read_text("utf-8") for path in site.rglob("*.html"))


def test_the_built_pages_ask_no_other_machine(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) >= len(PAGES)
    for page in pages:
        reader = Fetched()
        reader.feed(page.read_text("utf-8"))
        outside = [address for address in reader.found if re.match(r"(?:[a-z]+:)?//", address)]
        assert reader.found
        assert outside == [], page.name
        # What Material's script would fetch by itself: diagrams from a CDN, figures of a repository.
        assert 'class="mermaid"' not in page.read_text("utf-8")
        assert 'data-md-component="source"' not in page.read_text("utf-8")
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import )[\"']?(?:https?:)?//", sheet.read_text("utf-8")), sheet.name


def test_the_reader_of_pages_sees_what_would_be_fetched() -> None:
    reader = Fetched()
    reader.feed(
        '<link rel="stylesheet" href="https://a.example/x.css"><a href="https://b.example">b</a>'
        '<script src="//c.example/x.js"></script><p style="background:url(https://d.example/x)">'
    )
    assert reader.found == ["https://a.example/x.css", "//c.example/x.js", "https://d.example/x"]


@pytest.mark.slow
def test_a_browser_asks_for_files_of_the_site_alone_also_when_it_searches(site: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if chromium is None:
        pytest.skip("no chromium (apt-get install chromium)")
    with _served(site) as base, driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for name in ("index.html", "reference/commands.html", "how-to/attack.html"):
            page.goto(f"{base}/{name}")
        page.fill("input.md-search__input", "inconclusive")
        page.wait_for_selector(".md-search-result__link", timeout=120_000)
        browser.close()
    assert any("search_index" in url for url in asked)
    assert [url for url in asked if not url.startswith((base, "data:", f"blob:{base}"))] == []


@contextlib.contextmanager
def _served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
