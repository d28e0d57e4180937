"""Every table of every verb fits the terminal, and no word or figure in it is broken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from cli_room import Room, environment, room

from warm import run_warm

WIDTHS = (400, 80, 60)
#: Prints what each verb prints at each width, as one JSON document.
PRINT = """
import json, sys
from precis.cli import cli
from precis.cli.printing import output

verbs, widths, folder = json.loads(sys.argv[1])
printed = {}
for verb in verbs:
    for width in widths:
        output.width = width
        with output.capture() as captured:
            cli([*verb, "--data-dir", folder], standalone_mode=False)
        printed[f"{' '.join(verb)} {width}"] = captured.get()
print(json.dumps(printed))
"""
TABLES = [
    ["plan", "--all"],
    ["jobs", "list"],
    ["costs"],
    ["keys", "list"],
    ["keys", "tenants"],
    ["clusters", "stats"],
    ["clusters", "retune", "--distance", "0.6"],
    ["archive", "--dry-run"],
    ["zone"],
    ["summaries", "list"],
    ["views", "list"],
    ["verify-forgotten", "zanzibarium"],
]


@pytest.fixture(scope="module")
def filled() -> Iterator[Room]:
    """Long names of users, subjects and views, and something for every table."""
    with room() as place:
        rows = [
            {"id": f"{user}-{n}", "user_id": user, "type": "preference", "key": "instrument maintenance",
             "created_at": f"2025-0{1 + n}-03T10:00:00Z", "text": f"The harpsichord of {user} is tuned on day {n}."}
            for user in ("bartholomew.fitzgerald@example.com", "wu") for n in range(5)
        ]  # fmt: skip
        place.run("import", place.write("rows.jsonl", rows))
        late = [row | {"id": f"{row['id']}-late", "text": f"{row['text']} Again."} for row in rows[:2]]
        place.run("import", place.write("late.jsonl", late), PRECIS_REFRESH_AFTER="9")
        place.run(
            "views", "create", "--group-by", "user_id", "--name", "harpsichord-maintenance-overview", "--continuous"
        )
        place.run("keys", "create", "--name", "continuous-integration-of-the-workshop")
        place.run("zone", "America/Argentina/ComodRivadavia", "--user-id", "bartholomew.fitzgerald@example.com")
        yield place


def test_no_table_breaks_a_word(filled: Room) -> None:
    """Whatever is one word on a wide terminal is one on a narrow one, where it fits at all; and no line is too long."""
    asked = json.dumps([TABLES, WIDTHS, str(filled.data_dir)])
    done = run_warm([asked], program=PRINT, env=environment(), timeout=300)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    for verb in TABLES:
        name = " ".join(verb)
        for width in WIDTHS[1:]:
            narrow = printed[f"{name} {width}"]
            words = _words(narrow)
            complete = {word for word in _words(printed[f"{name} {WIDTHS[0]}"]) if len(word) <= width}
            assert complete - words == set(), (name, width, narrow)
            table = [line for line in narrow.splitlines() if not line.endswith(".")]
            assert max(map(len, table), default=0) <= max(width, 1), (name, width, narrow)


def _words(table: str) -> set[str]:
    """What stands between blanks, every digit as 0: the database has a file more or less at each look."""
    return {re.sub(r"\d", "0", word).rstrip(":") for word in table.split()}
