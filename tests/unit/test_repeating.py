"""What is said several times is said once, with all its sources; what only looks like it stays apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.fates import fates
from precis.engine.repeating import said_once
from precis.makers import Draft, DraftStatement, Item
from precis.summary import Fate, Statement

START = datetime(2026, 3, 2, tzinfo=UTC)


def item(text: str, at: int = 0, speaker: str | None = None) -> Item:
    """A memory of a day."""
    return Item(text=text, source_ids=(f"m{at}",), created_at=START + timedelta(days=at), speaker=speaker)


def once(*texts: str, roughly: bool = True) -> list[tuple[str, tuple[int, ...]]]:
    """What is left of these statements, each of which rests on an item of its own."""
    statements = tuple(DraftStatement(text=text, importance=0.5, sources=(at,)) for at, text in enumerate(texts))
    items = [item(text, at) for at, text in enumerate(texts)]
    draft = said_once(Draft(statements=statements, made_by="t"), items, roughly=roughly)
    return [(statement.text, statement.sources) for statement in draft.statements]


@pytest.mark.parametrize("roughly", [False, True])
def test_what_a_longer_statement_says_is_said_by_it(roughly: bool) -> None:
    """It rests on both; the order in which they come does not matter."""
    short, long = "Omar rents a flat in Graz.", "Omar rents a flat in Graz since the spring."
    assert [(long, (1, 0))] == once(short, long, roughly=roughly)
    assert [(long, (0, 1))] == once(long, short, roughly=roughly)


def test_the_same_three_times_is_one_statement_with_three_sources() -> None:
    """An item that repeats a statement and that nobody cites is a source of it too."""
    items = [item("I keep bees on the roof.", at, "Ines") for at in range(3)]
    statement = DraftStatement(text="Ines: I keep bees on the roof.", importance=0.5, sources=(0,))
    draft = said_once(Draft(statements=(statement,), made_by="t"), items, roughly=False)
    assert [(0, 1, 2)] == [one.sources for one in draft.statements]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lena paid Omar for the boat.", "Omar paid Lena for the boat."),
        ("Lena flew from Rome to Oslo.", "Lena flew to Rome from Oslo."),
        ("I moved the piano to the attic.", "I might have moved the piano to the attic."),
        ("I like the blue kitchen table.", "I never did like the blue kitchen table."),
        ("The rent of the flat is 900 euros.", "The rent of the flat is 950 euros."),
        ("Kuno likes the port of Porto.", "Kuno likes Ghent, Greta likes the port of Porto."),
        ("I bake rye bread before lunch.", "I bake rye bread after lunch."),
        ("I work at the old mill.", "I worked at the old mill."),
        ("My sister keeps the red bike.", "Her sister keeps the red bike."),
        ("Bought a red bike for the garden.", "Bought a blue bike for the garden."),
        ("Ich mag den alten Hafen.", "Ich mag den alten Hafen nicht."),
        ("Is the bakery closed on Sunday?", "The bakery is closed on Sunday."),
        ("Few seats of the ferry are sold.", "Most seats of the ferry are sold."),
        ("Write the boat driver in C++.", "Write the boat driver in C."),
        ("The red bag holds keys and the blue bag holds coins.", "The red bag holds coins."),
        ("Ana: I keep bees on the roof.", "Ben: I keep bees on the roof."),
        ("I moved the piano to the attic.", "Ben claims I moved the piano to the attic."),
    ],
)
@pytest.mark.parametrize("roughly", [False, True])
def test_what_differs_in_a_word_that_matters_stays_two(one: str, other: str, roughly: bool) -> None:
    """Roles, directions, denials, maybes, numbers, names, tense, owners, speakers."""
    assert 2 == len(once(one, other, roughly=roughly))
    assert 2 == len(once(other, one, roughly=roughly))


def test_near_duplicates_are_one_only_where_originals_stay() -> None:
    """Of two wordings the newer is kept, on both."""
    texts = ("I check the hives every morning.", "I do check these hives every single morning.")
    assert [(texts[1], (1, 0))] == once(*texts, roughly=True)
    assert 2 == len(once("We repaired the old stove.", "The stove, old as it is, we repaired it.", roughly=False))


def test_a_repeat_of_another_day_is_none() -> None:
    """A relative date is compared as the day that it means."""
    items = [item("Tomorrow I sail to Bergen.", 0, "Ines"), item("Tomorrow I sail to Bergen.", 4, "Ines")]
    text = "Ines: Tomorrow (3 March 2026) I sail to Bergen."
    statement = DraftStatement(text=text, importance=0.5, sources=(0,))
    draft = said_once(Draft(statements=(statement,), made_by="t"), items, roughly=True)
    assert [(0,)] == [one.sources for one in draft.statements]


@pytest.mark.parametrize("roughly", [False, True])
def test_what_is_told_of_several_days_is_told_once_with_these_days(roughly: bool) -> None:
    """Each day has its month, and the last of a year the year; in figures as they were."""
    ran = "Ilse: I ran five miles yesterday ({})."
    days = ("27 February 2026", "2 March 2026", "1 March 2026")
    wording = ran.format("27 February, 1 March and 2 March 2026")
    assert [(wording, (0, 1, 2))] == once(*map(ran.format, days), roughly=roughly)
    skied = ran.format("31 December 2025 and 1 January 2026")
    assert [(skied, (0, 1))] == once(ran.format("31 December 2025"), ran.format("1 January 2026"), roughly=roughly)
    poured = "Ilse: Heute ({}) die Orchideen gegossen."
    both = poured.format("2026-03-02, 2026-03-03")
    assert [(both, (0, 1))] == once(poured.format("2026-03-02"), poured.format("2026-03-03"), roughly=roughly)


def test_lists_of_days_are_joined() -> None:
    """A month reads its weeks, which have lists of days."""
    ran = "Ilse: I ran five miles today ({})."
    week, day = ran.format("27 February and 1 March 2026"), ran.format("2 March 2026")
    assert [(ran.format("27 February, 1 March and 2 March 2026"), (0, 1))] == once(week, day)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Of two plans the later one holds, and the check finds out which that is.
        ("The dentist is on Friday (20 March 2026).", "The dentist is on Friday (27 March 2026)."),
        ("Ilse: I ran five miles today (1 March 2026).", "Ilse: I ran six miles today (2 March 2026)."),
        ("Ilse: I ran five miles today (1 March 2026).", "Olaf: I ran five miles today (2 March 2026)."),
        ("I ran today (1 March 2026) and swam yesterday (28 February 2026).", "I ran today (1 March 2026)."),
        ("We ran last week (7 March or 14 March 2026).", "We ran last week (1 March 2026)."),
    ],
)
def test_days_of_other_things_or_to_come_stay_apart(one: str, other: str) -> None:
    """Nothing but a day in one place may differ, and it has to be over."""
    assert 2 == len(once(one, other, roughly=False))


def test_how_often_may_stand_anywhere() -> None:
    """Before or behind what is done: "every Monday"."""
    texts = ("Ilse: Every Monday I swim in the harbor.", "Ilse: I swim in the harbor every Monday.")
    assert [(texts[0], (0, 1))] == once(*texts)
    assert 2 == len(once(texts[0], "Ilse: I swim in the harbor every Sunday."))
    assert 2 == len(once(*texts, roughly=False))


def test_a_list_of_days_says_what_was_said_on_each_of_them() -> None:
    """An original of one of these days may go; one of another day is not said."""
    items = [item("I ran five miles yesterday.", at, "Ilse") for at in (0, 1, 5)]
    text = "Ilse: I ran five miles yesterday (1 March and 2 March 2026)."
    verdicts = fates(items, [Statement(text=text, importance=0.5, source_ids=("m0", "m1"))])
    assert [verdict and verdict.fate for verdict in verdicts] == [Fate.SAID, Fate.SAID, None]
