"""The measures of `precis eval`: pure, between 0 and 1, and right where the answer is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.evaluation.measures import (
    Measures,
    Share,
    addresses_listener,
    dangling,
    facts_kept,
    is_english,
    is_reaction,
    length,
    measure,
    names_kept,
    near_duplicates,
    recall,
    total,
    values_kept,
    words_kept,
)

MEMORIES = [
    "The kayak cost 640 euros, and Odile paid it in May.",
    "On Tuesday the bees at the Marne meadow swarmed at 10:30.",
    "What did the violin cost?",
]
_TEXT = st.lists(st.text(alphabet="abc 1.,!IX'", max_size=30), max_size=4)


@given(_TEXT, _TEXT)
def test_every_share_lies_between_0_and_1(memories: list[str], statements: list[str]) -> None:
    """Whatever the texts are; nothing is a share of nothing."""
    measures = measure([(memories, statements)], len)
    for name in ("words_kept", "facts_kept", "values_kept", "names_kept", "repeating"):
        share = getattr(measures, name)
        assert 0 <= share.hits <= share.of
        assert (share.value is None) == (share.of == 0)


@given(_TEXT)
def test_what_says_everything_keeps_everything(memories: list[str]) -> None:
    """A summary that is its memories."""
    for share in (words_kept, values_kept, names_kept, length):
        of_itself = share(memories, memories)
        assert of_itself.hits == of_itself.of


def test_nothing_said_is_nothing_kept() -> None:
    """The other end."""
    kept = [share(MEMORIES, []) for share in (words_kept, facts_kept, values_kept, names_kept, length)]
    assert [0] * 5 == [share.hits for share in kept]
    assert all(share.of for share in kept)


def test_a_value_counts_with_its_unit_and_kind() -> None:
    """The number alone is not the amount, and dates and times are values."""
    assert values_kept(MEMORIES[:1], ["The kayak cost 640 euros."]).hits == 1
    assert values_kept(["It weighs 640 grams."], ["It weighs 640 tons."]).hits == 0
    assert Share(hits=2, of=2) == values_kept(MEMORIES[1:2], ["The bees swarmed at 10:30 on a Tuesday."])


def test_a_fact_is_a_value_with_what_it_is_about() -> None:
    """A number among other words is no fact that was kept."""
    assert Share(hits=1, of=1) == facts_kept(["The kayak cost 640 euros."], ["The kayak: it cost 640 euros."])
    assert Share(hits=0, of=1) == facts_kept(["The kayak cost 640 euros."], ["The violin of Tamsin is 640 euros."])


def test_questions_and_reactions_hold_no_fact() -> None:
    """What is asked is told by nobody."""
    assert Share() == facts_kept(["Did it cost 640 euros?", "Wow, that's great, Odile!"], ["It cost 640 euros."])


def test_names_are_kept_wherever_a_statement_has_them() -> None:
    """At its beginning, and in small letters, too."""
    assert Share(hits=1, of=1) == names_kept(["We saw Odile."], ["Odile was seen."])
    assert Share(hits=0, of=1) == names_kept(["We saw Odile."], ["She was seen."])
    assert Share(hits=1, of=1) == names_kept(["We saw Anne-Lise."], ["Anne-Lise's boat sank."])


def test_shares_add_up() -> None:
    """A figure over several summaries weighs each word alike."""
    both = total([Share(hits=1, of=4), Share(hits=3, of=4)])
    assert Share(hits=4, of=8) == both
    assert both.value == pytest.approx(0.5)
    assert total([]).value is None
    assert recall(frozenset("ab"), frozenset("bc")) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "statement",
    [
        "It was a long way.",
        "Tamsin: He sold the boat.",
        "And then they left.",
        "That's the best of all.",
        "This is why the boat sank.",
        "Their boat sank.",
    ],
)
def test_a_pronoun_at_the_opening_dangles(statement: str) -> None:
    """Who speaks does not say whom it stands for; a joint before it does not help."""
    assert dangling(statement)


@pytest.mark.parametrize(
    "statement", ["Odile sold the boat.", "That week the boat sank.", "Tamsin: I sold my boat, and it sank.", "", "..."]
)
def test_what_stands_alone_does_not_dangle(statement: str) -> None:
    """A pronoun may follow what it stands for."""
    assert not dangling(statement)


def test_you_is_said_to_somebody() -> None:
    """Anywhere in the statement, as a word."""
    assert addresses_listener("Odile: I owe you one.")
    assert addresses_listener("Your boat sank.")
    assert not addresses_listener("The youth sailed.")


@pytest.mark.parametrize(
    "statement",
    ["Odile: Wow, that's great!", "Keep it up and reach that shore!", "Ahoy there!", "Thanks so much. Take care!"],
)
def test_a_reaction_tells_nothing(statement: str) -> None:
    """All of its sentences react, and none has a figure, a name or the speaker's own doing."""
    assert is_reaction(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "Thanks to a loan of 300 euros the boat floats!",
        "Great, I sold the boat.",
        "Wow, the boat of Odile sank.",
        "The boat was sold to a man from the harbor office.",
        "Great! The boat was sold to a man from the harbor office.",
    ],
)
def test_in_doubt_it_is_no_reaction(statement: str) -> None:
    """What has a fact in it is a statement."""
    assert not is_reaction(statement)


def test_statements_that_say_the_same_are_counted_in_pairs() -> None:
    """Whoever is named as the speaker; short ones are not compared."""
    same = "the old kayak lies behind the boat house"
    assert near_duplicates([f"Odile: {same}.", f"Tamsin: {same.upper()}!", "The bees swarmed in the meadow."]) == 1
    assert near_duplicates(["Yes.", "Yes."]) == 0


def test_readability_is_left_open_where_it_cannot_be_read() -> None:
    """A text in another language is not called readable."""
    german = ["Das Boot liegt seit gestern hinter dem Haus am Ufer und wird im Winter gestrichen."]
    assert not is_english(german)
    assert measure([(german, german)], len).dangling is None
    english = measure([(MEMORIES, ["It sank.", "The kayak cost 640 euros."])], len)
    assert Share(hits=1, of=2) == english.dangling == english.hard_to_read


def test_nothing_measured_is_no_figure() -> None:
    """No summary at all."""
    measures = measure([], len)
    assert measures.summaries == 0
    assert isinstance(measures, Measures)
    assert measures.words_kept.value is None
