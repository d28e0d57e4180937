"""A fact is made of what its speaker means in the end, in words that somebody would say of them."""

from __future__ import annotations

import pytest

from precis.facts.rules import facts_in

_BACK_AND_FORTH = (
    "The migration script passes from Priya to me: no wait, to Noor's intern... sorry, wrong. "
    "It goes from Priya to Henrike's deputy, Casper Wind."
)


def _facts(text: str) -> list[str]:
    return [
        fact.text if fact.speaker is None else f"{fact.speaker}: {fact.text}"
        for fact in facts_in(text, name="Ilse", role="user")
    ]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            _BACK_AND_FORTH,
            ["The migration script goes from Priya to Henrike's deputy, Casper Wind."],
        ),
        ("My sister Lena lives in Ghent: no wait, in Bruges.", ["Ilse's sister Lena lives in Bruges."]),
        ("My rent is 900 euros, no wait, 950 euros.", ["Ilse's rent is 950 euros."]),
        ("My locker is by the door, no wait, that's wrong.", []),
    ],
)
def test_what_is_taken_back_in_its_sentence_is_no_fact(text: str, facts: list[str]) -> None:
    """The value that is meant makes it, also where the next sentence has it."""
    assert _facts(text) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I changed my mind about the oven.", ["Ilse changed their mind about the oven."]),
        ("I burned my hand on the fryer.", ["Ilse burned their hand on the fryer."]),
        ("I moved to Bruges with my sister.", ["Ilse moved to Bruges with Ilse's sister."]),
        ("I also dislike ORMs, I write SQL by hand.", ["Ilse also dislikes ORMs and writes SQL by hand."]),
        ("When I'm tired, I cook pasta.", ["When Ilse is tired, Ilse cooks pasta."]),
        ("From today answer me in short paragraphs.", ["Ilse: From today answer me in short paragraphs."]),
        ("King's day was fun.", []),
        ("Carnival was a lot of fun!", []),
    ],
)
def test_a_fact_reads_as_somebody_would_say_it(text: str, facts: list[str]) -> None:
    """No "Ilse changed Ilse's mind", no order to answer Ilse, and no mere opinion of what is over."""
    assert _facts(text) == facts
