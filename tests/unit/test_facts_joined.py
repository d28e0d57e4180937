"""Facts that stand only with the sentence before them, or whose subject is whoever speaks."""

import pytest

from precis.facts.joined import goes_on_with_value, introduces, with_first_person
from precis.facts.rules import facts_in


def _facts(text: str) -> list[tuple[str, str | None]]:
    return [(fact.text, fact.speaker) for fact in facts_in(text, name="Ines", role="user")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My dad's surgery got postponed. It's 4 March now.", "Ines's dad's surgery got postponed. It's 4 March now."),
        (
            "Wanda is leaving the choir. From Friday it's Klaas Aarden, same hall.",
            "Wanda is leaving the choir. From Friday it's Klaas Aarden, same hall.",
        ),
        ("My aunt Odile is a vet. She's 52 in May.", "Ines's aunt Odile is a vet. She's 52 in May."),
    ],
)  # fmt: skip
def test_a_figure_of_what_was_named_is_one_fact_with_it(text: str, told: str) -> None:
    """By itself the first half says nothing of what it is now, and the second nothing of whom."""
    assert _facts(text) == [(told, None)]


def test_who_is_introduced_is_told_with_what_they_ask_for() -> None:
    """Neither half is a fact; both together are, as they were said."""
    (fact,) = _facts("Roofer came, Basil Thorne. He asks 2,900 for the slates.")
    assert fact[0] == "Roofer came, Basil Thorne. He asks 2,900 for the slates."


@pytest.mark.parametrize(
    "text",
    [
        "Ada sold the flat. It was 30 degrees.",  # the weather, and over
        "Ada sold the flat. It's 30 degrees.",
        "I met Basil Thorne and Otto Krug. He wants 300 euros.",  # one of two
        "My boss is Basil Thorne. If he is 40, I am 20.",
        "Is that Basil Thorne? He is 40.",
        "Roofer came. He asks 2,900 for the slates.",
        'They wrote: "A roofer came, Basil Thorne." He asks 2,900 for the slates.',
    ],
)
def test_in_doubt_nothing_is_joined(text: str) -> None:
    """Of two people, of the weather, of a question and of what somebody else wrote."""
    assert not any(text.endswith(told.rpartition(". ")[2]) for told, _ in _facts(text))


@pytest.mark.parametrize(
    "text",
    [
        "We hired a nanny, Ingrid, she comes on Tuesdays.",
        "We've booked Villa Ondina for 6 nights.",
        "Switched the boiler to Vaillant last week.",
        "Our landlord is Mr. Petri.",
        "Our wedding is on 12 June in Graz.",
        "We live in Tromsø.",
    ],
)
def test_what_we_did_and_what_leaves_i_out_is_quoted(text: str) -> None:
    """Who "we" are, and who did it where nobody is named, no rule says: their words stand with who said them."""
    assert _facts(text) == [(text, "Ines")]


@pytest.mark.parametrize(
    "text",
    ["Moved to tears by it.", "We laughed at Tom.", "We had pizza at Mario's.", "Called Dr Osei.",
     "We sold our 2 vans.", "We have five minutes left.", "Our Ana is coming.", "Our plan is that we fly to Oslo."],
)  # fmt: skip
def test_what_is_of_a_moment_or_of_several_is_not_read_as_mine(text: str) -> None:
    """A participle with nothing that undergoes it, a verb of a moment, and "our" beside "we"."""
    assert with_first_person(text) is None


@pytest.mark.parametrize(
    "text",
    ["I've dropped the idea.", "I get sick otherwise.", "Colin started today.", "I will just make tea.",
     "I'll fix the calendar later."],
)  # fmt: skip
def test_what_stands_for_nothing_alone_is_no_fact(text: str) -> None:
    """Which idea, what was started, and what is done within the hour."""
    assert _facts(text) == []


def test_what_says_what_it_is_of_stays_a_fact() -> None:
    """The same words with what they are about."""
    assert _facts("I've dropped the idea of a loft.")
    assert _facts("I'll just take the job in Oslo.")
    assert _facts("Colin started the rewire on 3 May.")


def test_one_name_is_introduced_and_a_pronoun_goes_on() -> None:
    """Two names of one person, and no pronoun that may be of another."""
    assert introduces("Roofer came, Basil Thorne.")
    assert not introduces("She knows Basil Thorne.")
    assert not introduces("Basil Thorne met Otto Krug.")
    assert goes_on_with_value("He wants 300 euros.", "Roofer came, Basil Thorne.")
    assert not goes_on_with_value("He was 300 euros short.", "Roofer came, Basil Thorne.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My birthday is on 9 June, I'd like a cake that day.", ["Ines's birthday is on 9 June."]),
        ("I'm allergic to nuts so I'd prefer a plain one.", ["Ines is allergic to nuts."]),
        ("I'm celiac, and he doesn't eat pork.", ["Ines is celiac."]),
        ("My boss is Kim, and he is vegan.", ["Ines's boss is Kim, and he is vegan."]),
        ("I live in Ghent, I'd say.", []),
        ("Since I'm allergic to nuts, I'd prefer a plain one.", []),
        ("If I had a boat, I'd love it blue.", []),
    ],
)
def test_what_follows_a_fact_does_not_hide_it(text: str, told: list[str]) -> None:
    """What stands before it is so; what hangs on it, or is only thought, is not told."""
    assert [fact for fact, _ in _facts(text)] == told
