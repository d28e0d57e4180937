"""What a line of a context is said to be about."""

from __future__ import annotations

import pytest

from precis.app.assembling.stating import subject_of


@pytest.mark.parametrize(
    ("title", "texts", "subject"),
    [
        ("Ulla: kiln, May 2026", ["Ulla: The kiln cracked."], "Kiln (Ulla)"),
        ("Ulla and Per: kiln", ["Ulla: The kiln cracked.", "Per: It is the door."], "Kiln (Ulla and Per)"),
        ("Ulla: kiln-api", ["Ulla: kiln-api is down."], "kiln-api (Ulla)"),
        ("Kiln: door and more", ["The kiln has a new door."], "Kiln: door and more"),
        ("Kiln, May to June 2026", ["Ulla: The kiln cracked."], "Kiln"),
    ],
)
def test_who_speaks_stands_behind_what_it_is_about(title: str, texts: list[str], subject: str) -> None:
    """Before it, it would be read as what they say."""
    assert subject_of(title, texts) == subject
