"""Exit codes: 0 fine, 1 the answer is no, 2 a wrong call, 3 a failure; the same for every verb."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_room import Room, environment, one_line, room

import warm
from precis import errors
from precis.cli.verb import Exit, exit_of

#: Runs each line as a verb in one process, and prints the codes.
RUN = """
import json, os, sys
from precis.cli import cli

codes = []
for arguments, settings in json.loads(sys.argv[1]):
    os.environ.update(settings)
    try:
        code = cli(arguments, standalone_mode=True)
    except SystemExit as ended:
        code = ended.code
    codes.append(code)
    for name in settings:
        del os.environ[name]
print(json.dumps(codes), file=sys.stderr)
"""
NOWHERE = {"PRECIS_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
#: Is the command; its standard output is buffered as it is for people, whatever the environment says.
BUFFERED = """
import sys
from precis.cli import main

sys.stdout = open(1, "w", closefd=False)
sys.argv = ["precis", *sys.argv[1:]]
try:
    main()
finally:
    sys.stdout.flush()
"""
#: What each prints: lines while a transaction is open, a table, and one document.
PRINTING = [["export", "--user-id", "olga"], ["plan"], ["plan", "--json"], ["receipts", "export", "-"]]
#: No verb but demo, which has a folder of its own, and those that only refuse options.
NO = [
    ["forget", "unknown"],
    ["verify-forgotten", "walnuts"],
    ["summaries", "show", "unknown"],
    ["summaries", "expand", "unknown"],
    ["summaries", "refresh", "unknown"],
    ["summaries", "delete", "unknown"],
    ["views", "run", "unknown"],
    ["views", "show", "unknown"],
    ["views", "delete", "unknown"],
    ["plan", "--user-id", "unknown"],
    ["embeddings", "index", "--user-id", "unknown"],
    ["jobs", "retry", "unknown"],
    ["keys", "revoke", "unknown"],
    ["costs", "--tenant", "unknown"],
]
WRONG = [
    ["forget"],
    ["verify-forgotten"],
    ["verify-forgotten", "ab"],
    ["import", "/nonexistent.jsonl"],
    ["eval", "--data", "/nonexistent.jsonl"],
    ["recall", "walnuts", "--limit", "none"],
    ["recall", "walnuts", "--summaries", "perhaps"],
    ["recall", "walnuts", "--limit", "0"],
    ["context", "walnuts", "--quota", "year=1"],
    ["summarize", "/nonexistent.txt"],
    ["check", "/nonexistent.json"],
    ["plan", "--everything"],
    ["import", "--from", "attic", "box"],
    ["import", "--from", "chatgpt", "/nonexistent.zip", "--user-id", "ana"],
    ["import", "--from", "agent-memory-server", "localhost:8000"],
    ["import", "memories.jsonl", "--dry-run"],
    ["views", "create", "--group-by", "color"],
    ["rollups", "list", "yearly"],
    ["zone", "Mars/Olympus"],
    ["clusters", "retune", "--distance", "9"],
    ["jobs", "list", "--state", "asleep"],
    ["archive", "--pool", "attic"],
    ["archive", "--forget", "m1"],
    ["archive", "--forget-user", "ana"],
    ["embeddings", "index", "--drop"],
    ["serve", "--port", "99999"],
    ["serve", "--host", "0.0.0.0"],  # noqa: S104 - it is refused
    ["worker", "--concurrency", "0"],
]
FAILED = [
    ["plan"], ["recall", "walnuts"], ["forget", "n1"], ["verify-forgotten", "walnuts"], ["serve"], ["worker"],
    ["migrate", "--owner-url", NOWHERE["PRECIS_DATABASE_URL"]],
]  # fmt: skip


@pytest.fixture(scope="module")
def filled() -> Iterator[Room]:
    """A memory to find."""
    with room() as place:
        place.run(
            "import", place.write("rows.jsonl", [{"id": "n1", "text": "Olga collects walnuts.", "user_id": "olga"}])
        )
        yield place


def codes(filled: Room, verbs: list[list[str]], settings: dict[str, str] | None = None) -> dict[str, int]:
    """What each verb exits with."""
    calls = [[_located(filled, verb), settings or {}] for verb in verbs]
    done = warm.run_warm([json.dumps(calls)], program=RUN, env=environment(), timeout=400, cwd=filled.folder)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    answered = json.loads(done.stderr.splitlines()[-1])
    return {" ".join(verb): code for verb, code in zip(verbs, answered, strict=True)}


def _located(filled: Room, verb: list[str]) -> list[str]:
    return verb if verb[0] in ("check", "eval") else [*verb, "--data-dir", str(filled.data_dir)]


@pytest.mark.parametrize(
    ("verbs", "settings", "code"), [(NO, {}, 1), (WRONG, {}, 2), (FAILED, NOWHERE, 3)], ids=["no", "wrong", "failed"]
)
def test_the_code_says_why(filled: Room, verbs: list[list[str]], settings: dict[str, str], code: int) -> None:
    """Each verb that can end so."""
    assert codes(filled, verbs, settings) == {" ".join(verb): code for verb in verbs}


def test_every_error_has_a_code() -> None:
    """A new error is a failure until somebody says otherwise."""
    assert exit_of(errors.NotFound("x")) == Exit.NO
    assert exit_of(errors.InvalidInput("x")) == Exit.WRONG_CALL
    assert exit_of(errors.ModelUnavailable("x")) == Exit.FAILURE
    assert exit_of(OSError(28, "No space left on device")) == Exit.FAILURE
    assert exit_of(FileNotFoundError("x")) == Exit.WRONG_CALL


async def _ends(filled: Room, verb: list[str], stdout: int) -> tuple[int, str]:
    """The exit code of a verb that prints there, and what it says on stderr."""
    process = await warm.fork(*_located(filled, verb), program=BUFFERED, stdout=stdout, stderr=PIPE, env=environment())
    _, line = await process.communicate()
    return await process.wait(), line.decode()


@pytest.mark.parametrize("verb", PRINTING, ids=" ".join)
async def test_a_verb_whose_reader_has_left_ends_without_a_word(filled: Room, verb: list[str]) -> None:
    """``precis export ... | head``: the code is that of SIGPIPE, as of any program in a pipe."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert await _ends(filled, verb, writing) == (128 + signal.SIGPIPE, "")
    finally:
        os.close(writing)


@pytest.mark.parametrize("verb", PRINTING[1:3], ids=" ".join)
async def test_a_full_disk_is_one_line(filled: Room, verb: list[str]) -> None:
    """What a verb prints into a file may have no place there."""
    with Path("/dev/full").open("wb") as full:
        code, line = await _ends(filled, verb, full.fileno())
    assert (code, line) == (Exit.FAILURE, "precis: [Errno 28] No space left on device\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_leads_nowhere(filled: Room, closed: str) -> None:
    """As some starters of jobs leave them: the verb ends as ever."""
    command = f'exec "$0" -m precis receipts list --data-dir "$1" {closed}'
    done = subprocess.run(
        ["bash", "-c", command, sys.executable, filled.data_dir], capture_output=True, env=environment(), check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("verb", [["summaries", "list"], ["recall", "tea"], ["recall", "tea", "--json"]], ids=" ".join)
def test_what_an_encoding_has_no_letter_for_is_an_escape(filled: Room, verb: list[str], encoding: str) -> None:
    """As in an old terminal, or a job without a locale; JSON stays JSON."""
    rows = [{"id": "é1", "user_id": "zoë", "text": "Brewing tea — “Žofie’s way” 👍 … takes a while.", "type": "fact"}]
    filled.run("import", filled.write("letters.jsonl", [*rows]))
    env = environment(PYTHONIOENCODING=encoding, LC_ALL="C")
    command = [sys.executable, "-m", "precis", *verb, "--data-dir", str(filled.data_dir)]
    done = subprocess.run(command, capture_output=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    if "--json" in verb:
        assert rows[0]["text"] in json.dumps(json.loads(done.stdout.decode(encoding)), ensure_ascii=False)
    elif "recall" in verb:
        assert b"\\u017dofie" in done.stdout


def test_what_has_no_name_is_told(filled: Room) -> None:
    """A misspelled user is current and has no index; a view that is not there is not taken away."""
    for verb in (["plan", "--user-id", "nobody"], ["embeddings", "index", "--user-id", "nobody"]):
        assert one_line(filled.run(*verb, code=1)) == "precis: there is no user 'nobody'"
    assert one_line(filled.run("views", "delete", "nope", code=1)) == "precis: there is no view 'nope'"
    assert "the id is empty" in filled.run("recall", "coffee", "--user-id", "", code=2).stderr
