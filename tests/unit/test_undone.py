"""What was booked or estimated, and what became of it: the older stands behind it, with its day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks import check
from precis.checks.fates import fates
from precis.checks.standing import now_first
from precis.extractive.summarizer import summarize
from precis.language.newest.undone import deed_of, undoes
from precis.makers import Item, Request
from precis.models.tokens import count

START = datetime(2026, 3, 3, 9, tzinfo=UTC)


def served(*texts: str, speaker: str | None = None) -> list[str]:
    """The statements of a cluster of notes, three days apart, in their order."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + timedelta(days=3 * at), speaker=speaker)
        for at, text in enumerate(texts)
    )
    draft = summarize(Request(items=items, max_tokens=300, prompt="", picked=True), count)
    statements = check(draft, items).statements
    return [s.text for s in now_first(statements, items, fates(items, statements)) if s.superseded_by is None]


@pytest.mark.parametrize("speaker", [None, "Noor"])
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I booked the guesthouse in Bergen.", "I canceled the Bergen guesthouse, Uncle Odd has a spare room."),
        ("I'm moving to the Cedar Lane flat in June.", "I'm not moving to Cedar Lane after all."),
        ("The fence will cost 1,800.", "The final invoice is 1,840."),
        ("Ich habe die Hütte am Walchensee reserviert.", "Die Hütte am Walchensee ist storniert."),
        ("J'ai loué un camion chez Duval.", "Nous avons annulé le camion, Paul nous prête le sien."),
    ],
)
def test_what_is_off_stands_behind_what_says_so(older: str, newer: str, speaker: str | None) -> None:
    """Also where other notes stand around them; it has the day on which it was said."""
    texts = served("The lamp in the hall is broken.", older, newer, "The cat sleeps a lot.", speaker=speaker)
    at, before = (next(at for at, text in enumerate(texts) if part.rstrip(".") in text) for part in (newer, older[:14]))
    assert at < before
    assert "6 March 2026" in texts[before] or "2026-03-06" in texts[before]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I booked the guesthouse in Bergen.", "I canceled the guesthouse in Tromsø."),
        ("I booked the guesthouse in Bergen.", "My cousin canceled the guesthouse in Bergen."),
        ("I booked the guesthouse in Bergen.", "If Odd comes I canceled the guesthouse in Bergen for nothing."),
        ("I booked the guesthouse in Bergen.", "I nearly canceled the guesthouse in Bergen."),
        ("I booked the guesthouse in Bergen.", "I canceled the breakfast at the Bergen guesthouse."),
        ("Noor signed up for the pottery class.", "I dropped the pottery class."),
        ("I signed up for the pottery class.", "I dropped the yoga class."),
        ("The fence will cost 1,800.", "The invoice for the garage door is 1,840."),
        ("The fence will cost 1,800.", "The final invoice is 90."),
        ("Ich habe den Flug nach Oslo gebucht.", "Ich habe den Flug nach Rom storniert."),
        ("J'ai réservé le gîte à Sète.", "Mon frère a annulé le gîte à Sète."),
    ],
)
def test_what_is_another_or_not_sure_undoes_nothing(older: str, newer: str) -> None:
    """Another of its kind, a part of it, somebody else's, and what may be or nearly was."""
    assert not undoes(deed_of(newer), deed_of(older))
    assert not undoes(deed_of(older), deed_of(newer))
