"""What stands of originals that may go: all that they say, in fewer tokens than they have; or they stay."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.fates import fates
from precis.engine.draft import gather
from precis.engine.drafted import NodeContent
from precis.engine.keeping import keeping, room_of, tokens_of
from precis.engine.segments import Kind, Leaf, frozen_node, node
from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.summary import Fate, Statement

MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
FACTS = [
    ("Odile", "The kiln was delivered to the workshop in Arles on Friday."),
    ("Bram", "I have ordered forty bags of clay from the mill near Sète."),
    ("Odile", "Our stall at the spring fair costs 310 euros."),
]


def count(text: str) -> int:
    """A token a word."""
    return len(text.split())


def items_of(*lines: tuple[str, str]) -> list[Item]:
    """An original for each (speaker, text), a minute apart."""
    return [
        Item(text=text, source_ids=(f"m{at}",), created_at=MORNING + timedelta(minutes=at), speaker=speaker)
        for at, (speaker, text) in enumerate(lines)
    ]


def quoted(items: list[Item]) -> list[Statement]:
    """Each original word for word."""
    return [
        Statement(text=f"{item.speaker}: {item.text}", importance=0.5, source_ids=item.source_ids) for item in items
    ]


def test_what_is_only_repeated_lets_nothing_go() -> None:
    """Quotes of every original are as long as the originals: nothing would be saved."""
    items = items_of(*FACTS)
    kept = keeping(items, quoted(items), count=count, saving=True)
    assert ((), {}) == (kept.statements, dict(kept.fates))


def test_what_is_said_in_less_goes() -> None:
    """What comes twice goes with what says it once, and the facts stay word for word."""
    items = items_of(*FACTS, *FACTS[2:])
    kept = keeping(items, quoted(items[:3]), count=count, saving=True)
    assert {item.source_ids[0] for item in items} == set(kept.fates)
    served = [statement for statement in kept.statements if statement.superseded_by is None]
    assert tokens_of(served, count) <= room_of(items, count)
    for _, text in FACTS:
        assert any(text in statement.text for statement in served)


#: Sentences of which no two say the same, and each has the words of the one before.
TWINS = [
    ("Mei beat Ravi at chess.", "Ravi beat Mei at chess."), ("Park in front of the gate.", "Park in the gate."),
    ("The siren is louder than the horn.", "The horn is louder than the siren."),
    ("Take the drops before supper.", "Take the drops after supper."), ("The fee is 12 %.", "The fee is 12 \u20ac."),
    ("His visa ends in May.", "Her visa ends in May."), ("The score is 3:2.", "The score is 3.2."),
    ("Noah came back with his sister.", "Noah came back to his sister."), ("x < 60 is fine.", "x > 60 is fine."),
    ("Der Hund jagt die Katze.", "Die Katze jagt den Hund."), ("The pump is on.", "The pump is off."),
    ("The jar of honey is for Lena, the jar of jam is for Otto.", "The jar of jam is for Lena."),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), TWINS)
@pytest.mark.parametrize("cited", [("m0",), ("m0", "m1")])
def test_the_same_words_are_no_repetition(first: str, second: str, cited: tuple[str, ...]) -> None:
    """Nor does a statement say a sentence because it rests on it and has its words: they may be those of another."""
    items = [replace(item, speaker=None) for item in items_of(("", first), ("", second))]
    statement = Statement(text=first, importance=0.5, source_ids=cited)
    assert [Fate.SAID, None] == [told and told.fate for told in fates(items, [statement])]


def test_what_is_said_in_other_words_is_said() -> None:
    """One sentence of a model's may say two memories, and name once of whom both speak."""
    items = [replace(item, speaker=None) for item in items_of(("", "Ana moved to Oslo."), ("", "Ana bought a canoe."))]
    statement = Statement(text="Ana moved to Oslo and bought a canoe.", importance=0.5, source_ids=("m0", "m1"))
    assert [Fate.SAID, Fate.SAID] == [told and told.fate for told in fates(items, [statement])]


@pytest.mark.parametrize(
    ("original", "draft"),
    [(first, second) for first, second in TWINS[1:] if not first.startswith(("The jar", "Der", "The siren", "The fee"))]
    + [
        ("All seats are sold.", "Some seats are sold."),
        ("Oslo is 3 hours ahead of Lima.", "Lima is 3 hours ahead of Oslo."),
    ],
)
def test_a_false_draft_lets_nothing_go(original: str, draft: str) -> None:
    """A statement with its words and another meaning does not say an original, even if the checks let it pass."""
    (item,) = (replace(item, speaker=None) for item in items_of(("", original)))
    statement = Statement(text=draft, importance=0.5, source_ids=("m0",))
    assert [None] == fates([item], [statement])


def test_a_quote_of_an_answer_brings_the_question_that_the_draft_had() -> None:
    """A part of the answer was drafted: the whole of it is quoted, and nobody has to guess what costs 900."""
    items = items_of(("Odile", "Who is paying the deposit?"), ("Bram", "I'll do it. It's 900."), *FACTS, *FACTS, *FACTS)
    drafted = Statement(
        text="Odile: Who is paying the deposit? Bram: It's 900.", importance=0.5, source_ids=("m0", "m1")
    )
    kept = keeping(items, [drafted, *quoted(items[2:5])], count=count)
    assert "Odile: Who is paying the deposit? Bram: I'll do it. It's 900." in [each.text for each in kept.statements]
    assert {"m0", "m1"} <= set(kept.fates)


@pytest.mark.parametrize("missing", [0, 1])
def test_of_a_question_and_its_answer_neither_goes_alone(missing: int) -> None:
    """The other is not among those that may go: "Ten days" without what takes so long tells nothing."""
    items = items_of(("Odile", "How long does he have to stay?"), ("Bram", "Ten days, then rehab in Arles."), *FACTS)
    drafted = Statement(
        text="Odile: How long does he have to stay? Bram: Ten days, then rehab in Arles.",
        importance=0.5, source_ids=("m0", "m1"),
    )  # fmt: skip
    going = [item for at, item in enumerate(items) if at != missing]
    kept = keeping(going, [drafted, *quoted(items[2:])], count=count)
    assert kept.fates.keys().isdisjoint({"m0", "m1"})


def test_what_was_said_between_two_that_are_left_parts_them() -> None:
    """Of a talk some turns are in a frozen node: what is left of it answers no question that stands before it now."""
    turns = (
        ("Odile", "And your mother?"), ("Bram", "She died in 2019, you remember."),
        ("Odile", "The cat threw up on your rug."), ("Bram", "He does that when I'm away in Arles for the fair."),
    )  # fmt: skip
    items = {item.source_ids[0]: item for item in items_of(*turns)}
    leaves = [
        Leaf(id=id_, created_at=item.created_at or MORNING, fingerprint=id_.encode(), tokens=9)
        for id_, item in items.items()
    ]
    frozen = frozen_node(leaves[1:3], 0)
    root = node(Kind.ROOT, [frozen, leaves[0], leaves[3]])
    below = {frozen.key: NodeContent(statements=tuple(quoted(list(items.values())[1:3])))}
    gathered = gather(root, items, below)
    drafted = summarize(Request(items=tuple(gathered), max_tokens=400, prompt=""), count).statements
    assert not any("And your mother?" in each.text and "He does that" in each.text for each in drafted)
