"""What stays of a memory that speaks of two things, where only one is to be forgotten.

A part stays where it can stand alone: a whole sentence, or a clause with a subject and a verb of its own, that names
nothing of what goes, takes up nobody by a pronoun, and shares no word with what goes. Otherwise the memory goes whole:
half a sentence that cannot be read without the other says something else, or still says what was to be forgotten.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate

from precis.finding.about.theirs import beside_joint, goes_on_about_user, leans, of_theirs, takes_up_object
from precis.finding.capitals import finite
from precis.finding.doubts.lists import begins_with_joint, is_cut_out, with_lists
from precis.finding.identifiers import identifiers_in
from precis.finding.kinds import is_person
from precis.finding.names import people
from precis.finding.reading import UNSPACED, read_words, sentence_spans
from precis.finding.tables import name_words
from precis.finding.values import Level, Span
from precis.finding.written.alike import are_of_others, is_open, stands_alone, stop
from precis.finding.written.clauses import JOINT, PRONOUNS, clauses_of, has_subject, is_clause, is_of_both, side_by_side
from precis.finding.written.languages import language_of
from precis.language.tokens import token
from precis.language.values import unit_of
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS, stem

_SHARING = re.compile(r",?\s+(?:and|but)\s+", re.IGNORECASE)  # two things that one subject does or has
#: Fewer words behind a joint only go on with what stands before it; and most words of a subject.
_OWN, _SUBJECT = 4, 4
_ARTICLES, _WHOSE = frozenset("the a an my our his her their".split()), frozenset("my our his her their".split())
_THEIR, _PERSONS = frozenset("his her their".split()), frozenset("he she they er il elle lui lei".split())
_IS, _NAMING = frozenset("is was are were".split()), frozenset(["called", "named"])
#: A second subject within a part: "I got the job, I start in May".
_ANOTHER = re.compile(rf",\s+(?:i|{'|'.join(sorted(PRONOUNS))})\s", re.IGNORECASE)
#: Verbs of one thing and another; what begins a thing behind "and".
_HAVING = frozenset("have has had own owns takes take like likes love loves hate hates play plays speak speaks".split())
_COUNTS = frozenset("a an the two three four five six some many no another".split())
#: What parts the thousands of a number.
_GROUPED = re.compile(r"(?<=\d)[,.](?=\d{3}(?!\d))")


class Places:
    """Where something was found, often at thousands of places: looked up, and not gone through each time."""

    def __init__(self, spans: Sequence[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._furthest = list(accumulate((end for _, end in ordered), max))
        self.ends = {end for _, end in ordered}
        self.first_end = min(self.ends, default=0)

    def touch(self, piece: Span) -> bool:
        """Whether one of them lies in a piece: of those that begin before it ends, the one that ends last decides."""
        before = bisect_left(self._starts, piece[1])
        return before > 0 and self._furthest[before - 1] > piece[0]


def parted(text: str, spans: Sequence[Span], *, facts: bool = False) -> tuple[tuple[Span, ...], Level]:
    """Parts of the text that stay when what stands at these places goes; none where it has to go whole.

    ``facts``: something of somebody is meant, and not all of them. The level says how surely the whole may go then.
    """
    keeps, level = _parted(text, spans, facts=facts)
    return with_lists(text, spans, Places(keeps).touch, keeps, level)


def _parted(text: str, spans: Sequence[Span], *, facts: bool) -> tuple[tuple[Span, ...], Level]:
    """The same, lists unread."""
    pieces = clauses_of(text)
    language = language_of([word.low for word in read_words(text)], text)
    going = _fullest(text, pieces, spans, language)
    gone = set(going)
    rest = [piece for piece in pieces if piece not in gone]
    if going and not rest:
        shared = _shared_subject(text, going, spans)
        if facts and len(going) == 1 and not shared:
            shared = of_theirs(text, going[0], spans)
        others = any(start < min(spans)[0] for start, _, _ in people(text))
        if (facts or others) and len(going) == 1 and not shared and language == "en":
            shared = beside_joint(text, going[0], spans)
        if shared:
            return shared, Level.SURE
    places = Places(spans)
    if not going or not rest:
        return (), Level.DOUBTFUL if any(
            _doubled(text[start:end], start, places, facts=facts) for start, end in going
        ) else Level.SURE
    asked = _content(" ".join(text[start:end] for start, end in spans))
    lost = _content(" ".join(text[start:end] for start, end in going)) - asked
    taken_up = goes_on_about_user(text)
    opening = min(going)[0]
    leaning = {it for it in rest if it[0] > opening and leans(text, it, language)}
    own = [piece for piece in rest if _is_whole(text[slice(*piece)], language) or taken_up(text[slice(*piece)])]
    # Nothing stands before the sentences that open a text: they can be read alone.
    opened = [piece for piece in sentence_spans(text) if piece[1] <= opening]
    own = [piece for piece in rest if piece in opened or (piece in own and piece not in leaning)]
    of_others = are_of_others([text[slice(*piece)] for piece in (*going, *rest)], language)
    lost -= _LITTLE if language != "en" else frozenset()
    shares = not of_others and any(_content(text[start:end]) & lost for start, end in rest)
    if len(own) == len(rest) and not shares:
        ends = [text[slice(*piece)] for piece in rest if piece[1] < len(text)] if language in {"ja", "ko"} else []
        return ((), Level.DOUBTFUL) if any(map(is_open, ends)) else (tuple(rest), Level.SURE)
    others = any(
        not places.touch((start + first, start + last))
        for start, end in rest
        for first, last, _ in people(text[start:end])
    )
    return (), Level.DOUBTFUL if own or others else Level.SURE


def _fullest(text: str, pieces: Sequence[Span], spans: Sequence[Span], language: str) -> list[Span]:
    """The pieces that have what was asked for; not one that has only a part of it and a subject of its own."""
    waiting = sorted(set(spans), reverse=True)
    have: dict[Span, frozenset[str]] = {}
    for piece in pieces:
        words = set()
        while waiting and waiting[-1][0] < piece[1]:
            start, end = waiting.pop() if waiting[-1][1] <= piece[1] else (waiting[-1][0], waiting[-1][1])
            if end > piece[0]:
                words.add(text[start:end].casefold())
            if end > piece[1]:
                break
        have[piece] = frozenset(words)
    kinds: dict[str, set[frozenset[str]]] = defaultdict(set)
    for asked in have.values():
        for word in asked:
            kinds[word].add(asked)
    return [
        piece
        for piece, words in have.items()
        if words
        and not (
            any(words < others for others in min((kinds[word] for word in words), key=len))
            and _is_whole(text[slice(*piece)], language)
            and (stands_alone(text[slice(*piece)], language) or is_clause(text[slice(*piece)], language))
        )
    ]


def _is_whole(text: str, language: str) -> bool:
    """Whether a part of a sentence can be read without the others."""
    return has_subject(text, language) or stands_alone(text, language)


def _shared_subject(text: str, going: Sequence[Span], spans: Sequence[Span]) -> tuple[Span, ...]:
    """What stays of "Ana has asthma and sings in a choir" without the asthma: the subject, and what else it does."""
    if len(going) != 1 or language_of([word.low for word in read_words(text)], text) != "en":
        return ()
    start, end = going[0]
    joints = [match.span() for match in _SHARING.finditer(text, start, end)]
    words = [word for word in read_words(text) if start <= word.start < end]
    verb = next((word for at, word in enumerate(words[: _SUBJECT + 1]) if at and finite(word)), None)
    verb = verb or (words[1] if words and words[0].low in {"i", "we"} and len(words) > 1 else None)
    if len(joints) != 1 or verb is None or verb.start > joints[0][0] or verb.low in name_words("auxiliaries"):
        return ()
    first, last = (verb.start, joints[0][0]), (joints[0][1], end)
    name = next((word for word in words if word.start > verb.start and word.low not in _NAMING), verb)
    # "My dentist is Ilse and works here", "I got the job, I start in May and earn little": there is another subject.
    is_whom = verb.low in _IS and name.capital and Places(spans).touch((name.start, name.start + 1))
    if is_whom or _ANOTHER.search(text, *first):
        return ()
    behind = next((word for word in words if word.start >= last[0]), None)
    plain = words[0].low in {"i", "we"}
    verbal = (
        behind is not None
        and not behind.capital
        and (finite(behind) or (plain and form_of(token(behind.low)) is not None and behind.low not in STOP_WORDS))
    )
    own = has_subject(text[start : verb.start]) and any(map(Places(spans).touch, (first, last)))
    touched = [part for part in (first, last) if Places(spans).touch(part)]
    thing = behind is not None and verb.low in _HAVING and (behind.low in _COUNTS or behind.text[0].isdigit())
    if not (verbal or thing) or not own or len(touched) != 1:
        return ()
    if not verbal:  # "I have asthma and a fear of heights"
        return ((start, verb.end), last) if touched == [first] else ((start, joints[0][0]),)
    kept = last if touched == [first] else first
    # Of "met Saoirse and likes her" the rest leans on who goes.
    leans = kept == last and takes_up_object([word for word in words if word.start >= last[0]])
    return () if leans else ((start, verb.start), kept)


def _doubled(clause: str, start: int, places: Places, *, facts: bool) -> bool:
    """Whether somebody else is named behind an "and" that does not join two names: "Ana in Oslo and Ben in Kiel"."""
    named = {start + first: start + last for first, last, _ in people(clause)}
    ends = set(named.values())
    joints = [*JOINT.finditer(clause)]
    for at, match in enumerate(joints):
        behind = start + match.end()
        before = start + match.start()
        if not places.touch((start, before)) and is_of_both(clause[: match.start()], clause[match.end() :]):
            return True
        last = start + (joints[at + 1].start() if at + 1 < len(joints) else len(clause))
        if (
            places.first_end <= before
            and not places.touch((behind, last))
            and _adds(clause, match, last - start, facts=facts)
        ):
            return True
        if places.first_end <= before and _is_anothers(clause, match, start, places):
            return True
        other = behind in named and not places.touch((behind, named[behind]))
        pair = before in ends or (
            before in places.ends and any(word.capital for word in read_words(clause[: match.start()])[-1:])
        )
        if other and not pair and places.first_end <= before:
            return True
    return False


def _is_anothers(clause: str, joint: re.Match[str], start: int, places: Places) -> bool:
    """Whether what stands behind a joint tells the same of somebody else: "and my son Leo to Park School"."""
    words = read_words(clause[joint.end() :])
    if len(words) < _OWN - 1 or words[0].low not in _WHOSE or not is_person(words[1].low):
        return False
    place = start + joint.end() + words[1].start
    told = any(form_of(token(word.low)) is not None for word in read_words(clause[: joint.start()])[1:])
    return told and not places.touch((place, place + 1))


def _adds(clause: str, joint: re.Match[str], end: int, *, facts: bool) -> bool:
    """Whether what stands behind a joint tells something of its own: "and on the way back the exhaust fell off".

    It has a verb of its own, or whoever it is about: "and my landlord two months of rent".
    """
    words = read_words(clause[joint.end() : end])
    before = read_words(clause[: joint.start()])
    told = len(before) > 2 and any(form_of(token(word.low)) is not None or finite(word) for word in before[1:])
    if len(words) < _OWN - any(word.low in _PERSONS for word in words[:1]) or words[0].low in name_words("dependent"):
        return False
    language = language_of([word.low for word in read_words(clause)], clause)
    if words[0].text.lower() in PRONOUNS:
        return facts and (told or language != "en") and words[0].low in _PERSONS
    if language != "en" and facts and len(words) > _OWN:
        return True
    if language != "en":
        return "," in joint.group() or any(word.capital for word in words[: _OWN - 1])
    if not facts and words[0].low in _THEIR:
        return False  # "Penny is my accountant, and her number is ..."
    verb = next((at for at, word in enumerate(words) if at and finite(word)), 0)
    subject = verb and any(word.low in _ARTICLES or word.capital for word in words[:verb])
    person = words[0].low in _WHOSE and is_person(words[1].low) and not is_person(before[-1].low)
    return told and (bool(subject) or person)


def written(text: str, parts: Sequence[Span]) -> str:
    """The parts as a text of their own."""
    pieces: list[str] = []
    last = 0
    for start, end in side_by_side(text, parts):
        piece = text[start:end].strip(" ,;")
        if pieces and begins_with_joint(text, start):
            pieces[-1] = f"{pieces[-1]}{text[start:end]}".rstrip(" ,;")
        if not piece or (pieces and begins_with_joint(text, start)):
            continue
        cut = pieces and is_cut_out(text, last, start)
        last = end
        if pieces and piece.split()[0] in _COUNTS and pieces[-1].split()[-1].casefold() in _HAVING:
            pieces[-1] = f"{pieces[-1]} {piece}"
        elif pieces and piece[:1].islower() and not is_clause(piece) and _is_bare(pieces[-1]):
            joint = " \u2013 " if piece.split()[0].casefold() in name_words("possessives") else " "
            pieces[-1] = f"{pieces[-1]}{joint}{piece}"  # a subject, and what it does or what somebody of theirs does
        elif cut:
            pieces[-1] = f"{pieces[-1]}{'' if UNSPACED.search(piece[0]) else ' '}{piece}"
        else:
            pieces.append(piece)
    closed = [
        piece if piece[-1:] in ".!?\u3002\uff01\uff1f\u0964\u061f" else f"{piece}{stop(piece)}" for piece in pieces
    ]
    return " ".join(f"{piece[0].upper()}{piece[1:]}" for piece in closed)


def _is_bare(text: str) -> bool:
    """Whether it is a subject without a verb."""
    words = read_words(text)
    return 0 < len(words) <= _SUBJECT and text[-1:] not in ".!?" and not any(finite(word) for word in words)


def _content(text: str) -> frozenset[str]:
    """What would tie one part to another: its words without verbs, and its identifiers."""
    text = _GROUPED.sub("", text)
    marks = {mark.value for mark in identifiers_in(text)}
    names = {
        word.low
        for word in read_words(text)
        if word.low not in STOP_WORDS
        and len(word.low) > 2
        and form_of(token(word.low)) is None
        and not unit_of(word.low)
    }
    return frozenset(map(stem, names)) - _COMMON | marks


#: Small words of other languages, which two facts may share as well.
_LITTLE = frozenset(map(stem, name_words("alike_aside") | name_words("articles")))
#: What two facts may share without sharing anything.
_COMMON = frozenset(map(stem, "number phone email address name user".split()))
