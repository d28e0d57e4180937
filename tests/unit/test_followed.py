"""What was called off, came back or was moved: the older is not told without the newer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.summarizer import summarize
from precis.language.newest import followed as reading
from precis.language.newest.followed import followed, reverses
from precis.language.newest.slots import Said
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.policies.insights import insights
from precis.summary import Statement

DAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
#: An older note, and one that says what became of it; of each what tells them apart.
PAIRS = [
    ("Saskia called off the whole Maasvlakte order.", "Saskia says the Maasvlakte order is on again."),
    ("Olga Brandl cancelled the 40 tents for Cork because the festival closed.", "Olga's tents are on again."),
    ("The training at Tarvik takes place on 21 May in hall 3.", "Tarvik's training has been put off until 28 May."),
    ("Ilse scrapped the Tarvik workshop for lack of money.", "The Tarvik workshop takes place after all, says Ilse."),
    ("Rashid booked the hall in Leeds for 14 May, for 120 guests.", "Rashid's hall fell through."),
    ("Tarvik pays 52 euros a valve and takes 80 a month.", "From now on Tarvik pays 49 euros a valve."),
    ("Kalle gave up the boat project, the hull is rotten.", "Kalle has taken up the boat project again."),
    ("Hedda stopped the pump order, her board said no.", "Hedda's board changed its mind, the pump order goes ahead."),
    ("Nadir called off the wedding in Porto, his father is ill.", "Nadir's wedding is back on."),
    ("Dinner with Olga Brandl is fixed for 20 May at 19:00.", "Olga again, it's the 29th now."),
    ("Lunch with Tomasz Zawada is on 11 May in Gdynia.", "Tomasz once more: 25 May it is."),
    ("Vera dropped the plan for a shop in Graz.", "Vera is opening the shop in Graz after all."),
    ("Olga hat die 40 Zelte für Cork storniert.", "Olgas Zelte werden doch geliefert, das Festival findet statt."),
    ("Luc a annulé la commande de pompes.", "La commande de pompes de Luc est finalement relancée."),
    ("The stocktaking at Halvard's takes place at the end of April.", "They moved the stocktaking to early June."),
    ("Vigo wants the puppets from 3 to 9 September.", "They postponed Vigo to November."),
    ("La reunión con Pablo es el 12 de mayo a las 9.", "La reunión con Pablo se aplazó al 19 de mayo."),
]
APART = [
    ("The training at Tarvik takes place on 21 May in hall 3.", "Rashid's hall fell through."),
    ("Olga cancelled the tents.", "Olga bought a lamp again."),
    ("Nordlys ordered 25 lamps at 48 euros each.", "Delacroix pays 60 euros from now on."),
    ("Saskia called off the order.", "Should the order be on again?"),
    ("Saskia called off the order.", "If the order is on again, I'll celebrate."),
]
OTHERS = ("The ferry to Turku leaves at 21:15 from pier 4.", "My mother turns seventy on 2 June.")


def lines(*texts: str) -> list[Said]:
    """The texts as one person's, oldest first."""
    return [Said(text, "Marta", at) for at, text in enumerate(texts)]


@pytest.mark.parametrize(("older", "newer"), PAIRS)
def test_the_newer_of_one_thing_is_known(older: str, newer: str) -> None:
    """And never the other way round, nor of what somebody else says."""
    assert (0, 0) in followed(lines(older, *OTHERS, newer))
    assert not followed([Said(older, "Marta", 0), Said(newer, "Bo", 1)])
    assert (1, 0) not in followed(lines(newer, older)) or "May" in older or "euros" in older


def test_what_they_moved_is_told_whoever_they_are() -> None:
    """Of a talk, where nobody is named who did it; what they only did is of somebody."""
    texts = "Vigo wants the puppets from 3 to 9 September.", "They postponed Vigo to November.", "They went swimming."
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=DAY + timedelta(days=at), speaker="Rolf")
        for at, text in enumerate(texts)
    )
    told = [statement.text for statement in summarize(Request(items=items, max_tokens=90, prompt=""), count).statements]
    assert "Rolf: They postponed Vigo to November." in told
    assert not any("swimming" in text for text in told)
    assert any("Vigo wants" in text and "as of 4 May 2026" in text for text in told)


@pytest.mark.parametrize(("older", "newer"), APART)
def test_what_is_of_another_thing_or_not_sure_follows_nothing(older: str, newer: str) -> None:
    """Words in common are not enough."""
    assert not followed(lines(older, newer))


def test_what_was_moved_twice_is_followed_by_the_last() -> None:
    """Also where the day stands in a sentence of its own."""
    older = ("Meeting with Piotr Wysocki is set for 24 May at 10:00.", "Piotr wrote, he can't do the 24th.")
    newest = followed(lines(*older, "Piotr moved us again. 9 June now, 13:30."))
    assert {newest[0, 0], newest[1, 0]} == {(2, 1)}


@pytest.mark.parametrize(("older", "newer"), PAIRS[:12])
@pytest.mark.parametrize("derived", [True, False])
def test_the_older_is_not_told_without_the_newer(older: str, newer: str, *, derived: bool) -> None:
    """Whatever room there is; where one has room alone, it is the newer."""
    texts = (older, *OTHERS, newer)
    items = tuple(
        Item(
            text=f"Marta: {text}" if derived else text, source_ids=(f"n{at}",), derived=derived,
            created_at=DAY + timedelta(days=3 * at), speaker=None if derived else "Marta",
            importance=0.6 if at else 0.7,
        )
        for at, text in enumerate(texts)
    )  # fmt: skip
    seen = set()
    for room in range(8, 90, 4):
        request = Request(items=items, max_tokens=room, prompt="", served_from=0.5)
        drafted = summarize(request, count).statements
        sources = {at for statement in drafted for at in statement.sources}
        seen |= sources
        assert 0 not in sources or 3 in sources
        importance = {at: statement.importance for statement in drafted for at in statement.sources}
        assert importance.get(3, 1.0) >= importance.get(0, 0.0)
    assert {0, 3} <= seen


@pytest.mark.parametrize(("older", "newer"), PAIRS)
def test_key_insights_have_the_newer_first(older: str, newer: str) -> None:
    """However important the older is."""
    told = [Statement(text=f"Marta: {text}", importance=0.6, source_ids=("n",)) for text in (older, *OTHERS * 3, newer)]
    best = [statement.text for statement in insights([told[0], *told[1:]], most=3)]
    assert f"Marta: {older}" not in best or f"Marta: {newer}" in best


def test_a_day_alone_is_told_with_what_it_is_of() -> None:
    """Without the sentence before it, nobody knows what is on 9 June."""
    text = "You won't believe it, Piotr moved us again. 9 June now, 13:30."
    items = (Item(text=text, source_ids=("n",), created_at=DAY, speaker="Marta"),)
    (statement,) = summarize(Request(items=items, max_tokens=40, prompt=""), count).statements
    assert statement.text == "Marta: Piotr moved us again. 9 June (2026) now, 13:30."


@pytest.mark.parametrize(
    "sentence", [*(text for pair in [*PAIRS, *APART] for text in pair), "It's off lol.", "The hall is free on 3 May."]
)
def test_what_reverses_something_is_what_is_read_in_full(sentence: str) -> None:
    """Recall asks it of every row it brings, and reads no more for it than it needs."""
    part = reading._part(sentence)
    is_timed = not {"date", "weekday", "time"}.isdisjoint(part.slot.figures)
    assert reverses(sentence) == (part.off or part.on or (part.moved and is_timed))


def test_some_of_these_reverse_something_and_some_do_not() -> None:
    """So that the comparison above compares something."""
    assert {reverses(newer) for _, newer in PAIRS} == {True, False} == {reverses(newer) for _, newer in APART}
