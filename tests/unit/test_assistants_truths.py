"""What an assistant says of nobody in particular stands behind what it says of the one who asks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count

START = datetime(2026, 3, 3, 9, tzinfo=UTC)


def summary(*turns: tuple[str, str], limit: int) -> str:
    """What is told of a talk."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + timedelta(minutes=at), speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )
    return " ".join(s.text for s in summarize(Request(items=items, max_tokens=limit, prompt=""), count).statements)


def test_a_truth_about_everybody_gives_way() -> None:
    """In room for one of both, the rarer words of the truth do not win; where there is room, both are told."""
    turns = [
        ("Assistant", "Handicrafts showcase creativity, dexterity and meticulous attention to detail."),
        ("Assistant", "The kiln reservation moves to the larger pottery studio upstairs."),
    ]
    short = summary(*turns, limit=20)
    assert "reservation" in short
    assert "Handicrafts" not in short
    assert all(word in summary(*turns, limit=80) for word in ("reservation", "Handicrafts"))


def test_what_an_assistant_recommends_is_advice() -> None:
    """It is told where nobody tells anything, and not before what somebody tells."""
    advice = ("Assistant", 'I recommend "The Glass Harbor" and "Nine Lanterns".')
    told = ("Noor", "I moved the loom into the attic because of the damp cellar.")
    assert "Lanterns" not in summary(advice, told, limit=20)
    assert "loom" in summary(advice, told, limit=20)
    assert "Lanterns" in summary(advice, limit=60)


def test_an_opinion_nobody_asked_for_is_not_told_beside_what_somebody_tells() -> None:
    """What answers a question is, and what has a figure."""
    opinion = ("Assistant", "Attic looms might need careful dusting.")
    told = ("Noor", "I moved the loom into the attic because of the damp cellar.")
    assert "dusting" not in summary(told, opinion, limit=200)
    asked = ("Noor", "I moved the loom into the attic. What does it need there?")
    assert "dusting" in summary(asked, opinion, limit=200)
    assert "40 percent" in summary(told, ("Assistant", "Attic looms need 40 percent of damp."), limit=200)


_LONG = (
    "For the felt roof I would start at the gutter. Dusty work comes first. Keep a list on the door. "
    "Old barns hide surprises. Sleep matters more than speed. The roof needs 12 square meters. "
    "Neighbors like to be told."
)


def test_of_a_long_answer_what_anybody_would_be_told_is_left_out() -> None:
    """What has a word of the question, a figure or a name is told, and what it opens with; by itself all is."""
    told = summary(("user", "I fix the roof of the shed in May."), ("assistant", _LONG), limit=400)
    assert "gutter" in told
    assert "12 square meters" in told
    assert "Sleep matters" not in told
    assert "surprises" not in told
    assert "Sleep matters" in summary(("assistant", _LONG), limit=400)


def test_whom_somebody_named_before_an_answer_is_who_she_is() -> None:
    """What tells of "she" stands with what names her; of health it stays, whoever she is."""
    turns = [
        ("user", "My aunt Ottla is 81 and lives alone in Narvik."),
        ("assistant", "A checklist helps: keys, a chair."),
        ("user", "She needs soft food and a lift."),
    ]
    assert "soft food" in summary(*turns, limit=200)
    assert "penicillin" in summary(("user", "She's allergic to penicillin."), ("assistant", "Noted."), limit=200)


def test_what_somebody_has_got_is_not_given_up_for_another_wish() -> None:
    """A wish for another thing in another place is no change of what was booked."""
    turns = [
        ("user", "We've got the hotel in Bergen: Solstrand."),
        ("assistant", "A good location. Ask for a room to the back."),
        ("user", "How far is Bergen from Voss by train?"),
        ("assistant", "About 100 km by train."),
        ("user", "I'd like to take a kayak lesson in Flam one day."),
        ("assistant", "Flam is two hours by bus. Shall I look for a lesson?"),
    ]
    assert "Solstrand" in summary(*turns, limit=300)


def test_what_an_assistant_is_not_to_do_is_no_encouragement() -> None:
    """An order of one time, too: nobody cheers on with it."""
    talk = [
        ("user", "I moved the loom into the attic."),
        ("assistant", "Noted."),
        ("user", "Please don't send the draft yet."),
    ]
    assert "draft" in summary(*talk, limit=200)
