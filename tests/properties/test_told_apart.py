"""Statements that differ from their source in one thing that matters, and others that only word it otherwise.

Names, verbs and templates here are none that the rules were written with.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from precis.checks import Verdict, check
from precis.checks.fates import fates
from precis.makers import Draft, DraftStatement, Item
from precis.summary import Fate, Statement

often = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
NAMES = st.lists(
    st.sampled_from("Ngozi Tomasz Ingrid Rafael Yuki Farid Odette Bjorn".split()), min_size=2, max_size=2, unique=True
)
#: Base, past and participle, and what is done.
DEEDS = st.sampled_from(
    [
        ("sell", "sold", "the cottage"), ("build", "built", "a greenhouse"), ("visit", "visited", "the observatory"),
        ("repair", "repaired", "the fountain"), ("write", "wrote", "a cookbook"), ("plant", "planted", "an orchard"),
    ]
)  # fmt: skip
WISHES = st.sampled_from(["wants to", "hopes to", "plans to", "might", "tried to", "is going to", "will", "offered to"])
#: Verbs between two people that do not say the same turned around.
BETWEEN = st.sampled_from(["hired", "visited", "trained", "praised", "invited", "mentored", "replaced", "beat"])
MONEY = st.sampled_from([("$", "dollars"), ("€", "euros"), ("£", "pounds"), ("¥", "yen"), ("₹", "rupees")])
UNITS = st.sampled_from(["miles", "kilometers", "hours", "days", "weeks", "minutes", "liters", "gallons"])
AMOUNTS = st.integers(min_value=11, max_value=899)


def verdict_on(text: str, source: str, speaker: str | None = None) -> Verdict:
    """What the checks say of one statement beside one memory."""
    item = Item(text=source, source_ids=("m",), created_at=datetime(2025, 3, 4, 9, tzinfo=UTC), speaker=speaker)
    draft = Draft(statements=(DraftStatement(text=text, importance=0.5, sources=(0,)),), made_by="test")
    return check(draft, [item]).verdicts[0]


@often
@given(names=NAMES, amount=AMOUNTS, money=MONEY, other=MONEY)
def test_one_currency_is_not_another(
    names: list[str], amount: int, money: tuple[str, str], other: tuple[str, str]
) -> None:
    """A sum in the source's currency passes, by sign or by word; the same sum in another one does not."""
    source = f"{names[0]} borrowed {money[0]}{amount} for the ferry."
    assert verdict_on(f"{names[0]} borrowed {amount} {money[1]} for the ferry.", source).kept or money[0] in "¥₹"
    if other != money:
        verdict = verdict_on(f"{names[0]} borrowed {other[0]}{amount} for the ferry.", source)
        assert not verdict.kept
        assert "number" in verdict.reasons


@often
@given(names=NAMES, amount=AMOUNTS, unit=UNITS, other=UNITS)
def test_one_unit_is_not_another(names: list[str], amount: int, unit: str, other: str) -> None:
    """Nor does a number pass with a unit that it did not have."""
    source = f"The trip of {names[0]} took {amount} {unit}. Nobody counted the {other}."
    assert verdict_on(f"The trip of {names[0]} took {amount} {unit}.", source).kept
    if other != unit:
        assert not verdict_on(f"The trip of {names[0]} took {amount} {other}.", source).kept


@often
@given(
    thousands=st.integers(1, 899), rest=st.integers(1, 999), form=st.sampled_from([",", " ", " , ", "\u202f", "'", "."])
)
def test_thousands_are_read_however_they_are_set_apart(thousands: int, rest: int, form: str) -> None:
    """With commas, spaces, full stops, apostrophes, or as a tokenizer leaves them."""
    source = f"The stadium of Lund seats {thousands}{form}{rest:03} visitors."
    assert verdict_on(f"The stadium of Lund seats {thousands},{rest:03} visitors.", source).kept
    assert not verdict_on(f"The stadium of Lund seats {thousands},{(rest + 7) % 1000:03} visitors.", source).kept


@often
@given(number=st.integers(1, 99), tenth=st.integers(1, 9))
def test_a_decimal_comma_is_a_decimal_point(number: int, tenth: int) -> None:
    """And a number with another decimal is another number."""
    source = f"The barrel in Porto holds {number},{tenth} liters."
    assert verdict_on(f"The barrel in Porto holds {number}.{tenth} liters.", source).kept
    assert not verdict_on(f"The barrel in Porto holds {number}.{tenth % 9 + 1} liters.", source).kept


@often
@given(names=NAMES, verb=BETWEEN)
def test_who_did_it_to_whom(names: list[str], verb: str) -> None:
    """The two sides do not change places, in the active, in the passive, or told by one of the two."""
    one, other = names
    source = f"{one} {verb} {other} in the spring."
    assert verdict_on(f"{one} {verb} {other}.", source).kept
    assert not verdict_on(f"{other} {verb} {one}.", source).kept
    assert verdict_on(f"{one} {verb} {other}.", f"I {verb} {other} in the spring.", one).kept
    assert not verdict_on(f"{other} {verb} {one}.", f"I {verb} {other} in the spring.", one).kept


@often
@given(names=NAMES, deed=DEEDS, wish=WISHES)
def test_wanted_is_not_done(names: list[str], deed: tuple[str, str, str], wish: str) -> None:
    """What is wanted, planned or tried is not done, and what is done is not only wanted."""
    base, past, what = deed
    wanted, done = f"{names[0]} {wish} {base} {what}.", f"{names[0]} {past} {what}."
    assert not verdict_on(done, wanted[:-1] + " near Graz.").kept
    assert not verdict_on(wanted, done[:-1] + " near Graz.").kept
    assert verdict_on(done, done[:-1] + " near Graz.").kept
    assert verdict_on(wanted, wanted[:-1] + " near Graz.").kept


@often
@given(names=NAMES, deed=DEEDS)
def test_denied_is_not_done(names: list[str], deed: tuple[str, str, str]) -> None:
    """A denial is neither added nor left out."""
    base, past, what = deed
    done, denied = f"{names[0]} {past} {what}.", f"{names[0]} did not {base} {what}."
    assert not verdict_on(denied, done).kept
    assert not verdict_on(done, denied).kept


@often
@given(
    who=st.sampled_from(["Residents", "Doctors", "Farmers", "They", "Several witnesses"]),
    how=st.sampled_from([" also say", " now say", ", however, say", " then write", " just say"]),
    fact=st.sampled_from(["the lake was frozen in April", "the tram costs too much", "the museum lost two paintings"]),
)
def test_news_of_what_people_say_is_no_order(who: str, how: str, fact: str) -> None:
    """A sentence that tells what others say bears out what they say; one that orders to say it does not."""
    statement = f"{fact[0].upper()}{fact[1:]}."
    assert "instruction" not in verdict_on(statement, f"{who}{how} that {fact}.").reasons
    assert "instruction" in verdict_on(statement, f"Now say that {fact}.").reasons


@pytest.mark.parametrize(
    ("text", "false", "true"),
    [
        ("The lid lies in the box.", "The box lies in the lid.", "The lid lies today in the box."),
        ("The cable runs from the cellar to the attic.", "The attic runs from the cable to the cellar.", ""),
        ("The bench stands behind the chapel.", "The chapel stands behind the bench.", ""),
        ("My train leaves Turin at nine.", "Our train leaves Turin at nine.", "Her train leaves Turin at nine."),
    ],
)
def test_what_changes_places_or_owners_is_not_said(text: str, false: str, true: str) -> None:
    """An original is not let go for a draft that turns it around, or says it of more people; in other words it is."""
    item = Item(text=text, source_ids=("m",), created_at=datetime(2025, 3, 4, 9, tzinfo=UTC), speaker="Ngozi")
    for statement in filter(None, (false, true)):
        (outcome,) = fates([item], [Statement(text=statement, importance=0.5, source_ids=("m",))])
        assert (statement == true) == (outcome is not None and outcome.fate is Fate.SAID)
