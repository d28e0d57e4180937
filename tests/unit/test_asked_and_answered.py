"""A question goes with its answer, or both stay; so does what is to be done with what was said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.fates import fates
from precis.engine.keeping import keeping
from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import Statement

MORNING = datetime(2026, 5, 4, 9, tzinfo=UTC)
#: Turns of two who talk, and what has to be read together.
PAIRS = [
    (("u", 'Hm. What is the Dutch for "washer", by the way?'), ("a", '"Sluitring".'), ("washer", "Sluitring")),
    (
        ("a", "Great little car. Where do you plan to park it?"),
        ("u", "Mostly behind the bakery, a spot gets painted on 3 June by a man named Ruben."),
        ("park", "bakery"),
    ),
    (("a", "Good. Would you want a bike in the meantime?"), ("u", "If it's free."), ("bike", "free")),
    (("a", "Exciting. When is the enrolment?"), ("u", "22 September, a Monday. Keep it empty."), ("enrolment", "22")),
    (("a", "Noted. Do reminders go there?"), ("u", "No, those go to Linz, to a Mrs Pichler."), ("reminders", "Linz")),
    (("a", "Filed. Who pays for the wine?"), ("u", "Half of it Ursula, the other half Uwe."), ("wine", "Ursula")),
    (("a", "What did the vet write down? I can set a timer."), ("u", "Half a tablet, twice."), ("vet", "tablet")),
    (("u", "How deep is the shelf? And how tall?"), ("a", "40 and 198 centimetres."), ("deep", "198")),
    (("a", "Wo liegt der Schlüssel?"), ("u", "Unter dem blauen Topf."), ("Schlüssel", "Topf")),
    (("a", "Understood. How long does she keep them?"), ("u", "Until Easter, then Oskar has them."), ("keep", "Oskar")),
]  # fmt: skip
SPEAKERS = {"u": "Marta", "a": "Assistant"}
FILLING = [
    "Rashid pays 90 euros a chair and takes 60 of them.",
    "The ferry to Turku leaves at 21:15 from pier 4.",
    "Sven Dahl is the new foreman at Nordlys.",
    "The hall costs 800 euros a day, cleaning included.",
    "Bosman moved his office to Keizersgracht 12.",
]


def items_of(*turns: tuple[str, str]) -> tuple[Item, ...]:
    """What they say, a minute apart."""
    return tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=MORNING + timedelta(minutes=at), speaker=SPEAKERS[by])
        for at, (by, text) in enumerate(turns)
    )


def archived(items: tuple[Item, ...]) -> tuple[list[str], list[str]]:
    """What is served when the originals go that may, and the texts of those that stay."""
    draft = summarize(Request(items=items, max_tokens=800, prompt=""), count)
    drafted = [
        Statement(
            text=each.text, importance=each.importance, source_ids=tuple(items[at].source_ids[0] for at in each.sources)
        )
        for each in draft.statements
    ]
    kept = keeping(items, drafted, count=count)
    served = [each.text for each in kept.statements if each.superseded_by is None]
    return served, [item.text for item in items if item.source_ids[0] not in kept.fates]


@pytest.mark.parametrize(("first", "second", "words"), PAIRS)
def test_a_question_goes_with_its_answer_or_both_stay(
    first: tuple[str, str], second: tuple[str, str], words: tuple[str, str]
) -> None:
    """In one statement, or in what stays."""
    served, staying = archived(items_of(*(("u", text) for text in FILLING[:2]), first, second, ("u", FILLING[2])))
    together = any(all(word in text for word in words) for text in served)
    assert together or all(any(word in text for text in staying) for word in words)


def test_so_it_is_in_a_long_talk_and_most_of_it_goes() -> None:
    """Fifty turns: each pair is read in one statement, and hardly an original stays."""
    turns: list[tuple[str, str]] = []
    for at, (first, second, _) in enumerate(PAIRS):
        turns += [first, second, ("u", FILLING[at % 5]), ("u", f"Box {at} is in hall {at * 7} by the {at}th door.")]
    turns += [("u", f"Crate {at} went to dock {at + 30} on a blue pallet.") for at in range(10)]
    served, staying = archived(items_of(*turns))
    for _, _, words in PAIRS:
        together = any(all(word in text for word in words) for text in served)
        assert together or all(any(word in text for text in staying) for word in words)
    assert len(staying) <= 4


@pytest.mark.parametrize(("first", "second", "words"), PAIRS)
def test_an_answer_alone_says_nothing(first: tuple[str, str], second: tuple[str, str], words: tuple[str, str]) -> None:
    """Neither of the two may go where only the answer is served, or each apart."""
    items = items_of(first, second)
    alone = [
        Statement(text=f"{item.speaker}: {item.text}", importance=0.5, source_ids=item.source_ids) for item in items
    ]
    assert words
    assert [None, None] == fates(items, alone)
    together = Statement(
        text=" ".join(each.text for each in alone), importance=0.5, source_ids=(*items[0].source_ids, "m1")
    )
    assert None not in fates(items, [together])


@pytest.mark.parametrize("order", ["Keep that to yourself.", "Please keep it to yourself.", "You keep that for me."])
def test_what_is_to_be_done_with_it_is_said_with_it(order: str) -> None:
    """Who reads the code has to read that, too."""
    code = "The alarm code of the studio is 7719."
    items = items_of(("u", f"{code} {order}"), ("a", "The rent is 640 a month now."))
    without = Statement(text=f"Marta: {code}", importance=0.5, source_ids=("m0",))
    assert fates(items, [without])[0] is None
    served, staying = archived(items)
    plain = order.strip(".").casefold()
    assert any("7719" in text and plain in text.casefold() for text in (*served, *staying))


def test_who_only_thanks_answers_nothing() -> None:
    """Then the question is one like any other."""
    items = items_of(("a", "Do you want to hear more?"), ("u", "Thanks a lot, have a nice day!"))
    assert None not in fates(items, [])
