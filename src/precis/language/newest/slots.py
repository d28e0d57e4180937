"""What was said to be so, and what became of it where no rule reads that the newer sentence overrules the older. Pure.

Two sentences are about one slot where they share a word that tells something, and the newer one gives another value of
the same kind (another day, another sum), says that it is over, or says that it is so again. That is likely and not
certain: both are told, the older with its date and behind the newer.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.chitchat import OF_SELF, untimed
from precis.language.dates import NUMBERS
from precis.language.newest.renewed import Single, outgrown, replaces, single_in
from precis.language.newest.signs import DAYS_ELSEWHERE, figures_of, is_present, terms_of
from precis.language.newest.taken_back import laughs
from precis.language.newest.undone import Deed, deed_of, undoes
from precis.language.script import is_foreign, languages_of, without_small
from precis.language.sentences import is_question, sentences
from precis.language.words import kept, kept_where_short, normal, spoken_names, stem, words

_SPACED, _UNSPACED = tables.in_every_language("standing.spaced"), tables.in_every_language("standing.unspaced")
_NOW = re.compile(rf"(?<![\w-])(?:{_SPACED})(?![\w-])|{_UNSPACED}", re.IGNORECASE)
_TURNING = re.compile(
    rf"(?<![\w-])(?:{tables.in_every_language('standing.turning')})(?![\w-])|{tables.in_every_language('standing.turning_unspaced')}",
    re.IGNORECASE,
)
_UPDATE = re.compile(rf"\b(?:{tables.choices('statements.update')})\b", re.IGNORECASE)
_ENDS, _ENDS_OF, _RESUMES = (
    re.compile(rf"(?<![\w-])(?:{tables.in_every_language(f'standing.{name}')})(?![\w-]){unspaced}", re.IGNORECASE)
    for name, unspaced in (
        ("ends", f"|{tables.in_every_language('standing.ends_unspaced')}"),
        ("ends_of", ""),
        ("resumes", ""),
    )
)
_ENDED = re.compile(rf"{_ENDS.pattern}|{_ENDS_OF.pattern}", re.IGNORECASE)
_UNLESS = re.compile(rf"(?<![\w-])(?:{tables.in_every_language('standing.unless')})(?![\w-])")
#: The date behind a relative one, which a summary adds.
_ADDED = re.compile(r"\([^()]*\b(?:19|20)\d\d\)")
#: What an appointment is set for.
_APPOINTED = frozenset({"date", "weekday", "time"})
#: Of what is counted there may be more: twelve bowls were sold, and others are glazed.
_SOME = re.compile(
    rf"\b(?:\d[\d.,]*|an?|some|several|many|few|another|{'|'.join(NUMBERS)}) [^\W\d_]+(?: [^\W\d_]+)?", re.IGNORECASE
)
#: Whose it is: a neighbor of hers died, or her hamster.
_OWNERS = re.compile(r"[^\W\d_]+['\u2019]s\b|\b(?:of|de|di|du|do|da|von|van) [A-Z\u00c0-\u00de][^\W\d_]+")
#: A word of more sentences ties none of them.
_MOST = 24
_NO_MORE = re.compile(tables.whole(tables.in_every_language("turned.no_more")), re.IGNORECASE)
_TURNED = tables.in_every_language("turned.changed", "turned.home_turned", "turned.work_turned", "turned.otherwise")
_CHANGED = re.compile(f"{tables.whole(_TURNED)}|{_ENDED.pattern}", re.IGNORECASE)
#: So many words has a change in common with what it may have ended, and what is so no longer with what was so.
_ALIKE, _CLEARLY = 2, 3


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence as it is compared with later ones."""

    terms: frozenset[str]
    #: Those that are no small words of its language: "ich", "j'ai".
    alike: frozenset[str]
    figures: Mapping[str, frozenset[str]]
    #: Says that something is different; that it is so now; one of these, or figures of what is or will be.
    changes: bool
    is_now: bool
    holds: bool
    #: The terms of what it says to be over.
    ended: frozenset[str]
    resumes: bool
    #: Of whoever speaks.
    own: bool
    #: The sentence, where it is of another language than English.
    abroad: str
    #: What it gives the one value of; whether it tells of something that is set for a day or an hour.
    single: Single | None
    appointed: bool
    #: Is not told of the past, as far as that is known; of other languages than English it is not.
    present: bool
    #: Says that something is so no longer; that something was changed, moved, ended, begun, bought or sold.
    no_more: bool
    turns: bool
    #: What it says to be booked, ordered or planned, or off again; or likely to cost, or to have cost.
    deed: Deed


class Said(NamedTuple):
    """A text with who said it, and how new it is: what is newer has a higher rank."""

    text: str
    speaker: str | None
    rank: int


def is_now(text: str) -> bool:
    """Whether it has a word for what is so from now on."""
    return _NOW.search(text) is not None


@kept_where_short
def changes(sentence: str) -> bool:
    """Whether it says that something is so now which was otherwise before."""
    return _NOW.search(sentence) is not None or any(
        match.group().lower() != "now" for match in _UPDATE.finditer(sentence)
    )


def turns(sentence: str) -> bool:
    """Whether a sentence of another language than English tells that something is otherwise than it was."""
    return is_foreign(sentence) and turning(sentence)


def turning(sentence: str) -> bool:
    """The same of a sentence that is known to be of another language."""
    return _TURNING.search(sentence) is not None or is_now(sentence)


def holds(sentence: str) -> bool:
    """Whether it says that something is so now, or gives figures of what is or will be."""
    told = read_slot(sentence)
    return told.holds or told.appointed or told.single is not None or told.deed.may_end


def is_appointed(sentence: str) -> bool:
    """Whether it has a day or an hour of what is not over yet."""
    return read_slot(sentence).appointed


def outlived(lines: Sequence[Said]) -> set[int]:
    """Lines that say what is so, where a newer one with two of the same words tells of a change: each needs its day.

    Far less sure than ``taken_up``: "Eskil lives in Bergen" may go on where "Eskil sold his boat in Bergen".
    """
    readings = [tuple(map(read_slot, sentences(line.text))) for line in lines]
    turning: dict[tuple[str | None, str], set[tuple[int, int]]] = defaultdict(set)
    for at, (line, reading) in enumerate(zip(lines, readings, strict=True)):
        for term in (term for told in reading if told.turns for term in told.alike):
            turning[line.speaker, term].add((line.rank, at))

    def is_outlived(line: Said, told: Told) -> bool:
        newer = Counter(
            at for term in told.alike for rank, at in turning.get((line.speaker, term), ()) if rank > line.rank
        )
        # One word may be by chance, or whom it is about.
        return max(newer.values(), default=0) >= _ALIKE

    return {
        at
        for at, (line, reading) in enumerate(zip(lines, readings, strict=True))
        for told in reading
        if told.present and not (told.turns or told.ended or told.no_more) and is_outlived(line, told)
    }


def taken_up(lines: Sequence[Said]) -> dict[int, int]:
    """For each line that says what is so the newest line about the same slot, where that is newer.

    A line may have several sentences; each of one is compared with each of the other.
    """
    readings = [tuple(map(read_slot, sentences(line.text))) for line in lines]
    holders: dict[str, list[int]] = defaultdict(list)
    for at, reading in enumerate(readings):
        for term in frozenset().union(*map(_keys, reading)) if reading else ():
            holders[term].append(at)
    newest: dict[int, int] = {}
    for at, reading in enumerate(readings):
        names = {stem(name) for name in spoken_names(lines[at].speaker)}
        if not any(
            told.holds or told.appointed or told.single or told.present or told.deed.may_end for told in reading
        ):
            continue
        near = {other for told in reading for term in _keys(told) - names for other in holders[term][-_MOST:]}
        later = [
            other
            for other in near
            if lines[other].rank > lines[at].rank and _takes_up(lines, readings, other, at, frozenset(names))
        ]
        if later:
            newest[at] = max(later, key=lambda other: (lines[other].rank, other))
    return outgrown(lines, is_now) | newest


def _keys(told: Told) -> frozenset[str]:
    """By what a sentence is compared with others."""
    return told.terms | told.deed.keys


def _takes_up(
    lines: Sequence[Said], readings: Sequence[tuple[Told, ...]], newer: int, older: int, names: frozenset[str]
) -> bool:
    speakers = {lines[newer].speaker, lines[older].speaker}
    same, near = len(speakers) == 1, None in speakers
    return any(
        ((same or not (new.own or old.own)) and _about_one_slot(new, old, names))
        or ((same or near) and (undoes(new.deed, old.deed) or replaces(new.abroad, old.abroad, now=new.is_now)))
        for new, old in product(readings[newer], readings[older])
    )


def _about_one_slot(new: Told, old: Told, names: frozenset[str]) -> bool:
    if not (new.terms & old.terms) - names:
        return False
    if old.single and new.single and old.single.what == new.single.what:
        return old.single.value != new.single.value
    if old.appointed and _moves(new, old, names):
        return True
    if not old.holds or _denies_now(new, old, names):
        return _denies_now(new, old, names)
    if (old.changes and new.resumes) or (old.is_now and (new.ended & old.terms) - names):
        return True
    return any(new.figures[kind].isdisjoint(old.figures[kind]) for kind in new.figures.keys() & old.figures.keys())


def _moves(new: Told, old: Told, names: frozenset[str]) -> bool:
    """Whether it says that what is set for a day or an hour is over, or elsewhere set anew: "Der Kurs ist verlegt"."""
    if not new.appointed:
        return bool((new.ended & old.alike) - names)
    is_other = new.turns and bool(new.abroad and old.abroad) and not old.turns
    return is_other and len((new.alike & old.alike) - names) >= _ALIKE


def _denies_now(new: Told, old: Told, names: frozenset[str]) -> bool:
    """Whether it says that what the older one says is so no longer."""
    if not new.no_more or not old.present or old.no_more or old.ended:
        return False
    own = new.terms - names
    return own <= old.terms or len(own & old.terms) >= _CLEARLY


@kept
def read_slot(sentence: str) -> Told:
    """The sentence as it is compared with others."""
    bare = _ADDED.sub(" ", sentence)
    asks = is_question(bare) or laughs(bare)
    change = not asks and changes(bare)
    figures = {} if asks else figures_of(bare)
    return Told(
        terms=terms_of(_NOW.sub(" ", bare)),
        alike=terms_of(without_small(_NOW.sub(" ", bare), next(iter(languages_of(bare)[0]), None))),
        figures=figures,
        changes=change,
        is_now=is_now(bare),
        holds=change or (bool(figures) and is_present(bare)),
        ended=frozenset() if asks else _ended(bare),
        resumes=not asks and _RESUMES.search(bare) is not None,
        own=OF_SELF.search(bare) is not None,
        abroad=bare if not asks and is_foreign(bare) else "",
        single=None if asks else single_in(bare),
        appointed=not asks and _has_appointment(bare),
        present=not asks and (is_foreign(bare) or is_present(bare)),
        no_more=not asks and _NO_MORE.search(bare) is not None,
        turns=not asks and _CHANGED.search(bare) is not None,
        deed=Deed() if asks else deed_of(bare),
    )


def over_or_again(sentence: str) -> tuple[bool, bool]:
    """Whether it says that something is over, and that it is so again: as ``read_slot`` reads it, and no more."""
    bare = _ADDED.sub(" ", sentence)
    if is_question(bare) or laughs(bare):
        return False, False
    return bool(_ended(bare)), _RESUMES.search(bare) is not None


def _ended(sentence: str) -> frozenset[str]:
    """The terms of what is over: all of the sentence, or those behind a verb of which it is the object."""
    verb, ends = _ENDS_OF.search(sentence), _ENDS.search(sentence)
    if not (verb or ends) or _UNLESS.search(sentence[:1].lower() + sentence[1:]):
        return frozenset()
    clause = _clause_of(sentence, ends) if ends and is_foreign(sentence) else sentence
    over = clause if ends else sentence[verb.end() :] if verb else ""
    # "Dentist cancelled." has nothing behind the verb.
    terms = terms_of(_SOME.sub(" ", _OWNERS.sub(" ", over)))
    return terms or (terms_of(sentence[: verb.start()]) if verb and not OF_SELF.search(sentence) else terms)


def _clause_of(sentence: str, ends: re.Match[str]) -> str:
    """The part between commas in which something ends, where that names something; else all of the sentence."""
    before, behind = sentence[: ends.start()].rpartition(","), sentence[ends.end() :].partition(",")
    return f"{before[2]} {ends.group()} {behind[0]}" if terms_of(f"{before[2]} {behind[0]}") else sentence


def _has_appointment(sentence: str) -> bool:
    """The same of one without the dates that were added; of a verb of another language nothing is known."""
    if _ENDED.search(sentence):
        return False
    if not DAYS_ELSEWHERE.isdisjoint(words(sentence)):
        return True
    if is_foreign(sentence):
        return untimed(sentence) != normal(sentence)
    return not _APPOINTED.isdisjoint(figures_of(sentence)) and is_present(sentence)
