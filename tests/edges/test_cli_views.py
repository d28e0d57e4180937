"""precis views: declare, list, run, show and delete, over a database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from cli_room import Room, one_line, room
from typer.testing import CliRunner

from precis.cli import cli


@pytest.fixture(scope="module")
def here() -> Iterator[Room]:
    """Memories of two people, one of them in no namespace."""
    rows: list[Any] = [
        {"id": "a1", "text": "Ana drinks green tea.", "user_id": "ana", "namespace": "home", "topics": ["tea"]},
        {"id": "a2", "text": "Ana plays the cello.", "user_id": "ana", "namespace": "home"},
        {"id": "b1", "text": "Ben repairs bicycles.", "user_id": "ben", "namespace": "work"},
        {"id": "b2", "text": "Ben whistles.", "user_id": "ben"},
    ]
    with room() as made:
        made.json("import", made.write("notes.jsonl", rows))
        yield made


@pytest.mark.parametrize("verb", ["create", "list", "run", "show", "delete"])
def test_each_has_help_and_the_common_options(verb: str) -> None:
    """Sub-verbs explain themselves."""
    done = CliRunner().invoke(cli, ["views", verb, "--help"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    assert "--data-dir" in done.output
    assert "--tenant" in done.output


def test_a_view_from_its_declaration_to_its_end(here: Room) -> None:
    """Create, run, read, run again for nothing, delete."""
    view = here.json("views", "create", "--name", "places", "--group-by", "namespace")
    assert (view["name"], view["group_by"], view["continuous"]) == ("places", ["namespace"], False)
    task = here.json("views", "run", view["id"])
    assert (task["status"], task["done"], task["total"], task["ungrouped_count"]) == ("success", 2, 2, 1)
    shown = here.json("views", "show", view["id"], "--namespace", "home")
    assert shown["view"] == view
    assert [one["memory_count"] for one in shown["partitions"]] == [2]
    assert "cello" in shown["partitions"][0]["summary"]
    assert (shown["plan"]["partitions"], shown["plan"]["stale"]) == (2, 0)
    told = here.run("views", "run", view["id"])
    assert "0 groups looked at" in told.stdout
    assert "1 memory in no group" in told.stderr
    assert "places" in here.run("views", "list").stdout
    assert "2 of 2 memories, current" in here.run("views", "show", view["id"]).stdout
    assert "is gone" in here.run("views", "delete", view["id"]).stderr
    assert here.json("views", "list") == {"views": []}


def test_filters_are_values_or_json(here: Room) -> None:
    """A word as it stands, operators as JSON."""
    view = here.json("views", "create", "--filter", "user_id=ana", "--filter", 'topics={"any": ["TEA"]}')
    assert view["filters"] == {"user_id": "ana", "topics": {"any": ["TEA"]}}
    here.run("views", "run", view["id"])
    (result,) = here.json("views", "show", view["id"])["partitions"]
    assert (result["group"], result["source_ids"]) == ({}, ["a1"])


def test_what_makes_no_sense_is_one_line(here: Room) -> None:
    """And an exit code."""
    assert "Unsupported group_by fields: color" in one_line(here.run("views", "create", "--group-by", "color", code=2))
    assert "not found" in one_line(here.run("views", "run", "unknown", code=1))
    assert "say what it is over" in here.run("views", "create", code=2).stderr
    assert "KEY=VALUE" in here.run("views", "create", "--filter", "tea", code=2).stderr
    assert "not JSON" in here.run("views", "create", "--filter", "topics=[tea", code=2).stderr
