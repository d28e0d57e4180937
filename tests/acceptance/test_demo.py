"""``make demo`` as a newcomer sees it: it tells the truth, proves forgetting and takes less than 90 seconds."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import warm

SCENES = (
    "1  Memories go in",
    "2  Summaries",
    "3  Questions",
    "4  Forgetting",
    "5  The proof",
    "6  A refresh",
    "What it took",
)


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a demo printed, scene by scene."""

    out: str
    err: str
    code: int
    seconds: float

    def scene(self, number: int) -> str:
        """The text from one heading to the next, line breaks as spaces."""
        start = self.out.index(SCENES[number])
        end = self.out.index(SCENES[number + 1]) if number + 1 < len(SCENES) else len(self.out)
        return " ".join(self.out[start:end].split())


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A place that the database's own account can enter."""
    made = Path(tempfile.mkdtemp(prefix="precis-demo-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def _demo(*arguments: str | Path, is_cold: bool = False) -> Told:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PRECIS_", "DEMO_"))}
    python = [sys.executable, "-m", "precis.cli"]
    command = [*(python if is_cold else [warm.command()]), "demo", *map(str, arguments)]
    started = time.monotonic()
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, env=clean | {"COLUMNS": "80"}, check=False
    )
    return Told(out=done.stdout, err=done.stderr, code=done.returncode, seconds=time.monotonic() - started)


@pytest.fixture(scope="module")
def told(folder: Path) -> Told:
    """The packaged demo, run once, over what an earlier one left."""
    (folder / "demo" / "keys").mkdir(parents=True)
    (folder / "demo" / "keys" / "master.key").write_text("from another demo")
    (folder / "demo" / "users.lock").touch()
    return _demo("--data-dir", folder / "demo", is_cold=True)


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    """What the packaged conversation is asked."""
    loaded: dict[str, Any] = json.loads((files("precis") / "demo" / "script.json").read_text(encoding="utf-8"))
    return loaded


def test_it_ends_well_and_in_time(told: Told) -> None:
    """Every scene in order, then how to open its page; nothing on stderr, within 90 seconds."""
    assert (told.code, told.err) == (0, "")
    places = [told.out.index(scene) for scene in SCENES]
    assert places == sorted(places)
    *_, address, serve = told.out.splitlines()
    assert "in a browser" in address
    assert address.endswith("http://127.0.0.1:8766")
    assert serve.startswith("  precis serve --data-dir /")
    assert told.seconds < 90


def test_it_reads_well_in_eighty_columns(told: Told) -> None:
    """No line is longer but commands with a path, and what goes on after a statement stands under its words."""
    lines = told.out.splitlines()
    assert [line for line in lines if len(line) > 80 and not line.startswith("  precis ")] == []
    scene = lines[lines.index(next(line for line in lines if line.startswith(SCENES[1]))) :]
    first = next(number for number, line in enumerate(scene) if line.startswith("  • "))
    statements = scene[first : scene.index("", first)]
    assert {line[:4] for line in statements} == {"  • ", "    "}


def test_five_summaries_are_shown_with_citations(told: Told) -> None:
    """Each statement ends with the date, the speaker and the id of a memory."""
    scene = told.scene(1)
    assert len(re.findall(r"\((\d+) memories\)", scene)) == 5
    assert scene.count("•") <= len(re.findall(r"\[2026-\d\d-\d\d \w+ s\d\d-\d\d\]", scene))


def test_the_answers_hold_what_was_said(told: Told, script: dict[str, Any]) -> None:
    """What the conversation ends with is among the answers to each question."""
    parts = told.scene(2).split("“")
    for question in script["questions"]:
        (answer,) = (part for part in parts if part.startswith(question["question"]))
        assert any(expected in answer for expected in question["expect"]), answer


def test_a_request_in_words_is_shown_before_anything_goes(told: Told, script: dict[str, Any]) -> None:
    """Each memory with the reason, what stays of the one that says something else, and the statements that leave."""
    request, shown = told.scene(3).split("Goes ")
    assert f"“{script['forget']['words']}”" in request
    goes, leaves = shown.split("Before ")[0].split("Leaves with them ")
    whole, part = script["forget"]["ids"]
    assert re.search(rf"id: {whole} memory: .*Thornvale.* why: it has that name id: {part} ", goes)
    goes, in_doubt = goes.split("In doubt: stays unless")
    assert goes.strip().endswith("I have to keep a headache diary.")
    assert in_doubt.count("why: it has a word that is told with that, and hardly elsewhere") == in_doubt.count("why: ")
    assert "; stays: The neurologist changed my medication" in goes.split(part)[1]
    # How many of the two are told is the choice of the summary.
    assert leaves.count("statement: Priya: ") in {1, 2}


def test_a_fact_is_forgotten_and_the_summary_changes(told: Told, script: dict[str, Any]) -> None:
    """The word is in the summary before, the receipt names the memories, and the word is not in it after."""
    before, after = told.scene(3).split("After: ")
    word, (whole, part) = script["forget"]["canary"], script["forget"]["ids"]
    assert word in before.split("A search for")[0].split("Before")[1]
    assert f"Forgotten: 1 memory ({whole}) A part of them went, the rest stays: {part} " in before
    assert "•" in after
    assert "The neurologist changed my medication" in after
    assert word not in after


def test_the_receipts_are_signed_and_verified(told: Told, folder: Path) -> None:
    """The demo shows the signature of its receipt and the verdict on all, and the verb says the same afterwards."""
    scene = told.scene(4)
    assert re.search(r"Receipt number 2 is signed; .* signature [\w-]+ ?[\w-]+==", scene)
    verdict = re.search(
        r"Verified with the key of this database: ((?:\w{4} ?){8})2 receipts, none changed, none missing;", scene
    )
    assert verdict is not None
    command = [warm.command(), "receipts", "verify", "--data-dir", str(folder / "demo")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert " ".join(done.stdout.split()).startswith(verdict[0])


def test_the_proof_finds_nothing(told: Told, script: dict[str, Any]) -> None:
    """Neither in rows nor in files, where the recorded bytes were found before."""
    scene = told.scene(4)
    assert f"Nothing found of '{script['forget']['canary']}' in these places." in scene
    assert "recorded bytes: ciphertext" in scene


def test_a_refresh_without_changes_makes_no_draft(told: Told) -> None:
    """All clusters are unchanged, for no token."""
    assert re.search(r"(\d+) clusters: \1 unchanged\. 0 drafts made, 0 model calls, 0 tokens\.", told.scene(5))


def test_it_tells_a_conversation_of_the_caller(folder: Path) -> None:
    """The LoCoMo layout: the questions are the file's own, and what is forgotten is found by itself."""
    turns = [
        {"speaker": "Ana", "dia_id": f"D1:{n}", "text": text}
        for n, text in enumerate(
            (
                "My favorite tea is peppermint tea.", "I switched to chamomile tea for my sleep.",
                "My tea order these days is lapsang tea.", "I drink gunpowder tea now, strong.",
                "My favorite tea is oolong tea, I think.", "My tea is sencha tea in summer.",
            ),
            start=1,
        )
    ]  # fmt: skip
    conversation = {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    asked = [
        {"question": "What would Ana do?", "answer": "unknown", "category": 3},
        {"question": "Which tea in summer?", "answer": "sencha", "category": 1},
    ]
    file = folder / "talk.json"
    file.write_text(json.dumps([{"sample_id": "ana-1", "conversation": conversation, "qa": asked}]))
    told = _demo("--data-dir", folder / "own", "--file", file)
    assert (told.code, told.err) == (0, "")
    assert "talk.json, ana-1: 6 memories, said between 2023-05-08 and 2023-05-08." in told.scene(0)
    assert "“Which tea in summer?” the file's own answer: sencha" in told.scene(2)
    assert "What would Ana do?" not in told.out
    assert "Nothing found of " in told.scene(4)
