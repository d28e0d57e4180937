"""What trimming takes from a sentence: words that carry nothing, never a part of who, what or how much."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.extractive.trim import capital, clauses, trimmed
from precis.language.grammar import DEGREES, FORMS
from precis.language.newest.taken_back import laughs

FILLERS = (
    "really just actually totally definitely literally honestly basically super truly absolutely certainly simply very "
    "quite pretty so"
).split()
#: Letters of several scripts; what they spell is a thing nobody has heard of.
_LETTERS = st.sampled_from(["abdeglmnoprstuvz", "абвгдежзиклмн", "αβγδεζηθικ", "აბგდევზ", "नमतकरसल", "éüøåñç"])
NOUNS = _LETTERS.flatmap(lambda letters: st.text(letters, min_size=3, max_size=9)).filter(
    lambda word: (
        word not in FILLERS
        and word not in DEGREES
        and word not in FORMS
        and not laughs(word)
        and not word.endswith(("ing", "ed", "ful", "ous", "ive", "able", "ible"))
    )
)
DETERMINERS = st.sampled_from("a the my our this that her his their every any".split())
VERBS = st.sampled_from("bought sold found lost painted".split())


@given(filler=st.sampled_from(FILLERS), noun=NOUNS, determiner=DETERMINERS, verb=VERBS)
def test_a_thing_keeps_its_words(filler: str, noun: str, determiner: str, verb: str) -> None:
    """Between a determiner and a noun no word is a filler: a super yacht, the very end, a just cause."""
    sentence = f"Ana {verb} {determiner} {filler} {noun}."
    assert sentence == trimmed(sentence, ())
    named = f"Ana {verb} a boat called {filler} {noun}."
    assert named == trimmed(named, ())


@given(filler=st.sampled_from("super pretty very quite so just simply".split()), noun=NOUNS, verb=VERBS)
def test_nor_without_a_determiner(filler: str, noun: str, verb: str) -> None:
    """Super glue, pretty stones, just water."""
    sentence = f"Ana {verb} {filler} {noun}."
    assert sentence == trimmed(sentence, ())


@given(filler=st.sampled_from(FILLERS), noun=NOUNS)
def test_names_made_of_fillers(filler: str, noun: str) -> None:
    """A capital inside a sentence makes a name of it."""
    name = f"{filler.title()} {noun.title()}"
    sentence = f"I sold {name} to {name}."
    assert sentence == trimmed(sentence, ())


@given(
    words=st.lists(
        NOUNS | st.sampled_from(FILLERS) | st.sampled_from("I it is was a the two and not".split()), min_size=2
    )
)
def test_only_fillers_are_dropped(words: list[str]) -> None:
    """Whatever the sentence: the words that are gone are of the list, and the others keep their order."""
    sentence = " ".join(["Ana", "saw", *words])
    kept = trimmed(sentence, ()).split()
    gone = Counter(sentence.split()) - Counter(kept)
    assert set(gone) <= set(FILLERS)
    rest = iter(sentence.split())
    assert all(word in rest for word in kept)


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        ("It's nice.", "It's super nice."),
        ("I like it.", "I just really like it."),
        ("I've moved to Rome.", "I've just moved to Rome."),
        ("She is a very good cook.", "She is a very good cook."),
        ("It was good.", "It was so good."),
        ("My super king bed is wide.", "My super king bed is pretty wide."),
        ("It was just Ana.", "It was just Ana."),
        ("Two ovens and one very tired me.", "Two ovens and one very tired me."),
        ("It was a really long day.", "It was a really long day."),
        ("I just want 2 left.", "I just want 2 left."),
        ("It was so cold that it broke.", "It was so cold that it broke."),
        ("I don't really like it.", "I don't really like it."),
        ("The super yacht sank.", "The super yacht sank."),
        ("Those are pretty dresses.", "Those are pretty dresses."),
    ],
)
def test_what_goes_and_what_stays(expected: str, sentence: str) -> None:
    """Before an adjective or a verb it carries nothing."""
    assert expected == trimmed(sentence, ())


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        ("Ben, Ana and I met.", "Ben, Ana and I met."),
        ("I met Ben, Ana.", "I met Ben, Ana."),
        ("Ana, Ben and Carl left.", "Ana, Ben and Carl left."),
        ("I saw Carl, Ana, and Ben.", "I saw Carl, Ana, and Ben."),
        ("The mast is oak.", "Ana, the mast is oak."),
        ("I love it.", "I love it, Ana."),
    ],
)
def test_who_is_listed_stays_and_who_is_called_goes(expected: str, sentence: str) -> None:
    """A name among names is no call."""
    assert expected == trimmed(sentence, {"Ana", "Ben"})


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        ("ატომური", "ატომური"), ("Élan", "élan"), ("Ёлка", "ёлка"), ("Ώρα", "ώρα"), ("Ճանապարհ", "ճանապարհ"),
        ("ßeta", "ßeta"), ("ŉ", "ŉ"), ("ǅep", "ǆep"), ("ﬁn", "ﬁn"), ("iyi ışık", "iyi ışık"), ("Istanbul", "istanbul"),
        ("iPhone", "iPhone"), ("हिन्दी", "हिन्दी"), ("ꭰꭱ", "ꭰꭱ"), ("", ""), ("9 cats", "9 cats"),
        ("hunter2", "hunter2"), ("user_id is set", "user_id is set"), ("ana@x.org is hers", "ana@x.org is hers"),
        ("Well-known", "well-known"), ("eth0: down", "eth0: down"), ("Note: down", "note: down"),
    ],
)  # fmt: skip
def test_a_capital_where_the_script_has_one(expected: str, sentence: str) -> None:
    """Sentence case is Latin, Greek, Cyrillic and Armenian; one letter becomes one letter, and no other word."""
    assert expected == capital(sentence)


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        ("I passed.", "I passed. \U0001f389\U0001f389"), ("I passed", "I passed \U0001f389"),
        ("\U0001f697 = red", "\U0001f697 = red"), ("Her sign is \U0001f98a", "her sign is \U0001f98a"),
        ("No \U0001f34e for Leo!", "No \U0001f34e for Leo! \U0001f62d"),
    ],
)  # fmt: skip
def test_a_sign_inside_a_sentence_is_a_word(expected: str, sentence: str) -> None:
    """Behind it it only says how somebody feels."""
    assert expected == trimmed(sentence, ())


def test_who_did_it_with_somebody_is_not_cut_from_it() -> None:
    """One thing that two people did is one clause; "I met Noor, and I" begins two."""
    parts = [text for _, text in clauses("New plan, Noor and I agreed on it, and we sold the kiln.")]
    assert ["New plan, Noor and I agreed on it", "we sold the kiln."] == parts
    assert ["I met Noor", "I slept well."] == [text for _, text in clauses("I met Noor and I slept well.")]


@pytest.mark.parametrize(
    "sentence",
    [
        "So if Olaf rows daily, I bet it will be easier for him.", "But when the kiln broke, we moved to Utrecht.",
        "But with help from Ilse and my own savings, I bought the stall.", "Only if it rains, I take the tram.",
        "And since you ask about the goats, I sold them in May.", "Maybe after the fair closes, we can go to Graz.",
        "Thanks to the loan, we could keep the barge.",
    ],
)  # fmt: skip
def test_a_condition_behind_a_joint_is_not_cut_from_what_holds_under_it(sentence: str) -> None:
    """The half that stays would say that it is so; an opening without a condition is cut as before."""
    assert [("", sentence)] == clauses(sentence)
    assert ["But the kiln broke", "we moved to Utrecht."] == [
        text for _, text in clauses("But the kiln broke, and we moved to Utrecht.")
    ]


def test_what_was_told_is_not_cut_from_who_told_it_nor_an_aim_from_its_means() -> None:
    """Nobody would know who said it; "that Ilse can read it" is of what stands before it."""
    for sentence in (
        'He also said, and I quote, "Go or rust".',
        "I recommend Typst: it sets the reports from text, so that Ilse can read them.",
    ):
        assert [("", sentence)] == clauses(sentence)


def test_of_two_short_clauses_on_one_thing_neither_stands_alone() -> None:
    """One by itself may say the opposite of both."""
    assert clauses("Who ticks boxes runs more; it is silly and it is true.")[-1][1] == "it is silly and it is true."
    assert len(clauses("I walked to the lake, and it was great fun.")) > 1
