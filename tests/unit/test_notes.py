"""Markdown notes: what dates them, and into which memories they fall."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from precis.app.redis.long_term import Recorded
from precis.ids import system_clock
from precis.memory import MemoryType
from precis.moving.arrivals import LeftOut, MoveOptions
from precis.moving.note_dates import When, declared, led, narrowed
from precis.moving.notes import Heading, Notes, blocks


def at(when: When) -> str | None:
    """As far as it is known."""
    moment = when.written()
    return moment.isoformat()[:16] if moment else None


def through(*texts: str) -> str | None:
    """The date that folders, file and headings give, from the outside in."""
    when = When()
    for text in texts:
        when = narrowed(when, text)
    return at(when)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["2023-11-04"], "2023-11-04T12:00"),
        (["2023_11_04"], "2023-11-04T12:00"),
        (["20231104"], "2023-11-04T12:00"),
        (["202311041530 call with Ada"], "2023-11-04T12:00"),
        (["2023.11.04 Saturday"], "2023-11-04T12:00"),
        (["Journal 2023 11 04"], "2023-11-04T12:00"),
        (["4 November 2023"], "2023-11-04T12:00"),
        (["Saturday, November 4th, 2023"], "2023-11-04T12:00"),
        (["Nov 4, 2023"], "2023-11-04T12:00"),
        (["04.11.2023"], "2023-11-04T12:00"),
        (["25/12/2023"], "2023-12-25T12:00"),
        (["12/25/2023"], "2023-12-25T12:00"),
        (["2023", "11", "04"], "2023-11-04T12:00"),
        (["2023", "11-November", "04 Saturday"], "2023-11-04T12:00"),
        (["2023", "2023-11", "2023-11-04"], "2023-11-04T12:00"),
        (["2023", "November", "4"], "2023-11-04T12:00"),
        (["2023", "4 November"], "2023-11-04T12:00"),
        (["November 2023", "4th"], "2023-11-04T12:00"),
        (["2023-W44", "Saturday"], "2023-11-04T12:00"),
        (["2023-W44"], "2023-10-30T12:00"),
        (["2023-11"], "2023-11-01T12:00"),
        (["2023-11", "3 things I learned"], "2023-11-01T12:00"),
        (["2023-11-04", "Plans for 12 December"], "2023-11-04T12:00"),
        (["2023-11-04", "What April said in 2019"], "2023-11-04T12:00"),
        (["2023-11-04", "5 November 2023"], "2023-11-05T12:00"),
        (["2023-11-04", "2019"], "2023-11-04T12:00"),
        (["11/04/2023"], None),
        (["2023-02-31"], None),
        (["recipes"], None),
        (["Chapter 12"], None),
        (["4711"], None),
    ],
)
def test_names_and_headings_give_dates(texts: list[str], expected: str | None) -> None:
    """The further in, the more exact; what may be two dates is none, and talk about a day does not date a note."""
    assert expected == through(*texts)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (datetime(2023, 11, 4, tzinfo=UTC).date(), "2023-11-04T12:00"),
        (datetime(2023, 11, 4, 8, 30, tzinfo=UTC), "2023-11-04T08:30"),
        (datetime(2023, 11, 4, 8, 30), "2023-11-04T08:30"),  # noqa: DTZ001 - as YAML reads it
        ("2023-11-04T08:30:00+02:00", "2023-11-04T06:30"),
        ("November 4, 2023", "2023-11-04T12:00"),
        ("[[2023-11-04]]", "2023-11-04T12:00"),
        ("soon", None),
        (None, None),
        (20231104, None),
        (["2023-11-04"], None),
    ],
)
def test_front_matter_gives_dates(value: Any, expected: str | None) -> None:
    """As YAML reads them, and as people write them."""
    assert expected == at(declared(value))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-11-07: sold the boat", "2023-11-07T12:00"),
        ("**7 November 2023** \u2013 sold the boat", "2023-11-07T12:00"),
        ("[2023-11-07] sold the boat", "2023-11-07T12:00"),
        ("7 November: sold the boat", "2023-11-07T12:00"),
        ("14:05 sold the boat", "2023-11-04T14:05"),
        ("2:05 pm sold the boat", "2023-11-04T14:05"),
        ("12:05 a.m. sold the boat", "2023-11-04T00:05"),
        ("25:05 is no time", "2023-11-04T12:00"),
        ("Sold it on 7 November 2023: at last", "2023-11-04T12:00"),
        ("In 2019: a good year", "2023-11-04T12:00"),
    ],
)
def test_a_date_or_time_before_the_words_counts(text: str, expected: str) -> None:
    """Within a note of 4 November 2023."""
    assert expected == at(led(narrowed(When(), "2023-11-04"), text))


def test_a_note_falls_into_paragraphs_and_items() -> None:
    """An item keeps what is indented under it, code stays whole, comments and rules go."""
    text = """Title
=====
One paragraph
over two lines.
<!-- not this -->
- an item
  - under it

  still of it
- [ ] a task
* * *
1. first
2) second
> quoted
> twice

Under
-----
```python
# no heading

- no item
```
### Last ###
| a | b |
|---|---|
- item

after it
"""
    assert [
        Heading(level=1, text="Title"),
        "One paragraph\nover two lines.",
        "an item\n  - under it\n\n  still of it",
        "[ ] a task",
        "first",
        "second\nquoted\ntwice",
        Heading(level=2, text="Under"),
        "```python\n# no heading\n\n- no item\n```",
        Heading(level=3, text="Last"),
        "| a | b |\n|---|---|",
        "item",
        "after it",
    ] == list(blocks(text))


@pytest.mark.asyncio
async def test_a_folder_of_notes_becomes_dated_memories(tmp_path: Path) -> None:
    """Dates, tags, tasks, headings; programs' own folders and other files are passed over."""
    for name, text in {
        "daily/2023-11-04.md": "# Saturday\n- [x] paid the mooring\n\n17:20 Met Ilse at the lock.\n\n![[boat.png]]\n",
        "Ideas.md": "---\ntags: [boats, 'sea, salt']\ncreated: 2022-05-06\n---\nBuild a dinghy.\n",
        "broken.md": "---\n: [\n---\nNo date at all.\n",
        ".obsidian/config.md": "Not a note.",
        "notes.txt": "Not Markdown.",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    (tmp_path / "latin.md").write_bytes(b"caf\xe9")
    os.utime(tmp_path / "broken.md", (1_600_000_000, 1_600_000_000))
    notes = Notes(str(tmp_path), MoveOptions(now=system_clock(), user_id="edda"))
    arrivals = [arrival async for arrival in notes.arrivals()]
    rows = {row.memory.text: row.memory for row in arrivals if isinstance(row, Recorded)}
    dates = {text: row.created_at.isoformat()[:16] for text, row in rows.items() if row.created_at}
    assert {
        "paid the mooring": "2023-11-04T12:00", "17:20 Met Ilse at the lock.": "2023-11-04T17:20",
        "Build a dinghy.": "2022-05-06T12:00", "No date at all.": "2020-09-13T12:26", "---\n: [": "2020-09-13T12:26",
    }.items() >= {text: date for text, date in dates.items() if "[" not in text}.items()  # fmt: skip
    assert ("done", "Saturday") == tuple(rows["paid the mooring"].metadata[name] for name in ("task", "heading"))
    assert ("boats", "sea, salt") == rows["Build a dinghy."].topics
    assert (MemoryType.EPISODIC, MemoryType.SEMANTIC) == (
        rows["Build a dinghy."].memory_type, rows["No date at all."].memory_type
    )  # fmt: skip
    assert {"daily/2023-11-04.md", "latin.md"} == {each.id for each in arrivals if isinstance(each, LeftOut)}
