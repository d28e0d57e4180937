"""precis eval: the measures on a file of the caller's, offline and by a model, and nothing of it left anywhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cli_room import Done, environment, model_in_thread, one_line, warm_precis

import warm
from precis.app import App
from precis.engine.forgetting import Receipt
from precis.evaluation.sampling import Marked, forget_and_look, unheard, verification_of
from precis.ids import new_id
from precis.testing import temporary

#: Things that somebody keeps; each gives one memory with a word of its own.
THINGS = "accordion barometer chandelier dulcimer espalier flugelhorn gondola hourglass isinglass jackhammer".split()
PLACES = "cellar orchard workshop balcony stairwell pantry".split()


def memories(people: Sequence[str] = ("Odile", "Tamsin")) -> list[dict[str, Any]]:
    """Forty memories: a conversation of each person, with amounts, dates and places."""
    rows = []
    for person in people:
        for number, thing in enumerate(THINGS):
            place, price = PLACES[number % len(PLACES)], 10 * number + len(person) * 100
            texts = (
                f"I bought the {person.lower()}{thing} for {price} euros and it stands in the {place} now.",
                f"My violin lesson number {number + 1} went well, and the teacher praised my bow in the {place}.",
            )
            rows += [
                {
                    "id": f"{person}-{number}-{at}", "text": text, "user_id": person.lower(),
                    "session_id": f"talk-{person}", "memory_type": "message",
                    "created_at": f"2024-03-{number + 1:02}T1{at}:00:00Z", "metadata": {"speaker": person},
                }
                for at, text in enumerate(texts)
            ]  # fmt: skip
    return rows


@pytest.fixture
def temp(rooms_folder: Path) -> Path:
    """Where the process makes its temporary folders."""
    folder = rooms_folder / new_id()
    folder.mkdir()
    folder.chmod(0o711)
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The memories as JSON lines."""
    path = tmp_path / "memories.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in memories()))
    return path


def measured(file: Path, temp: Path, *options: str, code: int = 0, **env: str) -> Any:
    """The document of a run; nothing of it is left."""
    done = ran(file, temp, *options, "--json", **env)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return json.loads(done.stdout)


def ran(file: Path, temp: Path, *options: str, **env: str) -> Done:
    """A run to its end."""
    done = warm_precis("eval", "--data", file, *options, TMPDIR=str(temp), **env)
    assert "Traceback" not in done.stderr, done.stderr
    assert [] == list(temp.iterdir())
    return done


def test_offline_it_measures_and_leaves_nothing(file: Path, temp: Path, tmp_path: Path) -> None:
    """Every figure is there; a fifth of the words is a fifth; nobody is asked, although the settings name a model."""
    own = tmp_path / "own"
    document = measured(
        file, temp, "--forget", "2", PRECIS_MODEL="precis-test", PRECIS_MODEL_BASE_URL="http://127.0.0.1:1/v1",
        PRECIS_DATA_DIR=str(own), PRECIS_DATABASE_URL="postgresql://nobody@127.0.0.1:1/none",
    )  # fmt: skip
    assert not own.exists()
    assert (40, 40) == (document["memories"], document["of"])
    (column,) = document["columns"]
    assert column["name"] == "offline"
    texts = column["texts"]["measures"]
    assert texts["summaries"] == 2
    assert 0.1 < texts["length"]["share"] <= 0.25
    assert 0.0 < texts["facts_kept"]["share"] < 1.0
    assert 0 < column["in_summaries"]["hits"] <= 40
    assert column["subjects"]["measures"]["statements"] > 0
    leaks = column["leaks"]
    assert (2, 0, 0, []) == (leaks["memories"], leaks["at_once"], leaks["after"], leaks["leaking"])
    assert leaks["before"] >= 2
    assert leaks["places"] > 20
    assert {"calls": 0, "failed": 0, "tokens_in": 0, "tokens_out": 0, "cost": 0} == column["cost"]


def test_the_same_seed_measures_the_same(file: Path, temp: Path) -> None:
    """But for the seconds; and a sample is no larger than it says."""

    def figures() -> Any:
        document = measured(file, temp, "--sample", "25", "--forget", "0", "--seed", "4")
        for kind in ("texts", "subjects"):
            del document["columns"][0][kind]["seconds"]
        return document

    first = figures()
    assert (25, 40) == (first["memories"], first["of"])
    assert first == figures()


def test_a_model_is_measured_beside_it(file: Path, temp: Path) -> None:
    """The ledger books what the server counted, and the model's own words are what is measured."""
    with model_in_thread() as server:
        document = measured(
            file, temp, "--model", "precis-test", "--forget", "1", PRECIS_MODEL_BASE_URL=server.base_url,
            PRECIS_PRICES='{"precis-test": {"input_per_million": 100, "output_per_million": 100}}',
        )  # fmt: skip
        stats = server.stats
    offline, model = document["columns"]
    assert ("offline", "precis-test") == (offline["name"], model["name"])
    assert 0 == offline["cost"]["calls"]
    assert stats.chat_calls == model["cost"]["calls"] > 0
    assert stats.tokens_in == model["cost"]["tokens_in"]
    assert model["cost"]["cost"] == pytest.approx((stats.tokens_in + stats.tokens_out) / 10_000, abs=1e-6)
    assert model["texts"]["measures"]["summaries"] == 2
    assert (1, 0, 0) == (model["leaks"]["memories"], model["leaks"]["at_once"], model["leaks"]["after"])


def test_what_a_lying_model_says_is_counted_as_dropped(file: Path, temp: Path) -> None:
    """With the reasons; what the offline summarizer made in its place is not measured under its name."""
    with model_in_thread() as server:
        server.behave("lie")
        document = measured(
            file, temp, "--model", "precis-test", "--forget", "0", PRECIS_MODEL_BASE_URL=server.base_url
        )
    drafts = document["columns"][1]["drafts"]
    assert drafts["dropped"]["hits"] > 0
    assert {"number", "entity"} & set(drafts["reasons"])
    assert 0 == document["columns"][0]["drafts"]["dropped"]["hits"]


def test_a_model_that_never_answers_is_a_failure(file: Path, temp: Path) -> None:
    """One line and code 3, and no table in which nothing was measured."""
    with model_in_thread() as server:
        server.behave("status", status=503)
        done = ran(file, temp, "--model", "precis-test", "--forget", "0", PRECIS_MODEL_BASE_URL=server.base_url)
    assert done.returncode == 3
    assert "the model gave no answer" in one_line(done)


def test_the_table_is_for_people(file: Path, temp: Path) -> None:
    """A line a measure, a column a summarizer."""
    done = ran(file, temp, "--forget", "0")
    assert done.returncode == 0
    assert f"{file}: 40 memories" in done.stdout
    lines = [line.split("  ")[0].strip() for line in done.stdout.splitlines()]
    assert {"kept: facts", "open on a dangling pronoun", "statements dropped", "US dollars"} <= set(lines)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('{"id": "a", "text": "fine"}\n{"id": "b"}\n', "line 2 has no text"),
        ('{"user_id": "u", "text": "fine"}\n{"user_id": "u", "text": "fine", "importance": 7}\n', "line 2: importance"),
        ('{"text": "fine"}\n', "line 1: user_id"),
        ("walnuts\n", "line 1 starts with 'walnuts'"),
        ("", "the file is empty"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, temp: Path, content: str, complaint: str) -> None:
    """One line that names the place, and code 2."""
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    done = ran(path, temp)
    assert done.returncode == 2
    assert complaint in one_line(done)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--model", "qwen"], "PRECIS_MODEL_BASE_URL"),
        (["--model", "extractive"], "'extractive' is no model"),
        (["--model", " "], "' ' is no model"),
    ],
)
def test_a_model_that_is_nowhere_is_refused(file: Path, temp: Path, options: list[str], complaint: str) -> None:
    """Before anything is opened."""
    done = ran(file, temp, *options)
    assert done.returncode == 2
    assert complaint in one_line(done)


def test_ctrl_c_leaves_nothing(file: Path, temp: Path) -> None:
    """Neither a folder nor a server, in the middle of it."""
    command = [warm.command(), "eval", "--data", str(file)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(TMPDIR=str(temp)), text=True
    )
    deadline = time.monotonic() + 60
    while not list(temp.glob("*/db/postmaster.pid")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert [] == list(temp.iterdir())
    assert [] == _servers_in(temp)


def _servers_in(folder: Path) -> list[str]:
    """Processes that were started on a folder below this one."""
    lines = {each.parent.name: _read(each) for each in Path("/proc").glob("[0-9]*/cmdline")}
    return [pid for pid, line in lines.items() if b"postgres" in line and os.fsencode(folder) in line]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


class _ForgetsNothing:
    """Answers a receipt and leaves everything where it is."""

    async def forget(self, ids: Sequence[str]) -> Receipt:
        """What it claims."""
        return Receipt(id="r", at=datetime(2024, 1, 1, tzinfo=UTC), forgotten=tuple(ids))


async def test_a_leak_is_seen() -> None:
    """Where nothing is forgotten, the same search names the places that still hold it."""
    async with temporary() as app:
        rows = memories(("Odile",))[:6]
        added = await app.memories.add(rows, summarize="deferred")
        every = await app.memories.get_many([memory.id for memory in added.memories])
        leaky: App = replace(app, memories=_ForgetsNothing())  # type: ignore[arg-type]

        async def nothing() -> None:
            """There is nothing to make anew."""

        mark = Marked(memory_id=rows[0]["id"], word="accordion")
        leaks = await forget_and_look(leaky, [mark], every, [], number=1, refresh=nothing)
        assert leaks.at_once > 0
        assert leaks.after > 0
        assert any("memories" in where for where in leaks.leaking)
        assert any("recorded bytes" in where for where in leaks.leaking)


async def test_a_word_of_the_store_itself_marks_nothing() -> None:
    """What stands in an empty store is no trace of a memory."""
    async with temporary() as app:
        marks = [Marked(memory_id="a", word="default"), Marked(memory_id="b", word="accordion")]
        assert ["accordion"] == [mark.word for mark in await unheard(verification_of(app), marks, number=2)]
