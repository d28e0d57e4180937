"""Which sentences the rules take for facts, and how they name who speaks."""

from __future__ import annotations

import itertools

import pytest

from precis.facts.named import in_third_person
from precis.facts.rules import facts_in

NAMES = ("Noor", "Tomasz", "Ng\u1ecdc", "Ada Berg")
#: What is said, and the same of somebody.
SAID = [
    ("I am a {work}.", "{name} is a {work}."),
    ("I'm a {work} at the {place}.", "{name} is a {work} at the {place}."),
    ("I have worked at the {place} since 2019.", "{name} has worked at the {place} since 2019."),
    ("I've left the {place}.", "{name} has left the {place}."),
    ("I don't eat {food}.", "{name} doesn't eat {food}."),
    ("I never eat {food}.", "{name} never eats {food}."),
    ("I prefer {food} for breakfast.", "{name} prefers {food} for breakfast."),
    ("I sold my old {thing} in March.", "{name} sold {name}'s old {thing} in March."),
    ("My sister gave me a {thing}.", "{name}'s sister gave {name} a {thing}."),
    ("My favorite {thing} is the blue {thing}.", "{name}'s favorite {thing} is the blue {thing}."),
    ("I will visit the {place} on 9 May.", "{name} will visit the {place} on 9 May."),
    ("I once hitchhiked to the {place}.", "{name} once hitchhiked to the {place}."),
    ("My clinic has a kind {work}, Yusuf, he bakes.", "{name}'s clinic has a kind {work}, Yusuf, he bakes."),
    ("I dread my {work} exam.", "{name} dreads {name}'s {work} exam."),
]
FILLED = [
    dict(zip(("work", "place", "food", "thing"), words, strict=True))
    for words in (("welder", "shipyard", "pork", "violin"), ("nurse", "clinic", "oysters", "kayak"))
]
NONE = [
    "Don't call me before noon.",
    "Good morning!",
    "Thanks a lot, that helps.",
    "How are you today?",
    "Where do I find the clinic?",
    "I like it.",
    "He works at the shipyard.",
    "It is in the violin case.",
    "I will do that tomorrow.",
    "I agree with you.",
    "You told me about the shipyard.",
    "Maybe I move to Gdansk.",
    "I think I might sell the kayak.",
    "If I sell the kayak, I buy a violin.",
    "I would like a violin.",
    "Please remind me to call Oddvar.",
    "Book a table at the clinic.",
    "We sold our kayak.",
    "Yes.",
    "Sounds great, I love that!",
    "I gatti dormono sul divano di Marta.",
    "I poszed\u0142em do sklepu w Gdyni.",
]


@pytest.mark.parametrize(("said", "told"), SAID)
def test_the_first_person_gets_its_name(said: str, told: str) -> None:
    """With the verb that goes with it."""
    for name, filled in itertools.product(NAMES, FILLED):
        (fact,) = facts_in(said.format(**filled), name=name, role="user")
        assert (told.format(name=name, **filled), None) == (fact.text, fact.speaker)


@pytest.mark.parametrize("said", [said for said, _ in SAID])
def test_without_a_name_it_is_quoted(said: str) -> None:
    """Word for word, with the role of who says it; so is what stands between other sentences."""
    for filled in FILLED:
        sentence = said.format(**filled)
        for text in (sentence, f"Hi! {sentence} How are you?", f"Well, {sentence} Thanks!"):
            (fact,) = facts_in(text, name=None, role="user")
            assert (sentence, "user") == (fact.text, fact.speaker)


@pytest.mark.parametrize("text", NONE)
def test_in_doubt_there_is_none(text: str) -> None:
    """Small talk, questions, requests, what is unsure, and what points at something outside."""
    assert not facts_in(text, name=None, role="user")
    assert not facts_in(text, name="Noor", role="user")


def test_an_assistant_has_none_unless_it_is_somebody() -> None:
    """Two people who talk are both people."""
    assert not facts_in("I am a welder.", name=None, role="assistant")
    assert [fact.text for fact in facts_in("I am a welder.", name="Tomasz", role="assistant")] == [
        "Tomasz is a welder."
    ]


@pytest.mark.parametrize(
    "sentence",
    ["I put the violin away.", "I work nights and sleep late.", "I cut bread.", '"I am late," my sister said.',
     "We and I met.", "I yodel.", "I hurt myself.", "I told you my name."],
)  # fmt: skip
def test_where_the_grammar_is_not_plain_nothing_is_turned(sentence: str) -> None:
    """Past and present that look alike, two verbs, quotes, several speakers, unknown verbs."""
    assert in_third_person(sentence, "Noor") is None


OF_NAMED = {
    "Theo is allergic to peanuts, badly.": "Theo is allergic to peanuts, badly.",
    "Most important: Milo has asthma and carries a blue inhaler.": "Milo has asthma and carries a blue inhaler.",
    "The vet said Biscuit has a heart murmur too.": "The vet said Biscuit has a heart murmur too.",
    "Right, so: no peanuts, no cashews for Theo.": "No peanuts, no cashews for Theo.",
    "Dr. Okafor is ill.": "Dr. Okafor is ill.",
    "Otto is at the dentist at 3:30 pm, Dr. Brandl.": "Otto is at the dentist at 3:30 pm, Dr. Brandl.",
    "Otto sees Dr. Brandl, the one on Mill Street.": "Otto sees Dr. Brandl, the one on Mill Street.",
    "I get seasick, so no boat tours please.": "Noor gets seasick, so no boat tours please.",
    "I told Mom about the exam.": "Noor told Mom about the exam.",
    "I passed the exam in March!": "Noor passed the exam in March!",
    "I cook and clean on Saturdays.": "I cook and clean on Saturdays.",
}


@pytest.mark.parametrize("sentence", OF_NAMED)
def test_what_is_told_of_somebody_by_name_is_a_fact(sentence: str) -> None:
    """Whoever says it; and its words stay as they are."""
    (fact,) = facts_in(sentence, name="Noor", role="user")
    assert fact.text == OF_NAMED[sentence]


def test_he_is_whom_the_sentence_before_names() -> None:
    """Of somebody's health both sentences are one fact: nobody guesses who "he" is."""
    said = (
        "I took Theo to the allergist in May. The test says he's allergic to cashews, not just peanuts. He was brave."
    )
    (fact,) = facts_in(said, name="Noor", role="user")
    assert fact.text == (
        "Noor took Theo to the allergist in May. The test says he's allergic to cashews, not just peanuts."
    )


OF_A_MOMENT = (
    "Who ate my oat yogurt", "why did Tom sell my bike", "Is Theo allergic to anything", "What did Noor do with it",
    "But fine, I'm outvoted.", "I'm still speechless.", "OK, I'm lost.", "Coffee is good for the heart.",
    "Happiness has many names.", "The van to Glasgow comes on Saturday.",
)  # fmt: skip


@pytest.mark.parametrize("sentence", OF_A_MOMENT)
def test_a_question_without_its_mark_or_a_moment_is_none(sentence: str) -> None:
    """Nor is what opens with a noun that has no article."""
    assert not facts_in(sentence, name="Noor", role="user")


@pytest.mark.parametrize("sentence", ["I'm divorced now.", "I'm left-handed.", "Had the flu in my last week at Opel."])
def test_what_looks_like_one_of_these_stays(sentence: str) -> None:
    """A state for good, and a sentence that leaves its I out."""
    assert facts_in(sentence, name="Noor", role="user")
