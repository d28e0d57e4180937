"""A question as recall reads it, and its candidates: how well its words and the turns around each answer it. Pure."""

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice, repeat
from operator import ne
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from precis.language import tables
from precis.language.dates import Day, days_in
from precis.language.languages import forms_of
from precis.language.script import languages_of, light_words, without_small
from precis.language.words import MARKS, WORDED, index_terms, spoken_names, stem, terms, words
from precis.language.written.runs import is_unspaced
from precis.recall.answers import measured, told_as
from precis.recall.asking.unspaced import bare, parts_of_words, without_parts
from precis.recall.persons import users_in
from precis.recall.wishes import marks_asked

#: Longest query that is read whole, in different terms; a longer one is cut to its first ones.
_MOST_TERMS = 512
_PRESENT = re.compile(rf"\b(?:{tables.choices('questions.present')})\b", re.IGNORECASE)
_PRESENT_IN = {
    name: re.compile(rf"\b(?:{tables.choices(f'questions.present_in.{name}')})\b", re.IGNORECASE)
    for name in tables.section("questions.present_in")
}
_PRESENT_UNSPACED = re.compile(tables.in_every_language("questions.present_unspaced"))
_DETAIL = re.compile(rf"\b(?:{tables.choices('questions.detail')})\b|\d", re.IGNORECASE)
#: The language that writes any noun with a capital.
NOUNS_TOO = "German"
#: A word with a capital that does not begin the question.
_INSIDE = re.compile(r"(?<=[^\W\d_A-Z,] |, )[^\W\d_][\w'-]+")
_WORD = re.compile(rf"[^\W\d_](?:['-]|{WORDED}|[{MARKS}])+")
#: So many letters the ending of a case has at most; and what stands in its place in a name.
_CASES, _NAME_ENDS = 3, tables.words("endings.of_names.letters")
#: So many words are as much as one row holds of a question.
_RAREST = 8
#: In what share of the rows a verb of nearly anything counts as standing, at least.
_LIGHT = 0.8
#: How soon a repeated word stops counting, and how much a long text is held back.
K1, B = 1.5, 0.75
Floats = NDArray[np.float64]
#: How many candidates of its session, to either side, stand around a row; and how many terms a turn has that says much.
_AROUND, _WORDED = 8, 6
#: The same of a note where nothing that was found is a turn, and how much of it counts.
_NOTED, _OF_NOTES = 12, 1 / 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A query as recall reads it."""

    text: str
    #: Its different stemmed content words, in order, behind the marks that it asks by.
    terms: tuple[str, ...]
    #: What may be the name of who said it, in small letters: its words and their forms, each with the terms that it is.
    names: Mapping[str, tuple[str, ...]]
    #: Those of its terms that are names, as their capitals tell: whom it is about, not what.
    named: frozenset[str] = frozenset()
    #: Those of the terms that name whose memory is asked: names that the id of the user has, and "the user".
    own: frozenset[str] = frozenset()
    #: Its language writes any noun with a capital: of these names only those of who speaks here are known to be any.
    nouns_too: bool = False
    #: It is surely in another language than English.
    foreign: bool = False
    days: tuple[Day, ...] = ()
    #: It asks how things are now: of two values of a fact the newer one.
    present: bool = False
    #: It asks for a date, a number or a name: a source answers it better than a summary.
    detail: bool = False
    #: What may be other forms of its words in its language, as stems, each with the term that it counts as.
    forms: Mapping[str, str] = field(default_factory=dict)
    #: Those of its terms that are verbs of nearly anything: "Nehme ich noch Aspirin?" is about the other word.
    light: frozenset[str] = frozenset()


def read_question(text: str, *, user_id: str | None = None) -> Question:
    """The question in a text, asked of the memory of a user, if ``user_id`` names one."""
    # "Now" says when, not what: a row that holds it is no likelier to answer.
    languages, is_sure = languages_of(text)
    language = languages[0] if is_sure else None
    no_now, spoken = (
        measured(without_now(text, (language,) if language else (*languages, "English"))),
        measured(text),
    )
    present = no_now != spoken
    no_now, spoken = bare(no_now), bare(spoken)
    looked_for = index_terms(without_small(no_now, language)) or index_terms(no_now) or index_terms(text)
    named = frozenset(terms(" ".join(word for word in _INSIDE.findall(text) if word[0].isupper())))
    own = frozenset(terms(" ".join(word for word in _WORD.findall(text) if word[0].isupper()))) & frozenset(
        terms(user_id or "")
    )
    own = own if len(named | own) < len(set(looked_for)) else frozenset()
    own |= users_in(text) if users_in(text) < set(looked_for) else frozenset()
    told = told_as(spoken, languages, looked_for)
    asked = tuple(dict.fromkeys([*marks_asked(text), *without_parts(looked_for, told)]))[:_MOST_TERMS]
    return Question(
        text=text,
        terms=asked,
        names=dict(islice(_names_in(text, languages, asked).items(), _MOST_TERMS)),
        named=named,
        own=own,
        nouns_too=language == NOUNS_TOO,
        foreign=language is not None,
        days=tuple(days_in(text)),
        present=present,
        detail=bool(_DETAIL.search(text)),
        light=frozenset([*map(stem, light_words(language)), *parts_of_words(asked)]).intersection(asked),
        forms={**told, **_forms(spoken, languages, frozenset(asked))},
    )


def _names_in(text: str, languages: Sequence[str], asked: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The words of a question, and what else a word with a capital, or without case, may be a form of: "Jana"."""
    names: dict[str, Sequence[str]] = {name: terms(name) for name in spoken_names(text)}
    in_english = not languages
    for word in _WORD.findall(text):
        of_word = terms(word)
        if word[0] == word[0].upper() and not set(of_word).isdisjoint(asked):
            low = word.casefold()
            for name in [low.removesuffix("s").rstrip("'\u2019")] if in_english else _bases_of(low):
                names.setdefault(name, of_word)
    # Where no blanks stand, a term is cut out of what is written around it.
    names |= {term: tuple(part for part in asked if part in term) for term in asked if is_unspaced(term)}
    return {name: tuple(term for term in of_name if term in asked) for name, of_name in names.items()}


def _bases_of(word: str) -> list[str]:
    """The names that a word may be of, in languages that change them: "Ivana" is Ivan's, "Olgi" Olga's."""
    name, apostrophe, _ = word.replace("\u2019", "'").partition("'")
    if apostrophe:
        return [name]
    starts = [word[:size] for size in range(len(word), max(1, len(word) - 1 - _CASES), -1)]
    ends = [end for end in _NAME_ENDS if _script_of(end) == _script_of(word)]
    return [start + end for start in starts for end in ("", *ends)]


def _script_of(word: str) -> int:
    """The block of its first letter: both of Latin are one."""
    return (ord(word[0]) >> 8) or 1


def other_forms(text: str, looked_for: Collection[str]) -> Mapping[str, str]:
    """What may be other forms of the words of a question that have these terms, each with its term; none in English."""
    return _forms(text, languages_of(text)[0], looked_for)


def _forms(text: str, languages: Sequence[str], looked_for: Collection[str]) -> Mapping[str, str]:
    if not languages:
        return {}
    return forms_of((word for word in dict.fromkeys(words(text)) if stem(word) in looked_for), languages)


def as_asked(stems: Collection[str], forms: Mapping[str, str]) -> Collection[str]:
    """The stems, with those that are forms of a word of the question as its term."""
    return [forms.get(stem_, stem_) for stem_ in stems] if forms else stems


def without_now(text: str, languages: Sequence[str]) -> str:
    """The text without the words that ask how things are now, in any of these languages, or in English."""
    spaced = text
    for words_for_now in [_PRESENT_IN.get(name, _PRESENT) for name in languages]:
        spaced = words_for_now.sub(" ", spaced)
    return spaced if spaced.isascii() else _PRESENT_UNSPACED.sub(" ", spaced)


#: What stands for other forms of a question's words, each with what stands for the word.
Forms = Mapping[int, int]
#: How much a word in another form counts: it may be another word.
_FORM = 0.6


def counted(hits: Sequence[int], words_asked: Sequence[int], forms: Forms) -> tuple[float, ...]:
    """How often each word is among the hits; in another form it counts less."""
    if not forms:
        return tuple(map(hits.count, words_asked))
    others = [forms[hit] for hit in hits if hit in forms]
    return tuple(hits.count(word) + _FORM * others.count(word) for word in words_asked)


class Candidate(NamedTuple):
    """What ranking knows of one row. A question has some two hundred: they are made in little time."""

    id: str
    #: Cosine similarity, -1..1; None without a comparable vector.
    similarity: float | None
    #: How often it holds each term of the question, in their order (in another form it counts less), and how many terms
    #: it has.
    frequencies: tuple[float, ...]
    length: int
    importance: float
    created_at: datetime
    is_summary: bool = False
    #: The question names its speaker.
    spoken: bool = False
    #: What it is about, as far as two rows can be told to be about the same.
    subject: Hashable | None = None
    event_date: datetime | None = None
    #: Of a summary: its source rows, and when the newest of them was created.
    sources: tuple[str, ...] = ()
    newest_source_at: datetime | None = None
    #: Of a raw row: a summary of its user stands that has read it. Known where only summaries were asked for.
    summarized: bool = False
    #: Of a long row: how often each of its passages that holds any of the terms holds each of them.
    passages: tuple[tuple[float, ...], ...] = ()
    #: A tool or a document says it.
    relayed: bool = False
    #: The session that it is a turn of.
    session: str | None = None
    #: Which terms of the question name its speaker.
    called: tuple[int, ...] = ()


def names_held(question: Question, row: Candidate) -> frozenset[str]:
    """The names of a question that a row holds, or that call who says it; none where any noun may look like one."""
    if question.nouns_too:
        return frozenset()
    held = {term for term, count in zip(question.terms, row.frequencies, strict=False) if count}
    held |= {question.terms[at] for at in row.called}
    return frozenset(held) & question.named - question.own


@dataclass(frozen=True, kw_only=True, slots=True)
class Pool:
    """The candidates of one question, and what is known of the scope they are from."""

    rows: Mapping[str, Candidate]
    #: In one session: the row before, and the row after, as far as both are candidates.
    before: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, str] = field(default_factory=dict)
    #: Raw rows of the scope (summaries where only they are asked for), how many of them hold each term, and how many
    #: terms a row has on average.
    documents: float = 0.0
    holding: tuple[float, ...] = ()
    mean_length: float = 1.0


def with_light(pool: Pool, question: Question) -> Pool:
    """The pool in which verbs of nearly anything count as if most rows had them."""
    if not question.light:
        return pool
    often = _LIGHT * pool.documents
    holding = (
        max(count, often) if term in question.light else count
        for term, count in zip(question.terms, pool.holding, strict=False)
    )
    return replace(pool, holding=tuple(holding))


def narrowed(pool: Pool, breadth: int) -> Pool:
    """The pool as it is where each arm brings only this many candidates of either kind.

    So the first rows of an answer can be those of a shorter one, which has fewer candidates to be scaled by.
    """
    rows = [row for row in pool.rows.values() if not row.summarized]
    counts = np.asarray([row.frequencies for row in rows], dtype=np.float64).reshape(len(rows), len(pool.holding))
    lengths = np.asarray([row.length for row in rows], dtype=np.float64)
    words = bm25(counts, lengths, np.full(len(rows), pool.mean_length), pool).tolist()
    best: set[str] = set()
    for of_summaries in (False, True):
        alike = [(row, score) for row, score in zip(rows, words, strict=True) if row.is_summary == of_summaries]
        near = sorted((-row.similarity, row.id) for row, _ in alike if row.similarity is not None)
        holding = sorted((-score, row.id) for row, score in alike if score > 0)
        best.update(id_ for _, id_ in near[:breadth] + holding[:breadth])
    linked = [{id_: links[id_] for id_ in best if id_ in links} for links in (pool.before, pool.after)]
    kept = best.union(*(links.values() for links in linked))
    return replace(
        pool,
        rows={id_: row for id_, row in pool.rows.items() if id_ in kept},
        before={later: earlier for earlier, later in linked[1].items()} | linked[0],
        after={earlier: later for later, earlier in linked[0].items()} | linked[1],
    )


def bm25(frequencies: Floats, lengths: Floats, means: Floats, pool: Pool) -> Floats:
    """The score of each row from its term counts (rows x terms), its length and the mean length of its like."""
    rarity = rarity_of(pool)
    damping = K1 * (1 - B + B * lengths / np.maximum(1.0, means))
    scores: Floats = (rarity * frequencies * (K1 + 1) / (frequencies + damping[:, None])).sum(axis=1)
    return scores


def rarity_of(pool: Pool) -> Floats:
    """Of each term of the question: how much it tells to hold it (Robertson and Zaragoza 2009)."""
    holding = np.asarray(pool.holding, dtype=np.float64)
    rarity: Floats = np.log(1 + (pool.documents - holding + 0.5) / (holding + 0.5))
    return rarity


def whole(pool: Pool, without: Collection[int]) -> float:
    """What a row has that holds each word of a question but these once; of a long one the rarest words."""
    rarity = np.delete(rarity_of(pool), list(without))
    return float(np.sort(rarity)[-_RAREST:].sum())


def share_of_turns(rows: Sequence[Candidate]) -> float:
    """How many of the raw rows are turns of a session, 0..1."""
    raw = [row.session is not None for row in rows if not row.is_summary]
    return sum(raw) / max(1, len(raw))


def stretches(pool: Pool, rows: Sequence[Candidate], counts: Floats, *, turns: float) -> Floats:
    """The share of the question's words that each row holds with the candidates around it in its session.

    Of a long row those of one passage count: as a whole it holds some word of any question. What a row holds by itself
    counts as much as there are ``turns``: among notes alone nothing stands around a row, and its words are counted.
    """
    rarity = np.where(np.asarray(pool.holding) > 0, rarity_of(pool), 0.0)
    holds = np.minimum(1.0, counts)
    for at, row in enumerate(rows):
        if row.passages:
            of_passages = np.minimum(1.0, np.asarray(row.passages, dtype=np.float64))
            holds[at] = of_passages[(of_passages * rarity).sum(axis=1).argmax()]
    around = _read_together(rows, holds)
    shares: Floats = ((around - (1 - turns) * holds) * rarity).sum(axis=1) / max(rarity.sum(), 1e-9)
    return shares


def _read_together(rows: Sequence[Candidate], holds: Floats) -> Floats:
    """What each row holds, or a candidate that stands around it in its session."""
    order = sorted((row.session, row.created_at, row.id, at) for at, row in enumerate(rows) if row.session is not None)
    if not order:
        return holds
    sessions, _, _, turns = map(list, zip(*order, strict=True))
    # All sessions in one column, with so many empty lines between two that none reaches into the next.
    begins = [False, *map(ne, sessions, sessions[1:])]
    lines = np.arange(len(turns)) + _AROUND * np.cumsum(begins)
    column = np.zeros((lines[-1] + 1 + 2 * _AROUND, holds.shape[1]), dtype=np.bool_)
    column[lines + _AROUND] = holds[turns] > 0
    # A line stands for itself, then for 2, 4, 8, 16 and 17 from it on: with eight before it, for eight to either side.
    for step in (1, 2, 4, 8, 1):
        column = column[:-step] | column[step:]
    around = holds.copy()
    around[turns] = column[lines]
    return around


def shortness(rows: Sequence[Candidate], lengths: Floats, *, turns: float) -> Floats:
    """How near each row is to a turn of no words, 0..1.

    What is no turn was written to be kept, however short: beside turns alone it stands as it is. Among notes alone the
    one that says more is likelier to answer; a summary is there as short as the longest of the notes it rests on. In
    between it goes by how many are ``turns``.
    """
    is_turn = np.asarray([row.session is not None for row in rows])
    brief: Floats = np.where(is_turn, 1.0 - np.minimum(1.0, np.log1p(lengths) / np.log1p(_WORDED)), 0.0)
    if turns == 1:
        return brief
    noted = lengths
    if any(row.is_summary for row in rows):
        of_notes = {row.id: length for row, length in zip(rows, lengths.tolist(), strict=True) if not row.is_summary}
        longest = [max(map(of_notes.get, row.sources, repeat(0.0)), default=0.0) for row in rows]
        noted = np.where(np.asarray(longest) > 0, longest, lengths)
    short: Floats = (1.0 - turns) * _OF_NOTES * (1.0 - np.minimum(1.0, noted / _NOTED))
    return np.where(is_turn, np.maximum(brief, short), short)


def places(links: Mapping[str, str], at: Mapping[str, int]) -> NDArray[np.int64]:
    """Where the linked row of each row stands; -1 for none."""
    linked = map(links.get, at, repeat(""))
    return np.fromiter(map(at.get, linked, repeat(-1)), dtype=np.int64, count=len(at))


def of_neighbors(values: Floats, before: NDArray[np.int64], after: NDArray[np.int64]) -> Floats:
    """The sum of the values of each row's neighbors."""
    padded = np.concatenate([values, np.zeros_like(values[:1])])
    neighbors: Floats = padded[before] + padded[after]
    return neighbors


def mean_neighbors(before: NDArray[np.int64], after: NDArray[np.int64]) -> float:
    """How many neighbors a row that has any has, on average."""
    having = (before >= 0) | (after >= 0)
    return float(((before >= 0).sum() + (after >= 0).sum()) / max(1, having.sum()))
