"""Whose and of what the clause is that has what was asked for, and whether what is told is for somebody else.

"Oskar has epilepsy, I drive him to the doctor" tells nothing of the health of whoever drives; "Dentist for Ida on
Tuesday" nothing of "my dentist".
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from precis.finding import capitals, nouns, owners, reading
from precis.finding.about.theirs import opens_with_user
from precis.finding.parts import Subject
from precis.finding.tables import all_words, calendar_words, name_words, words_of
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written import chains, clauses, speaking
from precis.finding.written.languages import language_of
from precis.finding.written.told import tells_of_others, tells_own
from precis.language.words import STOP_WORDS

_THEY, _OWNING = frozenset("he she they".split()), frozenset("my our".split())
#: Behind a name, and before what says where or when something was.
_WHENCE = frozenset("at from of with".split())
_WHERE = frozenset("at in on during after before near behind outside inside by from through throughout since".split())
_PARTED = re.compile(r"[,;:]\s+|\s+[\u2013\u2014]\s+")


def owner_by_clause(
    row: Row, spans: Sequence[Span], groups_meant: Collection[str], own_names: Collection[str], likely: str
) -> Match:
    """Whose a memory is, in doubt where each clause that has one of the places is not the user's by itself."""
    owner = owners.match_owner(row, spans, groups_meant, own_names, likely)
    if owner.level is not Level.SURE or not spans:
        return owner
    touched = [piece for piece in _pieces(row.text) if any(s < piece[1] and e > piece[0] for s, e in spans)]
    words = reading.read_words(row.text)
    language = language_of([word.low for word in words], row.text, likely)
    first = words_of(language, "first")
    own = {*first, *own_names}
    if not touched or not any(word.low in own for word in words if word.start >= touched[0][1]):
        return owner
    levels = [
        owners.match_owner(
            replace(row, text=row.text[slice(*it)]), _within(spans, it), groups_meant, own_names, likely
        ).level
        for it in touched
    ]
    anothers = levels[0] < Level.SURE and row.text[touched[0][0]].isupper()
    rest = zip(touched[1:], levels[1:], strict=True)
    parted = levels[0] is Level.NEAR and len(clauses.clauses_of(row.text)) == 1
    if anothers and (
        parted or all(level < Level.SURE or _is_for_them(row.text[slice(*piece)]) for piece, level in rest)
    ):
        return Match(level=Level.DOUBTFUL, why="it may be somebody else's")
    return owner


def _is_for_them(clause: str) -> bool:
    """Whether it tells of something done for whoever was named before: "I drive him to the doctor"."""
    return any(word.low in name_words("for_them") for word in reading.read_words(clause))


def takes_up_clause(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether only what "that" takes up tells what was asked for of somebody: "Bo is vegan, that is hard at work"."""
    if not (subject.names and subject.parts):
        return False
    low = reading.folded(text)
    names = {word for name in subject.names for word in name}
    exact = {span for part in subject.parts for span in reading.places_of(part.word, low, subject.language)}
    told = [span for span in spans if low[slice(*span)] not in names and span not in exact]
    told = [span for span in told if not any(word.low in names for word in reading.read_words(text[slice(*span)]))]
    pieces = [piece for piece in _pieces(text) if any(piece[0] <= span[0] < piece[1] for span in told)]
    return bool(told) and all(_points(text[slice(*piece)], start=piece[0]) for piece in pieces)


def is_of_one_named(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether somebody else is told of who is named before, and the user only by where it was, or when.

    "Pekka at Lumo can't eat nuts, he ended up in hospital at our dinner", of "my health".
    """
    if not subject.mine or subject.names or subject.clause or subject.others or not spans or subject.identifiers:
        return False
    return all(_tells_of_name(text, span, spans) for span in spans)


def _tells_of_name(text: str, span: Span, spans: Sequence[Span]) -> bool:
    sentence = next((it for it in reading.sentence_spans(text) if it[0] <= span[0] < it[1]), (0, len(text)))
    words = [word for word in reading.read_words(text) if sentence[0] <= word.start < sentence[1]]
    if len(words) < 2 or language_of([word.low for word in words], text) != "en":
        return False
    pieces = [piece for piece in _pieces(text) if sentence[0] < piece[0] <= span[0] < piece[1]]
    takes_up = any(word.low in _THEY for piece in pieces for word in words if word.start == piece[0])
    opens = takes_up or words[1].capital or words[1].low in _WHENCE
    named = (at for at, word in enumerate(words) if word.end <= span[0] and _may_be_name(word, spans))
    if not any((opens and not at) or _acts(words, at) for at in named):
        return False
    own = (at for at, word in enumerate(words) if word.low in words_of("en", "first"))
    return all(_only_says_where(words, at, spans) for at in own)


def _may_be_name(word: reading.Word, spans: Sequence[Span]) -> bool:
    aside = STOP_WORDS | calendar_words() | reading.users_of(()) | set(words_of("en", "first"))
    return word.capital and word.low not in aside and (word.start, word.end) not in spans


def _acts(words: Sequence[reading.Word], at: int) -> bool:
    """Whether a verb stands behind a name, or behind the rest of it."""
    behind = next((word for word in words[at + 1 :] if not word.capital), None)
    return behind is not None and behind.gap == " " and capitals.finite(behind)


def _only_says_where(words: Sequence[reading.Word], at: int, spans: Sequence[Span]) -> bool:
    """Whether "our" stands in a phrase of a place or a time, and what was asked for not behind it."""
    if words[at].low not in _OWNING or not at or at + 1 == len(words):
        return False
    meant = any(start <= words[at].start < end for start, end in spans)
    return words[at - 1].low in _WHERE and not meant and (words[at + 1].start, words[at + 1].end) not in spans


def _points(clause: str, *, start: int) -> bool:
    opening = next(iter(reading.read_words(clause)), None)
    return start > 0 and opening is not None and opening.low in name_words("pointing")


def _pieces(text: str) -> Iterator[Span]:
    """The parts of each sentence between its commas."""
    for start, end in reading.sentence_spans(text):
        begin = start
        for joint in _PARTED.finditer(text, start, end):
            yield begin, joint.start()
            begin = joint.end()
        yield begin, end


def _within(spans: Sequence[Span], piece: Span) -> tuple[Span, ...]:
    return tuple((s - piece[0], e - piece[0]) for s, e in spans if s < piece[1] and e > piece[0])


#: So many words may stand between a thing and "for", between "for" and somebody, and between "my" and a thing.
_NEAR, _ASIDE, _OWNED = 3, 2, 2
#: What people do for somebody else, and is their own all the same.
_DONE_FOR = frozenset({"job"})
#: How nouns end that are no names, in German, where every noun has a capital.
_NOUNS = ("ung", "heit", "keit", "schaft", "tion", "tat", "nis", "ismus", "chen", "zeug")


def is_told_of_another(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether what was asked for of the user is only told in the third person, and not of them by a name."""
    if not subject.mine or subject.names or subject.clause or subject.language == "en" or opens_with_user(text):
        return False
    low = reading.folded(text)
    spoken = {subject.language, language_of([word.low for word in reading.read_words(text)], text, subject.language)}
    groups = {group for part in subject.parts for group in part.groups}
    own = tells_own(low, spoken, spans) is not None
    return not own and len(low) == len(text) and tells_of_others(low, groups, spoken, spans)


def is_for_another(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all that tells of what was asked for of the user is for somebody else, and is not called the user's."""
    named = subject.names and not subject.mine
    aside = subject.clause or named or subject.identifiers or subject.quotes or subject.others or subject.each
    own = subject.mine or any(chains.ends_mine(word.low, subject.language) for word in reading.read_words(subject.text))
    if aside or not own or not spans or any(not _DONE_FOR.isdisjoint(part.roots) for part in subject.parts):
        return False
    asked = {word.low for word in reading.read_words(subject.text)}
    sentences = [
        (start, end) for start, end in reading.sentence_spans(text) if any(start <= at < end for at, _ in spans)
    ]
    return bool(sentences) and all(_goes_to_another(text, sentence, spans, asked) for sentence in sentences)


def _goes_to_another(text: str, sentence: Span, spans: Sequence[Span], asked: set[str]) -> bool:
    start, end = sentence
    words = [word for word in reading.read_words(text) if start <= word.start < end]
    language = language_of([word.low for word in words], text)
    inside = [span for span in spans if start <= span[0] < end]
    places = [(reading.word_from(words, first), reading.words_before(words, last)) for first, last in inside]
    own = all_words("first") | reading.users_of(())
    if any(word.low in own for first, _ in places for word in words[max(0, first - _OWNED) : first]):
        return False
    within = {at for first, last in places for at in range(first, last)}
    return any(_is_for(words, last, within, language, asked) for _, last in places)


def _is_for(words: Sequence[reading.Word], last: int, within: set[int], language: str, asked: set[str]) -> bool:
    """Whether "for" somebody stands behind what ends before a word."""
    for at in range(last, min(last + _NEAR + 1, len(words) - 1)):
        if any(sign in words[at].gap for sign in ";:.!?"):
            return False
        if at not in within and words[at].low in name_words("for_somebody"):
            return _is_somebody(words, at + 1, language, asked)
    return False


def _is_somebody(words: Sequence[reading.Word], at: int, language: str, asked: set[str]) -> bool:
    """Whether somebody else than the user stands there, or behind an article, and nothing of theirs."""
    first, articles = at, name_words("articles") | all_words("articles") | all_words("first")
    while at < len(words) - 1 and at - first < _ASIDE and words[at].low in articles and not words[at].capital:
        at += 1
    word = words[at]
    behind = words[at + 1] if at + 1 < len(words) and words[at + 1].gap == " " else None
    if word.owns and behind is not None and not speaking.is_being(behind.low):
        return False
    if word.low in asked or word.low in reading.users_of(()) or word.low in calendar_words():
        return False
    if word.low in name_words("object_pronouns") and at == first:
        return True
    named = (
        word.capital and word.low not in STOP_WORDS and not (word.low in all_words("first") and len(word.low) < _NEAR)
    )
    named = named and not (language == "de" and (at > first or word.low.endswith(_NOUNS)))
    known = speaking.is_being(word.low) or word.low in name_words("given")
    return known or (named and not (word.text.isascii() and nouns.names_thing(word.low)))
