"""What stands of originals that may go: all that they say, in fewer tokens than they have; or they stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from precis.engine.keeping import keeping, room_of, tokens_of
from precis.makers import Item
from precis.summary import Statement

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
