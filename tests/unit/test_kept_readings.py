"""What is kept of texts that were read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import pytest

from precis.engine.titles import names as told
from precis.engine.titles import tellings
from precis.extractive.conflicts import judge
from precis.extractive.standalone import candidates
from precis.extractive.weights import decisions
from precis.finding import names, reading
from precis.finding.doubts import bearers
from precis.finding.together import aliases, following
from precis.finding.values import Level, Match, Row
from precis.language.sentences import sentences
from precis.language.words import kept, kept_where_short, let_go, terms
from precis.makers import Item


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


@pytest.mark.parametrize("read", [aliases._says_role, bearers._says_who])
def test_words_of_memories_are_not_kept_for_good(read: Any) -> None:
    """A process that runs for months has not every noun of its tenants, nor one that was forgotten."""
    let_go()
    assert not read("quernstone")
    assert (read.cache_info().currsize, read.cache_info().maxsize is None) == (1, False)
    let_go()
    assert read.cache_info().currsize == 0


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


_DIARY = [f"The loom in room {at} squeaks. We oiled it on Monday with Rafael." for at in range(12)]


@pytest.mark.parametrize(
    ("module", "read", "most"),
    [
        (told, lambda: told.told_of([f"Rafael won the {at}th round." for at in range(12)]), 12),
        (told, lambda: told.told_of(_DIARY), 60),
        (tellings, lambda: tellings.capitals("loom squeaks", _DIARY), 0),
        (tellings, lambda: tellings.capitals("we oiled", _DIARY), 12),
    ],
)
def test_only_words_that_may_be_the_name_are_asked_whether_they_are_one(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, read: Callable[[], object], most: int
) -> None:
    """A title asks it of what comes back, and of the words of its phrase: not of every word of all that is told."""
    asked: list[str] = []
    real: Callable[[Sequence[str], int], bool] = module.is_name

    def counting(tokens: Sequence[str], at: int) -> bool:
        asked.append(tokens[at])
        return real(tokens, at)

    monkeypatch.setattr(module, "is_name", counting)
    assert read() in (["Rafael"], "loom squeaks", "we oiled")
    assert len(asked) <= most


def test_a_word_of_one_clause_is_held_against_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ties two clauses together is looked for in words that both have."""
    pairs: list[tuple[int, int]] = []
    real = decisions._follows

    def counting(later: int, earlier: int, *others: Any) -> bool:
        pairs.append((later, earlier))
        return real(later, earlier, *others)

    monkeypatch.setattr(decisions, "_follows", counting)
    texts = ["Odile bought a kayak.", "Rafael sings.", "The kayak leaks.", "Ingrid paints."]
    days = [datetime(2026, 1, 1 + at, tzinfo=UTC) for at in range(4)]
    items = [Item(text=text, source_ids=(text,), created_at=day) for text, day in zip(texts, days, strict=True)]
    options = candidates(items, judge(items, set()))
    common = decisions._in_common(options, items, {"kayak": 2.0})
    assert {(0, 2): 2.0} == common
    assert {(0, 2), (2, 0)} == {pair for pair in pairs if pair[0] != pair[1]}
    assert len(pairs) <= 4
