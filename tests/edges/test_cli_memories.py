"""precis memories: one memory written, listed, shown and edited from the command line."""

from __future__ import annotations

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
    """The new text is shown with a receipt for the old one, which is found nowhere."""
    here.run("memories", "add", "The gate code is quillfeather.", "--user-id", "edo", "--id", "gate")
    done = here.run("memories", "edit", "gate", "The gate code is changed weekly.")
    assert "changed weekly" in done.stdout
    assert "Receipt " in done.stdout
    assert "Nothing found" in here.run("verify-forgotten", "quillfeather").stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add", "  ", "--user-id", "ida"), "the text is empty"),
        (("add", "I moved.", "--user-id", "ida", "--at", "yesterday"), "give a time with its zone"),
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


def test_nothing_has_that_name(here: Room) -> None:
    """The answer is no."""
    assert "there is no memory 'nope'" in one_line(here.run("memories", "show", "nope", code=1))


def test_a_table_in_a_pipe_ends_its_lines_without_blanks(here: Room) -> None:
    """Where nobody watches, what is not text is not written."""
    done = warm_precis("clusters", "list", "--data-dir", here.data_dir)
    assert " current" in done.stdout
    assert not [line for line in done.stdout.splitlines() if line.endswith(_BLANK)]
