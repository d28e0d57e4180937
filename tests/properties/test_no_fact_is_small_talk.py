"""No sentence with a fact in it is set aside as small talk, however kindly it opens (laws 6 and 7, DECISIONS 43)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.checks.fates import fates
from precis.language import tables
from precis.makers import Item
from precis.summary import Fate, Statement

EVENING = datetime(2033, 5, 9, 20, tzinfo=UTC)
OPENINGS = (
    "Wow,", "That's great,", "So glad", "Great,", "Thanks,", "Awesome!", "Oh no,", "Congrats,", "I'm so happy", "Cool,",
    "Sounds good,", "I'm sorry", "What a day,", "No worries,", "I hope", "Good luck,", "Amazing that", "Enjoy,", "",
)  # fmt: skip
PEOPLE = ("my aunt", "Ottilie", "the plumber", "she", "our tenant", "Zoltan's son", "they")
DID = ("sold the {thing}", "moved to {town}", "lost the {thing}", "needs a {thing}", "is allergic to {food}")
THINGS = ("trombone", "greenhouse", "kayak", "thesis", "beehive", "passport", "stroller")
TOWNS = ("Tartu", "Coimbra", "Gdansk")
FOODS = ("walnuts", "shrimp", "celery")
#: Facts of the speaker, of the other, of nobody in particular, and what is asked for or arranged.
TELLING = (
    "I sold the {thing}", "I'm allergic to {food}", "we bought a {thing}", "my {thing} broke", "I prefer {food}",
    "you left your {thing} at the office", "your {thing} was stolen", "you won the {thing} auction",
    "the {thing} arrived", "the {thing} is in {town}", "a {thing} burned down", "the {thing} costs 40 euros",
    "take the {thing} with breakfast", "don't touch the {thing}", "you should avoid {food}", "keep the {thing} dry",
    "enjoy the {thing} I left you", "bring the {thing} tomorrow", "it was a {thing}", "that is my {thing}",
    "Tuesday", "June", "no more {food}", "the {thing} never came", "{food} for dinner", "the {thing} is yours",
)  # fmt: skip
GREETINGS = tuple(phrase for tag in tables.entry("greetings") for phrase in tables.phrases(f"greetings.{tag}"))
OF_OTHERS = tuple(f"{who} {did}" for who in PEOPLE for did in DID)


def item(text: str, speaker: str, minute: int) -> Item:
    """One thing said."""
    return Item(text=text, source_ids=(f"m{minute}",), created_at=EVENING + timedelta(minutes=minute), speaker=speaker)


def fate_of(text: str, *, before: str = "We spent the evening by the lake.", served: bool = True) -> Fate | None:
    """What becomes of an answer to what the other said, in a summary that says that, or says nothing."""
    items = [item(before, "Ragna", 0), item(text, "Piet", 1)]
    statements = [Statement(text=f"Ragna: {before}", importance=0.5, source_ids=("m0",))] if served else []
    outcome = fates(items, statements)[1]
    return None if outcome is None else outcome.fate


@given(
    opening=st.sampled_from(OPENINGS), telling=st.sampled_from([*TELLING, *OF_OTHERS]),
    thing=st.sampled_from(THINGS), town=st.sampled_from(TOWNS), food=st.sampled_from(FOODS), mark=st.sampled_from(".!"),
)  # fmt: skip
def test_a_fact_is_no_small_talk_however_it_opens(
    opening: str, telling: str, thing: str, town: str, food: str, mark: str
) -> None:
    """Of the speaker, of the other, of a third person or a thing; an order, an arrangement, a preference."""
    fact = telling.format(thing=thing, town=town, food=food)
    text = f"{opening} {fact}{mark}".strip()
    assert fate_of(text[:1].upper() + text[1:]) is not Fate.SMALL_TALK


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("reaction", ["Congrats on the {}!", "What a lovely {}!", "I'm so happy for you and the {}!"])
def test_what_a_reaction_names_has_to_be_told(reaction: str, thing: str) -> None:
    """That the other has one is known from the reaction alone, unless it is served."""
    text, before = reaction.format(thing), f"I finally got a {thing}."
    assert Fate.SMALL_TALK is fate_of(text, before=before)
    assert fate_of(text, before=before, served=False) is None
    assert fate_of(text) is None
    assert fate_of(text, before=f"Do you have a {thing}?") is None


@pytest.mark.parametrize(
    "answer",
    [
        "Sorry, Graz.",
        "Great, Lufthansa.",
        "Super, Dienstag!",
        "Terima kasih, Senin.",
        "Ευχαριστώ, Δευτέρα.",
        "Enjoy Peru!",
    ],
)
def test_what_is_agreed_on_after_thanks_is_told(answer: str) -> None:
    """A town, a company or a day is nobody who is called; who speaks is."""
    assert fate_of(answer) is None
    assert Fate.SMALL_TALK is fate_of("Great, Ragna!")


@pytest.mark.parametrize(
    "reaction", ["Wow, that's amazing!", "That sounds like so much fun!", "I'm so proud of you!", "You got this!"]
)
def test_a_reaction_that_names_nothing_is_small_talk(reaction: str) -> None:
    """It praises or cheers on; nobody is lost with it."""
    assert Fate.SMALL_TALK is fate_of(reaction)


@pytest.mark.parametrize(
    "telling",
    ["It was a really peaceful and awesome experience.", "The smiles and new friendships made it really heartwarming.",
     "It was tough but rewarding.", "The day was full of love and joy.", "It keeps me motivated and focused."],
)  # fmt: skip
def test_how_something_was_is_told(telling: str) -> None:
    """An opinion of a thing may be what somebody asks for; said to the listener alone it is kindness."""
    assert fate_of(telling, served=False) is None
    assert Fate.SMALL_TALK is fate_of("Your kindness and support are really inspiring!", served=False)


@given(
    greeting=st.sampled_from(GREETINGS), fact=st.sampled_from(TELLING), word=st.sampled_from((*THINGS, *FOODS)),
    town=st.sampled_from(TOWNS), joint=st.sampled_from((", ", " ", " from ", "! ", " \u2014 ")),
)  # fmt: skip
def test_a_greeting_of_any_language_is_small_talk_and_what_it_opens_is_not(
    greeting: str, fact: str, word: str, town: str, joint: str
) -> None:
    """A word in small letters after it is no name, a sentence no greeting."""
    assert fate_of(f"{greeting.capitalize()}!") is Fate.SMALL_TALK
    assert fate_of(f"{greeting}{joint}{word}") is not Fate.SMALL_TALK
    assert fate_of(f"{greeting}{joint}{fact.format(thing=word, town=town, food=word)}") is not Fate.SMALL_TALK
