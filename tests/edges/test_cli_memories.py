"""precis memories: one memory written, listed, shown and edited from the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from cli_room import Room, one_line, room, warm_precis

#: What a table of an earlier answer must not end its lines with.
_BLANK = " "


@pytest.fixture(scope="module")
def here() -> Iterator[Room]:
    """A folder whose store the first `add` begins."""
    with room() as made:
        for number, text in enumerate(["I keep bees in Lund.", "My bees swarmed.", "I sold the bees' first honey."]):
            made.run("memories", "add", text, "--user-id", "ida", "--id", f"b{number}", "--key", "bees")
        yield made


def test_what_is_added_is_recalled_and_summarized(here: Room) -> None:
    """The third of a subject makes its summary, before the verb ends."""
    listed = here.json("memories", "list", "--user-id", "ida")["memories"]
    assert [row["id"] for row in listed] == ["b2", "b1", "b0"]
    assert {row["extracted_key"] for row in listed} == {"bee"}
    assert len(here.json("summaries", "list", "--user-id", "ida")["summaries"]) == 1
    assert "Lund" in here.run("recall", "where are the bees?", "--user-id", "ida").stdout


def test_the_same_again_is_there_already(here: Room) -> None:
    """An id with the same text is no second memory; with another text it is refused, and both ways out are told."""
    again = here.run("memories", "add", "My bees swarmed.", "--user-id", "ida", "--id", "b1", "--key", "bees").stdout
    assert "It was there already: b1" in again
    here.run("memories", "add", "My wasps swarmed.", "--user-id", "ida", "--id", "b1", code=1)


def test_a_memory_replaces_another_and_both_say_so(here: Room) -> None:
    """What is replaced is out of recall, and names what replaces it."""
    done = here.run("memories", "add", "My hives are in Malmö.", "--user-id", "eva", "--id", "n", code=0)
    assert "Remembered as n" in done.stdout
    done = here.run("memories", "add", "My hives are in Ystad.", "--user-id", "eva", "--id", "y", "--supersedes", "n")
    assert "It replaces n" in done.stdout
    assert "replaced by: y" in here.run("memories", "show", "n").stdout
    assert "Malmö" not in here.run("recall", "where are the hives?", "--user-id", "eva").stdout


def test_an_edit_forgets_what_stood_there(here: Room) -> None:
    """The new text is shown with what left with the old one, which is found nowhere; nobody signs that."""
    here.run("memories", "add", "The gate code is quillfeather.", "--user-id", "edo", "--id", "gate")
    done = here.run("memories", "edit", "gate", "The gate code is changed weekly.")
    assert "changed weekly" in done.stdout
    assert "What it said before is forgotten, 0 statements of summaries with it." in done.stdout
    receipt = here.json("memories", "edit", "gate", "The gate code is changed daily.")["receipt"]
    assert (receipt["number"], receipt["signature"]) == (None, None)
    here.run("receipts", "show", receipt["id"], code=1)
    assert "Nothing found" in here.run("verify-forgotten", "quillfeather").stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add", "  ", "--user-id", "ida"), "precis: TEXT: the text is empty"),
        (("add", "I moved.", "--user-id", "ida", "--at", "yesterday"), "precis: --at: give a time with its zone"),
        (("add", "I moved.", "--user-id", "ida", "--at", "2025-02-30T10:00:00Z"), "precis: --at: there is no such day"),
        (("add", "I moved.", "--user-id", "a b"), "precis: --user-id: an id is 1 to 200 characters"),
        (("add", "I moved.", "--user-id", "ida", "--supersedes", "b\n"), "precis: --supersedes: an id is"),
        (("edit", "b1", "--event-date", "2025-13-01T10:00:00Z"), "precis: --event-date: there is no such month"),
        (("edit", "b\ud800", "I row."), "precis: MEMORY_ID: it holds"),
        (("edit", "b1", "x" * 100_000), "precis: TEXT: 100000 characters; the limit is"),
        (("edit", "b1", "  "), "precis: TEXT: the text is empty"),
        (("list", "--as-of", "2025-02-30"), "precis: as_of: there is no such day"),
        (("list", "--as-of", "today"), "precis: as_of: give a day (2024-05-09), or a time with its zone"),
        (("add", "I moved.", "--user-id", ""), "the id is empty"),
        (("edit", "b1"), "say what it says from now on"),
    ],
)
def test_a_wrong_call_says_what_to_do(here: Room, arguments: tuple[str, ...], says: str) -> None:
    """And writes nothing."""
    before = here.json("memories", "list")["memories"]
    done = here.run("memories", *arguments, code=2)
    assert says in " ".join((done.stdout + done.stderr).replace("│", " ").split())
    assert here.json("memories", "list")["memories"] == before


def test_a_memory_of_an_earlier_day_is_not_called_edited(here: Room) -> None:
    """It is said when it was said, and when it was written; what was written when it was said tells that once."""
    rows = [{"id": "old", "user_id": "ulf", "text": "I was in Riga.", "created_at": "2024-03-01T10:00:00Z"}]
    here.run("import", here.write("old.jsonl", rows))
    shown = here.run("memories", "show", "old").stdout
    assert "said: 2024-03-01" in shown
    assert re.search(r"written: 20\d\d-\d\d-\d\d", shown)
    assert "edited" not in shown
    assert "written" not in here.run("memories", "show", "b0").stdout


def test_nothing_has_that_name(here: Room) -> None:
    """The answer is no."""
    assert "there is no memory 'nope'" in one_line(here.run("memories", "show", "nope", code=1))


def test_a_table_in_a_pipe_ends_its_lines_without_blanks(here: Room) -> None:
    """Where nobody watches, what is not text is not written."""
    done = warm_precis("clusters", "list", "--data-dir", here.data_dir)
    assert " current" in done.stdout
    assert not [line for line in done.stdout.splitlines() if line.endswith(_BLANK)]


def test_an_id_that_is_read_as_words_is_told(here: Room) -> None:
    """Where it is of this user's memory, and its words mean nothing; where they mean something, that is shown."""
    texts = {"q-1": "I row on Mondays.", "q-2": "I swim daily.", "Wilmar": "I sold a sled.", "s": "Wilmar sings."}
    rows = [{"id": id_, "text": text, "user_id": "pia"} for id_, text in texts.items()]
    here.run("import", here.write("ids.jsonl", rows))
    for ids in (["q-1"], ["q-1", "q-2"]):
        line = one_line(here.run("forget", *ids, "--user-id", "pia", "--yes", code=1))
        assert f"`precis forget {' '.join(ids)}` forgets by id" in line
    assert "by id" not in here.run("forget", "q-1", "--user-id", "ida", code=1).stderr
    meant = here.json("forget", "Wilmar", "--user-id", "pia")["forget"]
    assert [row["id"] for row in meant] == ["s"]
    assert len(here.json("memories", "list", "--user-id", "pia")["memories"]) == 4
