"""A day is "as of" only behind what holds; behind what happened it is the day. Older values have theirs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks import check
from precis.extractive.summarizer import summarize
from precis.language.reading import is_state
from precis.makers import Item, Request
from precis.models.tokens import count

START = datetime(2026, 3, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "clause",
    [
        "We live in Tromsø now", "The office is closed", "My order these days is an oat cortado",
        "I no longer eat meat",
        "She works at Quist now", "I have two goats now", "He can sign in", "I'm working from home now",
        "We meet on Fridays instead", "I don't drink coffee any more", "Nothing but rye from now on",
    ],
)  # fmt: skip
def test_what_holds(clause: str) -> None:
    """Its first verb is present, and no step of something."""
    assert is_state(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "Mapped it on the object ID instead of the address", "Asked her to switch on buffering",
        "Changed his topic: owls in churches", "Decision: 12 sensors instead of 20", "I switched to decaf",
        "They moved the trial to 5 May", "The landlord raised the rent to 950", "Now I get to share that with others",
        "Now I'm excited to sing", "She will move to Oslo now", "I've changed my number", "Fitting pushed back a week",
    ],
)  # fmt: skip
def test_what_happened_or_is_wished(clause: str) -> None:
    """In doubt it does not hold."""
    assert not is_state(clause)


def told(*texts: str) -> list[str]:
    """The statements of notes, three days apart, that the check serves."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + timedelta(days=3 * at))
        for at, text in enumerate(texts)
    )
    draft = summarize(Request(items=items, max_tokens=300, prompt="", picked=True), count)
    return [statement.text for statement in check(draft, items).statements if statement.superseded_by is None]


def test_a_request_has_its_day_and_a_state_is_as_of_it() -> None:
    """Both tell of a change of what was told before."""
    request = told("The scanner in the barn is slow.", "Asked her to switch the scanner off at night from now on.")
    assert request[1] == "Asked her to switch the scanner off at night from now on (6 March 2026)."
    state = told("The scanner in the barn is slow.", "The scanner is off at night from now on.")
    assert state[1] == "The scanner is off at night from now on (as of 6 March 2026)."


@pytest.mark.parametrize(
    ("older", "newer", "served"),
    [
        ("Tom's email is tom@a.org.", "Tom's email is tom@b.org.", "Tom's email is tom@a.org (as of 3 March 2026)."),
        ("Gate code: 4471", "Gate code: 9920", "Gate code: 4471 (3 March 2026)."),
        ("Our vet is Dr Roe.", "Our vet is Dr Lund.", "Our vet is Dr Roe (as of 3 March 2026)."),
        (
            "Toms Handynummer ist 0171 555.",
            "Toms Handynummer ist 0172 999.",
            "Toms Handynummer ist 0171 555 (2026-03-03).",
        ),
        (
            "El correo de Ana es ana@a.es.",
            "El correo de Ana es ana@b.es.",
            "El correo de Ana es ana@a.es (2026-03-03).",
        ),
        ("トムの電話番号は555です。", "トムの電話番号は666です。", "トムの電話番号は555です(2026-03-03)。"),
        ("Код от двери: 4471.", "Код от двери: 9920.", "Код от двери: 4471 (2026-03-03)."),
    ],
)
def test_an_older_value_does_not_stand_as_if_it_held(older: str, newer: str, served: str) -> None:
    """Of two values of one thing the older has the day on which it was said, or is not told."""
    statements = told(older, "The lamp fell." if older.isascii() else "—", newer)
    assert served in statements
    assert any(newer.rstrip(".。") in statement for statement in statements)


@pytest.mark.parametrize(
    ("set_for", "canceled", "served"),
    [
        ("Dentist on 26 May at 10.", "Dentist canceled.", "(as of 3 March 2026)"),
        ("We have a rehearsal on Friday.", "The rehearsal is off.", "(6 March 2026, as of 3 March 2026)"),
        ("Trip to Vis on 4 June.", "The Vis trip fell through.", "(as of 3 March 2026)"),
        (
            "Termin: 27. Juni in der Petrikirche.",
            "Der Termin in der Petrikirche ist abgesagt.",
            "(2026-03-03) 27. Juni",
        ),
        ("Meu voo é no dia 4 de junho.", "O voo foi cancelado.", "(2026-03-03) Meu voo"),
        ("我们星期五有排练。", "排练取消了。", "(2026-03-03) 我们星期五有排练"),
    ],
)
def test_what_was_canceled_does_not_stand_as_if_it_held(set_for: str, canceled: str, served: str) -> None:
    """It has the day on which it was set, beside what canceled it."""
    statements = told(set_for, canceled)
    assert any(served in statement for statement in statements), statements
    assert any(canceled.rstrip(".。") in statement for statement in statements)


def test_what_may_be_more_than_one_has_no_day() -> None:
    """Two friends, two scores of two days, and what a word shares by chance."""
    for pair in (("My friend is Tom.", "My friend is Ana."), ("The best film is Alien.", "The best film is Heat.")):
        assert not any("2026" in statement for statement in told(*pair))


def test_the_day_of_a_change_is_not_that_of_its_reason() -> None:
    """It stands before the reason, and not at all where the sentence has a day that tells when it was said."""
    moved = told("The concert is at 7 in the hall.", "The concert moved to St. Bride's because of the sound check.")
    assert "The concert moved to St. Bride's (6 March 2026) because of the sound check." in moved
    dated = told("The concert is at 7.", "The concert is at 7:30 tomorrow, they moved it because of the sound check.")
    assert dated[-1].count("March 2026") == 1


def test_the_day_of_what_is_to_come_is_not_the_day_on_which_it_was_told() -> None:
    """He moves on another day: behind a plan the day on which it was told is marked as that."""
    plan = told("The flat upstairs has too many stairs for Edwin.", "Edwin is moving to a flat downstairs instead.")
    assert plan[1] == "Edwin is moving to a flat downstairs instead (as of 6 March 2026)."
