"""Which later rows likely give the newer value of an earlier one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.recall.newer.likely import likely_newer
from precis.recall.telling import Told

FIRST = datetime(2026, 3, 2, 9, tzinfo=UTC)
#: What is said besides, one a day.
BESIDE = ("We met an owl behind the barn.", "Soup again for lunch.", "The stairs creak.", "A parcel came for Odile.")


def _told(old: str, new: str, *, speaker: str = "Ana", days: int = 9) -> dict[str, Told]:
    rows = {f"beside {at}": Told(text, FIRST + timedelta(days=at + 1), "Ben") for at, text in enumerate(BESIDE)}
    return {"old": Told(old, FIRST, "Ana"), **rows, "new": Told(new, FIRST + timedelta(days=days), speaker)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The hens lay in the red shed.", "They left the red shed, it is the orchard now."),
        ("My tailor is Mr. Quill.", "Quill retired, I go to Mrs. Abara now."),
        ("Wir proben immer montags.", "Ab jetzt proben wir freitags."),
        ("Mon dentiste est le docteur Vasseur.", "Vasseur est parti, je vais chez la docteure Kone maintenant."),
    ],
)
def test_a_later_row_that_tells_of_a_change_in_a_rare_word(old: str, new: str) -> None:
    """Of the same speaker it is likelier than all that was said besides; of another it is less likely."""
    newer = likely_newer(["old"], _told(old, new))
    assert max(newer, key=lambda id_: newer[id_]["old"]) == "new"
    assert newer["new"]["old"] > likely_newer(["old"], _told(old, new, speaker="Cleo")).get("new", {}).get("old", 0.0)


@pytest.mark.parametrize("new", ["Did they leave the red shed?", "The ferry was late."])
def test_what_asks_or_has_no_sign_is_nothing_newer(new: str) -> None:
    """A question gives no value."""
    assert "new" not in likely_newer(["old"], _told("The hens lay in the red shed.", new, speaker="Cleo"))


def test_what_was_said_on_the_same_day_or_before_is_nothing_newer() -> None:
    """Only a later day counts."""
    old, new = "The hens lay in the red shed.", "They left the red shed, it is the orchard now."
    assert "new" not in likely_newer(["old"], _told(old, new, days=0))
    assert "new" not in likely_newer(["old"], _told(old, new, days=-3))


def test_what_goes_with_any_row_goes_with_none() -> None:
    """A row in the old one's rare word keeps its chance, and those that only tell of some change share one."""
    told = _told("The hens lay in the red shed.", "They left the red shed, it is the orchard now.")
    others = ("I pay 40 euros now.", "My train moved to 7:15.", "The piano costs 90 euros now.", "We left at 8:20.")
    changes = {f"change {at}": Told(text, FIRST + timedelta(days=5), "Ana") for at, text in enumerate(others)}
    price = {"price": Told("I pay 30 euros for the piano.", FIRST, "Ana")}
    alone = likely_newer(["price"], {**price, "change 0": changes["change 0"]})["change 0"]["price"]
    newer = likely_newer(["old", "price"], {**told, **price, **changes})
    assert newer["change 0"]["price"] < alone
    assert max(newer, key=lambda id_: newer[id_].get("old", 0.0)) == "new"


def test_what_is_far_into_a_long_row_is_not_read() -> None:
    """It is no value that is told anew; a row of one word without an end would take seconds."""
    old, new = "The hens lay in the red shed.", "They left the red shed, it is the orchard now."
    assert "new" in likely_newer(["old"], _told(old, new))
    assert "new" not in likely_newer(["old"], _told(old, f"{'hm ' * 400}{new}"))
