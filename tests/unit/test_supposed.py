"""What somebody would do if, and what an assistant proposes and nobody takes up, gives no title and no insight."""

from __future__ import annotations

import pytest

from precis.checks.trifles import meant, supposes
from precis.policies.insights import insights
from precis.summary import Statement

IF = [
    "If Nordkaj ever cancels on me a third time I'm moving to Portugal and opening a surf shop.",
    "If she calls once more I'll marry a goat farmer in Peru.",
    "Wenn er noch einmal anruft, ziehe ich nach Peru.",
    "Si elle appelle encore, je pars au Pérou.",
    "Si me llama otra vez, me voy a Perú.",
]
IS = [
    "If it rains on Friday the fair moves indoors.",
    "I asked if the ferry leaves at nine, and I'm early.",
    "Wenn es regnet, fällt das Rennen aus.",
    "Die Fähre geht um neun.",
]


def said(text: str, importance: float = 0.6) -> Statement:
    """A statement."""
    return Statement(text=text, importance=importance, source_ids=("n",))


@pytest.mark.parametrize("text", IF)
def test_what_would_be_done_if_is_no_insight(text: str) -> None:
    """However important it is scored, unless there is nothing else."""
    facts = [said(f"Marta: The ferry {name} leaves at {hour}.") for hour, name in enumerate(("Astrid", "Borg", "Cato"))]
    joke = said(f"Marta: {text}", 1.0)
    assert supposes(text)
    assert joke not in insights([joke, *facts], most=10)
    assert [joke] == insights([joke], most=10)


@pytest.mark.parametrize("text", IS)
def test_a_condition_of_others_is_told(text: str) -> None:
    """And an "if" in a sentence."""
    assert not supposes(text)


def test_titles_are_of_what_people_state() -> None:
    """Not of what an assistant says in words of its own; where only that is left, of that."""
    offer = said("assistant: A camping package sells well in Ireland.")
    taken_up = said("assistant: Tents of 40 square meters are in stock.")
    tents, joke = said("Marta: Olga takes 40 tents at 90 euros."), said(f"Marta: I need a lamp. {IF[0]}")
    assert meant([tents, joke, offer, taken_up]) == [tents, said("Marta: I need a lamp."), taken_up]
    assert meant([offer]) == [offer]
    assert meant([said(f"Marta: {IF[1]}")]) == [said(f"Marta: {IF[1]}")]
