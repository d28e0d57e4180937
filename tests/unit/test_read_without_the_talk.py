"""What of a talk is told so that who was not there can read it: no joint to others' words, no remark beside facts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.engine.titles.title import title_of
from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import Statement

_START = datetime(2026, 3, 2, 9, tzinfo=UTC)

BOAT = "Signe: I sold the boat to a man from Odense for 4,100 euros."
CHOIR = "Pavel: My choir sings in Brno on 14 June."


def told(*lines: str, picked: bool = True) -> str:
    """What is told of memories of several days, or of one talk."""
    between = timedelta(days=1) if picked else timedelta(minutes=1)
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_START + at * between, speaker=speaker)
        for at, (speaker, text) in enumerate(line.split(": ", 1) for line in lines)
    )
    draft = summarize(Request(items=items, max_tokens=600, prompt="", picked=picked), count)
    return " ".join(statement.text for statement in draft.statements)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("And no sugar for me since Lent.", "Signe: No sugar for me since Lent"),
        ("And me, I'm back on tea since Monday.", "Signe: I'm back on tea since"),
        ("I am, and the rent of the studio is 900 euros.", "Signe: The rent of the studio is 900 euros"),
        ("Way to go, Pavel! And here's the bill of the studio, 900 euros.", "Signe: Here's the bill of the studio"),
        ("Then the printing goes back to Larsen.", "Signe: The printing goes back to Larsen"),
        ("Then I'd sell the studio to Larsen.", "Signe: Then I'd sell the studio to Larsen"),
        ("And Then There Were None is my favorite book.", "Signe: And Then There Were None is"),
    ],
)
def test_what_goes_on_from_others_words_is_told_without_its_joint(said: str, kept: str) -> None:
    """What would be so only then keeps "then", and a book its title."""
    assert kept in told(BOAT, f"Signe: {said}", CHOIR)


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (
            (
                "Nora: Der Hof kostet 310.000 Euro.",
                "Nora: Und die Scheune bleibt bis Mai stehen.",
                "Per: Ich ziehe aus.",
            ),
            "Nora: Die Scheune bleibt",
        ),
        (
            ("Nora: Der Hof kostet 310.000 Euro.", "Nora: Und zwar ab dem 3. Mai.", "Per: Ich ziehe aus der Stadt."),
            "Nora: Und zwar",
        ),
        (
            ("Inés: La finca cuesta 90.000 euros.", "Inés: Y el pozo está seco desde ayer.", "Raúl: Yo me mudo."),
            "Inés: El pozo está seco",
        ),
    ],
)
def test_a_joint_goes_in_other_languages(lines: tuple[str, ...], kept: str) -> None:
    """But "und zwar" is more than "und"."""
    assert kept in told(*lines)


def test_an_answer_keeps_what_joins_it_to_its_question() -> None:
    """Its question is told with it, or is known."""
    talk = told("Pavel: Do you still have the key?", "Signe: I do, and the shed is locked.", BOAT, picked=False)
    assert "I do, and the shed is locked" in talk


def test_what_is_asked_of_the_others_is_not_told_with_what_its_speaker_tells() -> None:
    """A question of one's own is."""
    line = "Signe: Friday question: what did you all read? I read poems, the Danish ones bored me."
    assert "what did you" not in told(BOAT, line, CHOIR)


@pytest.mark.parametrize(
    "remark",
    [
        "Like a pirate with spreadsheets.",
        "Almost like a sailor.",
        "Go ahead and laugh.",
        "Do not mention any whales.",
    ],
)
def test_beside_two_facts_a_remark_is_not_told(remark: str) -> None:
    """Nobody could say of what it is, or look up a word of it."""
    assert remark[-12:] not in told(BOAT, f"Pavel: {remark}", CHOIR)
    assert "curtains" not in told(BOAT, "Pavel: But with nicer curtains.", CHOIR)
    assert remark[-12:] not in told(f"{BOAT} {remark}", CHOIR, "Pavel: The tenor is called Milan.")


@pytest.mark.parametrize(
    "line",
    [
        "With Milan and 12 others.",
        "Don't eat the mushrooms in the shed.",
        "Lunch with Milan.",
        "Four herons.",
        "I said yes to Larsen.",
        "Water the plants.",
        "Please feed the herons.",
        "The scan went well. It is a girl.",
    ],
)
def test_a_line_with_a_name_a_figure_a_warning_or_somebody_stays(line: str) -> None:
    """However short it is."""
    assert line.rstrip(".")[-8:] in told(BOAT, f"Signe: {line}", CHOIR)


def test_in_another_language_a_likening_goes_too() -> None:
    """Alone with one other fact it stays."""
    rent, school = "Nora: Der Hof kostet 310.000 Euro im Jahr.", "Per: Ich lerne seit März in der Schule von Anke."
    assert "Adler" not in told(rent, "Per: Wie ein Adler mit Hut.", school)
    assert "Adler" in told(rent, "Per: Wie ein Adler mit Hut.")


def test_a_title_is_what_half_of_the_memories_have_before_a_part_and_more() -> None:
    """Where none of them shares a noun, it says that it is a part."""
    texts = ("Signe: The kiln cracked on Monday.", "Signe: I bought glazes in Odense.", "Signe: We baked a rye loaf.")
    members = (*texts, "The kiln is from Larsen.", "We have a new kiln now.")
    statements = [Statement(text=text, importance=0.5, source_ids=(text,)) for text in texts]
    assert title_of(statements, members=members) == "Signe: kiln"
    assert (title_of(statements, members=texts) or "").endswith(" and more")
