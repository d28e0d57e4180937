"""What is kept of texts that were read."""

from __future__ import annotations

from precis.language.sentences import sentences
from precis.language.words import kept, let_go, terms


def test_a_reading_is_kept_until_something_is_forgotten() -> None:
    """The same text is read once; after a forget nothing of it is kept."""
    texts: list[str] = []

    @kept
    def read(text: str) -> int:
        texts.append(text)
        return len(text)

    assert [5, 5] == [read("kayak"), read("kayak")]
    let_go()
    assert read("kayak") == 5
    assert ["kayak", "kayak"] == texts


def test_what_a_caller_does_to_a_reading_is_his_own() -> None:
    """Lists are answered anew: whoever changes one changes nobody else's."""
    terms("a blue loom").clear()
    sentences("It is blue. It is old.").clear()
    assert ["blue", "loom"] == terms("a blue loom")
    assert ["It is blue.", "It is old."] == sentences("It is blue. It is old.")
