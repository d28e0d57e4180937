"""Which later rows likely give the newer value of what an earlier one tells, and how likely each. Pure.

Of what is asked no more is read than whether it is over, and nothing is certain: such a row hides nothing.
What counts is whether both are of one speaker, share a word that few others have, have a figure of the same kind, and
whether the later one tells of a change. The figures of likelihood are those of chats in which values change
(benchmarks/changing_chats, the half that was read); no language has words of its own here.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from precis.language.newest.followed import reverses
from precis.language.newest.parallel import of_asked
from precis.language.newest.renewed import renews
from precis.language.newest.signs import TIMES, figures_of
from precis.language.script import languages_of, without_small
from precis.language.sentences import is_question
from precis.language.words import content, kept, stem
from precis.recall.asking.unspaced import bare
from precis.recall.sought.replies import kind_of
from precis.recall.telling import UNSPACED, Told, callers, tells_of_change

#: So many characters of a row are read: what is far into a long one is no value that is told anew, and expressions take
#: time by the square of a word that never ends.
_READ = 1_000
#: Log-odds of any later row, and what each sign adds to them.
_ANY, _SPEAKER, _CHANGE, _FIGURE, _WORD, _WORDS = -8.7, 2.7, 1.9, 2.2, 2.5, 0.8
#: A word that so many rows at most have is rare.
_RARE = 6
#: What is less likely than this is nothing; than this is not brought along among the first rows; and what is as likely
#: as this is so where others have the word that the two share, but few.
_LEAST, _LIKELY, _SURER = 0.01, 0.1, 0.16
#: Stems of a brief row: one of more has some in common with any other. It has at most so many times as many terms.
_BRIEF, _REPEATED = 12, 2
#: Questions by what they ask for: of these no figure is the answer, and of those no day of the week.
_NO_FIGURES, _NO_DAYS = frozenset({"where", "who"}), frozenset({"what", "number", "age", "name"})
#: Rows that share a day are not about one thing for that.
_TIMES = frozenset(map(stem, TIMES))
#: An older row and a newer one; also the two characters of a term in a script without spaces.
_PAIR = 2


class _Read(NamedTuple):
    """What is compared of a row."""

    stems: frozenset[str]
    kinds: frozenset[str]
    changes: bool
    asks: bool


def likely_newer(
    older: Sequence[str], told: Mapping[str, Told], by_word: Collection[str] = ()
) -> dict[str, dict[str, float]]:
    """For each row that may give a newer value of one of ``older``: of which, and how likely, 0..1.

    Those of ``by_word`` have to share a word with it that few others have.
    """
    read = {id_: _read(row.text) for id_, row in told.items()}
    holding = Counter(term for row in read.values() for term in row.stems)
    odds: dict[str, dict[str, float]] = defaultdict(dict)
    for old in older:
        for new, row in told.items():
            if row.said_at.date() <= told[old].said_at.date() or read[new].asks:
                continue
            rare = sum(holding[term] <= _RARE for term in read[old].stems & read[new].stems)
            if not rare and new in by_word:
                continue
            weight = (
                _ANY
                + _SPEAKER * (row.speaker == told[old].speaker)
                + _CHANGE * read[new].changes
                + _FIGURE * (not read[old].kinds.isdisjoint(read[new].kinds))
                + _WORD * (rare > 0)
                + _WORDS * (rare > 1)
            )
            odds[new][old] = math.exp(weight)
    return _shared(odds)


def _shared(odds: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The chances, where an older row has one newer value at most, and a later row gives that of one.

    What goes with any row goes with none: in a talk of few, most rows of somebody with a figure are as good.
    """
    of_older: dict[str, float] = defaultdict(float)
    for olds in odds.values():
        for old, single in olds.items():
            of_older[old] += single
    later: dict[str, dict[str, float]] = defaultdict(dict)
    for new, olds in odds.items():
        of_new = sum(olds.values())
        for old, single in olds.items():
            chance = single / (1 + of_older[old] + of_new - single)
            if chance >= _LEAST:
                later[new][old] = chance
    return later


def newest_of(older: Collection[str], told: Mapping[str, Told]) -> frozenset[str]:
    """The rows that likeliest give the newer value of each of ``older``, where one likely does."""
    likely: dict[str, tuple[float, str]] = {}
    for new, of_older in likely_newer(list(older), told).items():
        for old, chance in of_older.items():
            likely[old] = max(likely.get(old, (_LIKELY, "")), (chance, new))
    return frozenset(new for _, new in likely.values() if new)


def brought_along(query: str, older: Mapping[str, float], told: Mapping[str, Told]) -> tuple[str, str] | None:
    """The row that likeliest gives a newer value of one of the ``older``, and that one; None where none likely does.

    Each of the older ones has how likely it is what the query asks for, beside the others. Of the rows ``told``, best
    first, the newer one is brief, stands behind the older, and has with it a figure of the same kind that may be asked
    for, or a word that no third of them has - few, where it is surer - and that neither calls somebody who speaks nor
    names a time.
    """
    places = {id_: place for place, id_ in enumerate(told)}
    most, shared = _brief(query)
    asked_kind = kind_of(query)
    calling = callers(told.values())
    stems = {id_: _read(row.text).stems - calling - _TIMES for id_, row in told.items()}
    holding = Counter(term for of_row in stems.values() for term in of_row)

    likely = []
    for new, of_older in likely_newer(list(older), told).items():
        for old, chance in of_older.items():
            in_common = sorted(holding[term] for term in stems[old] & stems[new])[:shared]
            has_own = len(in_common) == shared and in_common[-1] <= (_RARE if chance >= _SURER else _PAIR)
            is_tied = has_own or _has_asked(asked_kind, _read(told[old].text).kinds & _read(told[new].text).kinds)
            is_brief = len(stems[new]) <= most and places[new] > places[old]
            if chance >= _LIKELY and is_tied and is_brief and not _passes(query, told[new].text, told[old].text):
                likely.append((chance * older[old], has_own, -places[new], new, old))
    return max(likely)[-2:] if likely else None


def _has_asked(asked_kind: str | None, kinds: Collection[str]) -> bool:
    """Whether any of these kinds of figures may be what the question asks for."""
    return asked_kind not in _NO_FIGURES and bool(set(kinds) - ({"weekday"} if asked_kind in _NO_DAYS else set()))


def _passes(query: str, new: str, old: str) -> bool:
    """Whether the newer row tells of another than the older one does, in what is asked for."""
    return of_asked(old, query).is_passed_by(of_asked(new, query).whole)


def may_be_brief(query: str, length: int) -> bool:
    """Whether a row of so many terms may be one that is brought along: some may come twice."""
    return length <= _REPEATED * _brief(query)[0]


@kept
def _brief(query: str) -> tuple[int, int]:
    """How many terms a brief row has, and how many in common with another: pairs of characters stand for less."""
    pairs = 1 if UNSPACED.isdisjoint(languages_of(query)[0]) else _PAIR
    return _BRIEF * pairs, pairs


@kept
def _read(text: str) -> _Read:
    text = text[:_READ]
    languages = languages_of(text)[0]
    changes = tells_of_change(text, (*languages, "English")) or reverses(text) or renews(text)
    stems = content(without_small(bare(text), languages[0] if languages else None))
    return _Read(stems, frozenset(figures_of(text)), changes, is_question(text))
