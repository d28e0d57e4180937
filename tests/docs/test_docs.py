"""The pages say what is so: examples run and print what they say, and what is named is there."""

from __future__ import annotations

import ast
import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from pages import Block, broken, commands, examples, is_program, links, verbs, wrong_with

import precis
from precis.app import App
from precis.bootstrap import Runtime
from precis.rest.server import build
from precis.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
_SETTING = re.compile(r"\bPRECIS_[A-Z][A-Z_]*[A-Z]\b")
#: Names that say nothing.
NOT_NAMES = frozenset(
    "manager managers helper helpers util utils common base core handler handlers processor processors data info misc "
    "artifact artifacts".split()
)
_BRITISH = re.compile(
    r"\b\w*(?:summaris|organis|recognis|normalis|minimis|optimis|behaviour|colour|favourit|neighbour|honour|licence|"
    r"cancelled|catalogue)\w*",
    re.IGNORECASE,
)


PROGRAMS = [
    pytest.param(block, printed, id=f"{name}:{block.line}")
    for page, name in zip(PAGES, NAMES, strict=True)
    for block, printed in examples(page.read_text(encoding="utf-8"))
    if is_program(block)
]
PIECES = [
    pytest.param(found, name, id=name)
    for page, name in zip(PAGES, NAMES, strict=True)
    if (found := [b for b, _ in examples(page.read_text(encoding="utf-8")) if not is_program(b)])
]


@asynccontextmanager
async def told(folder: Path, program: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The program in a process of its own, in an empty folder, with none of our settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PRECIS_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, cwd=folder, env=environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize(("block", "printed"), PROGRAMS)
async def test_programs_run_and_print_what_the_page_says(
    rooms_folder: Path, request: pytest.FixtureRequest, block: Block, printed: str | None
) -> None:
    """Against an embedded database of its own; each line the page shows is printed, in that order.

    What the README shows is run more than once by whoever tries precis: it says the same again.
    """
    folder = rooms_folder / re.sub(r"\W", "-", request.node.callspec.id)
    folder.mkdir()
    for _ in range(2 if folder.name.startswith("README") else 1):
        async with told(folder, block.text) as process:
            out, err = await asyncio.wait_for(process.communicate(), timeout=90)
        assert process.returncode == 0, err.decode()
        lines = iter(out.decode().splitlines())
        assert [line for line in (printed or "").splitlines() if line not in lines] == []


def compiled(block: Block, name: str) -> CodeType:
    """The block with its lines numbered as on the page, so that an error points there."""
    text = "\n" * (block.line - 1) + block.text
    made: CodeType = compile(text, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return made


@pytest.mark.parametrize(("found", "name"), PIECES)
async def test_pieces_run_one_after_the_other(
    app: App, rooms_folder: Path, monkeypatch: pytest.MonkeyPatch, found: list[Block], name: str
) -> None:
    """A page's pieces share their names, and ``app`` is open for a tenant of the page's own."""
    folder = rooms_folder / re.sub(r"\W", "-", f"pieces-{name}")
    folder.mkdir()
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {"app": app, "precis": precis}
    for block in found:
        running = eval(compiled(block, name), names)  # noqa: S307 - our own page
        if running is not None:
            await running


async def test_the_examples_are_found() -> None:
    """The two tests above have something to run, the README's example and its output among it."""
    assert "README.md" in {str(param.id).partition(":")[0] for param in PROGRAMS if param.values[1]}
    assert "docs/reference/python.md" in {param.id for param in PIECES}


# --- commands ---


@pytest.mark.parametrize("name", NAMES)
async def test_every_command_exists(name: str) -> None:
    """Verb, sub-verb and options, as a page writes them."""
    found = commands((ROOT / name).read_text(encoding="utf-8"))
    assert {command: wrong for command in found if (wrong := wrong_with(command))} == {}


async def test_wrong_commands_are_found() -> None:
    """The check itself."""
    assert wrong_with("precis recal question") == "recal"
    assert wrong_with("precis summaries lost") == "lost"
    assert wrong_with("precis plan --everything") == "--everything"
    assert wrong_with("precis summaries list --limit 3 # some") is None
    assert commands("`precis plan` and\n```sh\n$ precis costs\nls\n```\n") == ["precis plan", "precis costs"]


async def test_every_verb_has_its_line() -> None:
    """The page of the command line leaves none out."""
    page = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    assert [verb for verb in verbs() if f"`{verb}" not in page] == []


# --- settings, routes, verbs of Python ---


def settings() -> set[str]:
    """The variables that settings.py reads."""
    names = {f"PRECIS_{name.upper()}" for name in Settings.model_fields} - {"PRECIS_MIN_CLUSTER_ITEMS"}
    return names | {"PRECIS_SUMMARY_MIN_CLUSTER_ITEMS", "PRECIS_CONFIG"}


@pytest.mark.parametrize("name", NAMES)
async def test_every_setting_named_is_read(name: str) -> None:
    """No page names a variable that nothing reads."""
    assert set(_SETTING.findall((ROOT / name).read_text(encoding="utf-8"))) <= settings()


async def test_every_setting_is_explained_with_its_default() -> None:
    """Each has a row on the page of settings, and the default there is the one that holds."""
    page = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(PRECIS_\w+)` \|([^|]*)\|", page, re.MULTILINE))
    assert set(rows) == settings() - {"PRECIS_CONFIG"}
    read = {f"PRECIS_{name.upper()}": field for name, field in Settings.model_fields.items()}
    read["PRECIS_SUMMARY_MIN_CLUSTER_ITEMS"] = read.pop("PRECIS_MIN_CLUSTER_ITEMS")
    defaults = {name: field.get_default(call_default_factory=True) for name, field in read.items()}
    defaults |= {"PRECIS_KEYS_DIR": "DATA_DIR/keys", "PRECIS_FORGOTTEN_DIR": "DATA_DIR/forgotten"}
    shown = {name: "" if value is None else f"`{value}`" for name, value in defaults.items()}
    assert {name: cell.strip() for name, cell in rows.items()} == shown


async def test_every_route_has_its_line(runtime: Runtime) -> None:
    """The page of the REST API has each route, and no other."""
    page = (ROOT / "docs/reference/rest.md").read_text(encoding="utf-8")
    served = {
        f"{method.upper()} {path}" for path, methods in build(runtime).openapi()["paths"].items() for method in methods
    }
    assert set(re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", page, re.MULTILINE)) == served


async def test_every_verb_of_python_has_its_line(app: App) -> None:
    """The page of the Python interface has each public method of each attribute of the app, and no other."""
    page = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    parts = {one.name: getattr(app, one.name) for one in fields(app) if one.name != "parts"}
    served = {
        f"app.{at}.{verb}"
        for at, part in parts.items()
        for verb in dir(part)
        if not verb.startswith("_") and callable(getattr(part, verb))
    }
    assert set(re.findall(r"\bapp\.\w+\.\w+(?=\()", page)) == served


# --- links and words ---


@pytest.mark.parametrize("name", NAMES)
async def test_links_resolve(name: str) -> None:
    """To files of the repository, and to headings in them."""
    assert broken(ROOT / name) == []


async def test_broken_links_are_found(tmp_path: Path) -> None:
    """The check itself."""
    page = tmp_path / "page.md"
    page.write_text(
        "# A heading, here\n[a](page.md#a-heading-here) [b](gone.md) [c](#nowhere) [d](https://example.org)"
    )
    assert broken(page) == ["gone.md", "#nowhere"]


async def test_every_page_can_be_reached() -> None:
    """From the README or the index, by links."""
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        paths = (link.partition("#")[0] for link in links(page))
        waiting += [there for path in paths if path and (there := (page.parent / path).resolve()).is_file()]
    assert [page.relative_to(ROOT).as_posix() for page in PAGES if page not in seen] == []


async def test_the_readme_is_short_and_names_only_versions_that_ran() -> None:
    """150 lines, one Python, one PostgreSQL, and the two commands that set everything up."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    assert set(re.findall(r"Python (\d[\d.]*\d)", text)) == {"3.11"}
    assert set(re.findall(r"PostgreSQL (\d[\d.]*\d)", text)) == {"18.4"}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in ("make demo", "make test"):
        assert command in text
        assert f"\n{command.removeprefix('make ')}:" in makefile


@pytest.mark.parametrize("name", NAMES)
async def test_spelling_is_american(name: str) -> None:
    """One spelling, so that a search finds a word."""
    assert _BRITISH.findall((ROOT / name).read_text(encoding="utf-8")) == []


async def test_modules_have_names_that_say_something() -> None:
    """No module and no folder is named after the drawer it lies in."""
    files = [path for top in ("src", "tests", "benchmarks", "scripts") for path in (ROOT / top).rglob("*.py")]
    assert len(files) > 100
    names = {path.relative_to(ROOT): [*path.relative_to(ROOT).parts[:-1], path.stem] for path in files}
    assert [str(path) for path, parts in names.items() if NOT_NAMES & set("_".join(parts).lower().split("_"))] == []


async def test_the_glossary_has_the_words_of_the_code() -> None:
    """Each word of the house has its entry."""
    page = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    wanted = """memory message conversation scope tenant namespace summary statement source lineage draft definition
        fingerprint stale current refresh rebuild extend segment group period window batch trigger keep check expired
        forgotten run job task recall""".split()
    assert [word for word in wanted if f"**{word}**" not in page] == []
