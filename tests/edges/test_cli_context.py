"""precis context, precis recall --fold and precis embeddings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cli_room import Room, room


@pytest.fixture(scope="module")
def filled() -> Iterator[Room]:
    """A room with a few memories of Ana and their summary."""
    texts = ("I switched to oat milk in my coffee.", "My coffee is a flat white.", "No coffee after noon for me.")
    with room() as made:
        rows = [
            {"id": f"c{at}", "text": text, "user_id": "ana", "type": "preference", "key": "coffee"}
            for at, text in enumerate(texts)
        ]
        made.run("import", made.write("rows.jsonl", rows))
        yield made


def test_a_context_on_stdout_and_its_sources_beside_it(filled: Room) -> None:
    """The text alone can be piped on."""
    done = filled.run("context", "Which coffee does Ana like?", "--user-id", "ana", "--token-budget", "200")
    assert "coffee" in done.stdout
    assert "[1] " in done.stdout
    assert "of 200 tokens" in done.stderr
    made = filled.json("context", "Which coffee does Ana like?", "--user-id", "ana")
    assert {"c0", "c1", "c2"} == {id_ for line in made["lines"] for id_ in line["source_ids"]}
    assert made["token_budget"] == 1000


def test_a_part_without_a_share_is_not_there(filled: Room) -> None:
    """By its name; a name that is none is refused with those that are."""
    made = filled.json("context", "Which coffee?", "--user-id", "ana", "--quota", "summaries=0")
    assert {line["section"] for line in made["lines"]} == {"memories"}
    wrong = filled.run("context", "tea", "--quota", "year=0.5", code=2)
    assert "month" in wrong.stderr


def test_nothing_matches(filled: Room) -> None:
    """And it says so."""
    assert filled.run("context", "coffee", "--user-id", "nobody").stdout == "Nothing here matches.\n"


def test_what_is_hardly_relevant_is_said_to_be_unsure(filled: Room) -> None:
    """In the words of recall and context, and as JSON."""
    query = "Which opera does the mayor prefer?"
    assert filled.run("recall", query, "--user-id", "ana").stdout.startswith("Nothing surely relevant; the closest:\n")
    context = filled.run("context", query, "--user-id", "ana", "--min-relevance", "0").stdout
    assert context.startswith("Nothing surely relevant; the closest:\n")
    for verb in ("recall", "context"):
        assert filled.json(verb, query, "--user-id", "ana")["unsure"] is True
        assert filled.json(verb, "Which coffee does Ana like?", "--user-id", "ana")["unsure"] is False


def test_every_part_that_counts_is_explained(filled: Room) -> None:
    """With the names of the parts; folded rows stand under theirs."""
    done = filled.run("recall", "Which coffee?", "--user-id", "ana", "--explain", "--fold")
    assert "keywords" in done.stdout
    assert "recency" in done.stdout
    assert "vector" in done.stdout


def test_the_state_of_the_vectors(filled: Room) -> None:
    """How many are of the embedder in use; renewing them again does nothing."""
    found = filled.json("embeddings", "status")
    assert (found["outdated"], found["large_scopes"]) == (0, [])
    assert found["current"] >= 3
    assert filled.json("embeddings", "renew") == {name: found[name] for name in ("version", "current", "outdated")}


def test_an_index_of_a_user_is_made_and_dropped(filled: Room) -> None:
    """Without saying whose, what is wanted is made and what is not is dropped."""
    made = filled.run("embeddings", "index", "--user-id", "ana").stdout
    assert made == "there is now an index of default: user ana\n"
    dropped = filled.run("embeddings", "index", "--user-id", "ana", "--drop").stdout
    assert dropped == "dropped the index of default: user ana\n"
    filled.run("embeddings", "index", "--user-id", "ana")
    assert filled.run("embeddings", "index").stdout == dropped  # ana is not large
    assert filled.run("embeddings", "index").stdout == "every large user has an index, and nobody else\n"
    filled.run("embeddings", "index", "--drop", code=2)
    filled.run("embeddings", "index", "--whole-tenant", "--user-id", "ana", code=2)
