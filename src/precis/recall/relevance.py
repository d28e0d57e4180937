"""Relevance: how likely a row is to be evidence for a question, by what the two have in common. Pure.

The score of a row orders an answer and is scaled to its best row, so it cannot say that there is nothing. Relevance
can: it is a chance, 0..1, that means the same in every answer. It is a logistic function of a few figures, fitted to
questions that have evidence, that have none in the scope they are asked of, and that ask one speaker for what another
one said (docs/why/relevance.md has the table, one data set left out at a time).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from precis.language import tables
from precis.language.words import content, index_terms, stem
from precis.recall.persons import AGENTS, USERS, is_of_another_owner, owners_in
from precis.recall.question import Candidate, Pool, Question
from precis.recall.sought.evidence import OF_ANOTHER_OWNER, WEIGHTS, Evidence, Relevance, chance, odds_of
from precis.recall.sought.owned import Whose
from precis.recall.sought.selves import of_themselves, traits
from precis.recall.sought.signs import exchanges, lacking_together, of_none_asked, telling_else
from precis.recall.sought.together import together
from precis.recall.speakers import own_names
from precis.recall.wishes import is_mark

_Floats = NDArray[np.float64]
#: Of a longer question so many of its rarest terms that any row holds are what a row could hold at best.
_MOST_TERMS = 12
#: Rows that hold none of the terms, beside those of the scope: in a small one what every row holds is no filler yet.
_BESIDE = 300.0
#: A word in another form counts so much more here than it does for the order.
_IN_A_FORM = 7 / 6
#: Who writes what nobody is known to say.
USER = "user"
#: What somebody has, behind their name; its last words are looked at.
_OWNED = re.compile(r"(?<=[A-Z])\w+(?:['\u2019]s|s['\u2019]) ((?:[\w-]+ ?){1,2})")
_NOUN = 2
#: How much of a neighbor's words counts.
_NEIGHBOR = 0.6
#: Where the embedder cannot read the question, this share of the words held stands in for likeness.
_UNREAD = 0.6
#: Words by which a question asks for the kind of answer, as stems, and how much they count: they name no thing.
_KINDS, _KIND = frozenset(map(stem, tables.words("sought.asked.kinds"))), 0.25
#: Rows, best first, whose relevance is found from each other: the answer to a shorter limit is cut from these.
COMPARED = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """What a row says, and who says it; None where nobody knows, so that it may be anybody's."""

    text: str
    speaker: str | None
    #: It is what the user wrote to an agent, though no speaker is known.
    is_users: bool = False


def relevances(
    question: Question, pool: Pool, rows: Mapping[str, Spoken], *,
    trust: float, steady: Pool | None = None, beside: Mapping[str, str] | None = None,
) -> dict[str, Relevance]:  # fmt: skip
    """The relevance of each of these rows of the pool, by id: the best of an answer in order, COMPARED of them or more.

    ``trust`` is how much of the question the embedder can read, 0..1. ``steady`` are the candidates that are the same
    whatever the limit: among them is looked for who says more. ``beside`` are the texts of turns around these rows.
    """
    stretches: dict[str, str] = {}
    evidence = dict(zip(rows, _evidence(question, pool, rows, trust, steady or pool, stretches), strict=True))
    odds = {id_: odds_of(of_row) for id_, of_row in evidence.items()}
    figures: dict[str, dict[str, float]] = {}
    others: set[str] = set()
    if not question.nouns_too and owners_in(question.text):
        others = {id_ for id_, row in rows.items() if is_of_another_owner(question.text, row.text, row.speaker)}
    texts = {id_: stretches.get(id_, row.text) for id_, row in rows.items()}
    empty = [id_ for id_, of_row in evidence.items() if not (of_row.exact or of_row.told)]
    others |= of_none_asked(question, pool, texts, empty)
    others |= rows.keys() if _is_of_others(question, pool, rows) else set()
    written = {id_: row.text for id_, row in rows.items() if (row.speaker or USER).casefold() == USER}
    for id_ in others | set(Whose(question, written).others()):
        if (over := odds[id_] - OF_ANOTHER_OWNER) > 0:
            figures[id_] = {"another": -over / WEIGHTS.another}
            odds[id_] = OF_ANOTHER_OWNER
    # What somebody leaves out the turns around it may tell; a note stands by itself, and what is written to an agent.
    notes = {
        id_: texts[id_] for id_, row in rows.items()
        if pool.rows[id_].session is None or row.is_users or (row.speaker or "").casefold() in AGENTS
    }  # fmt: skip
    to_agent = {id_ for id_ in notes if rows[id_].speaker or rows[id_].is_users or pool.rows[id_].is_summary}
    theirs = {id_ for id_ in notes if pool.rows[id_].spoken}
    for id_, of_note in telling_else(question, notes, odds, first=COMPARED, to_agent=to_agent, theirs=theirs).items():
        figures[id_] = figures.get(id_, {}) | of_note
    talks = exchanges(question, pool, [id_ for id_ in rows if id_ not in notes])
    for id_, of_turn in lacking_together(question, talks, {**(beside or {}), **texts}, odds).items():
        figures[id_] = figures.get(id_, {}) | of_turn
    for id_, changed in figures.items():
        evidence[id_] = evidence[id_]._replace(**changed)
        odds[id_] = odds_of(evidence[id_])
    return {id_: Relevance(value=chance(odds[id_]), evidence=of_row) for id_, of_row in evidence.items()}


def _is_of_others(question: Question, pool: Pool, rows: Mapping[str, Spoken]) -> bool:
    """Whether it is asked of what somebody who speaks here has, and only others were found to have one.

    "What was wrong with Priya's knee?" where it is Will's that hurts. Priya has one where she tells of it, where a row
    has her name beside it, or where it is said to her.
    """
    things = _owned(question, pool)
    if not things:
        return False
    names = [at for at, term in enumerate(question.terms[: len(pool.holding)]) if term in question.named]
    for id_, row in pool.rows.items():
        if row.is_summary or not any(row.frequencies[at] for at in things):
            continue
        if any(row.frequencies[at] for at in names):
            return False
        first, second, _, asks = traits(rows[id_].text) if id_ in rows else (row.spoken, True, False, False)
        beside = [pool.rows.get(links.get(id_, "")) for links in (pool.before, pool.after)]
        if (row.spoken and not asks and (first or not second)) or (
            not row.spoken and second and any(other is not None and other.spoken for other in beside)
        ):
            return False
    return True


def _owned(question: Question, pool: Pool) -> list[int]:
    """Places of the words of what somebody who speaks here has, as far as any row holds them: "Priya's knee"."""
    if not any(row.spoken for row in pool.rows.values()):
        return []
    terms = question.terms[: len(pool.holding)]
    things = (term for owned in _OWNED.findall(question.text) for term in index_terms(owned)[:_NOUN])
    places = [terms.index(term) for term in things if term in terms and term not in question.named]
    return [at for at in places if pool.holding[at]]


def _evidence(
    question: Question, pool: Pool, spoken: Mapping[str, Spoken], trust: float, steady: Pool,
    stretches: dict[str, str],
) -> list[Evidence]:  # fmt: skip
    """What each row has in common with the question; ``stretches`` gets, by id, which of a long row that is."""
    rarity = _rarity(pool)
    # Terms that call the user, whatever share of the notes has them, are no evidence.
    users = [at for at, term in enumerate(question.terms) if term in question.own and term in USERS]
    rarity[[*own_names(question, pool), *users]] = 0.0
    rarity[[at for at, term in enumerate(question.terms[: len(rarity)]) if term in _KINDS]] *= _KIND
    names = question.named - question.own
    if question.nouns_too:
        names &= content(" ".join({row.speaker or "" for row in list(spoken.values())[:COMPARED]}))
    # In whatever script and case a question has the name of who speaks here.
    names |= {question.terms[at] for row in pool.rows.values() for at in row.called} - question.own
    named = np.asarray([term in names for term in question.terms][: len(rarity)], dtype=bool)
    anybody = any(row.spoken for row in pool.rows.values())
    rows = [pool.rows[id_] for id_ in spoken]
    # Where somebody is known to say a row, a summary is of what such said.
    known = [row.speaker is not None for row in spoken.values()]
    known = [by or (row.is_summary and any(known)) for by, row in zip(known, rows, strict=True)]
    holds, unnamed = _holds(rows, rarity), np.where(named, 0.0, rarity)
    terms = question.terms[: len(rarity)]
    for at, row in enumerate(rows):
        if stretch := together(spoken[row.id].text, row, terms, question.forms, rarity):
            holds[at] = np.minimum(holds[at], np.maximum(stretch[0], [is_mark(term) for term in terms]))
            stretches[row.id] = stretch[1]
    common = _common(pool, rows, rarity, named, trust, np.asarray(known, dtype=bool), holds)
    read = [traits(row.text) for row in spoken.values()]
    # Of a row that somebody says, where the question names who speaks here; a summary says who did what.
    theirs = [anybody and row.spoken for row in rows]
    others = [anybody and by and not row.spoken and not row.is_summary for row, by in zip(rows, known, strict=True)]
    selves = [other and first for other, (first, *_) in zip(others, read, strict=True)]
    contents = _shares(holds, unnamed[None, :], pool)
    told = contents
    if anybody:
        of_teller = _of_teller(question, [row.text for row in spoken.values()], (theirs, others), holds)
        told = _shares(of_teller, unnamed[None, :], pool)
    fits = [0.4 * share + 0.6 * figures.likeness for share, figures in zip(contents, common, strict=True)]
    best = max((fit for fit, other in list(zip(fits, selves, strict=True))[:COMPARED] if other), default=0.0)
    most = _others(steady, rarity, unnamed) if anybody else 1.0
    return [
        Evidence(
            words=figures.words, exact=figures.exact, told=share, likeness=figures.likeness, nearby=figures.nearby,
            unnamed=float(named.any() and by and not (row.spoken or figures.holds_name or anybody or (
                third and _is_named_before(row, pool, named)))),
            elsewhere=max(0.0, best - fit) if anybody and not oneself else 0.0,
            other_self=float(oneself), other_fits=fit * oneself, lead=max(0.0, content - most) * their,
            asks=float(asks), addressed=float(other and you and not first),
        )
        for row, by, their, other, oneself, fit, content, share, (first, you, third, asks), figures in zip(
            rows, known, theirs, others, selves, fits, contents, told, read, common, strict=True
        )
    ]  # fmt: skip


def _of_teller(
    question: Question, texts: Sequence[str], by: tuple[Sequence[bool], Sequence[bool]], holds: _Floats
) -> _Floats:
    """Which terms each row tells: of whom the question names what they tell of themselves, of others none."""
    told = holds.copy()
    some: Any = holds.any(axis=1)
    terms = question.terms[: holds.shape[1]]
    looked_for = frozenset(terms)
    for at, (text, their, other) in enumerate(zip(texts, *by, strict=True)):
        if other:
            told[at] = 0.0
        elif their and some[at]:
            own = of_themselves(text, looked_for, question.forms)
            told[at] *= [term in own or is_mark(term) for term in terms]
    return told


def _others(pool: Pool, rarity: _Floats, unnamed: _Floats) -> float:
    """The most of what is asked that a row holds of anybody but whom the question names, 0..1."""
    # Most candidates hold the same few terms: each combination is looked at once.
    rows = {row.frequencies: row for row in pool.rows.values() if not row.is_summary and not row.spoken}
    return max(_shares(_holds(list(rows.values()), rarity), unnamed[None, :], pool), default=0.0)


def _rarity(pool: Pool) -> _Floats:
    """Of each term of the question: one that no row holds is the rarest."""
    documents, holding = pool.documents + _BESIDE, np.asarray(pool.holding, dtype=np.float64)
    rarity: _Floats = np.log(1 + np.maximum(0.0, documents - holding + 0.5) / (holding + 0.5))
    return rarity


class _Common(NamedTuple):
    """Those figures of a row that look at nobody's other rows, and whether it holds a name that the question has."""

    words: float
    exact: float
    likeness: float
    nearby: float
    holds_name: bool


def _common(
    pool: Pool, rows: Sequence[Candidate], rarity: _Floats, named: NDArray[np.bool_], trust: float,
    known: NDArray[np.bool_], own: _Floats,
) -> list[_Common]:  # fmt: skip
    """Of each row what it has in common with the question, whoever speaks; ``own`` are the terms that it holds.

    Where nobody knows who says a row, a name that it does not hold speaks neither for it nor against it.
    """
    linked = [links for links in (pool.before, pool.after) if links]
    beside = [[pool.rows[links[row.id]] for links in linked if links.get(row.id) in pool.rows] for row in rows]
    near = np.zeros((len(rows), len(rarity)))
    if linked:
        owners = [at for at, neighbors in enumerate(beside) for _ in neighbors]
        np.add.at(near, owners, _holds([neighbor for neighbors in beside for neighbor in neighbors], rarity))
    holds_name: NDArray[np.bool_] = np.any(own[:, named], axis=1)
    unnamed = np.where(named, 0.0, rarity)
    spoken = np.asarray([row.spoken for row in rows], dtype=bool)
    own = np.where(named & spoken[:, None], 1.0, own)
    counting = np.where((known | holds_name)[:, None], rarity, unnamed)
    words = _shares(np.minimum(1.0, own + _NEIGHBOR * np.minimum(1.0, near)), counting, pool)
    exact = [share**2 for share in _shares(own, counting, pool)]
    if trust:
        likeness = [max(0.0, row.similarity or 0.0) for row in rows]
        nearby = [
            max([alike, *(neighbor.similarity or 0.0 for neighbor in neighbors)])
            for alike, neighbors in zip(likeness, beside, strict=True)
        ]
    else:
        likeness = nearby = [_UNREAD * share for share in words]
    return list(map(_Common, words, exact, likeness, nearby, map(bool, holds_name)))


def _holds(rows: Sequence[Candidate], rarity: _Floats) -> _Floats:
    """Which terms each row holds, 0 or 1; in another form nearly so."""
    counts = np.asarray([row.frequencies[: len(rarity)] for row in rows], dtype=np.float64)
    return np.minimum(1.0, _IN_A_FORM * counts.reshape(len(rows), len(rarity)))


def _shares(holds: _Floats, rarity: _Floats, pool: Pool) -> list[float]:
    """Of what there is to hold, by row: all terms of a short question, the rarest that any row holds of a long one."""
    most = rarity.sum(axis=1)
    if rarity.shape[1] > _MOST_TERMS:
        cut = np.count_nonzero(rarity, axis=1) > _MOST_TERMS
        holding = np.asarray(pool.holding, dtype=np.float64)
        rarest = np.sort(np.where(holding > 0, rarity, 0.0), axis=1)[:, -_MOST_TERMS:].sum(axis=1)
        most = np.where(cut, rarest, most)
    sums = (rarity * holds).sum(axis=1)
    shares = np.divide(sums, most, out=np.zeros_like(sums), where=most > 0)
    return np.minimum(1.0, shares).tolist()  # type: ignore[no-any-return]


def _is_named_before(row: Candidate, pool: Pool, named: NDArray[np.bool_]) -> bool:
    """Whether the turn before a row has a name of the question: "Ray is coming." "His number is ..."."""
    before = pool.rows.get(pool.before.get(row.id, ""))
    return before is not None and any(count and name for count, name in zip(before.frequencies, named, strict=False))
