"""What an older sentence says and a newer one says to be so no longer."""

from __future__ import annotations

import pytest

from precis.language.newest.slots import Said, taken_up


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Noor takes 20 mg of statins daily.", "Noor no longer takes statins."),
        ("Noor works at the harbor office.", "Noor doesn't work at the harbor office any more."),
        ("Soy alérgica a las nueces.", "Ya no soy alérgica a las nueces según la prueba."),
        ("Ich trinke morgens zwei Tassen Tee.", "Ich trinke keinen Tee mehr."),
        ("Eu como peixe às sextas.", "Eu já não como peixe."),
    ],
)
def test_what_is_so_no_longer_is_taken_up(older: str, newer: str) -> None:
    """By the newer one alone, and whoever speaks."""
    assert taken_up([Said(older, None, 0), Said(newer, None, 1)]) == {0: 1}
    assert not taken_up([Said(newer, None, 0), Said(older, None, 1)]).get(1)


@pytest.mark.parametrize(
    "older", ["Bram has a harbor view.", "Bram rowed at Henley in 2019.", "Noor rows on Sundays.", "Does Bram row?"]
)
def test_what_only_shares_a_word_is_not(older: str) -> None:
    """A name and a word, or what is told of the past."""
    assert not taken_up([Said(older, None, 0), Said("Bram no longer rows for the harbor club.", None, 1)])
