"""Who is asked for, and not whom they have, who else is called so, or what somebody who goes with them does."""

from __future__ import annotations

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level, Row


@pytest.mark.parametrize(
    ("ask", "meant", "other"),
    [
        ("Olga isn't my cousin. Delete it.", "Olga is my cousin.", "Olga's cousin is a pilot."),
        ("Forget that Imre is a doctor.", "Imre is a doctor.", "Imre's doctor moved away."),
        ("Remove who my landlord is.", "My landlord is Henk Vos.", "I baked a pie with Henk."),
        ("Vergiss, wer mein Vermieter ist.", "Mein Vermieter ist Henk Vos.", "Ich habe mit Henk gekocht."),
    ],
)
def test_who_somebody_is_takes_nothing_of_theirs(ask: str, meant: str, other: str) -> None:
    """A denial and a deletion ask for what was said, and "who" for who somebody is."""
    found = levels(ask, meant, other, by_memories=True)
    assert found[0] == "sure"
    assert found[1] != "sure"


def test_the_name_of_the_user_is_nobody_elses() -> None:
    """A son who is called so stays."""
    assert "sure" not in levels("Forget my name, Bertram.", "My son Bertram is nine.", by_memories=True)


@pytest.mark.parametrize(
    ("ask", "text", "left"),
    [
        ("Forget everything about Tim.", "Tim, Jon and I went hiking.", "Jon and I went hiking."),
        ("Forget Ines.", "Ines, my brother and I rent a boat.", "My brother and I rent a boat."),
    ],
)
def test_one_of_three_is_taken_out_of_a_subject(ask: str, text: str, left: str) -> None:
    """What the others did stays."""
    (finding,) = find(read_request(ask, NOW.date()), [Row(id="a", text=text, created_at=NOW)]).rows
    assert finding.level is Level.SURE
    assert written(text, finding.keeps) == left


@pytest.mark.parametrize(
    "text", ["Tim, Jon and I went hiking together.", "Tim, Jon and I love his cat.", "Jon, Ada and Tim went hiking."]
)
def test_a_subject_that_counts_or_ends_with_who_goes_is_not_cut(text: str) -> None:
    """What is left would not be so, or would not read."""
    (finding,) = find(read_request("Forget Tim.", NOW.date()), [Row(id="a", text=text, created_at=NOW)]).rows
    assert finding.keeps == ()
