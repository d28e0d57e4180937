"""How likely a memory is meant: a chance beside what rules say, fitted to requests of which it is known.

It orders what is in doubt and makes nothing sure: of what has .8 or more, a fourth was to stay
(docs/why/in-doubt-it-stays.md).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from precis.finding.asked.asking import Request
from precis.finding.identifiers import identifiers_in
from precis.finding.reading import UNSPACED, Word, folded, read_words
from precis.finding.tables import any_group, groups, request_words
from precis.finding.values import Finding, Findings, Kin, Level, Row
from precis.finding.written.speaking import is_being, relations_of
from precis.language.words import STOP_WORDS, is_form, kept

#: The figures of a memory, and what each adds in log-odds.
WEIGHTS: Mapping[str, float] = {
    "by rules": 2.00,  # how likely rules say it is, less than the likeliest
    "in part": 1.36,  # rules know what would stay of it
    "marked": 2.10,  # it has a number or an address of the request
    "held behind": -0.39,  # so many others have more words of the request
    "grams behind": -0.13,  # more of its signs
    "like behind": -0.11,  # or are more like it
    "relations": -1.10,  # people of the user's whom the request does not name
    "beings over": -0.37,  # others that it tells of, more than another in doubt does
    "length": 0.93,
    "clauses": 0.52,
    "sure": -0.86,  # so many are surely meant
    "like sure": -2.40,  # it is like one of them: a neighbor is
    "session sure": 1.47,  # it is of the session of one
    "numbered": -1.05,  # the number of something is asked for
}
_BASE = -1.59
#: So many that are in doubt are weighed, the likeliest by rules, and held against so many that are sure.
_WEIGHED, _SURE = 300, 20
#: Figures beyond this count as it.
_MOST, _BEHIND = 3, 4
_JOINS = re.compile(r"[,;:\uff0c\u3001\u3002.!?](?=\s|$|[\u3040-\u9fff])|\b(?:and|but|und|et|y|e|en|och|i|ve)\b")


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What is asked for, as it is held against a memory."""

    text: str
    words: tuple[str, ...]
    language: str
    marks: frozenset[str]
    relations: frozenset[str]
    numbered: bool


@dataclass(frozen=True, kw_only=True)
class _Own:
    """What a memory has of the request and what else it tells, by itself."""

    #: The share of the words, and of every few signs in a row; the cosine.
    held: float
    grams: float
    like: float
    #: Of people and animals that the request does not name.
    beings: int
    alone: Mapping[str, float]


def figures(
    what: str, request: Request, rows: Sequence[Row], known: Mapping[str, Finding], kin: Kin
) -> Iterator[tuple[str, dict[str, float]]]:
    """The figures of each of these memories that is in doubt, by id; they look at the others."""
    asked = _asked(what, request)
    own = {row.id: _own(asked, row, kin) for row in rows}
    levels = {row.id: known[row.id].level for row in rows}
    listed = [own[id_] for id_, level in levels.items() if level < Level.SURE]
    meant = [own[id_] for id_, level in levels.items() if level >= Level.DOUBTFUL]
    sure = [row for row in rows if levels[row.id] is Level.SURE]
    by_rules = {id_: known[id_].likelihood for id_, level in levels.items() if level is Level.DOUBTFUL}
    for row in (row for row in rows if row.id in by_rules):
        mine = own[row.id]
        least = min((other.beings for other in meant if other is not mine), default=mine.beings)
        yield row.id, {
            **mine.alone,
            "by rules": by_rules[row.id] - max(by_rules.values()),
            "in part": bool(known[row.id].keeps),
            "held behind": min(_BEHIND, sum(other.held > mine.held for other in listed)),
            "grams behind": min(_BEHIND, sum(other.grams > mine.grams for other in listed)),
            "like behind": min(_BEHIND, sum(other.like > mine.like for other in listed)),
            "beings over": mine.beings - least,
            "sure": min(_MOST, len(sure)),
            "like sure": max((kin(row.text, other.text) for other in sure), default=0.0),
            "session sure": row.session_id is not None and any(it.session_id == row.session_id for it in sure),
            "numbered": asked.numbered,
        }  # fmt: skip


def _asked(what: str, request: Request) -> _Asked:
    """The subjects of a request without the words that requests are made of; all of it where nothing is read."""
    text = " ".join(subject.text for subject in request.subjects) or what
    lows = dict.fromkeys(word.low for word in _content(text))
    return _Asked(
        text=text,
        words=tuple(low for low in lows if low not in request_words()) or tuple(lows),
        language=request.language,
        marks=frozenset(mark.value for mark in identifiers_in(what)),
        relations=frozenset(kin for word in read_words(text) for kin in relations_of(word)),
        numbered=any(subject.numbered for subject in request.subjects[:1]),
    )


def _own(asked: _Asked, row: Row, kin: Kin) -> _Own:
    words, lows = read_words(row.text), {word.low for word in _content(row.text)}
    grams = _grams(asked.text)
    extra = [low for low in (word.low for word in _content(row.text)) if not _is_one_of(low, asked)]
    relations = {relation for word in words for relation in relations_of(word)}
    return _Own(
        held=sum(_has(word, row.text, lows, asked.language) for word in asked.words) / max(1, len(asked.words)),
        grams=len(grams & _grams(row.text)) / max(1, len(grams)),
        like=kin(asked.text, row.text),
        beings=min(_MOST, sum(map(is_being, extra))),
        alone={
            "relations": len(relations - asked.relations),
            "length": log(1 + len(words)),
            "clauses": min(_BEHIND, len(_JOINS.findall(row.text))),
            "marked": not asked.marks.isdisjoint(mark.value for mark in identifiers_in(row.text)),
        },
    )


def _has(asked: str, text: str, lows: set[str], language: str) -> bool:
    """Whether a memory has a word in any form, or one that means the same."""
    low = folded(text)
    if asked in lows or (not asked.isascii() and asked in low) or any(is_form(asked, it, language) for it in lows):
        return True
    meant = _groups_of(asked)
    return bool(meant) and any_group(meant, plain=low.isascii()).search(low) is not None


def _is_one_of(low: str, asked: _Asked) -> bool:
    return any(low == word or is_form(word, low, asked.language) for word in asked.words)


def _content(text: str) -> list[Word]:
    return [word for word in read_words(text) if word.low not in STOP_WORDS and len(word.low) > 1]


@kept
def _grams(text: str) -> frozenset[str]:
    """Every three signs of a text in a row; every two where no space stands between words."""
    low = f" {folded(text)} "
    size = 2 if UNSPACED.search(low) else 3
    return frozenset(low[at : at + size] for at in range(len(low) - size + 1))


@kept
def _groups_of(word: str) -> frozenset[str]:
    return frozenset(name for name, (called, _) in groups().items() if called.fullmatch(word))


def with_chances(what: str, request: Request, rows: Sequence[Row], findings: Findings, kin: Kin) -> Findings:
    """The findings, what is in doubt with the chance that it is meant."""
    known = {finding.id: finding for finding in findings.rows}
    doubtful, sure, near = (findings.of(level) for level in (Level.DOUBTFUL, Level.SURE, Level.NEAR))
    weighed = {finding.id for finding in (*doubtful[:_WEIGHED], *sure[:_SURE], *near)}
    some = [row for row in rows if row.id in weighed]
    chances = {id_: _chance(of_row) for id_, of_row in figures(what, request, some, known, kin)}
    return replace(findings, rows=tuple(_with_chance(finding, chances) for finding in findings.rows))


def _with_chance(finding: Finding, chances: Mapping[str, float]) -> Finding:
    """What is in doubt with its chance; beyond those that are weighed with none."""
    return replace(finding, likelihood=chances.get(finding.id, 0.0)) if finding.level is Level.DOUBTFUL else finding


def _chance(of_row: Mapping[str, float]) -> float:
    """0 to 1."""
    return 1 / (1 + exp(-_BASE - sum(weight * of_row[name] for name, weight in WEIGHTS.items())))
