"""What a reader of a page does: type its commands, write its files, run its programs; it prints what the page shows.

Each page has a folder of its own with an embedded database. `pages.py` says what the blocks of a page are,
`expected.py` what may differ between two runs.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from expected import Ids, difference
from pages import Block, blocks, indented, typed
from terminal import Terminal, join_warm, keep_database

from rooms import with_database

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
}
#: A separator that no page prints.
_NEXT = "\x1e"
#: The pieces of a page as one program.
_PIECES = """
import ast, asyncio, json, sys
import precis

async def main():
    async with precis.open() as app:
        names = {{"app": app, "precis": precis}}
        for line, text in json.loads({pieces!r}):
            code = compile("\\n" * (line - 1) + text, {name!r}, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            running = eval(code, names)
            if running is not None:
                await running
            print({separator!r}, end="", flush=True)

asyncio.run(main())
"""
#: Every block that is not run, by page, with its reason.
NOT_RUN = {
    "CONTRIBUTING.md": ["runs the tests themselves"],
    "README.md": ["each makes a virtual environment and fetches packages", "fetches packages"],
    "docs/howto/archive.md": ["needs Cognee, which precis never installs"],
    "docs/howto/back-up-and-restore.md": ["needs a folder that no precis uses", "needs an external server"],
    # Those of `make doors` run in tests/frameworks/test_their_pages.py.
    "docs/howto/autogen.md": ["needs autogen-agentchat and autogen-ext; `make doors` runs it"] * 2,
    "docs/howto/clients.md": ["builds a wheel", "needs node", "needs node; `make client-test` runs it"],
    "docs/howto/distribute.md": ["needs a cluster of Citus"] * 2,
    "docs/howto/crewai.md": ["needs crewai; `make doors` runs it"],
    "docs/howto/deploy.md": [
        "needs podman or docker",
        "needs podman or docker",
        "needs docker",
        "needs root and systemd",
        "needs a cluster",
    ],
    "docs/howto/google-adk.md": ["needs google-adk; `make doors` runs it"],
    "docs/howto/langgraph.md": ["fetches packages"],
    "docs/howto/llama-index.md": ["needs llama-index-core; `make doors` runs it"],
    # What these places promise is tested by `make machines`.
    "docs/howto/many-machines.md": [
        "needs an account of AWS",
        "needs a Vault",
        "needs a replica",
        "needs a data folder that was used",
    ],
    "docs/howto/mcp.md": ["fetches packages", "needs node"],
    "docs/howto/move-in.md": ["needs a PostgresStore", "needs mem0", "needs the export of a Hindsight bank"],
    "docs/reference/measures.md": ["needs a model of yours"],
    "docs/howto/use-the-redis-client.md": ["fetches packages"],
    "docs/howto/watch-it.md": ["needs a collector"] * 2,
}


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The address of a warm precis."""
    address = tmp_path_factory.mktemp("precis") / "warm"
    join_warm(address)
    return address


@pytest.fixture(scope="module")
def data(rooms_folder: Path, warm: Path) -> Path:
    """A data folder with an empty database, to be copied."""
    folder = rooms_folder / "reader"
    folder.mkdir()
    with_database(folder / ".precis")
    keep_database(folder, warm).close()
    return folder / ".precis"


@pytest.fixture
def terminal(rooms_folder: Path, warm: Path, data: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """A reader's terminal in a fresh folder."""
    made = Terminal(folder=rooms_folder / re.sub(r"\W", "-", request.node.callspec.id), warm=warm)
    text = PAGES[request.node.callspec.params["page"]]
    ports = re.findall(r"--port (\d+)", text)
    made.open(data=data, ports=ports, with_postgres="@127.0.0.1:5432" in text)
    yield made
    assert made.close() == []


def _runs(text: str) -> bool:
    found = [block for block in blocks(text) if not block.not_run]
    return any(block.is_program or block.is_piece or block.language == "console" for block in found)


def _work_through(page: str, terminal: Terminal) -> Iterator[str]:
    """Do what each block says; answers what was otherwise than the page says."""
    found = [block for block in blocks(PAGES[page]) if not block.not_run]
    pieces = [block for block in found if block.is_piece]
    for block in found:
        if block.file:
            (terminal.folder / block.file).write_text(terminal.with_real_ports(block.text))
        elif block.language == "console":
            yield from _type(page, block, terminal)
        elif block.is_program:
            printed, code = terminal.run("\n" * (block.line - 1) + block.text, page)
            yield _wrong(page, block.line, block.printed or "", printed, terminal.ids, code)
        elif pieces and block is pieces[0]:
            yield from _run_pieces(page, pieces, terminal)


def _type(page: str, block: Block, terminal: Terminal) -> Iterator[str]:
    commands = typed(block)
    for command, after in zip(commands, [*commands[1:], None], strict=True):
        printed, code = terminal.type(command.text, lines=len(command.printed.splitlines()))
        shown = after is not None and after.text == "echo $?"
        yield _wrong(page, command.line, command.printed, printed, terminal.ids, 0 if shown else code)


def _run_pieces(page: str, pieces: list[Block], terminal: Terminal) -> Iterator[str]:
    texts = json.dumps([(piece.line, piece.text) for piece in pieces])
    printed, code = terminal.run(_PIECES.format(pieces=texts, name=page, separator=_NEXT), page)
    outputs = printed.split(_NEXT)
    if code:
        yield f"{page}: {outputs[-1]}"
    for piece, output in zip(pieces, outputs, strict=False):
        yield _wrong(page, piece.line, piece.printed or "", output, terminal.ids, 0)


def _wrong(page: str, line: int, expected: str, printed: str, ids: Ids, code: int) -> str:
    """What was otherwise; empty where nothing was."""
    problem = difference(expected, printed, ids)
    if code:
        problem = f"it ended with {code}\n{problem or printed}"
    return f"{page}:{line}: {problem}" if problem else ""


@pytest.mark.parametrize("page", [name for name, text in PAGES.items() if _runs(text)])
def test_a_page_does_what_it_shows(page: str, terminal: Terminal) -> None:
    """Every command, program and piece of it, in order; all that is wrong is told at once.

    What the README shows is run more than once by whoever tries precis: it says the same again.
    """
    problems = [
        problem for _ in range(2 if page == "README.md" else 1) for problem in _work_through(page, terminal) if problem
    ]
    assert not problems, "\n\n".join(problems)


def test_blocks_that_are_not_run_are_listed() -> None:
    """Each has a reason, and this file knows it, so that none slips in."""
    marked = {name: [block.not_run for block in blocks(text) if block.not_run] for name, text in PAGES.items()}
    assert {name: reasons for name, reasons in marked.items() if reasons} == NOT_RUN


def test_no_block_escapes() -> None:
    """Every block is of a language that is run, written, compared or parsed."""
    known = {"console", "python", "typescript", "text", "json", "yaml", "sql"}
    for name, text in PAGES.items():
        assert indented(text) == [], name
        for block in blocks(text):
            assert block.language in known, f"{name}:{block.line}"
            assert block.file or block.not_run or block.language not in ("yaml", "sql"), f"{name}:{block.line}"
            if block.language == "json" and not block.file:
                json.loads(block.text)


# --- the checks themselves ---


def test_a_gap_an_id_and_white_space_match() -> None:
    """What may differ between two runs, and what may not."""
    ids = Ids()
    page, real = "01a2029c-1279-75d8-bb6c-23b417feb3a6", "77a2029c-0000-75d8-bb6c-23b417feb3a6"
    assert difference(f"id: {page}\nin … s\n", f"id: {real}  \nin 0.8 s\n", ids) == ""
    assert ids.in_command(f"precis summaries show {page}") == f"precis summaries show {real}"
    assert difference(f"again {page}\n", f"again {real}\n", ids) == ""
    assert difference(f"again {page}\n", f"again {page}\n", ids)
    assert difference("01a2029c-1279-75d8-bb6c-23b417feb3a7\n", f"{real}\n", ids)
    assert difference("a\n…\nd\n", "a\nb\nc\nd\n", ids) == ""
    assert difference("a\n…\nd\n", "a\nb\nc\nD\n", ids)
    assert difference("a …\nb\n", "a\nb\n", ids)
    assert difference('{"a": [1, …], "b": "c d"}', '{"a":[1,2,3],\n"b":"c d"}', ids) == ""
    assert difference('{"a": 1, "b": "c d"}', '{"a":1,"b":"cd"}', ids)


def test_commands_are_read_with_their_further_lines() -> None:
    """A command goes on after a backslash, within quotes, and to the end of a text that it is given."""
    (block,) = blocks("```console\n$ a 'b\nc' \\\n  d\ne\n$ cat <<'END'\nf\nEND\nf\n```\n")
    assert [(command.text, command.printed, command.line) for command in typed(block)] == [
        ("a 'b\nc' \\\n  d", "e\n", 2),
        ("cat <<'END'\nf\nEND", "f\n", 6),
    ]


def _counts(text: str) -> Counter[str]:
    """How many blocks of each kind a page has, with its commands one by one."""
    counts: Counter[str] = Counter()
    for block in blocks(text):
        if block.not_run:
            counts["not run"] += 1
        elif block.language == "console":
            counts["commands"] += len(typed(block))
        elif block.file:
            counts["files"] += 1
        elif block.language == "python":
            counts["programs" if block.is_program else "pieces"] += 1
    return counts


if __name__ == "__main__":
    total: Counter[str] = Counter()
    for page_name, page_text in PAGES.items():
        counted = _counts(page_text)
        total += counted
        if counted:
            print(f"{page_name}: {', '.join(f'{number} {kind}' for kind, number in counted.items())}")  # noqa: T201
    print(f"all: {', '.join(f'{number} {kind}' for kind, number in total.items())}")  # noqa: T201
