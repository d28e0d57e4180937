"""Key insights: a choice of the statements, spread over people and subjects, without reactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.engine.segments import Kind
from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import counter
from precis.policies.clusters import clusters
from precis.policies.insights import insights
from precis.policies.rollups import rollups
from precis.policies.views import views
from precis.summary import Statement


def said(text: str, importance: float = 0.6) -> Statement:
    """A statement."""
    return Statement(text=text, importance=importance, source_ids=("n",))


@given(st.lists(st.floats(0, 1), max_size=40), st.integers(1, 12))
def test_they_are_fewer_than_the_statements(scores: list[float], most: int) -> None:
    """Three where there are three; of more about half, never all, and best first."""
    served = [said(f"Crate {at} went to dock {at}.", score) for at, score in enumerate(scores)]
    best = insights(served, most=most)
    assert len(best) <= most
    assert len(best) == len(served) if len(served) <= min(3, most) else len(best) < len(served)
    assert [one.importance for one in best] == sorted((one.importance for one in best), reverse=True)


def test_they_are_spread_over_people_and_subjects() -> None:
    """A fourth statement on one subject goes behind the first on another."""
    orchard = [said(f"Ines: The pear orchard needs pruning in row {row}.", 0.7) for row in ("one", "nine", "ten")]
    others = [said("Omar: The ferry license was renewed.", 0.65), said("Ines: The loan is paid off.", 0.65)]
    best = {statement.text for statement in insights([*orchard, *others], most=3)}
    assert {others[0].text, others[1].text} <= best


def test_reactions_and_questions_are_none() -> None:
    """However important they are scored, unless there is nothing else."""
    reaction, question = said("Ines: Wow, that is amazing!", 0.9), said("Omar: When does the ferry leave?", 0.9)
    facts = [said(f"Omar: The ferry {name} leaves at {hour}.") for hour, name in enumerate(("Astrid", "Borg", "Cato"))]
    assert not {reaction.text, question.text} & {one.text for one in insights([reaction, question, *facts], most=10)}
    assert [reaction] == insights([reaction], most=10)


def test_what_nobody_understands_alone_is_none() -> None:
    """Unless there is little else, what opens on somebody who is named elsewhere is not among them."""
    she = said("She's mostly worked in hospitals.", 0.9)
    others = [said("Ona fits the stairs on 4 May."), said("Piet sold the barn."), said("Uwe has asthma.")]
    assert she.text not in [one.text for one in insights([she, *others], most=10)]
    assert she.text in [one.text for one in insights([she, *others[:2]], most=10)]


def test_what_holds_of_everybody_is_none() -> None:
    """Somebody would tell of the ferry."""
    general = said("Ines: Spending time outdoors is important.", 0.9)
    facts = [said(f"Omar: The ferry {name} leaves at {hour}.") for hour, name in enumerate(("Astrid", "Borg", "Cato"))]
    saying = said("Life is short.", 0.9)  # in a note, too
    assert {general, saying}.isdisjoint(insights([general, saying, *facts], most=10))


@given(read=st.integers(100, 6_000), items=st.integers(10, 300))
def test_a_summary_of_many_takes_less_than_half(read: int, items: int) -> None:
    """Of a cluster and of a view; few members are not pressed, nor is what was condensed before."""
    for policy in (clusters(), views()):
        limit = policy.budget.summary_tokens
        room = policy.budget.for_kind
        assert max(40, read // 2) >= room(Kind.ROOT, read, sources=items)
        assert min(limit, 120) <= room(Kind.ROOT, read, sources=9) <= limit
        assert limit == room(Kind.ROOT, read, sources=items, condensed_from=2 * read)


@given(read=st.integers(100, 6_000), items=st.integers(10, 300))
def test_a_week_of_many_notes_takes_less_than_half(read: int, items: int) -> None:
    """And a month less than its weeks; a week of few notes is not pressed."""
    week, month = rollups()["week"].budget, rollups()["month"].budget
    assert week.for_kind(Kind.ROOT, read, sources=items) < read / 2
    assert month.for_kind(Kind.ROOT, read, sources=items, condensed_from=2 * read) < read
    assert 120 == week.for_kind(Kind.ROOT, 100, sources=4)
    assert week.for_kind(Kind.ROOT, read, sources=items, condensed_from=read) < read / 2


def quoted(texts: Sequence[str], *, days: int, limit: int) -> list[str]:
    """The statements of what one person said so many days apart."""
    items = tuple(
        Item(text=text, source_ids=(text,), created_at=datetime(2024, 5, 1 + at * days, tzinfo=UTC), speaker="Ola")
        for at, text in enumerate(texts)
    )
    draft = summarize(Request(items=items, max_tokens=limit, prompt=""), counter())
    return [statement.text for statement in draft.statements]


def test_of_several_days_what_lasts_stands_before_the_color_of_one() -> None:
    """A decision and a rent are told of a week; turns of one day are all as new."""
    texts = (
        "The toaster burned two crumpets and a napkin.", "We decided to sell the house in Leiden.",
        "A gull took the sandwich off the tray.", "My rent is 700 euros.",
    )  # fmt: skip
    assert [f"Ola: {texts[1]}", f"Ola: {texts[3]}"] == quoted(texts, days=1, limit=22)
    assert [f"Ola: {texts[0]}"] == quoted(texts, days=0, limit=22)


def test_what_is_too_curt_gives_way() -> None:
    """Few words without a figure, a name or a person tell little; they stay where there is room."""
    texts = ("Pigeons adore gossip.", "The kettle whistles every morning in the galley.")
    assert [f"Ola: {texts[1]}"] == quoted(texts, days=0, limit=14)
    assert [f"Ola: {text}" for text in texts] == quoted(texts, days=0, limit=40)


@pytest.mark.parametrize(
    "to_listener", ["Your marlin crates reached the harbor.", "Finally your marlin crates reached the harbor."]
)
def test_what_only_speaks_to_the_listener_gives_way(to_listener: str) -> None:
    """Who tells of a day tells more to who was not there; with room both stand."""
    texts = (to_listener, "The kettle leaks on the table again.")
    assert [f"Ola: {texts[1]}"] == quoted(texts, days=0, limit=14)
    assert [f"Ola: {text}" for text in texts] == quoted(texts, days=0, limit=40)


def test_what_points_back_and_tells_nothing_gives_way() -> None:
    """Of two sentences the second says how it was; a denial may tell that something is not so."""
    texts = ("I made a bowl in my pottery class. It took some work.", "I glazed a jug. It was not fun.")
    expected = ["Ola: I made a bowl in my pottery class.", "Ola: I glazed a jug. It was not fun."]
    assert expected == quoted(texts, days=0, limit=60)
