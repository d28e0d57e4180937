"""Ranking, as pure as it is."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.app.recall import Fold, fold
from precis.recall.question import Candidate, Pool, narrowed, read_question
from precis.recall.ranking import PARTS, Weights, rank

NOW = datetime(2026, 3, 1, tzinfo=UTC)
TEA = read_question("green tea")
WORDS_ONLY = Weights(
    vector=0, stretch=0, shortness=0, speaker=0, named=0, date=0, summary=0, newest=0, newest_asked=0, importance=0,
    recency=0, preference=0,
)  # fmt: skip


def row(id_: str, *frequencies: int, days: float = 60, **fields: Any) -> Candidate:
    """A candidate of so many days ago."""
    made = Candidate(
        id=id_, similarity=None, frequencies=frequencies or (0, 0), length=8, importance=0.5,
        created_at=NOW - timedelta(days=days),
    )  # fmt: skip
    return made._replace(**fields)


def pool(*rows: Candidate, chain: str = "") -> Pool:
    """These candidates; those named in the chain stand in this order in one session."""
    links = list(pairwise(chain))
    return Pool(
        rows={one.id: one for one in rows},
        before={after: before for before, after in links},
        after=dict(links),
        documents=100,
        holding=(5.0, 20.0),
        mean_length=8,
    )


def order(question: str, found: Pool, weights: Weights | None = None) -> str:
    """Ids, best first."""
    return "".join(score.id for score in rank(read_question(question), found, now=NOW, weights=weights))


def test_no_candidates() -> None:
    """Nothing is found in nothing."""
    assert rank(TEA, pool(), now=NOW) == []


def test_a_score_is_the_sum_of_its_parts() -> None:
    """The best sum comes first, and every part is within its weight."""
    found = pool(row("a", 1, 1, similarity=0.5, spoken=True), row("b", 0, 1), row("c", 1, 0, importance=1), chain="ab")
    ranked = rank(TEA, found, now=NOW)
    totals = {score.id: sum(score.parts.values()) for score in ranked}
    assert [score.id for score in ranked] == sorted(totals, key=lambda id_: -totals[id_])
    assert len(set(totals.values())) == 3
    for score in ranked:
        assert set(score.parts) == set(PARTS)
        assert score.telling == 0  # added once its text is read
        for name in set(PARTS) - {"telling"}:
            value = score.parts[name]
            assert 0 <= value / getattr(Weights(), name) <= 1 + 1e-9


def test_importance_counts_less_in_a_language_the_embedder_does_not_read() -> None:
    """The rules that guess it do not read it either; it still decides between rows that are alike."""
    found = pool(row("a", 1, 0, importance=1.0), row("b", 1, 0, importance=0.0), row("c", 1, 1, importance=0.0))

    def of_a(trust: float) -> float:
        return next(one.importance for one in rank(TEA, found, now=NOW, trust=trust) if one.id == "a")

    assert (of_a(1.0), of_a(0.5), of_a(0.0)) == (
        Weights().importance,
        Weights().importance,
        Weights().importance_unread,
    )
    assert [one.id for one in rank(TEA, found, now=NOW, trust=0.0)] == ["c", "a", "b"]


def test_who_is_only_called_does_not_come_before_what_they_say() -> None:
    """In a chat people seldom say their own name: each turn of theirs counts as if it had it, so it tells nothing."""
    question = read_question("Where does Wren live?")
    wren = question.terms.index("wren")
    none = (0,) * len(question.terms)
    called = tuple(int(at == wren) for at in range(len(question.terms)))
    found = replace(
        pool(
            row("called", *called, similarity=0.1),
            row("says", *none, similarity=0.3, spoken=True, called=(wren,)),
            row("says_else", *none, similarity=0.1, spoken=True, called=(wren,)),
        ),
        holding=tuple(1.0 if at == wren else 9.0 for at in range(len(question.terms))),
    )
    assert [score.id for score in rank(question, found, now=NOW)] == ["says", "says_else", "called"]
    strangers = replace(found, rows={id_: each._replace(called=(), spoken=False) for id_, each in found.rows.items()})
    assert rank(question, strangers, now=NOW)[0].id == "called"


def test_a_summary_that_names_who_is_asked_counts_as_theirs() -> None:
    """Its statements begin with who said them."""
    found = pool(
        row("a", 1, 0, spoken=True, called=(0,)), row("s", 1, 0, is_summary=True, sources=("a",)),
        row("t", 0, 0, is_summary=True, sources=("x",)),
    )  # fmt: skip
    speaker = {score.id: score.speaker for score in rank(TEA, found, now=NOW)}
    assert speaker == {"a": Weights().speaker, "s": Weights().speaker, "t": 0.0}


def test_one_word_of_many_is_not_all_that_words_can_say() -> None:
    """Where no row holds much of the question, its words say the less, and likeness the more."""
    asked = read_question("green tea kettle porcelain ceremony")
    found = replace(
        pool(row("word", 1, 0, 0, 0, 0, similarity=0.1), row("like", 0, 0, 0, 0, 0, similarity=0.9)),
        holding=(5.0,) * 5,
    )
    scores = {score.id: score for score in rank(asked, found, now=NOW)}
    assert 0 < scores["word"].keyword < 0.3 * Weights().keyword
    whole = replace(found, rows={**found.rows, "all": row("all", 1, 1, 1, 1, 1, similarity=0.1)})
    assert next(score for score in rank(asked, whole, now=NOW) if score.id == "all").keyword == Weights().keyword


def test_rare_words_count_more() -> None:
    """A row with the rarer word of two comes first."""
    assert order("green tea", pool(row("b", 0, 1), row("a", 1, 0))) == "ab"


def test_a_neighbor_says_what_it_is_about() -> None:
    """A row beside the one that names the subject comes before a row elsewhere."""
    assert order("green tea", pool(row("a"), row("b", 1, 1), row("x"), chain="ab")) == "bax"


def test_a_window_counts_a_repeated_word_once_more_only() -> None:
    """What both say is damped together: two neighbors with one word do not beat a row with both words."""
    found = pool(row("a", 0, 1), row("b", 0, 1), row("c", 0, 1), row("x", 1, 1), chain="abc")
    assert order("green tea", found, WORDS_ONLY)[0] == "x"


def test_what_the_embedder_cannot_read_is_left_to_the_words() -> None:
    """With no trust in the vector the order is that of the words."""
    found = pool(row("a", 1, 1, similarity=0.0), row("b", 0, 0, similarity=0.9))
    (first, _) = rank(TEA, found, now=NOW, trust=0.0)
    assert first.id == "a"
    assert first.vector == 0


def test_speaker_and_date_of_the_question() -> None:
    """Who said it, and when."""
    same = [row("a", 1, 1), row("b", 1, 1, spoken=True)]
    assert order("green tea", pool(*same)) == "ba"
    dated = [row("a", 1, 1), row("b", 1, 1, days=400, created_at=datetime(2025, 5, 7, tzinfo=UTC))]
    assert order("green tea in May 2025", pool(*dated)) == "ba"
    assert order("green tea", pool(*dated)) == "ab"


def test_the_newest_value() -> None:
    """Asked for the present, the newer of two values wins against a few more words; else the words decide."""
    subject = ("ana", "fact", 1, 2)
    found = pool(row("a", 1, 2, subject=subject), row("b", 1, 1, days=20, subject=subject), row("x", 0, 1))
    assert order("green tea now", found)[0] == "b"
    assert order("green tea", found)[0] == "a"


def test_a_summary_lifts_its_sources_and_lowers_none() -> None:
    """Raw rows score with it at least what they score without it, whatever it says."""
    raw = [row("a", 1, 0, similarity=0.3), row("b", 0, 1, similarity=0.2)]
    summary = row("s", 3, 3, similarity=0.9, is_summary=True, sources=("b",))
    alone = {s.id: s.total for s in rank(TEA, pool(*raw), now=NOW)}
    beside = {s.id: s for s in rank(TEA, pool(*raw, summary), now=NOW)}
    assert beside["a"].total == pytest.approx(alone["a"])
    assert beside["b"].total > alone["b"]
    assert beside["b"].summary > 0


def test_a_summary_lifts_as_far_as_it_says_more_than_any_of_its_rows() -> None:
    """Two rows of a word each are lifted by the summary with both; a row that holds both leaves nothing to lift."""
    summary, best = row("s", 1, 1, is_summary=True, sources=("a", "b")), row("x", 2, 2)
    halves = {s.id: s.summary for s in rank(TEA, pool(row("a", 1, 0), row("b", 0, 1), best, summary), now=NOW)}
    assert 0 < halves["a"] == halves["b"] < Weights().summary
    beside_both = {s.id: s.summary for s in rank(TEA, pool(row("a", 1, 1), row("b", 0, 1), best, summary), now=NOW)}
    assert beside_both["a"] == beside_both["b"] == 0


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.floats(-1, 1)), min_size=1, max_size=6), st.data())
def test_no_summary_ever_lowers_a_raw_row(figures: list[tuple[int, int, float]], data: st.DataObject) -> None:
    """For any figures."""
    raw = [row(f"r{at}", one, other, similarity=near) for at, (one, other, near) in enumerate(figures)]
    drawn = data.draw(st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(-1, 1)))
    summary = row("s", drawn[0], drawn[1], similarity=drawn[2], is_summary=True, sources=("r0",))
    alone = {s.id: s.total for s in rank(TEA, pool(*raw), now=NOW)}
    beside = {s.id: s.total for s in rank(TEA, pool(*raw, summary), now=NOW)}
    assert all(beside[id_] >= total - 1e-12 for id_, total in alone.items())


def test_raw_rows_of_the_last_days_and_summaries_of_what_lies_back() -> None:
    """Each is preferred in its time."""
    rows = [
        row("a", 1, 1, days=3),
        row("b", 1, 1, days=12),
        row("s", 1, 1, is_summary=True, newest_source_at=NOW - timedelta(days=40)),
        row("t", 1, 1, is_summary=True, newest_source_at=NOW - timedelta(days=20)),
    ]
    preferred = {score.id: score.preference > 0 for score in rank(TEA, pool(*rows), now=NOW)}
    assert preferred == {"a": True, "b": False, "s": True, "t": False}


def test_folding_shows_each_row_once() -> None:
    """A summary with its sources under it, where the better of them stood; the other way round for a detail."""
    rows = [Fold(id="a"), Fold(id="x"), Fold(id="s", sources=("a", "b", "gone")), Fold(id="b"), Fold(id="y")]
    assert fold(rows, detail=False) == [("s", ["a", "b"]), ("x", []), ("y", [])]
    assert fold(rows, detail=True) == [("a", ["s", "b"]), ("x", []), ("y", [])]


def test_a_source_is_folded_once() -> None:
    """Two summaries over one source: the first takes it."""
    rows = [Fold(id="s", sources=("a",)), Fold(id="t", sources=("a",)), Fold(id="a")]
    assert fold(rows, detail=False) == [("s", ["a"]), ("t", [])]


def test_the_best_passage_of_a_long_row_counts() -> None:
    """A long row that says it in one passage comes before one that has the words far apart."""
    found = pool(
        row("a", 1, 1, length=600, passages=((1, 0), (0, 1))),
        row("b", 1, 1, length=600, passages=((1, 1),)),
    )
    assert order("green tea", found, WORDS_ONLY) == "ba"


def test_a_long_neighbor_counts_less() -> None:
    """What stands beside a long answer has less of its words than what stands beside a short one."""
    found = pool(
        row("a", 0, 0), row("b", 1, 1, length=400, passages=((1, 1),)), row("c", 0, 0), row("d", 1, 1), chain="ab"
    )
    found = replace(found, before={"b": "a", "d": "c"}, after={"a": "b", "c": "d"})
    ranked = order("green tea", found, WORDS_ONLY)
    assert ranked.index("c") < ranked.index("a")


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_narrowed_to_what_a_shorter_answer_would_have(breadth: int, seed: int) -> None:
    """The nearest, the best by words, and their neighbors; all of them where there are no more."""
    dice = random.Random(seed)  # noqa: S311
    ids = "abcdefghijklmnopqrstuvwxyz"
    wide = pool(*(row(id_, dice.randint(0, 2), dice.randint(0, 2), similarity=dice.random()) for id_ in ids), chain=ids)
    narrow = narrowed(wide, breadth)
    assert narrow.rows.keys() <= wide.rows.keys()
    nearest = sorted(wide.rows.values(), key=lambda each: -(each.similarity or 0))[:breadth]
    assert {each.id for each in nearest} <= narrow.rows.keys()
    assert len(narrow.rows) <= 6 * breadth
    assert narrowed(wide, 26) == wide


def test_a_row_counts_with_what_was_found_around_it_in_its_session() -> None:
    """Two rows alike: around one of them stand the other words of the question, though not beside it."""
    turns = [
        row(id_, *hits, days=60 - at, session="talk") for at, (id_, hits) in enumerate((("t", (0, 1)), ("x", (0, 0))))
    ]
    found = pool(*turns, row("y", 0, 0, days=58, session="talk"), row("a", 1, 0, days=57, session="talk"),
                 row("b", 1, 0, days=56, session="other"))  # fmt: skip
    assert "ab" == "".join(id_ for id_ in order("green tea", found) if id_ in "ab")
    scores = {score.id: score for score in rank(TEA, found, now=NOW)}
    assert scores["a"].stretch == pytest.approx(Weights().stretch)
    assert 0 < scores["b"].stretch < scores["a"].stretch
    assert scores["x"].stretch == scores["a"].stretch


def test_of_a_long_row_one_passage_counts_for_what_is_around() -> None:
    """As a whole it holds some word of any question."""
    long = row("l", 1, 1, length=400, passages=((1, 0), (0, 1)), session="talk")
    scores = {score.id: score for score in rank(TEA, pool(long, row("s", 1, 1, session="other")), now=NOW)}
    assert 0 < scores["l"].stretch < scores["s"].stretch == pytest.approx(Weights().stretch)


def test_where_nothing_is_a_turn_the_words_count_once() -> None:
    """Nothing stands around a note."""
    ranked = rank(TEA, pool(row("a", 1, 1), row("b", 1, 0)), now=NOW)
    assert {score.stretch for score in ranked} == {0.0}


def test_a_row_with_a_name_of_the_question_comes_before_one_without() -> None:
    """Or one that is said by whom it names; of German nouns nobody knows which are names."""
    found = pool(row("a", 0, 1), row("b", 1, 1), row("c", 0, 1, spoken=True))
    scores = {score.id: score.named for score in rank(read_question("does Ines drink tea"), found, now=NOW)}
    assert scores == {"a": 0.0, "b": Weights().named, "c": Weights().named}
    assert {score.named for score in rank(read_question("green tea"), found, now=NOW)} == {0.0}
    assert {score.named for score in rank(read_question("was trinkt die Tante"), found, now=NOW)} == {0.0}


def test_a_turn_of_hardly_a_word_stands_behind_one_that_says_something() -> None:
    """A short memory that is no turn was written to be kept: the fewer notes there are, the less is taken off."""
    found = pool(row("o", 1, 0, length=1, session="talk"), row("m", 1, 0, length=1), row("t", 1, 0, session="talk"))
    scores = {score.id: score for score in rank(TEA, found, now=NOW)}
    assert Weights().shortness <= scores["o"].shortness < scores["m"].shortness < scores["t"].shortness < 0
    found = pool(*(row(id_, 1, 0, session="talk") for id_ in "abcdefghi"), row("m", 1, 0, length=1))
    assert -0.01 < next(score.shortness for score in rank(TEA, found, now=NOW) if score.id == "m") < 0
