"""What was agreed, and the codes and numbers of a place, are facts; what somebody did for a moment is none."""

from __future__ import annotations

import pytest

from precis.facts.rules import facts_in

#: English, so that short sentences before it are read as that.
BEHIND = "That was the day when we were in the office and there was nothing else to do."
DEALINGS = [
    ("At Brandt we fixed 12.40 per O-ring set, 3,000 sets over the year.", "Ana"),
    ("I agreed 52 euros a valve with Tarvik, 200 valves a year.", "Ana"),
    ("With Nordlys we settled on 48 euros per lamp, 25 lamps a quarter.", "Ana"),
    ("Olga's mobile is 0151 555 7340.", None),
    ("The gate code at Tarvik is 3308 now.", None),
    ("The alarm code of the Leeds hall is 5521.", None),
    ("Giulia's direct line is +48 58 555 0192.", None),
    ("The contract with Lumo runs until 30 September 2028.", None),
]
RELATED = [
    ("Anna Krol is leaving Brandt in May!", "Her successor is one Tobias Weiher."),
    ("Rashid Amin retires in May.", "His replacement is called Vera Holm."),
    ("Olga Brandl runs purchasing at Fenix.", "Her direct line is +48 58 555 0192."),
]
NOTHING = [
    "Depends on my back.",
    "Depends on my wife.",
    "Waits for Sven until Friday.",
    "Pekka served nut free cake, naturally.",
    "Tuss ate a sock.",
    "Olga ate the last biscuit.",
    "Nordkaj went well!",
    "Piotr just wrote, he can't do the 24th.",
    "We agreed on it with Lumo.",
    "The code is 5521.",
    "I told her 27 euros, valid until the end of May.",
    "Should we fix 12.40 with Brandt?",
    "The train to Cork is 7 minutes late.",
]
STAYS = [
    "Pekka ate peanuts and was ill.",
    "Theo broke his arm on Monday.",
    "Olga quit Fenix.",
    "My sister ate no meat for 10 years.",
    "Ilse called off the wedding.",
]


@pytest.mark.parametrize(("text", "speaker"), DEALINGS)
def test_what_was_agreed_and_the_values_of_a_place_are_facts(text: str, speaker: str | None) -> None:
    """What "we" agreed is quoted, with who said it."""
    (fact,) = facts_in(text, name="Ana", role="user")
    assert (fact.text, fact.speaker) == (text, speaker)


@pytest.mark.parametrize(("text", "behind"), RELATED)
def test_who_succeeds_whom_is_told_with_the_sentence_before(text: str, behind: str) -> None:
    """Whose successor it is stands there; alone it is no fact."""
    assert [fact.text for fact in facts_in(f"{text} {behind}", name="Ana", role="user")] == [f"{text} {behind}"]
    assert not facts_in(behind, name="Ana", role="user")


@pytest.mark.parametrize("text", NOTHING)
def test_what_has_no_subject_or_passes_is_no_fact(text: str) -> None:
    """Nobody asks for it, or nobody knows of whom it is."""
    assert not facts_in(text, name="Ana", role="user")
    assert not [fact for fact in facts_in(f"{text} {BEHIND}", name="Ana", role="user") if text[:9] in fact.text]


@pytest.mark.parametrize("text", STAYS)
def test_what_stays_is_a_fact(text: str) -> None:
    """In the same verbs."""
    assert facts_in(f"{text} {BEHIND}", name="Ana", role="user")


@pytest.mark.parametrize(
    "text",
    ["First day at the depot. I had a HOT MEAL", "I am a zombie", "i am a terrible brother", "My brain is soup",
     "I'm an awful daughter, I know", "In my shoe cupboard.", "home, in bed, dog on top of me", "I'll do the dishes",
     "my sister got a card", "Report sent!! 40 pages", "I had a nap", "I have asked thats what waiting means"],
)  # fmt: skip
def test_a_figure_of_speech_and_what_is_over_with_the_hour_is_no_fact(text: str) -> None:
    """Nobody is a ghost, and a sandwich on Thursday is none by Friday."""
    assert facts_in(text, name="Tess", role="user") == []


@pytest.mark.parametrize(
    "text",
    ["I am a ghost writer", "I am a welder", "I had a stroke", "I had a baby in May", "My eyes are weak",
     "I have a lunch break at 12 every day", "I am a mother of two", "My dog is a beagle", "i'm allergic to soup"],
)  # fmt: skip
def test_what_sounds_alike_and_lasts_is_one(text: str) -> None:
    """The same words for what somebody is, has or went through."""
    assert len(facts_in(text, name="Tess", role="user")) == 1
