"""precis rollups and precis zone, as people call them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from cli_room import Room, room

TEXTS = (
    "Mara chose pgvector for the search of the orchard catalog.",
    "The nursery in Lund delivers 40 pear trees on the 3rd of April.",
    "Tomas fixed the leaking pump in the north shed.",
)


def notes(user: str, day: str) -> list[dict[str, Any]]:
    """Three notes of a day."""
    return [
        {
            "id": f"{user}-{day}-{at}", "text": text, "user_id": user, "memory_type": "episodic",
            "created_at": f"{day}T0{at + 7}:00:00Z", "metadata": {"kind": "note"},
        }
        for at, text in enumerate(TEXTS)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def here() -> Iterator[Room]:
    """Mara's and Tomas's notes of two weeks of last year."""
    with room() as made:
        rows = [*notes("mara", "2025-03-04"), *notes("mara", "2025-03-12"), *notes("tomas", "2025-03-04")]
        made.run("import", made.write("notes.jsonl", rows))
        yield made


def test_a_week_is_made_and_listed(here: Room) -> None:
    """By a day of it; the second time it is current; in the words of the document as JSON."""
    made = here.json("rollups", "run", "mara", "weekly", "--day", "2025-03-04")
    assert made.pop("summaryId")
    assert {"period": "weekly", "notesConsolidated": 3, "status": "complete"} == made
    again = here.run("rollups", "run", "mara", "weekly", "--day", "2025-03-05").stdout
    assert again.startswith("unchanged: ")
    assert "3 notes" in again
    here.run("rollups", "run", "mara", "weekly", "--day", "2025-03-12")
    rows = here.json("rollups", "list", "weekly", "--user-id", "mara")
    assert ["2025-03-09", "2025-03-02"] == [row["startDate"] for row in rows]
    assert {text.replace("April.", "April (2025).") for text in TEXTS} == set(rows[0]["keyInsights"])
    shown = here.run("rollups", "list", "weekly", "--limit", "1")
    assert "2025-03-09 to 2025-03-15" in shown.stdout
    assert "--cursor" in shown.stdout


def test_days_that_keep_their_notes_are_named(here: Room) -> None:
    """Three short notes are not made shorter."""
    said = here.run("rollups", "run", "tomas", "daily").stdout
    assert "2025-03-04: its notes stay" in said
    assert TEXTS[0] in here.run("recall", "pgvector", "--user-id", "tomas").stdout


def test_nothing_noted_is_said(here: Room) -> None:
    """Of nobody, with what a note is; and an unknown period is refused."""
    answer = here.run("rollups", "run", "nobody", "monthly").stdout
    assert "Nothing was noted" in answer
    assert "memory_type episodic whose metadata.kind is note" in " ".join(answer.split())
    answer = here.run("rollups", "run", "nobody", "monthly", PRECIS_ROLLUPS_MESSAGES="true").stdout
    assert "beside notes, what users say in conversations is read" in " ".join(answer.split())
    assert "No summaries" in here.run("rollups", "list", "monthly", "--user-id", "nobody").stdout
    assert "yearly" in here.run("rollups", "list", "yearly", code=2).stderr


def test_zones_are_shown_set_and_unset(here: Room) -> None:
    """The tenant's and a user's; a wrong name is refused with what it was."""
    assert "UTC" in here.run("zone").stdout
    here.run("zone", "Europe/Berlin")
    said = here.run("zone", "Pacific/Auckland", "--user-id", "tomas")
    assert "notes moved" in said.stderr
    assert "Nothing else is held" not in said.stderr
    assert "Nothing else is held about user 'thomas' yet" in here.run("zone", "UTC", "--user-id", "thomas").stderr
    here.run("zone", "--unset", "--user-id", "thomas")
    assert "no zone is set for user 'thomas'" in here.run("zone", "--unset", "--user-id", "thomas", code=1).stderr
    here.run("zone", "UTC", "--user-id", "", code=2)
    assert {"": "Europe/Berlin", "tomas": "Pacific/Auckland"} == here.json("zone")
    assert {"tomas": "Pacific/Auckland"} == here.json("zone", "--unset")
    assert "Mars/Olympus" in here.run("zone", "Mars/Olympus", code=2).stderr
    here.run("zone", "UTC", "--unset", code=2)
