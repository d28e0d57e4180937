"""Where recall puts a row that likely gives a newer value: before the older one, whatever its words and the limit."""

from __future__ import annotations

from typing import Any

import pytest

from precis.app import App

#: Talk that shares no word with a value.
BESIDE = (
    "The bus was late again.", "We met a hare on the dam.", "Soup and rye bread for lunch.", "The choir was loud.",
    "My knees ache from the stairs.", "A letter came from the tax office.", "The oven smells of fish.",
)  # fmt: skip


def _row(text: str, day: str, speaker: str, **fields: Any) -> dict[str, Any]:
    return {
        "text": text, "user_id": "uli", "memory_type": "message", "session_id": day,
        "created_at": f"{day}T09:00:00Z", "metadata": {"speaker": speaker}, **fields,
    }  # fmt: skip


async def _talk(app: App, old: str, new: str, *, by: str = "Uli") -> None:
    await app.memories.add(
        [
            _row(old, "2026-01-05", "Uli"),
            *(_row(text, f"2026-01-{10 + at}", "Kaja") for at, text in enumerate(BESIDE)),
            _row(new, "2026-03-09", by),
        ],
        summarize="deferred",
    )


@pytest.mark.parametrize("limit", [1, 3, 10, 50])
@pytest.mark.parametrize(
    ("query", "old", "new"),
    [
        ("Who is Uli's tailor?", "My tailor is Mr. Quill.", "Quill retired, I go to Mrs. Abara now."),
        (
            "Which tool are our invoices in?",
            "We keep the invoices in Ledgerly.",
            "We left Ledgerly, it is all Quittung now.",
        ),
        (
            "Wer ist mein Steuerberater?",
            "Mein Steuerberater ist Herr Ohm.",
            "Ohm ist in Rente, jetzt macht das Frau Wenk.",
        ),
        (
            "Which hotel did we book?",
            "We booked Hotel Miramar for the trip.",
            "The Miramar cancelled on us. We booked Casa do Jasmim instead.",
        ),
        (
            "Welches Hotel haben wir gebucht?",
            "Wir haben das Hotel Seeblick gebucht.",
            "Das Seeblick hat abgesagt, wir haben stattdessen die Pension Möwe genommen.",
        ),
        ("店の定休日はいつ？", "店の定休日は火曜。", "定休日を火曜から金曜に変えます、来月から"),
    ],
)
async def test_it_stands_before_the_older_one(app: App, query: str, old: str, new: str, limit: int) -> None:
    """It has hardly a word of the question."""
    await _talk(app, old, new)
    found = await app.recall.search(query, user_id="uli", limit=limit)
    assert found[0].memory.text == new


async def test_what_somebody_answered_of_the_older_one_ties_no_less(app: App) -> None:
    """Three rows have the name of the older one then."""
    await _talk(app, "My tailor is Mr. Quill.", "Quill retired, I go to Mrs. Abara now.")
    await app.memories.add([_row("Quill is good with coats.", "2026-01-06", "Kaja")], summarize="deferred")
    found = await app.recall.search("Who is Uli's tailor?", user_id="uli")
    assert found[0].memory.text == "Quill retired, I go to Mrs. Abara now."


async def test_its_score_says_that_it_is_there_as_the_newest(app: App) -> None:
    """So that whoever asks for the parts of a score sees why it is first."""
    await _talk(app, "My tailor is Mr. Quill.", "Quill retired, I go to Mrs. Abara now.")
    newer, older = (await app.recall.search("Who is Uli's tailor?", user_id="uli"))[:2]
    assert newer.score.newest > older.score.newest
    assert newer.score.total > older.score.total


async def test_a_question_for_what_was_has_the_older_one_first(app: App) -> None:
    """Nobody asks for what is so now."""
    await _talk(app, "My tailor was Mr. Quill.", "Quill retired, I go to Mrs. Abara now.")
    found = await app.recall.search("Who was Uli's tailor?", user_id="uli")
    assert found[0].memory.text == "My tailor was Mr. Quill."


async def test_what_somebody_else_says_or_many_words_tell_stays_behind(app: App) -> None:
    """Of another speaker it is no value of whoever told the older one, and in many words any is in common."""
    await _talk(app, "My tailor is Mr. Quill.", "Quill was at the market, he sells jam now.", by="Kaja")
    long = (
        "Quill, the ferry, the tall mill, both geese, every bucket, red paint, that ladder, wet hay, old bread, new "
        "ropes and the blue gate are all in my story now."
    )
    await app.memories.add([_row(long, "2026-03-10", "Uli")], summarize="deferred")
    found = await app.recall.search("Who is Uli's tailor?", user_id="uli")
    assert found[0].memory.text == "My tailor is Mr. Quill."


async def test_without_the_name_that_is_asked_for_it_stands_behind(app: App) -> None:
    """Of whose dog is asked the older row tells, and the newer one of another dog."""
    await _talk(app, "Mrs Lindholm's dog Bamse got out.", "My own dog Biscuit has a new basket now.")
    found = await app.recall.search("What is Mrs Lindholm's dog called now?", user_id="uli")
    assert found[0].memory.text == "Mrs Lindholm's dog Bamse got out."


async def test_who_says_a_row_is_no_word_in_common(app: App) -> None:
    """The name "Hugh:" before one note and Hugh in the other do not make the one a newer value of the other."""
    notes = [
        ("2026-01-14", "Hugh: Weekends: Lena takes over standby."),
        *((f"2026-02-{at + 1:02}", text) for at, text in enumerate(BESIDE)),
        ("2026-03-09", "Sam: I sold the mower on Saturday, well Hugh did, I sign nothing from now on."),
    ]
    await app.memories.add(
        [{"text": text, "user_id": "uli", "created_at": f"{day}T09:00:00Z"} for day, text in notes],
        summarize="deferred",
    )
    found = await app.recall.search("Who is on standby at weekends now?", user_id="uli")
    assert found[0].memory.text == "Hugh: Weekends: Lena takes over standby."


@pytest.mark.parametrize(
    ("query", "old", "new", "brings"),
    [
        ("Where does Uli live now?", "I moved to Falmouth on Saturday.", "Sad news, our dog died on Saturday.", False),
        ("When is Uli's rehearsal?", "My rehearsal is on Thursday.", "It moved to Friday now, same room.", True),
    ],
)
async def test_a_day_of_the_week_brings_nothing_to_who_asks_where(
    app: App, query: str, old: str, new: str, *, brings: bool
) -> None:
    """A day that two rows share is nothing that the question asks for."""
    await _talk(app, old, new)
    found = await app.recall.search(query, user_id="uli")
    (score,) = [row.score for row in found if row.memory.text == new]
    assert (score.newest > 0.02) is brings


async def test_a_name_behind_an_article_is_no_person_s(app: App) -> None:
    """Of the server of a project the writer tells: such a row is of nobody else than of whom is asked."""
    await _talk(
        app, "Side project Tidemill: a dev server on port 8080, alerts for the river.",
        "Port 8080 clashes with the build box from work, so I moved the dev server to 8765.",
    )  # fmt: skip
    found = await app.recall.search("Which port does the Tidemill dev server use?", user_id="uli")
    assert "8765" in (found[1].memory.text or "")


@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize(
    ("query", "old", "new"),
    [
        ("Which gym do I go to?", "My gym is FitLab on Hill Street.", "Traded FitLab for Ironworks."),
        ("What phone do I have?", "My phone is a Pixel 7.", "Ditched the Pixel for an iPhone 15."),
        ("Who is our vet?", "Our vet is Dr. Lund.", "Lund has been replaced by Ms. Iversen."),
        (
            "Welche Kaffeemaschine habe ich?",
            "Unsere Kaffeemaschine ist eine Gaggia Classic.",
            "Statt der Gaggia steht seit Montag eine Rancilio da.",
        ),
        ("Quelle voiture ai-je ?", "Ma voiture est une Skoda Fabia.", "J'ai remplacé la Fabia par une Kia lundi."),
        ("Que cafeteira eu tenho?", "Minha cafeteira é uma Gaggia.", "Troquei a Gaggia por uma Rancilio."),
        ("我的咖啡机是什么？", "我们的咖啡机是Gaggia Classic。", "周一把Gaggia换成了Rancilio。"),
    ],
)
async def test_what_took_its_place_is_before_it(app: App, query: str, old: str, new: str, turns: bool) -> None:
    """It names the older value and has no word of the question, so that it is far behind."""
    await _talk(app, old, new)
    if not turns:
        said = [
            ("2026-01-05", old),
            *((f"2026-01-{10 + at}", text) for at, text in enumerate(BESIDE)),
            ("2026-03-09", new),
        ]
        notes = [{"text": text, "user_id": "uma", "created_at": f"{day}T09:00:00Z"} for day, text in said]
        await app.memories.add(notes, summarize="deferred")
    hits = await app.recall.search(query, user_id="uli" if turns else "uma", limit=3)
    assert [hit.memory.text for hit in hits][:2] == [new, old]


async def test_what_somebody_else_replaced_or_what_was_asked_for_stays_behind(app: App) -> None:
    """Kaja's machine is not Uli's, and who asks for the old one gets that."""
    old, query = "My coffee machine is a Gaggia Classic.", "What coffee machine do I have?"
    await _talk(app, old, "I swapped the Gaggia for a Rancilio.", by="Kaja")
    assert (await app.recall.search(query, user_id="uli", limit=3))[0].memory.text == old
    past = await app.recall.search("What coffee machine did I have before?", user_id="uli", limit=3)
    assert past[0].memory.text == old
