"""What is kept of texts that were read."""

from __future__ import annotations

from precis.language.sentences import sentences
from precis.language.words import kept, kept_where_short, let_go, terms


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


def test_a_long_text_is_read_once_for_all_its_sentences() -> None:
    """Of long texts the last few are kept, and after a forget none."""
    texts: list[str] = []

    @kept_where_short
    def read(text: str) -> int:
        texts.append(text)
        return len(text)

    long = [f"{at} " + "kayak " * 2000 for at in range(40)]
    assert len({read(long[0]) for _ in range(900)}) == len(texts) == 1
    let_go()
    assert [read(text) for text in long] == [len(text) for text in long]
    assert read(long[0]) == len(long[0])
    assert texts == [long[0], *long, long[0]]


def test_a_text_is_read_once_for_each_other_value() -> None:
    """What is kept stays small, and what is read of a text with one day is not answered for another."""
    texts: list[tuple[str, int]] = []

    @kept_where_short
    def read(text: str, day: int) -> int:
        texts.append((text, day))
        return len(text) + day

    assert [6, 6, 7] == [read("kayak", 1), read("kayak", 1), read("kayak", 2)]
    assert [("kayak", 1), ("kayak", 2)] == texts
    long = "kayak " * 1_000
    assert read(long, 1) == read(long, 1)
    assert 3 == len(texts)
    let_go()
    assert read("kayak", 1) == 6
    assert 4 == len(texts)


def test_what_a_caller_does_to_a_reading_is_his_own() -> None:
    """Lists are answered anew: whoever changes one changes nobody else's."""
    terms("a blue loom").clear()
    sentences("It is blue. It is old.").clear()
    assert ["blue", "loom"] == terms("a blue loom")
    assert ["It is blue.", "It is old."] == sentences("It is blue. It is old.")
