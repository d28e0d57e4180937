"""Which store a verb opens: none is begun by reading, none lies where nobody named it; and what a terminal gets."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from cli_room import Room, environment, one_line, room, warm_precis
from psycopg import Connection

import warm

READING = [
    ("recall", "walnuts"), ("context", "walnuts"), ("summaries", "list"), ("views", "list"), ("forget", "m1"),
    ("receipts", "list"), ("verify-forgotten", "walnuts"), ("export", "--user-id", "ana"), ("plan",), ("costs",),
    ("jobs", "list"), ("keys", "list"), ("clusters", "list"), ("rollups", "list", "daily"),
]  # fmt: skip
WRITTEN = "My code is \x1b[31mRED\x1b[0m and \u202eevil\u202c, \x9b31mC1 \x07bell; Hebrew \u202bשלום\u202c stays."


@pytest.fixture(scope="module")
def hostile() -> Iterator[Room]:
    """A memory that drives a terminal and turns letters around, and an id that does."""
    with room() as place:
        rows = [{"id": "m\u202e1", "user_id": "ana", "text": WRITTEN, "type": "fact", "key": "code"}]
        place.run("import", place.write("rows.jsonl", [json.dumps(row) + "\n" for row in rows]))
        yield place


@pytest.mark.parametrize("verb", READING, ids=" ".join)
def test_a_reading_verb_begins_no_store(tmp_path: Path, verb: tuple[str, ...]) -> None:
    """It says where there is none, how to name one, and what begins one."""
    done = warm_precis(*verb, "--data-dir", tmp_path / "nowhere")
    assert done.returncode == 2
    message = one_line(done)
    assert str(tmp_path / "nowhere") in message
    assert "--data-dir" in message
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("verb", [("recall", "x"), ("serve",), ("keys", "create"), ("doctor",)], ids=" ".join)
def test_an_empty_name_is_no_folder(tmp_path: Path, verb: tuple[str, ...]) -> None:
    """As of a variable of the shell that is not set: nothing lies in the working folder afterwards."""
    command = [warm.command(), *verb]
    for arguments, env in ((["--data-dir", ""], {}), ([], {"PRECIS_DATA_DIR": ""})):
        done = subprocess.run(
            [*command, *arguments], cwd=tmp_path, env=environment(**env), capture_output=True, text=True, check=False
        )
        assert "the name" in done.stderr + done.stdout
        assert "is empty" in (done.stderr + done.stdout).replace("\n", " ")
        assert done.returncode == (1 if verb == ("doctor",) and env else 2)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_folder_is_none(hostile: Room) -> None:
    """Without the words of an operating system."""
    done = warm_precis("import", hostile.folder / "rows.jsonl", "--data-dir", "/dev/null")
    assert done.returncode == 2
    assert one_line(done) == (
        "precis: /dev/null is no folder: name a data folder for the database, the keys and the rest"
    )


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("PRECIS_CONVERSATION_TRIGGERS", '["20 bananas"]', "'20 bananas' is no size of a conversation"),
        ("PRECIS_CONVERSATION_TRIGGERS", '["20 messages", "2 window"]', "'2 window' is no size"),
        ("PRECIS_CONVERSATION_KEEP", "some", "'some' is no size"),
        ("PRECIS_CONVERSATION_KEEP", "30 messages", "over 20 messages (conversation_triggers) a summary is due"),
        ("PRECIS_CONVERSATION_KEEP", "0.5 window", "over 4000 tokens (conversation_triggers) a summary is due"),
        ("PRECIS_CONFIG", "rael.yaml", "there is no file rael.yaml"),
        ("PRECIS_CONFIG", "/", "is a folder"),
    ],
)
@pytest.mark.parametrize("verb", [("serve", "--port", "0"), ("plan",)], ids=" ".join)
def test_settings_that_cannot_be_kept_are_refused_at_the_start(
    hostile: Room, verb: tuple[str, ...], name: str, value: str, why: str
) -> None:
    """Not at the first turn."""
    assert why in one_line(hostile.run(*verb, code=2, **{name: value}))


@pytest.mark.parametrize(
    "verb",
    [
        ("recall", "what is my code"), ("recall", "what is my code", "--json"), ("context", "what is my code"),
        ("plan", "--all"), ("clusters", "list"), ("export", "--user-id", "ana", "--json"), ("forget", "m\u202e2"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_terminal_gets_no_sign_that_drives_it(hostile: Room, verb: tuple[str, ...]) -> None:
    """Neither of a text nor of an id: what is printed is what is seen; JSON says the same by escapes."""
    if "export" in verb:
        verb = verb[:-1]
        pytest.importorskip("pty")
        printed = on_a_terminal(hostile, *verb)
    else:
        done = warm_precis(*verb, "--data-dir", hostile.data_dir)
        printed = done.stdout + done.stderr
        if "--json" in verb:
            assert json.loads(done.stdout)[0 if isinstance(json.loads(done.stdout), list) else "results"]
    lines = [line for line in printed.replace("\r\n", "\n").split("\n") if "שלום" not in line or "--json" in verb]
    odd = {sign for line in lines for sign in line if unicodedata.category(sign) in {"Cc", "Cf"} and sign != "\t"}
    assert odd == set()
    assert "\x1b" not in printed
    assert "\u202e" not in printed


def on_a_terminal(place: Room, *verb: str) -> str:
    """What a verb prints to a terminal."""
    ours, theirs = os.openpty()
    command = [warm.command(), *verb, "--data-dir", str(place.data_dir)]
    process = subprocess.Popen(command, env=environment(), stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    printed = _read(ours)
    assert process.wait(60) == 0
    return printed


def _read(terminal: int) -> str:
    """All that is written to a terminal until nobody holds it any more."""
    printed = b""
    with suppress(OSError):
        while read := os.read(terminal, 65_536):
            printed += read
    os.close(terminal)
    return printed.decode()


def test_ctrl_c_in_an_import_says_how_far_it_is(hostile: Room) -> None:
    """Also into a log, where nobody looks on; running it again goes on."""
    rows = [
        json.dumps({"id": f"r{at}", "user_id": "bo", "text": f"Parcel {at} lies in bay {at % 91}."})
        for at in range(4_000)
    ]
    file = hostile.write("many.jsonl", [f"{row}\n" for row in rows])
    command = [warm.command(), "import", str(file), "--batch", "20", "--data-dir", str(hostile.data_dir)]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    with Connection.connect(hostile.server.owner_dsn, autocommit=True) as owner:
        for _ in range(600):
            (count,) = owner.execute("SELECT count(*) FROM memories WHERE user_id = 'bo'").fetchone() or (0,)
            if count >= 40:
                break
            time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    told = " ".join(process.communicate(timeout=60)[1].split())
    assert process.returncode == 130
    assert "of 4,000 memories of the file are in" in told
    assert "Run it again to go on" in told
    number = int(told.split("Interrupted: ")[1].split(" ")[0].replace(",", ""))
    assert 0 < number < 4_000


def test_a_backup_that_fails_leaves_nothing_and_overwrites_nothing(hostile: Room, tmp_path: Path) -> None:
    """Where there is no more room its halves would keep the disk full; it names the file that was asked for."""
    file = tmp_path / "copy.tar"
    command = 'ulimit -f 18000; exec "$0" -m precis backup "$1" --data-dir "$2"'  # a copy has files of 16 MB
    whole: list[str | Path] = ["bash", "-c", command, sys.executable, file, hostile.data_dir]
    done = subprocess.run(whole, capture_output=True, text=True, env=environment(), check=False)
    assert done.returncode == 3, done
    assert done.stderr.startswith(f"precis: {file}: File too large; check the path")
    assert list(tmp_path.iterdir()) == []
    hostile.run("backup", file)
    before = file.read_bytes()
    assert f"{file} exists: name another file, or add --replace" in one_line(hostile.run("backup", file, code=1))
    assert file.read_bytes() == before
    hostile.run("backup", file, "--replace")
    assert file.read_bytes() != before
    assert list(tmp_path.iterdir()) == [file]
    assert "/proc/x.tar: " in one_line(hostile.run("backup", "/proc/x.tar", code=2))
    missing = tmp_path / "no" / "ana.jsonl"
    message = one_line(hostile.run("export", missing, "--user-id", "ana", code=2))
    assert message == f"precis: {missing}: No such file or directory; check the path, its permissions and its disk"


def test_the_user_of_an_export_is_its_own(hostile: Room, tmp_path: Path) -> None:
    """Another one would be ignored."""
    file = tmp_path / "ana.jsonl"
    hostile.run("export", file, "--user-id", "ana")
    message = one_line(hostile.run("import", file, "--user-id", "someone", code=2))
    assert "it is put in for the user it names" in message


def test_an_export_takes_the_place_of_nothing_but_a_file(hostile: Room, tmp_path: Path) -> None:
    """One that is there is given up by --replace alone, and keeps its mode; a link and a pipe stay what they are."""
    file, link, pipe = (tmp_path / name for name in ("ana.jsonl", "link.jsonl", "pipe"))
    file.write_text("before")
    file.chmod(0o600)
    link.symlink_to(file)
    for refused in (("export", link, "--user-id", "ana"), ("receipts", "export", file)):
        assert "exists: name another file, or add --replace" in one_line(hostile.run(*refused, code=1))
    assert file.read_text() == "before"
    assert "the name is empty" in hostile.run("export", "", "--user-id", "ana", code=2).stderr
    hostile.run("export", link, "--user-id", "ana", "--replace")
    lines = file.read_bytes()
    assert b'"line":"memories"' in lines
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    hostile.run("export", tmp_path / "new.jsonl", "--user-id", "ana")
    hostile.run("receipts", "export", tmp_path / "log")
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new.jsonl", "log")] == [0o600] * 2
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        hostile.run("export", pipe, "--user-id", "ana")
        assert reader.communicate(timeout=60)[0] == lines
    assert pipe.is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ana.jsonl", "link.jsonl", "log", "new.jsonl", "pipe"]
