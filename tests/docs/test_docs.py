"""What a page names is there: commands, settings, routes, verbs, links; `test_pages.py` tries what it shows."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from pages import blocks, broken, commands, links, verbs, wrong_with

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


# --- programs ---


async def test_a_reader_of_one_page_can_open_what_its_pieces_use() -> None:
    """Before a piece that uses ``app``, each page says how one is opened, or where that stands."""
    for name in NAMES:
        text = (ROOT / name).read_text(encoding="utf-8")
        programs = [block for block in blocks(text) if block.language == "python"]
        needy = [block for block in programs if "asyncio.run(" not in block.text and re.search(r"\bapp\b", block.text)]
        for block in needy[:1]:
            read = "\n".join(text.splitlines()[: block.line]) + block.text
            assert re.search(r"precis\.open\(|opened\(\)|reference/python\.md\)", read), (name, block.line)


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
    assert commands("`precis plan` and\n```console\n$ precis costs\nls\n```\n") == ["precis plan", "precis costs"]


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
    # As they are set: a list is given as JSON.
    written = {name: json.dumps(value) if isinstance(value, list) else value for name, value in defaults.items()}
    shown = {name: "" if value is None else f"`{value}`" for name, value in written.items()}
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
    """Under 150 lines, one Python, one PostgreSQL, and the two commands that set everything up."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
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
