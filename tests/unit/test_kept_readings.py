"""What is kept of texts that were read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import pytest

from precis.finding import names, reading
from precis.finding.together import following
from precis.finding.values import Level, Match, Row
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


def _counted(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[str]:
    """The texts that a function of a module is asked for from now on; it answers as ever."""
    asked: list[str] = []
    real: Callable[[str], Any] = getattr(module, name)

    def counting(text: str) -> Any:
        asked.append(text)
        return real(text)

    monkeypatch.setattr(module, name, counting)
    return asked


@pytest.mark.parametrize(
    ("module", "inner", "read"),
    [(names, "read_words", names.people), (reading, "sentences", reading.sentence_spans)],
)
@pytest.mark.parametrize(
    "text", ["Odile lent Rafael the loom. He sold it.", "Odile lieh Rafael den Webstuhl. Er ging."]
)
def test_whom_a_text_names_and_where_its_sentences_stand_is_read_once(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, inner: str, read: Callable[[str], Any], text: str
) -> None:
    """Many rules of a request in words ask the same of each memory; after a forget nothing of it is kept."""
    let_go()
    asked = _counted(monkeypatch, module, inner)
    first = read(text)
    assert first == read(text)
    assert len(first) == 2
    assert [text] == asked
    let_go()
    assert first == read(text)
    assert [text, text] == asked


def test_what_many_say_in_no_same_words_is_not_looked_for_sentence_by_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sentences are read of the one memory alone that has the words of one that is meant."""
    now = datetime(2026, 1, 5, tzinfo=UTC)
    texts = [f"Odile sold loom number {at} in Tartu." for at in range(30)]
    texts += [f"Rafael painted the kiln {at} times." for at in range(30)]
    texts.append("That went badly. Odile sold loom number 7 in Tartu.")
    rows = [Row(id=str(at), text=text, created_at=now) for at, text in enumerate(texts)]
    matches = {row.id: Match(level=Level.SURE if at < 30 else Level.NO) for at, row in enumerate(rows)}
    asked = _counted(monkeypatch, following, "sentence_spans")
    following.take_echoes(rows, matches, bounded=False)
    assert [texts[-1].lower()] == asked
    assert [row.id for row in rows[30:] if matches[row.id].level is Level.SURE] == ["60"]
