"""What the doors of agent frameworks ask of one person's memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from precis.agents.person import Person, clean, message
from precis.app import App, app_over
from precis.app.messages import MessageInput
from precis.errors import Forgotten, NotFound

pytestmark = pytest.mark.asyncio(loop_scope="session")
WORDS = ("The ferry leaves at six.", "yes", "The bakery closes at two.", "yes", "The smithy is for sale.")


@pytest_asyncio.fixture(loop_scope="session")
async def person(app: App) -> Person:
    """Imke, whose messages are found again."""
    settings = app.parts.settings.model_copy(update={"conversations_in_recall": True})
    return Person(app_over(replace(app.parts, settings=settings)), "imke")


def said(words: Sequence[str]) -> list[MessageInput]:
    """Messages without ids."""
    return [message("user", text) for text in words]


async def kept(person: Person) -> list[str]:
    """All that is stored, oldest first."""
    return [row.text or "" for row in reversed(await person.rows(turns=True))]


async def test_windows_of_a_conversation_store_each_message_once(person: Person) -> None:
    """Its end, its beginning, all of it, or what a framework makes of it; equal ones of one window are kept apart."""
    for window in (WORDS[:2], WORDS[1:4], WORDS, WORDS[-2:], WORDS[:1], [WORDS[0], WORDS[4]], WORDS):
        ids = await person.hear("talk", said(window))
        rows = {row.id: row.text for row in await person.own(ids)}
        assert [rows[id_] for id_ in ids] == list(window)
    assert sorted(WORDS) == sorted(await kept(person))
    assert await person.hear("talk", []) == []


async def test_few_words_are_said_again_behind_the_end(person: Person) -> None:
    """Where a window goes on with what is stored; handed in a second time it is known."""
    spoken: list[str] = []
    for number in range(8):
        spoken += [f"The raft passes lock number {number} at noon.", "yes", "fine"][: 3 - number % 2]
        for _ in range(2):
            await person.hear("talk", said(spoken[-5:]))
    assert spoken == await kept(person)


async def test_what_was_forgotten_of_a_conversation_stays_forgotten_in_it(person: Person) -> None:
    """Whatever is handed in again with it is stored; and what somebody says elsewhere is said anew."""
    ids = await person.hear("talk", said(WORDS))
    await person.forget([ids[0], ids[2]])
    await person.hear("talk", said([*WORDS, "The mill has burned down."]))
    assert sorted([WORDS[1], WORDS[3], WORDS[4], "The mill has burned down."]) == sorted(await kept(person))
    assert await person.hear("talk", said(WORDS[:1])) == []
    await person.hear("another", said(WORDS[:1]))
    assert WORDS[0] in await kept(person)


async def test_what_was_corrected_stays_corrected(person: Person) -> None:
    """A framework that hands in the old words does not bring them back, and is not stopped by them."""
    ids = await person.hear("talk", said(WORDS))
    await person.edit(ids[0], {"text": "The ferry leaves at seven."})
    await person.hear("talk", said([*WORDS, "The mill has burned down."]))
    assert sorted(["The ferry leaves at seven.", *WORDS[1:], "The mill has burned down."]) == sorted(await kept(person))


async def test_two_may_say_the_same(person: Person) -> None:
    """Each of them has said it."""
    for name in ("cook", "clerk"):
        await person.hear("talk", [message("assistant", "Done.", name=name)])
    assert await kept(person) == ["Done.", "Done."]


async def test_a_refusal_names_all_that_was_forgotten(app: App) -> None:
    """So that who writes many rows need not ask for each."""
    rows = [{"id": f"row-{n}", "text": text, "user_id": "imke"} for n, text in enumerate(WORDS)]
    await app.memories.add(rows)
    await app.memories.forget(["row-1", "row-3"])
    with pytest.raises(Forgotten, match="'row-1', 'row-3' were forgotten; leave them out") as refusal:
        await app.memories.add(rows)
    assert sorted(refusal.value.ids) == ["row-1", "row-3"]


async def test_a_fact_is_stored_once_and_may_be_told_again(person: Person) -> None:
    """Whatever its labels; after it was forgotten, too, for who says it means it."""
    first = await person.remember("The ferry leaves at six.", importance=0.9)
    later = datetime.now(UTC) - timedelta(days=3)
    assert first == await person.remember("The ferry leaves at six.", event_date=later, topics=("ferry",))
    assert await person.forget([first]) == 1
    assert first == await person.remember("The ferry leaves at six.")
    assert await kept(person) == ["The ferry leaves at six."]


async def test_a_context_leaves_out_what_its_reader_has(person: Person) -> None:
    """By the ids of the memories."""
    ids = [await person.remember(text) for text in ("The ferry leaves at six.", "The ferry leaves from pier nine.")]
    context = await person.context("When does the ferry leave, and from which pier?")
    assert "six" in context
    assert "pier nine" in context
    context = await person.context("When does the ferry leave, and from which pier?", known=ids[:1])
    assert "six" not in context
    assert "pier nine" in context
    assert await person.context("When does the ferry leave?", known=ids) == await person.context(" ") == ""
    assert await person.recall("") == []


async def test_a_project_is_apart(app: App, person: Person) -> None:
    """Who asks within one finds what was written within it; who names none finds all."""
    market, library = (Person(app, "imke", project_id=name) for name in ("market", "library"))
    theirs = await market.remember("The ferry leaves at six.")
    assert theirs != await library.remember("The ferry leaves at six.")
    assert len(await market.recall("When does the ferry leave?")) == 1
    assert len(await person.recall("When does the ferry leave?")) == 2
    with pytest.raises(NotFound, match="of this user"):
        await library.forget([theirs])
    await market.forget_all()
    await market.forget_all()
    assert (len(await market.rows()), len(await person.rows())) == (0, 1)


async def test_a_text_is_made_one_that_can_be_stored() -> None:
    """What no text holds is marked; all else stays as it is."""
    assert clean("a\0b\ud83dc \U0001f600") == "a\ufffdb?c \U0001f600"
    assert message("user", "Hello", name="user").name is None
