"""Whether something that is told is for somebody else than the user: "Dentist for Ida on Tuesday", of "my dentist"."""

from collections.abc import Sequence

from precis.finding.about.theirs import opens_with_user
from precis.finding.nouns import names_thing
from precis.finding.parts import Subject
from precis.finding.reading import Word, folded, read_words, sentence_spans, users_of, word_from, words_before
from precis.finding.tables import all_words, calendar_words, name_words
from precis.finding.values import Span
from precis.finding.written.beings import is_being
from precis.finding.written.chains import ends_mine
from precis.finding.written.languages import language_of
from precis.finding.written.told import tells_of_others, tells_own
from precis.language.words import STOP_WORDS

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
    low = folded(text)
    spoken = {subject.language, language_of([word.low for word in read_words(text)], text, subject.language)}
    groups = {group for part in subject.parts for group in part.groups}
    own = tells_own(low, spoken, spans) is not None
    return not own and len(low) == len(text) and tells_of_others(low, groups, spoken, spans)


def is_for_another(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all that tells of what was asked for of the user is for somebody else, and is not called the user's."""
    named = subject.names and not subject.mine
    aside = subject.clause or named or subject.identifiers or subject.quotes or subject.others or subject.each
    own = subject.mine or any(ends_mine(word.low, subject.language) for word in read_words(subject.text))
    if aside or not own or not spans or any(not _DONE_FOR.isdisjoint(part.roots) for part in subject.parts):
        return False
    asked = {word.low for word in read_words(subject.text)}
    sentences = [(start, end) for start, end in sentence_spans(text) if any(start <= at < end for at, _ in spans)]
    return bool(sentences) and all(_goes_to_another(text, sentence, spans, asked) for sentence in sentences)


def _goes_to_another(text: str, sentence: Span, spans: Sequence[Span], asked: set[str]) -> bool:
    start, end = sentence
    words = [word for word in read_words(text) if start <= word.start < end]
    language = language_of([word.low for word in words], text)
    inside = [span for span in spans if start <= span[0] < end]
    places = [(word_from(words, first), words_before(words, last)) for first, last in inside]
    own = all_words("first") | users_of(())
    if any(word.low in own for first, _ in places for word in words[max(0, first - _OWNED) : first]):
        return False
    within = {at for first, last in places for at in range(first, last)}
    return any(_is_for(words, last, within, language, asked) for _, last in places)


def _is_for(words: Sequence[Word], last: int, within: set[int], language: str, asked: set[str]) -> bool:
    """Whether "for" somebody stands behind what ends before a word."""
    for at in range(last, min(last + _NEAR + 1, len(words) - 1)):
        if any(sign in words[at].gap for sign in ";:.!?"):
            return False
        if at not in within and words[at].low in name_words("for_somebody"):
            return _is_somebody(words, at + 1, language, asked)
    return False


def _is_somebody(words: Sequence[Word], at: int, language: str, asked: set[str]) -> bool:
    """Whether somebody else than the user stands there, or behind an article, and nothing of theirs."""
    first, articles = at, name_words("articles") | all_words("articles") | all_words("first")
    while at < len(words) - 1 and at - first < _ASIDE and words[at].low in articles and not words[at].capital:
        at += 1
    word = words[at]
    behind = words[at + 1] if at + 1 < len(words) and words[at + 1].gap == " " else None
    if word.owns and behind is not None and not is_being(behind.low):
        return False
    if word.low in asked or word.low in users_of(()) or word.low in calendar_words():
        return False
    if word.low in name_words("object_pronouns") and at == first:
        return True
    named = (
        word.capital and word.low not in STOP_WORDS and not (word.low in all_words("first") and len(word.low) < _NEAR)
    )
    named = named and not (language == "de" and (at > first or word.low.endswith(_NOUNS)))
    known = is_being(word.low) or word.low in name_words("given")
    return known or (named and not (word.text.isascii() and names_thing(word.low)))
