"""How often verbs wait for the database, and how many statements they ask."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from precis.app import App
from precis.database.sending import Answer, Connection, Statement
from precis.errors import Conflict
from precis.keys.cipher import TenantKeys
from precis.language.words import index_terms

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOTES = (
    "The kiln in the shed reaches 1200 degrees.", "Ida glazed six bowls in the kiln.", "The kiln needs a new door.",
    "Ida sold the bowls for 90 euros.", "The kiln was moved behind the shed.",
)  # fmt: skip


@contextmanager
def turns(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Sequence[Statement]]]:
    """The statements of each turn of the block; they run as ever."""
    sent: list[Sequence[Statement]] = []
    send = Connection.send

    async def watched(connection: Any, statements: Sequence[Statement]) -> list[Answer]:
        sent.append(statements)
        return await send(connection, statements)

    with monkeypatch.context() as patch:
        patch.setattr(Connection, "send", watched)
        yield sent


async def test_a_recall_reads_zones_with_its_rows(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the size of a scope is known, it waits three times at most; a context reads each thing in one turn."""
    await app.memories.add([{"text": text, "user_id": "ida", "key": "kiln", "type": "fact"} for text in NOTES])
    question = "What did Ida do with the kiln?"
    await app.recall.search(question, user_id="ida")
    with turns(monkeypatch) as sent:
        results = await app.recall.search(question, user_id="ida")
    assert results
    assert len(sent) <= 4
    with turns(monkeypatch) as sent:
        context = await app.context.assemble(question, token_budget=400, user_id="ida")
    assert context.text
    assert len(sent) <= 20


async def test_the_statements_of_a_summary_are_written_by_two(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever their number: each with its place, its sources in order, and what it was displaced by."""
    with turns(monkeypatch) as sent:
        await app.memories.add([{"text": text, "user_id": "ida", "key": "kiln", "type": "fact"} for text in NOTES])
    writing = [
        str(statement.text) for turn in sent for statement in turn if "INSERT INTO statement" in str(statement.text)
    ]
    (summary,) = (await app.summaries.list(user_id="ida")).rows
    assert len(summary.statements) > 2
    assert len(writing) == 2
    assert all(statement.source_ids for statement in summary.statements)


@pytest.mark.parametrize("users", [1, 3])
async def test_summaries_are_listed_in_few_turns(app: App, monkeypatch: pytest.MonkeyPatch, users: int) -> None:
    """Their ids, what they are and say, the keys of all their users, and the end: whoever they are of."""
    for number in range(users):
        user = f"ida{number}"
        await app.memories.add([{"text": text, "user_id": user, "key": "kiln", "type": "fact"} for text in NOTES])
    with turns(monkeypatch) as sent:
        page = await app.summaries.list(limit=10)
    assert len(page.rows) == users
    assert all(summary.statements for summary in page.rows)
    assert len(sent) <= 4
    keys = [statement for turn in sent for statement in turn if str(statement.text).endswith("/* user_keys */")]
    assert len(keys) == 1


@pytest.mark.parametrize("number", [3, 40])
async def test_a_preview_is_noted_by_two_statements(app: App, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Whatever the number of memories that it shows; what it notes of each is what it was."""
    rows = [{"text": f"The kiln takes {40 + at} bowls. Ida paints.", "user_id": "ida"} for at in range(number)]
    await app.memories.add(rows, summarize="deferred")
    with turns(monkeypatch) as sent:
        preview = await app.memories.find_to_forget("everything about the kiln", user_id="ida")
    assert len(preview.forget) == number
    noting = [str(each.text) for turn in sent for each in turn if "INSERT INTO forget_preview" in str(each.text)]
    assert len(noting) == 2
    confirmed = await app.memories.forget_preview(preview.preview_id, user_id="ida")
    assert len(confirmed.edited) == number
    left = (await app.memories.list(user_id="ida", limit=100)).rows
    assert [row.text for row in left] == ["Ida paints."] * number


@pytest.mark.parametrize("number", [2, 30])
async def test_memories_of_which_a_part_went_are_sent_again_at_once(
    app: App, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Whatever their number, one statement asks whose texts were cut: nothing comes back, another text is refused."""
    rows = [{"id": f"k{at}", "text": f"The kiln takes {40 + at} bowls. Ida paints."} for at in range(number)]
    rows = [row | {"user_id": "ida"} for row in rows]
    await app.memories.add(rows, summarize="deferred")
    preview = await app.memories.find_to_forget("everything about the kiln", user_id="ida")
    assert len((await app.memories.forget_preview(preview)).edited) == number
    with turns(monkeypatch) as sent:
        added = await app.memories.add([*rows, {"id": "new", "text": "Ida sings.", "user_id": "ida"}])
    assert [row.created for row in added.memories] == [False] * number + [True]
    asking = [each for turn in sent for each in turn if str(each.text).endswith("/* tombstoned */")]
    assert len(asking) == 2, "of ids, as every write asks, and of texts"
    left = (await app.memories.list(user_id="ida", is_summary=False, limit=100)).rows
    assert sorted(row.text or "" for row in left) == ["Ida paints."] * number + ["Ida sings."]
    with pytest.raises(Conflict, match="exists with other content"):
        await app.memories.add([*rows[:-1], rows[-1] | {"text": "The kiln takes 7 bowls. Ida paints."}])
    # Who means to write it anew says so by an edit: "revive" is of an id that was forgotten whole.
    with pytest.raises(Conflict, match="exists with other content"):
        await app.memories.add([rows[0] | {"revive": True}])


async def test_the_words_of_a_statement_are_hashed_once(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its node and its history store the same of it."""
    await app.memories.add([{"text": text, "user_id": "ida", "key": "kiln", "type": "fact"} for text in NOTES])
    (summary,) = (await app.summaries.list(user_id="ida")).rows
    hashed: list[list[str]] = []
    terms = TenantKeys.terms

    def counted(keys: TenantKeys, words: Iterable[str]) -> list[int]:
        hashed.append(list(words))
        return terms(keys, hashed[-1])

    monkeypatch.setattr(TenantKeys, "terms", counted)
    await app.summaries.refresh(summary.id, force=True)
    again = await app.summaries.get(summary.id)
    assert len(again.statements) > 2
    assert [1] * len(again.statements) == [hashed.count(index_terms(each.text)) for each in again.statements]
    refreshes = (await app.summaries.history(summary.id)).refreshes
    assert len(refreshes) == 2
