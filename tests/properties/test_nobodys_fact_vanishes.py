"""Newest wins, and only over the same thing: generated people, things and sentences, offline and through the check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from people import SET_ASIDE, WORKING, Attribute, Told, changes, facts, missing, stale

from precis.checks import check
from precis.extractive.summarizer import summarize
from precis.makers import Draft, DraftStatement, Item, Request
from precis.models.tokens import count

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
ROOM = 2_000
#: Share of the changes in sentences the rules were not written with that are told once. The others pair two names of
#: a thing that may be two things: a phone number and a mobile number.
SHARE = 0.9
often = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])


def items_of(batch: Sequence[Told]) -> tuple[Item, ...]:
    """A memory a sentence, a day apart."""
    return tuple(
        Item(text=fact.text, source_ids=(f"m{at}",), created_at=START + timedelta(days=at))
        for at, fact in enumerate(batch)
    )


def summarized(batch: Sequence[Told]) -> list[str]:
    """The statements of the offline summarizer, with room for all."""
    draft = summarize(Request(items=items_of(batch), max_tokens=ROOM, prompt=""), count)
    return [statement.text for statement in draft.statements]


def passed(batch: Sequence[Told]) -> list[str]:
    """What is served of a draft that states each sentence by itself."""
    statements = tuple(DraftStatement(text=fact.text, importance=0.5, sources=(at,)) for at, fact in enumerate(batch))
    checked = check(Draft(statements=statements, made_by="model"), items_of(batch))
    return [fact.text for fact in checked.statements if fact.superseded_by is None]


@often
@given(batch=facts(WORKING))
def test_nobodys_fact_vanishes(batch: list[Told]) -> None:
    """With room for all, whatever words of change the sentences have."""
    assert missing(batch, summarized(batch)) == []


@often
@given(batch=facts(SET_ASIDE))
def test_nor_in_other_words(batch: list[Told]) -> None:
    """The same in sentences the rules were not written with."""
    assert missing(batch, summarized(batch)) == []


@often
@given(batch=facts(WORKING) | facts(SET_ASIDE))
def test_the_check_drops_nobodys_fact(batch: list[Told]) -> None:
    """A model's draft that states what is so of several people contradicts nothing newer."""
    statements = tuple(DraftStatement(text=fact.text, importance=0.5, sources=(at,)) for at, fact in enumerate(batch))
    checked = check(Draft(statements=statements, made_by="model"), items_of(batch))
    assert [] == [verdict.text for verdict in checked.verdicts if "contradicts_newer" in verdict.reasons]
    assert [] == [fact.text for fact in checked.statements if fact.superseded_by is not None]


@often
@given(batch=changes(WORKING))
def test_a_changed_value_is_told_once(batch: list[Told]) -> None:
    """The newest, of each person, offline and of a model's draft that states both."""
    for statements in (summarized(batch), passed(batch)):
        assert missing(batch, statements) == []
        assert stale(batch, statements) == []


@often
@given(batch=changes(SET_ASIDE))
def test_a_change_in_other_words_loses_nobody(batch: list[Told]) -> None:
    """Where the rules do not understand a change, both values stand."""
    for statements in (summarized(batch), passed(batch)):
        assert missing(batch, statements) == []


def every_change(templates: dict[str, Attribute]) -> Iterator[list[Told]]:
    """Each state with each change of it, of one person."""
    for name, attribute in templates.items():
        old, new = attribute.values[:2]
        for before in attribute.states:
            for after in attribute.changes:
                value = old if attribute.ends else new
                yield [
                    Told(person="Greta", attribute=name, value=old, text=before.format(P="Greta", v=old), gone=True),
                    Told(person="Greta", attribute=name, value=value, text=after.format(P="Greta", v=value)),
                ]


@pytest.mark.parametrize(("templates", "least"), [(WORKING, 1.0), (SET_ASIDE, SHARE)])
def test_most_changes_are_understood(templates: dict[str, Attribute], least: float) -> None:
    """All of those the rules were written with, and most of the others."""
    batches = list(every_change(templates))
    once = [not stale(batch, summarized(batch)) for batch in batches]
    assert least <= sum(once) / len(once)
