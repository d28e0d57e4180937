"""What chat clients send again without ids, over REST: answers made anew, edits, ends of the talk, other spaces."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from precis.bootstrap import Runtime
from precis.keys.vault import Vault
from precis.store.rows import text_hash

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
#: The lists that a client sends, and what was said by then: each message once.
Client = Iterator[tuple[list[Body], list[Body]]]
TURNS = 12
ROOMS = "Küche Bad Flur Diele Keller Erker Söller Giebel Stube Kammer Laube Tenne".split()


def asks(number: int, **fields: Any) -> Body:
    """A question."""
    return {"role": "user", "content": f"Wie viel Farbe braucht Raum {number}, {ROOMS[number]}?", **fields}


def answers(number: int, how: str = "", **fields: Any) -> Body:
    """The answer."""
    text = f"{how}Für {ROOMS[number]} reichen {number * 3 + 2} Liter, zweimal gestrichen."
    return {"role": "assistant", "content": text, **fields}


def talking(*lists: list[Body]) -> Iterator[int]:
    """A question and its answer join each of these at a time; which it was."""
    for number in range(TURNS):
        exchange = [asks(number), answers(number)]
        for messages in lists:
            messages.extend(exchange)
        yield number


def with_answers_made_anew() -> Client:
    """At every fourth turn another answer takes the place of the last one."""
    told: list[Body] = []
    said: list[Body] = []
    for number in talking(told, said):
        yield told, said
        if number % 4 == 3:
            told[-1] = answers(number, "Anders gerechnet: ")
            said.append(told[-1])
            yield told, said


def with_an_earlier_question_edited() -> Client:
    """What stood behind it is gone from the list."""
    told: list[Body] = []
    said: list[Body] = []
    for number in talking(told, said):
        yield told, said
        if number == 8:
            told[12:] = [{"role": "user", "content": "Und wenn Raum 6 nur halb gestrichen wird?"}, answers(6, "Halb: ")]
            said += told[-2:]
            yield told, said


def with_the_last_question_edited() -> Client:
    """It is asked otherwise."""
    told: list[Body] = []
    said: list[Body] = []
    for number in talking(told, said):
        yield told, said
        if number in (3, 7):
            told[-2:] = [asks(number) | {"content": f"Reicht die alte Farbe ({number})?"}, answers(number, "Ja. ")]
            said += told[-2:]
            yield told, said


def with_only_the_end(last: int) -> Callable[[], Client]:
    """So many of the last messages, behind a prompt of the hour."""

    def client() -> Client:
        told: list[Body] = []
        for number in range(TURNS):
            told += [asks(number) if number % 3 else {"role": "user", "content": "Ja."}, answers(number)]
            yield [{"role": "system", "content": f"Es ist {number} Uhr."}, *told[-last:]], told

    return client


def with_the_end_of_a_talk_with_tools() -> Client:
    """Two calls a turn, answered out of order, one of them in vain."""
    told: list[Body] = []
    for number in range(TURNS):
        calls = [
            {"id": f"k{number}{name}", "type": "function", "function": {"name": name, "arguments": f"[{number}]"}}
            for name in ("measure_the_walls", "ask_for_the_price")
        ]
        told += [
            asks(number), {"role": "assistant", "content": "", "tool_calls": calls},
            {"role": "tool", "tool_call_id": calls[1]["id"], "content": "Error: timeout"},
            {"role": "tool", "tool_call_id": calls[0]["id"], "content": "31.5"}, answers(number),
        ]  # fmt: skip
        yield told[-11:], told


def with_question_and_answer_apart() -> Client:
    """A post for the question, perhaps another one since nobody answered, and one for the answer."""
    told: list[Body] = []
    for number in range(TURNS):
        told.append(asks(number))
        yield told, told
        if number in (2, 5):
            yield told, told
        told.append(answers(number))
        yield told, told


def with_all_of_it_posted_twice() -> Client:
    """Since nobody said that the first had arrived."""
    told: list[Body] = []
    for number in talking(told):
        yield told, told
        if number > 1:
            yield told, told


def with_a_summary_of_its_own() -> Client:
    """In the place of the older half."""
    told: list[Body] = []
    said: list[Body] = []
    for number in talking(told, said):
        yield told, said
        if number == 7:
            told[:10] = [{"role": "user", "content": "Bisher: Wände gemessen, Farbe bestellt."}]
            said.append(told[0])


def rewritten(change: Callable[[str], str]) -> Callable[[], Client]:
    """At every other turn the same words in other bytes."""

    def client() -> Client:
        told: list[Body] = []
        for number in range(TURNS):
            told += [asks(number), answers(number, "Gern.\nAlso:\n")]
            yield [row | {"content": change(row["content"])} for row in told] if number % 2 else told, told

    return client


def with_ids_at_times() -> Client:
    """It begins to write ids, and leaves off."""
    told: list[Body] = []
    for number in range(TURNS):
        told += [asks(number, id=f"f{number}"), answers(number, id=f"a{number}")]
        keeps = not 4 <= number < 8
        yield told if keeps else [{"role": row["role"], "content": row["content"]} for row in told], told


CLIENTS = {
    "answers made anew": with_answers_made_anew,
    "an earlier question edited": with_an_earlier_question_edited,
    "the last question edited": with_the_last_question_edited,
    "the last ten": with_only_the_end(10),
    "the last five": with_only_the_end(5),
    "tools": with_the_end_of_a_talk_with_tools,
    "question and answer apart": with_question_and_answer_apart,
    "posted twice": with_all_of_it_posted_twice,
    "a summary of its own": with_a_summary_of_its_own,
    "other letters": rewritten(lambda text: unicodedata.normalize("NFD", text)),
    "other ends of lines": rewritten(lambda text: text.replace("\n", " \r\n") + "\n"),
    "ids at times": with_ids_at_times,
}


async def turn(api: httpx.AsyncClient, messages: list[Body]) -> Body:
    """Write one turn."""
    body = {"user_id": "imke", "messages": messages}
    answer = await api.post("/v1/conversations/haus/turns", json=body)
    assert answer.status_code == 201, answer.text
    written: Body = answer.json()
    return written


async def stored(api: httpx.AsyncClient) -> list[Body]:
    """What of the talk is stored."""
    answer = await api.get("/v1/conversations/haus/messages", params={"user_id": "imke", "limit": 1000})
    return [row for row in answer.json()["messages"] if row["message"]["role"] != "system"]


def told_by(rows: list[Body]) -> list[str]:
    """Who says what, whatever the order: what a client says anew comes behind what was said in its place."""
    words = (f"{row['role']}: {unicodedata.normalize('NFC', str(row['content']))}" for row in rows)
    return sorted(" ".join(line.split()) for line in words)


@pytest.mark.parametrize("sending", CLIENTS.values(), ids=CLIENTS)
async def test_each_message_is_stored_once(api: httpx.AsyncClient, sending: Callable[[], Client]) -> None:
    """Whatever is sent again."""
    said: list[Body] = []
    for messages, said in sending():  # noqa: B007 - the last is looked at
        await turn(api, messages)
    assert told_by([row["message"] for row in await stored(api)]) == told_by(said)


FORGETFUL = [name for name in CLIENTS if name not in ("tools", "posted twice", "the last five")]


@pytest.mark.parametrize("name", FORGETFUL)
async def test_what_was_forgotten_stays_out(api: httpx.AsyncClient, name: str) -> None:
    """In the middle of the talk, and of each list that goes on with it."""
    gone, said = asks(4)["content"], list[Body]()
    is_gone = False
    for messages, said in CLIENTS[name]():  # noqa: B007 - the last is looked at
        await turn(api, messages)
        if not is_gone and any(row["content"] == asks(5)["content"] for row in messages):
            ids = [row["memory_id"] for row in await stored(api) if row["message"]["content"] == gone]
            is_gone = len((await api.post("/v1/forget", json={"ids": ids})).json()["forgotten"]) == 1
    assert is_gone
    left = [row for row in said if row["content"] != gone]
    assert told_by([row["message"] for row in await stored(api)]) == told_by(left)


async def test_two_posts_at_once(api: httpx.AsyncClient) -> None:
    """Both of the same history: what is new in it is written by one of them."""
    told: list[Body] = []
    for number in range(6):
        told += [asks(number), answers(number)]
        await asyncio.gather(*(turn(api, told) for _ in range(3 if number > 1 else 1)))
    assert told_by([row["message"] for row in await stored(api)]) == told_by(told)


DAILY = [
    {"role": "assistant", "content": "Hast du heute Nacht gut geschlafen?"},
    {"role": "user", "content": "Ich habe sieben Stunden geschlafen."},
    {"role": "assistant", "content": "Und hast du die Tabletten genommen?"},
    {"role": "user", "content": "Ja, alle drei nach dem Frühstück."},
]


async def test_what_is_said_each_day_is_said_each_day(api: httpx.AsyncClient) -> None:
    """In the same words, and with more behind it."""
    said: list[Body] = []
    for day in range(1, 8):
        more = [{"role": "user", "content": f"Das Knie tut weh, am Tag {day}."}] if day % 2 else []
        said += [row | {"created_at": f"2026-03-0{day}T08:00:0{at}Z"} for at, row in enumerate([*DAILY, *more])]
        await turn(api, said[-4 - len(more) :])
    assert told_by([row["message"] for row in await stored(api)]) == told_by(said)


async def test_an_id_with_its_words_written_otherwise(api: httpx.AsyncClient) -> None:
    """Another end of a line, or another name of who speaks, is no other message."""
    first = {"id": "z1", "role": "user", "content": "Wände: 31 m²\nDecke: 12 m²", "name": "Imke"}
    await turn(api, [first])
    await turn(api, [first | {"content": "Wände: 31 m²\r\nDecke: 12 m² ", "name": "Imke Sörensen"}, asks(1)])
    assert told_by([row["message"] for row in await stored(api)]) == told_by([first, asks(1)])


async def test_an_answer_of_which_no_word_came(api: httpx.AsyncClient) -> None:
    """It stops nothing, though it stays in the list; what else is forgotten is named by its place there."""
    told = [
        asks(0),
        {"role": "assistant", "content": ""},
        asks(1),
        answers(1),
        asks(2),
        {"role": "assistant", "content": None},
    ]
    await turn(api, told[:5])
    left = [told[0], told[2], told[3], told[4]]
    assert told_by([row["message"] for row in await stored(api)]) == told_by(left)
    await api.post("/v1/forget", json={"ids": [(await stored(api))[1]["memory_id"]]})
    assert (await turn(api, [*told, asks(3)]))["forgotten"] == ["messages.2"]
    assert told_by([row["message"] for row in await stored(api)]) == told_by([told[0], told[3], told[4], asks(3)])


async def test_what_was_stored_to_the_byte(api: httpx.AsyncClient, runtime: Runtime, tenant: str) -> None:
    """As 0.1 did: it is known in these bytes."""
    first = [asks(1) | {"content": "Wände: 31 m²\r\nDecke: 12 m², zweimal "}, answers(1)]
    written = (await turn(api, first))["messages"]
    mark = text_hash(first[0]["content"], Vault(runtime.store.tenants.keyring).keys(tenant), exact=True)
    async with runtime.database.tenant(tenant) as connection:
        query = "UPDATE memories SET text_hash = %s WHERE memory_id = %s"
        await connection.execute(query, [mark, written[0]["memory_id"]])
    await turn(api, [*first, asks(2)])
    assert told_by([row["message"] for row in await stored(api)]) == told_by([*first, asks(2)])


async def test_a_tool_that_answers_nothing(api: httpx.AsyncClient) -> None:
    """Its call is answered, and goes on with the talk."""
    call = {"id": "k1", "type": "function", "function": {"name": "mix", "arguments": "{}"}}
    told = [
        asks(0), {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "k1", "content": ""}, answers(0),
    ]  # fmt: skip
    await turn(api, told)
    await turn(api, [*told, asks(1)])
    rows = [row["message"] for row in await stored(api)]
    assert [row["role"] for row in rows] == ["user", "assistant", "tool", "assistant", "user"]
    assert rows[2]["tool_call_id"] == "k1"
