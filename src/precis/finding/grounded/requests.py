"""A request read by what the memories say, in any wording: what it is about are those of its words that they have.

Rules read a request by how it is put, and misread one that is put otherwise. Here each word is one of four: a name or
another word that a memory has, a word for what people tell of, a word that requests are made of
(``words/grounds.toml``), or an unknown one. A request without unknown words is clear; what any other finds so is in
doubt.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from precis.finding.about.kept import PEOPLE
from precis.finding.about.sources import by_source
from precis.finding.asked.asking import Request, of_others
from precis.finding.asked.corrections import as_meant
from precis.finding.asked.exceptions import all_but, excepts
from precis.finding.asked.refusals import refused
from precis.finding.asked.tellings import kinds_of_telling
from precis.finding.doubts.which import named_beside
from precis.finding.framing import CLAUSE
from precis.finding.grounded.clauses import Clause, forgets, sort_of, spoken
from precis.finding.grounded.memories import memories_of
from precis.finding.grounded.phrases import read_phrases
from precis.finding.grounded.spaced import owned_noun, read_spaced
from precis.finding.names import Name
from precis.finding.parts import NAMING, Subject
from precis.finding.reading import folded, read_words
from precis.finding.reasons import selects
from precis.finding.scripts import unmarked
from precis.finding.tables import ground_phrases, ground_words, languages, words_of
from precis.finding.values import Row
from precis.finding.wording import asked_kindly, leaves_to_what_precedes, only_speaks
from precis.finding.written.named import narrows
from precis.finding.written.speaking import calls_mine

#: A longer text is no request that could be read word by word.
_LONGEST = 2000
#: What is written together with the word behind it, or before it: "l'adresse", "efface-le".
_ELIDED = re.compile(r"(?<![^\W_])([^\W\d_]{1,2}|[Qq]u|jusqu)['\u2019](?=[^\W\d_])")
_CLITIC = re.compile(r"-(?=(?:le|la|les|lo|los|las|moi|toi|nous|vous|lui|leur|me|te|se|o|a|os|as|en|y|tu|il|je)\b)")
_UNSPACED_CLAUSE = re.compile("[\uff0c\u3002\uff1b\uff01\uff1f,;!?]\\s*")


def grounded(what: str, request: Request, rows: Sequence[Row]) -> tuple[Request, bool] | None:
    """The request as the memories explain it, and whether they explain all of it; None where they explain nothing.

    ``request`` is what rules read in it: its time, and whether it refuses, hold here as well.
    """
    if len(what) > _LONGEST or request.session or request.origin or request.by or request.event:
        return None
    sourced = by_source(request, rows)
    if sourced is not None:
        return sourced, True
    if not request.subjects and request.keeps and all_but(what):
        return None  # rules have read what stays
    text = _parted(what)
    language = spoken(text)
    clauses = list(_read(text, language, rows))
    asking = [clause for clause in clauses if clause.forgets]
    about = [clause for clause in asking if clause.subjects]
    about = about or [clause for clause in clauses if clause.subjects and clause.forgets is None]
    kept = [clause for clause in clauses if clause.subjects and clause.forgets is False]
    if not asking or not about or (request.refuses and ((language == "en" and not kept) or refused(what))):
        return None
    named = {name for clause in clauses for subject in clause.subjects for name in subject.names}
    excepted = [clause for clause in clauses if clause.excepted]
    clear = all(clause.clear for clause in (*about, *kept, *asking, *excepted))
    if not any(clause.subjects for clause in asking):
        clear = clear and _points_back(clauses, asking, about)
    clear = clear and all(_is_named(subject, language) for clause in about for subject in clause.subjects)
    clear = clear and not _leaves_out_name(request, about)
    clear = clear and (language == "en" or not _leaves_out(request, about))
    clear = clear and not (_states(request) and not all(it.parts for clause in about for it in clause.subjects))
    clear = clear and not (language in languages() and only_speaks(what, language))
    clear = (
        clear
        and not leaves_to_what_precedes(what)
        and not narrows(text, [subject for clause in about for subject in clause.subjects])
    )
    clear = clear and not any(selects(subject) for clause in clauses for subject in clause.subjects)
    about = _aged(about, asking)
    left = tuple(subject for clause in kept for subject in _taken_up(clause, named))
    left = left or tuple(it for it in request.keeps if not (it.old or it.current))
    clear = clear and (bool(left) or not excepts(what))
    # What rules read of it says of which of several values it speaks, and no clause does.
    aged = any(subject.old or subject.current for subject in request.subjects)
    clear = clear and not (aged and not any(it.old or it.current for clause in about for it in clause.subjects))
    subjects = tuple(subject for clause in about for subject in _taken_up(clause, named))
    grounds = replace(
        request,
        subjects=subjects,
        keeps=left,
        language=language if language in languages() else "en",
        refuses=False,
        unclear=False,
        unsure=False,
        partly=not clear,
        which=request.which or (() if left else named_beside(text, subjects, language)),
        tellings=kinds_of_telling(what, subjects) if language == "en" else (),
    )
    return (of_others(grounds) if any(it.others for it in request.subjects) else grounds), clear


def _leaves_out(request: Request, about: Sequence[Clause]) -> bool:
    """Whether only somebody is left of what rules read as something of theirs: "las notas de mi hijo"."""
    read, kept = _roots(request.subjects), _roots([subject for clause in about for subject in clause.subjects])
    return bool(kept) and kept <= PEOPLE and not read <= PEOPLE


def _leaves_out_name(request: Request, about: Sequence[Clause]) -> bool:
    """Whether what somebody is called was asked for, and they themselves are left."""
    read, kept = _roots(request.subjects), _roots([subject for clause in about for subject in clause.subjects])
    return read.issuperset(NAMING) and not kept.issuperset(NAMING)


def _states(request: Request) -> bool:
    """Whether rules read that something is said of whom it names, all of which is not meant then."""
    return any(subject.states for subject in request.subjects)


def _roots(subjects: Iterable[Subject]) -> set[str]:
    return {root for subject in subjects for part in subject.parts for root in part.roots}


def _parted(text: str) -> str:
    """The text with what is written together parted by spaces."""
    return " ".join(_CLITIC.sub(" ", _ELIDED.sub(r"\1 ", asked_kindly(unmarked(as_meant(text).text)))).split())


def _is_named(subject: Subject, language: str) -> bool:
    """Whether it names somebody or something by itself, or what people tell of that is the user's.

    That is what stands right behind "my": nothing then narrows it.
    """
    words = read_words(subject.text)
    nouns = {word.low for at, word in enumerate(words) if owned_noun(words, at, language)}
    own = subject.mine and language != "en" and all(part.groups or part.word in nouns for part in subject.parts)
    own = own or (subject.mine and bool(subject.parts) and _is_owned(subject, language))
    return bool(subject.names or subject.identifiers or subject.quotes) or own


def _is_owned(subject: Subject, language: str) -> bool:
    """Whether all that it names stands behind "my", and the first of it right behind, or right before it."""
    words = read_words(subject.text)
    owners = {"my", "our"} if language == "en" else {*words_of(language, "first")}
    asked = {word.low for part in subject.parts for word in read_words(part.word)}
    places = [at for at, word in enumerate(words) if word.low in asked or folded(word.text) in asked]
    if places and places[0] > 0 and words[places[0] - 1].low in owners:
        return True
    own = calls_mine(words, language)
    return bool(places) and own is not None and abs(own - places[0]) <= 1


def _aged(about: Sequence[Clause], asking: Sequence[Clause]) -> list[Clause]:
    """What clauses name that ask for nothing, of the age that is asked for: "My new one is blue, drop the old one"."""
    ages = next((clause for clause in asking if clause.old or clause.current), None)
    if ages is None or ages in about:
        return list(about)
    return [
        replace(clause, subjects=tuple(replace(it, old=ages.old, current=ages.current) for it in clause.subjects))
        for clause in about
    ]


def _points_back(clauses: Sequence[Clause], asking: Sequence[Clause], about: Sequence[Clause]) -> bool:
    """Whether what is asked for is what other clauses name: something of somebody, or them, taken up by a pronoun.

    Of "Ana called, delete it" it may be the call alone.
    """
    someone = any(clause.takes_up and not clause.narrows for clause in asking)
    behind = all(clauses.index(clause) > clauses.index(asking[0]) and not clause.told for clause in about)
    return behind or someone or all(subject.parts for clause in about for subject in clause.subjects)


def _taken_up(clause: Clause, named: Collection[Name]) -> Iterator[Subject]:
    """The subjects of a clause, with the one name of another where a pronoun takes it up."""
    for subject in clause.subjects:
        taken = clause.takes_up and not subject.names and len(named) == 1
        yield replace(subject, names=tuple(named), mine=False) if taken else subject


def _read(text: str, language: str, rows: Sequence[Row]) -> Iterator[Clause]:
    joints = map(re.escape, ground_words(language, "but"))
    if ground_phrases(language):
        pieces = [part for piece in _UNSPACED_CLAUSE.split(text) for part in re.split("|".join(joints), piece)]
        yield from (read_phrases(piece, language, rows) for piece in pieces if piece.strip())
        return
    joint = re.compile("|".join(rf"(?<!\w){word}(?!\w)" for word in joints), re.IGNORECASE)
    memories = memories_of(text, language, rows)
    pieces = [part for piece in CLAUSE.split(text) for part in joint.split(piece)]
    for piece in pieces:
        taken, excepted = _excepted(piece, language)
        if taken.strip():
            yield read_spaced(taken, language, memories)
        if excepted.strip():
            clause = read_spaced(excepted, language, memories)
            yield replace(clause, forgets=False, excepted=True, clear=bool(clause.subjects))


def _excepted(text: str, language: str) -> tuple[str, str]:
    """A clause without its exception, and that; some languages put it first."""
    low = folded(text)
    for phrase in ground_words(language, "except") if len(low) == len(text) else ():
        first = phrase.startswith("*")
        match = re.search(rf"(?<!\w){re.escape(phrase.strip('*').replace('-', ' '))}(?!\w)", low)
        if match:
            before, behind = text[: match.start()], text[match.end() :]
            return (behind, before) if first else (before, behind)
    return text, ""


def leaves_open(what: str, request: Request) -> bool:
    """Whether a clause of a request asks to keep something of which what was read of it says nothing."""
    aged = any(subject.old or subject.current for subject in request.subjects)
    if request.keeps or request.refuses or aged or len(what) > _LONGEST:
        return False
    text = _parted(what)
    language = spoken(text)
    if ground_phrases(language):
        return False
    purposes = [forgets([sort_of(word.low, language) for word in read_words(clause)]) for clause in CLAUSE.split(text)]
    return False in purposes and True in purposes
