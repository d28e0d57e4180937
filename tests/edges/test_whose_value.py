"""Whose value an answer tells first, and what a context does with a question that was asked before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from precis.app import App
from precis.recall.question import read_question
from precis.recall.speakers import not_looked_for

BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)


async def add(app: App, *texts: str, user: str, **fields: Any) -> None:
    """A note a day."""
    rows = [
        {"text": text, "user_id": user, "created_at": BEGAN + timedelta(days=at), **fields}
        for at, text in enumerate(texts)
    ]
    await app.memories.add(rows, summarize="deferred")


async def test_the_value_of_whom_is_asked_comes_first(app: App) -> None:
    """Not that of a sister, nor that of somebody else; a context with room for one note has that one."""
    notes = ("Tom drives a Skoda.", "I drive a Fiat.", "Hanne's sister Pia drives a Volvo.")
    await add(app, *notes, user="hanne")
    results = await app.recall.search("What car does Hanne drive?", user_id="hanne")
    assert results[0].memory.text == notes[1]
    context = await app.context.assemble("What car does Hanne drive?", user_id="hanne", token_budget=50)
    assert notes[1] in context.text


NOTES = {
    "The user": (
        "Does {} have a boat?", "{} moved to Leeds.", "{} quit the choir.",
        "{} bought a new boat.", "{} plays chess.",
    ),
    "Der Nutzer": (
        "Hat {} ein Boot?", "{} ist nach Kiel gezogen.", "{} hat den Chor aufgegeben.",
        "{} kaufte ein Boot.", "{} spielt Schach.",
    ),
    "El usuario": (
        "¿Tiene {} un barco?", "{} se mudó a Jaén.", "{} dejó el coro.",
        "{} compró un barco.", "{} juega al ajedrez.",
    ),
    "L'utilisateur": (
        "Est-ce que {} a un bateau ?", "{} a déménagé.", "{} a quitté la chorale.",
        "{} a acheté un bateau.", "{} joue aux échecs.",
    ),
    "O usuário": (
        "{} tem um barco?", "{} mudou para o Porto.", "{} deixou o coro.",
        "{} comprou um barco.", "{} joga xadrez.",
    ),
    "Kullanıcı": (
        "{} tekne aldı mı?", "{} Bursa'ya taşındı.", "{} koroyu bıraktı.",
        "{} bir tekne aldı.", "{} satranç oynuyor.",
    ),
    "Пользователь": (
        "Есть ли лодка? {} купил лодку?", "{} переехал.", "{} бросил хор.",
        "{} купил лодку.", "{} играет в шахматы.",
    ),
    "De gebruiker": (
        "Heeft {} een boot?", "{} is verhuisd.", "{} stopte met het koor.",
        "{} kocht een boot.", "{} speelt schaak.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("who", NOTES)
async def test_whose_memory_it_is_is_nothing_that_notes_share(app: App, who: str) -> None:
    """The note on what is asked comes first, not any note of change; and where none tells it, there is no evidence."""
    question, *notes = (part.format(who) for part in NOTES[who])
    question = question[0].upper() + question[1:]
    await add(app, *[notes[place] for place in (2, 3, 1, 0)], user="mira")
    results = await app.recall.search(question, user_id="mira", summaries="without")
    assert results[0].memory.text == notes[2]
    await add(app, *[notes[place] for place in (3, 1, 0)], user="nobody")
    results = await app.recall.search(question, user_id="nobody", summaries="without")
    assert max(result.relevance.value for result in results) < 0.3


@pytest.mark.parametrize(
    ("question", "theirs", "another"),
    [
        ("¿Dónde trabajo ahora?", "Trabajo en Textiles Oro.", "El marido de Olga consiguió trabajo en Lugo."),
        ("¿Cuánto pago de renta?", "La renta del piso es de 900 euros.", "Mi comadre Olga paga 700 de renta."),
        ("Kahve içiyor muyum?", "Sabahları kahve içiyorum.", "Selim kahve sevmez, çay içer."),
        ("What do I pay for the gym?", "The gym is 40 euros.", "Olga's husband pays 30 for the gym."),
    ],
)
async def test_what_another_does_is_no_answer_of_the_user(app: App, question: str, theirs: str, another: str) -> None:
    """Nor what the husband of another does, though it has more words of the question."""
    await add(app, theirs, another, user="lena")
    results = await app.recall.search(question, user_id="lena", summaries="without")
    assert results[0].memory.text == theirs


async def test_a_cancelled_appointment_is_no_appointment(app: App) -> None:
    """The newest is first, and the older one says that there is a later one."""
    await add(app, "Dentist on Tuesday 3 pm", "I like tea.", "The dentist appointment is cancelled.", user="ole")
    results = await app.recall.search("When is my dentist appointment?", user_id="ole")
    assert results[0].memory.text == "The dentist appointment is cancelled."
    by_text = {result.memory.text: result for result in results}
    assert by_text["Dentist on Tuesday 3 pm"].later == results[0].memory.id
    context = await app.context.assemble("When is my dentist appointment?", user_id="ole", token_budget=250)
    line = next(line for line in context.lines if "Tuesday" in line.text)
    number = next(other.number for other in context.lines if "cancelled" in other.text)
    assert line.text == f"[{line.number}] (later: [{number}]) Dentist on Tuesday 3 pm"


@pytest.mark.parametrize("answer", ["Let me look.", "On 4 May, the people of Brenner come at nine."])
async def test_a_chat_in_which_it_was_asked_leaves_the_room_to_others(app: App, answer: str) -> None:
    """Its small talk is no company of an answer; what follows the question may be one."""
    talk = ("It rains and the kids are loud.", "That sounds long.", "When is the boiler serviced?", answer)
    rows = [
        {
            "text": text, "user_id": "nora", "session_id": "talk", "memory_type": "message",
            "created_at": BEGAN + timedelta(minutes=at), "metadata": {"role": ("user", "assistant")[at % 2]},
        }
        for at, text in enumerate(talk)
    ]  # fmt: skip
    await app.memories.add(rows, summarize="deferred")
    await add(app, "The boiler man comes on the 4th.", "Olga wants a cat.", user="nora")
    context = await app.context.assemble("When is the boiler serviced?", user_id="nora", token_budget=60)
    assert "The boiler man comes on the 4th" in context.text
    assert "Olga" in context.text or "Brenner" in context.text
    wide = await app.context.assemble("When is the boiler serviced?", user_id="nora", token_budget=250)
    assert ("Brenner" in wide.text) == ("Brenner" in answer)


def test_a_name_of_the_user_is_left_out_where_hardly_a_row_has_it() -> None:
    """In a context as in an answer, in any script."""
    question = read_question("Where does Hanne keep the key?", user_id="hanne")
    assert question.own == {"hann"}
    assert not_looked_for(question, [frozenset({"key"})] * 11 + [frozenset({"hann"})]) == {"hann"}
    assert not_looked_for(question, [frozenset({"key"}), frozenset({"hann"})]) == frozenset()
    assert read_question("Где живёт Ханна?", user_id="ханна").own


@pytest.mark.parametrize(
    ("question", "older", "newer", "user"),
    [
        ("What do I weigh?", "I weigh 94 kg.", "I weigh 88 kg.", "sessions-en"),
        ("Wann ist der Umzug?", "Der Umzug ist am 16. August.", "Umzug verschoben auf den 23. August.", "sessions-de"),
        ("Ne zaman taşınıyoruz?", "20 Haziran'da taşınıyoruz.", "Taşınma 27 Haziran'a kaldı.", "sessions-tr"),
    ],
)
async def test_what_a_user_wrote_later_to_an_agent_comes_first(
    app: App, question: str, older: str, newer: str, user: str
) -> None:
    """Of two sessions on two days."""
    rows = [
        {
            "text": text, "user_id": user, "session_id": f"{user}-{at}", "memory_type": "message",
            "created_at": BEGAN + timedelta(days=9 * at), "metadata": {"role": "user", "speaker": "Ria"},
        }
        for at, text in enumerate((older, newer))
    ]  # fmt: skip
    await app.memories.add(rows, summarize="deferred")
    results = await app.recall.search(question, user_id=user, summaries="without")
    assert [result.memory.text for result in results] == [newer, older]


async def test_a_summary_that_opens_with_another_stands_behind_theirs(app: App) -> None:
    """It is made of both: "for Ida" is hers."""
    notes = (
        "Dentist for Ida on Tuesday at three.",
        "My dentist appointment on Friday is canceled.",
        "I booked the dentist for Friday.",
    )
    rows = [
        {"text": text, "user_id": "ovid-2", "type": "fact", "key": "dentist", "created_at": BEGAN + timedelta(days=at)}
        for at, text in enumerate(notes)
    ]
    await app.memories.add(rows)
    results = await app.recall.search("When is Ida's dentist appointment?", user_id="ovid-2")
    assert results[0].memory.text == notes[0]
