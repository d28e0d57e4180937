"""Extraction by rules: type, subject, person and importance of single texts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.language.labels import extract, normalize_key

KEYED = [
    ("My favorite coffee is a flat white.", "preference", "coffee", "Ada"),
    ("my favourite coffee is decaf these days", "preference", "coffee", "Ada"),
    ("My favorite color is teal.", "preference", "color", "Ada"),
    ("Alice's email cadence is weekly.", "fact", "email cadence", "Alice"),
    ("I moved to Lisbon last week.", "fact", "home", "Ada"),
    ("I live in Oslo.", "fact", "home", "Ada"),
    ("Good morning! I moved to Porto yesterday. How are you?", "fact", "home", "Ada"),
    ("Carol lives in a new flat in Leeds.", "fact", "home", "Carol"),
    ("Dan works at the harbor office.", "fact", "employer", "Dan"),
    ("Nina started working for Brightwater in May.", "fact", "employer", "Nina"),
    ("I study at the college in Ghent.", "fact", "school", "Ada"),
    ("My locker code is now 4412.", "fact", "locker code", "Ada"),
    ("Bob's parking spot changed to 14.", "fact", "parking spot", "Bob"),
]
UNKEYED = [
    ("Hello everyone, good morning!", "smalltalk"),
    ("Thanks so much!", "smalltalk"),
    ("Yes.", "smalltalk"),
    ("Sounds great, see you soon!", "smalltalk"),
    ("Congratulations, Tomasz!", "smalltalk"),
    ("Ouch.", "smalltalk"),
    ("Guten Morgen!", "smalltalk"),
    ("Danke, bis morgen!", "smalltalk"),
    ("Dziękuję, do jutra!", "smalltalk"),
    ("Günaydın!", "smalltalk"),
    ("Bis morgen ist der Zaun fertig.", "fact"),
    ("", "smalltalk"),
    ("\U0001f44d", "smalltalk"),
    ("Do you still eat meat?", "question"),
    ("When is the launch?", "question"),
    ("How many dogs does Mara have? Just asking.", "question"),
    ("We decided to skip the Thursday call.", "decision"),
    ("I'm going to repaint the fence tomorrow.", "plan"),
    ("I love long walks.", "preference"),
    ("His cousin sails every summer.", "relationship"),
    ("I saw a heron yesterday.", "event"),
    ("I think that ending was weak.", "opinion"),
    ("Oslo has a tram line with six stops.", "fact"),
    ("I was moved to tears by the film.", "fact"),
    ("Dark mode everywhere, please.", "fact"),
]


@pytest.mark.parametrize(("text", "kind", "key", "person"), KEYED, ids=[row[0] for row in KEYED])
def test_clear_subjects_are_named(text: str, kind: str, key: str, person: str | None) -> None:
    """A pattern that names a subject gives it a key, its type and whose it is."""
    found = extract(text, speaker="Ada")
    assert (found.type, found.key, found.person) == (kind, key, person)


@pytest.mark.parametrize(("text", "kind"), UNKEYED, ids=[row[0] or "empty" for row in UNKEYED])
def test_other_texts_have_a_type_and_no_subject(text: str, kind: str) -> None:
    """Where no pattern is clear the subject is left open."""
    found = extract(text, speaker="Ada")
    assert (found.type, found.key) == (kind, None)


@pytest.mark.parametrize(
    "text",
    [
        "My favorite thing is the sea.",
        "That's two hours from here.",
        "Good job, Ben!",
        "It fits on a screen.",
    ],
)
def test_vague_nouns_are_no_subject(text: str) -> None:
    """A key that nobody would look up would only scatter memories."""
    assert extract(text, speaker="Ada").key is None


@pytest.mark.parametrize(
    ("text", "speaker", "person"),
    [
        ("I told Bob about the heron.", "Ada", "Ada"),
        ("I told Bob about the heron.", None, None),
        ("Bob wants a bigger boat.", "Ada", "Bob"),
        ("Bob's boat needs paint.", None, "Bob"),
        ("We repaired the mast.", "Ada", "Ada"),
        ("The mast is oak.", "Ada", None),
        ("Tomorrow is cold.", "Ada", None),
        ("Slate in Oslo was cheap.", "Ada", None),
    ],
)
def test_the_person_is_the_speaker_or_the_one_named(text: str, speaker: str | None, person: str | None) -> None:
    """First person means the speaker; a name in front means that person; otherwise nobody."""
    assert extract(text, speaker=speaker).person == person


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("We decided to move the fair to 12 May.", "I think the fair is fine."),
        ("I live in Oslo.", "Where do you live now, still in Oslo?"),
        ("The berth costs 340 euros in Tromsø.", "The berth costs too much there."),
        ("I went to the lake.", "Good morning, everyone!"),
        ("I saw a heron, two otters and a kite near the old mill.", "I saw a heron."),
    ],
)
def test_what_can_be_looked_up_later_matters_more(more: str, less: str) -> None:
    """Decisions, subjects, figures and names outrank opinions, questions and greetings."""
    assert extract(more, speaker="Ada").importance > extract(less, speaker="Ada").importance


@pytest.mark.parametrize(
    ("spellings", "key"),
    [
        (
            ("ui theme", "UI-theme", "UI_Theme", "UI themes", "  ui / theme ", "User Interface theme"),
            "ui theme",
        ),
        (("email cadence", "E-mail cadence", "Email-Cadences", "EMAIL CADENCE"), "email cadence"),
        (("coffee", "Coffees", "\uff23offee"), "coffee"),
        (("favorite color", "favourite colours"), "favorite color"),
        (("Alice's hobby", "alice\u2019s hobbies"), "alice hobby"),
        (("box", "boxes"), "box"),
        (("dish", "dishes"), "dish"),
        (("address",), "address"),
        (("status",), "status"),
        (("tennis",), "tennis"),
        (("住所",), "住所"),
        (("C",), "c"),
        (("C++", "c++ "), "c++"),
        (("C#", "c# "), "c#"),
        (("news", "News!"), "news"),
        (("new",), "new"),
        (("Postgres", "POSTGRES"), "postgres"),
        (("physics",), "physics"),
        (("topics", "#topic"), "topic"),
        (("कॉफ़ी", "कॉफ़ी!"), "कॉफ़ी"),
        (("☕",), "☕"),
        (("",), ""),
    ],
)
def test_spellings_of_a_key_are_one(spellings: tuple[str, ...], key: str) -> None:
    """Case, width, punctuation, plural and a few spellings make no difference; other words do."""
    assert {normalize_key(spelling) for spelling in spellings} == {key}


@given(st.text(max_size=60))
def test_normalizing_a_key_twice_changes_nothing(key: str) -> None:
    """A stored key compares equal to itself."""
    once = normalize_key(key)
    assert normalize_key(once) == once


@given(st.text(max_size=200), st.none() | st.text(min_size=1, max_size=8))
def test_any_text_is_extracted(text: str, speaker: str | None) -> None:
    """Whatever the text, there is an answer in range, and its key is normal already."""
    found = extract(text, speaker=speaker)
    assert 0 <= found.importance <= 1
    assert found.key is None or (found.key and normalize_key(found.key) == found.key)


def test_a_long_text_takes_time_in_proportion() -> None:
    """No pattern backtracks: twenty thousand words are read in a few seconds of processor time at most."""
    started = time.process_time()
    extract("My " + "very " * 20_000 + "old hat changed to blue. " + "x's " * 20_000, speaker="Ada")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "text",
    [
        "No problem, Ben. Let me know if you need any help!",
        "Keep going, you can do it!",
        "Thanks, Ben! Your support means a lot.",
        "You got this!",
        "Wow, what a lovely shelf!",
        "That boat looks amazing, Ben! How did you make it?",
        "I wrote down the berth, the mast and the rest.",
        "Done.",
        "I put it in the harbor notes.",
        "Welcome home!",
    ],
)
def test_replies_hold_nothing_to_remember(text: str) -> None:
    """Thanks, praise, encouragement and word that something was noted: no fact, whatever their length."""
    assert extract(text, speaker="Ada").type in {"smalltalk", "question"}


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, Ben! I retired in spring.",
        "Wow, what a day: the heron bred on the old mill roof and the otters came.",
        "Great, the reading group meets in Tromsø.",
        "Thanks! She kept both herons.",
        "Note that the ferry stops at the mill.",
        "Your visa was approved.",
        "Thanks! Three times a week.",
    ],
)
def test_a_kind_word_does_not_hide_what_is_told(text: str) -> None:
    """Something of one's own, a name, a figure or another person makes it more than a reply."""
    assert extract(text, speaker="Ada").type not in {"smalltalk", "question"}


def test_a_picture_names_no_subject() -> None:
    """What is seen on a picture is not what is told, unless nothing is."""
    told = extract("I fixed the oak shelf. [shares a photo of my favorite boat is here]", speaker="Ada")
    assert told.key is None
    assert extract("[shares a photo: my favorite boat is here]", speaker="Ada").key == "boat"
