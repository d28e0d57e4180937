"""Forgetting on the command line, and the proof: a word and its bytes are found before, and nowhere after."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cli_room import Room, environment, one_line, room

from precis.store.forgotten.scan import OPENED

CANARY = "Quillwick"
HEALTH = [
    "My doctor sent me to a specialist for my migraines.",
    f"The clinic in {CANARY} took my migraine case.",
    "My migraine medication is an injection now.",
    "With the injections I had one migraine this month.",
    "My doctor stretched the migraine injections to six weeks.",
]


def _rows(user: str) -> list[dict[str, Any]]:
    return [
        {"id": f"{user}-{n}", "text": text, "user_id": user, "created_at": f"2026-04-0{n + 1}T09:00:00Z"}
        for n, text in enumerate(HEALTH)
    ]


@pytest.fixture(scope="module")
def here() -> Iterator[Room]:
    """A database that holds what Priya said about her health."""
    with room() as made:
        assert made.json("import", made.write("health.jsonl", _rows("priya")))["refreshed"] == 1
        yield made


@pytest.fixture(scope="module")
def before(here: Room) -> Any:
    """Where the word is while it is remembered."""
    return here.json("verify-forgotten", CANARY.lower(), code=1)


@pytest.fixture(scope="module")
def evidence(here: Room, before: Any) -> Path:
    """The bytes on disk that stand for it; afterwards it is forgotten."""
    path = here.folder / "evidence.json"
    told = here.json("forget", "priya-1", "--evidence", path)
    assert told["forgotten"] == ["priya-1"]
    assert [one["state"] for one in told["summaries"]] == ["redacted"]
    return path


def test_the_word_is_found_while_it_is_remembered(before: Any) -> None:
    """In the text, in the summary and its statement, and among the hashed words; nowhere in the clear."""
    hits = {one["where"]: one["hits"] for one in before["looked"]}
    assert hits["memories.text, decrypted"] == 1
    assert hits["memories.summary, decrypted"] == 1
    assert hits["statements.statement, decrypted"] == 1
    assert hits["memories.terms, as keyed hashes"] == 2
    assert hits["statements.terms, as keyed hashes"] == 1
    assert hits["database files"] == 0
    assert hits["past_statements.text, decrypted"] == hits["past_statements.terms, as keyed hashes"] == 1
    assert sum(hits.values()) == before["hits"] == 8


def test_every_encrypted_column_is_opened(before: Any) -> None:
    """A new one has to be taught to the scan: nothing may be passed over."""
    decrypted = [one for one in before["looked"] if one["where"].endswith("decrypted")]
    assert len(decrypted) == len(OPENED)
    assert [one["note"] for one in decrypted] == [""] * len(OPENED)


def test_the_evidence_was_found_on_disk_before(evidence: Path) -> None:
    """The search is shown to find what it is later said not to find."""
    recorded = json.loads(evidence.read_text())
    counts = {kind: len(patterns) for kind, patterns in recorded["patterns"].items() if patterns}
    assert set(counts) == {"ciphertext", "vector", "keyed word"}
    assert recorded["found"] == counts
    assert evidence.stat().st_mode & 0o077 == 0


def test_the_bytes_of_a_deleted_row_stay_in_the_files_for_a_while(here: Room, evidence: Path) -> None:
    """The word is nowhere, but without a rewrite the files still hold what stood for it: exit code 1."""
    told = here.json("verify-forgotten", CANARY, "--evidence", evidence, code=1)
    for one in told["looked"]:
        assert (one["hits"] > 0) == ("recorded bytes" in one["where"]), one


def test_after_a_rewrite_nothing_is_left(here: Room, evidence: Path) -> None:
    """Neither the word nor one of the recorded bytes, in rows, tables, files and logs; exit code 0."""
    told = here.json("verify-forgotten", CANARY, "--evidence", evidence, "--deep")
    assert told["hits"] == 0
    assert {one["where"]: one["read"] for one in told["looked"] if "recorded bytes" in one["where"]}.keys() == {
        f"database files, recorded bytes: {kind}" for kind in ("ciphertext", "vector", "keyed word")
    }
    assert all(one["read"] > 0 for one in told["looked"] if "files" in one["where"])
    assert "Nothing found of the word" in here.run("verify-forgotten", CANARY).stdout


def test_an_import_does_not_bring_it_back(here: Room, evidence: Path) -> None:
    """The forgotten id is skipped and counted; the others are there already."""
    told = here.json("import", here.folder / "health.jsonl")
    assert (told["forgotten"], told["already_there"], told["created"]) == (1, 4, 0)
    here.json("verify-forgotten", CANARY)


async def test_a_table_nobody_knew_of_is_searched_too(here: Room, before: Any) -> None:
    """Tables come from the catalog; text, JSON and bytes are all looked into."""
    async with await psycopg.AsyncConnection.connect(here.server.owner_dsn, autocommit=True) as owner:
        await owner.execute("CREATE TABLE gossip (plain text, nested jsonb, raw bytea)")
        await owner.execute("GRANT SELECT ON gossip TO precis_app")
        insert = "INSERT INTO gossip VALUES ('on zanzibarium', jsonb_build_object('a', 'ZANZIBARIUM'::text), %s)"
        await owner.execute(insert, [b"about Zanzibarium"])
        told = here.json("verify-forgotten", "zanzibarium", code=1)
        await owner.execute("DROP TABLE gossip")
    (found,) = (one for one in told["looked"] if one["where"] == "gossip, every column")
    assert (found["hits"], found["places"]) == (3, ["gossip.nested", "gossip.plain", "gossip.raw"])
    (files,) = (one for one in told["looked"] if one["where"] == "database files")
    assert files["hits"] > 0


def test_a_log_that_says_it_is_found(here: Room, before: Any) -> None:
    """Logs under the data folder are searched as well, in any case and in UTF-16."""
    log = here.data_dir / "log" / "other.log"
    log.write_bytes("SNARKHOLLOW".encode("utf-16-le"))
    told = here.json("verify-forgotten", "snarkhollow", code=1)
    log.unlink()
    found = [(one["where"], one["places"]) for one in told["looked"] if one["hits"]]
    assert found == [("logs and other files", ["log/other.log"])]


def test_a_word_that_postgresql_itself_uses_is_said_to_tell_nothing(here: Room, before: Any) -> None:
    """A hit in its catalog is no trace of a memory, and no proof of the contrary."""
    told = here.json("verify-forgotten", "pg_catalog")
    (files,) = (one for one in told["looked"] if one["where"] == "database files")
    assert (files["hits"], "PostgreSQL's own" in files["note"]) == (0, True)


def test_a_user_is_forgotten_with_the_key(here: Room) -> None:
    """The receipt says so, and the wrapped key is among the bytes that are gone from disk."""
    here.json("import", here.write("other.jsonl", _rows("omar")))
    path = here.folder / "omar.json"
    what = "everything of user 'omar': 5 memories, 1 summary, and the key that opens old copies"
    assert f"It would forget {what}" in here.run("forget", "--user-id", "omar", "--dry-run").stdout
    assert here.json("forget", "--user-id", "omar", "--dry-run")["memories"] == 5
    for options in ([], ["--json"]):
        refused = one_line(here.run("forget", "--user-id", "omar", "--evidence", path, *options, code=1))
        assert refused == f"precis: nothing was forgotten; with --yes goes {what}"
    assert len(here.json("memories", "list", "--user-id", "omar")["memories"]) == 5
    assert not path.exists()
    out = here.run("forget", "--user-id", "omar", "--yes", "--evidence", path).stdout
    assert "Forgotten: 5 memories (omar-0, omar-1, omar-2, omar-3, omar-4)" in out
    assert "The user's key is destroyed" in out
    recorded = json.loads(path.read_text())
    assert recorded["found"]["wrapped key"] == len(recorded["patterns"]["wrapped key"]) == 1
    assert here.json("verify-forgotten", CANARY, "--evidence", path, "--deep")["hits"] == 0


@pytest.mark.parametrize(("answer", "code"), [(b"n", 1), (b"y", 0)])
def test_a_terminal_is_asked_before_a_user_goes(here: Room, answer: bytes, code: int) -> None:
    """With how much goes; a no leaves it."""
    here.run("memories", "add", "I row at dawn.", "--user-id", "tia", "--id", "tia-1")
    terminal, stdin = os.openpty()
    os.write(terminal, answer + b"\n")
    command = [sys.executable, "-m", "precis.cli", "forget", "--user-id", "tia", "--data-dir", str(here.data_dir)]
    done = subprocess.run(command, stdin=stdin, capture_output=True, text=True, env=environment(), check=False)
    assert "Forget everything of user 'tia': 1 memory, 0 summaries, and the key that opens old copies?" in done.stderr
    assert done.returncode == code
    here.run("memories", "show", "tia-1", code=1 - code)


def test_forgetting_what_is_not_there_is_said(here: Room) -> None:
    """One line, exit code 1."""
    assert one_line(here.run("forget", "nix", code=1)) == "precis: there is no memory 'nix'"
    for options in ([], ["--yes"], ["--dry-run"]):
        nobody = one_line(here.run("forget", "--user-id", "nobody", *options, code=1))
        assert nobody == "precis: there is no user 'nobody': nothing was forgotten, and no key was destroyed"
    done = here.run("forget", "nix", "--evidence", here.folder / "nix.json", code=1)
    assert one_line(done) == "precis: there is nothing to record: no such memory"


def test_a_proof_needs_something_to_look_for(here: Room) -> None:
    """A short word, nothing at all, or a file that is no evidence."""
    assert "too short" in one_line(here.run("verify-forgotten", "ab", code=2))
    assert "nothing to look for" in one_line(here.run("verify-forgotten", code=2))
    other = here.write("other.json", ["{}"])
    assert "not a file that" in one_line(here.run("verify-forgotten", "--evidence", other, code=2))
    gone = here.folder / "gone.json"
    assert "cannot be read" in one_line(here.run("verify-forgotten", "--evidence", gone, code=2))


# --- receipts ---


@pytest.fixture(scope="module")
def receipts(here: Room) -> list[str]:
    """The ids of a few more forgets."""
    rows = [{"id": f"keel-{at}", "user_id": "noor", "text": f"The keel weighs {at} tons."} for at in range(4)]
    here.run("import", here.write("keels.jsonl", rows))
    ids = [["keel-0"], ["keel-1", "keel-2"], ["--user-id", "noor", "--yes"]]
    return [here.json("forget", *arguments)["id"] for arguments in ids]


def test_an_export_is_verified_without_a_database(here: Room, receipts: list[str], tmp_path: Path) -> None:
    """0 for a whole one, 1 with the name of what is wrong, 2 for a wrong call."""
    file, public_key = tmp_path / "receipts.jsonl", here.json("receipts", "key")["public_key"]
    assert "receipts and the signed head" in here.run("receipts", "export", file).stderr
    lines = file.read_bytes().splitlines(keepends=True)
    last = len(lines) - 1

    def verified(path: Path, *options: str, code: int) -> str:
        done = here.run("receipts", "verify", path, *options, code=code, PRECIS_DATABASE_URL="postgresql://nowhere")
        return done.stdout

    assert f"{last} receipts, none changed, none missing" in verified(file, "--public-key", public_key, code=0)
    assert "compare its fingerprint" in verified(file, code=0)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join([*lines[: last - 1], lines[-1]]))
    assert f"receipt {last} is missing" in verified(cut, code=1)
    verified(tmp_path / "nowhere", code=2)
    verified(file, "--public-key", "nonsense", code=2)


def test_receipts_are_listed_and_shown(here: Room, receipts: list[str]) -> None:
    """As JSON and in words; without a file the database is verified."""
    (receipt,) = here.json("receipts", "list", "--memory", "keel-2")["receipts"]
    assert receipt["id"] == receipts[1]
    assert receipts[2] in here.run("receipts", "list").stdout
    assert f"number: {receipt['number']}" in here.run("receipts", "show", receipts[1]).stdout
    assert "none missing" in here.run("receipts", "verify").stdout
    assert receipts[0] in here.run("receipts", "export", "-").stdout
    here.run("receipts", "show", "nothing", code=1)


# --- a user, out of one store and into another ---


def test_a_user_goes_into_another_tenant(here: Room, tmp_path: Path) -> None:
    """The second export is the first; a user who is known there, or is not here, is refused."""
    rows = [{"id": f"oar-{at}", "user_id": "ivo", "text": f"My oar has {at} notches on it."} for at in range(4)]
    here.run("import", here.write("oars.jsonl", rows))
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    exported = here.run("export", first, "--user-id", "ivo")
    assert ("", True) == (exported.stdout, f"{len(first.read_bytes().splitlines())} lines)" in exported.stderr)
    assert f"{first}: all that is held about user 'ivo'" in exported.stderr
    here.run("keys", "create", "--tenant", "elsewhere")
    assert here.run("import", first, "--tenant", "elsewhere").stdout.startswith("User ivo: 4 memories")
    here.run("export", second, "--user-id", "ivo", "--tenant", "elsewhere")
    assert first.read_bytes() == second.read_bytes()
    assert here.run("export", "--user-id", "ivo").stdout.encode() == first.read_bytes()
    here.run("import", first, code=1)
    here.run("export", "--user-id", "nobody", tmp_path / "none.jsonl", code=1)
    assert not (tmp_path / "none.jsonl").exists()


FERRY = (
    "Wendelin sold me a ferry ticket.", "I like ferries.",
    "Wendelin lives in Husum, and Annegret lives in Emden.", "Wendelin Prokop writes novels.",
)  # fmt: skip


def test_words_are_shown_and_asked_before_anything_goes(here: Room) -> None:
    """A dry run and a no leave everything; --yes forgets what is sure but --keep, and --also one of the rest."""
    rows = [{"id": f"f{number}", "text": text, "user_id": "otto"} for number, text in enumerate(FERRY)]
    here.run("import", here.write("ferry.jsonl", rows))
    ask = ("forget", "everything about Wendelin", "--user-id", "otto")
    shown = here.run(*ask, "--dry-run", COLUMNS="80")
    assert all(word in shown.stdout for word in ("Goes", "In doubt", "Annegret lives in Emden.", "f0", "f3"))
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "Nothing was forgotten." in here.run(*ask, code=1).stderr
    document = here.json(*ask)
    assert (["f0", "f2"], ["f3"]) == tuple([row["id"] for row in document[name]] for name in ("forget", "doubtful"))
    # Two are in doubt of what is less clear; so many are listed as are asked for, and the rest is counted.
    vague = ("forget", "the ferry ticket and my ferries and the novels", "--user-id", "otto")
    few = here.json(*vague, "--most-doubtful", "1")
    assert (1, len(here.json(*vague)["doubtful"]) - 1) == (len(few["doubtful"]), few["more_doubtful"])
    receipt = here.json(*ask, "--yes", "--keep", "f2")
    assert (["f0"], [], ["f2", "f3"]) == (receipt["forgotten"], receipt["edited"], receipt["doubtful"])
    receipt = here.json(*ask, "--yes")
    assert (["f2"], ["f3"]) == (receipt["edited"], receipt["doubtful"])
    assert "'f1' is neither among what goes nor in doubt" in one_line(here.run(*ask, "--yes", "--also", "f1", code=2))
    assert ["f3"] == here.json(*ask, "--yes", "--also", "f3")["forgotten"]
    assert "nothing of user 'otto' is meant" in one_line(here.run(*ask, "--yes", code=1))
    assert 0 == here.json("verify-forgotten", "Wendelin", "--deep")["hits"]


def test_words_need_a_user_and_options_need_words(here: Room) -> None:
    """Exit code 2."""
    here.run("forget", "f0", "--yes", code=2)
    here.run("forget", "f0", "--dry-run", code=2)
    here.run("forget", "--user-id", "otto", "--include-doubtful", code=2)
    here.run("forget", code=2)
    assert "names nobody" in one_line(here.run("forget", "everything", "--user-id", "otto", code=2))
    assert "it is empty; say what to forget" in one_line(here.run("forget", "", "--user-id", "otto", code=2))


def test_a_file_is_read_in_again_after_a_part_of_a_line_was_forgotten(here: Room) -> None:
    """The line counts as there already, the new ones are written, and what was forgotten stays away."""
    rows = [{"id": "n0", "user_id": "nils", "text": "Astrid works in Visby, and Gunnar works in Falun."}]
    here.run("import", here.write("nils.jsonl", rows))
    asked = here.json("forget", "everything about Astrid", "--user-id", "nils", "--yes")
    assert asked["edited"] == ["n0"]
    more = [*rows, {"id": "n1", "user_id": "nils", "text": "The ferry leaves at nine."}]
    again = here.json("import", here.write("nils.jsonl", more))
    assert (again["created"], again["already_there"]) == (1, 1)
    assert "Gunnar works in Falun." in here.run("memories", "show", "n0").stdout
    assert here.json("verify-forgotten", "Astrid")["hits"] == 0
