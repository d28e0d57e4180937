"""Whether what goes takes more of somebody else along: "I'm Mia, a nurse in Leeds, married to Tom", of Tom.

What stands between the commas before is told of whoever the sentence opens with, as is what they do behind an "and".
"""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import dropwhile, pairwise
from typing import NamedTuple

from precis.finding import capitals, kinds
from precis.finding.about.theirs import takes_up_object
from precis.finding.halves import Places
from precis.finding.reading import Word, read_words, sentence_spans, word_from
from precis.finding.tables import all_words, name_words, words_of
from precis.finding.values import Span
from precis.finding.written import clauses, languages, speaking
from precis.language.words import STOP_WORDS

_COMMA = r"[,;]\s+(?:(?:and|und|y|e|et|ve)\s+)?"
_AND = r"\s+(?:and|und|y|e|et|ve|en|och)\s+"
_SEGMENTS = re.compile(rf"{_COMMA}|{_AND}", re.IGNORECASE)
_BEHIND = re.compile(rf"{_SEGMENTS.pattern}|\s+(?:i|\u0438)\s+", re.IGNORECASE)
_WHO = re.compile(r"\s+(?:who|that|which)\s+", re.IGNORECASE)
#: So many words tell something, those that open a sentence with who does it; a list of more segments is read so far.
_TOLD, _WITH_SUBJECT, _MOST = 2, 3, 12
#: So many words are a label and its value.
_LABEL = 5
#: A figure is the last of them, or has a word behind it that says of what: "41,000 rupees".
_COUNTED = 2
#: So many words before it says what somebody is, with one of these or "is": "I'm Mia", "Me llamo Rosa".
_STATED = 2
_IS = frozenset("i'm am bin heisse suis appelle soy llamo sou chamo sono chiamo ben heet".split())
#: What somebody is called by.
_CALLED = frozenset("heisst hiess llama llamaba chama chamava appelle appelait chiama chiamava heet hette".split())
_NAMING = frozenset("called named".split())
#: Words that begin alike in so many letters may be forms of one.
_ALIKE = 5
#: How a verb of the user's ends where it needs no pronoun, as it is written: "trabajo", and not "trabaj\u00f3".
_OWN_ENDS = {
    "es": ("o",),
    "pt": ("o",),
    "it": ("o",),
    "pl": ("\u0119", "am", "em"),
    "ru": ("\u0443", "\u044e"),
    "tr": ("m",),
}


def takes_along(text: str, spans: Sequence[Span], keeps: Sequence[Span], *, facts: bool) -> bool:
    """Whether a sentence has something that goes along, though it is of somebody or something else.

    ``keeps`` are the parts that stay, ``facts`` says that something of somebody is meant, not all of them.
    """
    words, places = read_words(text), Places(spans)
    for start, end in sentence_spans(text):
        inside = words[word_from(words, start) : word_from(words, end)]
        if not inside or not places.touch((start, end)):
            continue
        if _is_of_touched(inside, places):
            speaks = len(inside) > 1 and ":" in inside[1].gap  # then "I" is whoever is named before it
            if not (keeps or speaks) and _goes_on_of_user(text, inside, _own_verbs()):
                return True
            continue
        if _opens_with_called(inside, places) and not _goes_on_of_user(text, inside):
            continue
        if not facts and _names_last(inside, places):
            continue
        if facts and not keeps and _only_aside(text, inside, places):
            return True
        segments = [it for it in _segments(text, inside) if not Places(keeps).touch(it)] if keeps else [
            *_segments(text, inside)
        ]  # fmt: skip
        if _loses(text, inside, segments, places, kept=bool(keeps), facts=facts):
            return True
    return False


def _names_last(words: Sequence[Word], places: Places) -> bool:
    """Whether a sentence tells of somebody who is named behind it: "First plumber came, Gareth Pym"."""
    last = next((at for at in range(len(words) - 1, 0, -1) if "," in words[at].gap), 0)
    named, before = words[last:], words[:last]
    if not last or not all(word.capital and places.touch((word.start, word.end)) for word in named):
        return False
    plain = not any(word.low in all_words("first") or "," in word.gap for word in before)
    return plain and any(kinds.is_person(word.low) or speaking.is_being(word.low) for word in before[:_WITH_SUBJECT])


def without_partner(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """What stays of "I'm Mia, a nurse in Leeds, married to Tom" without Tom: all before; none of any other sentence."""
    return _before_last(text, spans, _is_partner)


def without_label(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """What stays of "My car is a grey Corsa, plate HH AB 12" without the plate: all before the label; else none."""
    return _before_last(text, spans, _is_label)


class _Last(NamedTuple):
    """The last segment of a sentence that has several: its words, and the segments before it."""

    #: Where the sentence begins.
    start: int
    segment: Span
    words: Sequence[Word]
    before: Sequence[Span]
    sentence: Sequence[Word]


def _before_last(text: str, spans: Sequence[Span], goes: Callable[[str, Places, _Last], bool]) -> tuple[Span, ...]:
    """What stays where the last segment of each sentence that is touched goes; none where it does not, or more does."""
    words, places, kept = read_words(text), Places(spans), list[Span]()
    for start, end in sentence_spans(text):
        inside = words[word_from(words, start) : word_from(words, end)]
        if not inside or not places.touch((start, end)):
            kept.append((start, end))
            continue
        *before, last = _segments(text, inside)
        behind = words[word_from(words, last[0]) : word_from(words, last[1])]
        if not before or not behind or places.touch((start, before[-1][1])):
            return ()
        if not goes(text, places, _Last(start, last, behind, before, inside)):
            return ()
        kept.append((start, before[-1][1]))
    return tuple(kept)


def _is_partner(text: str, _places: Places, last: _Last) -> bool:
    joined = last.words[0].low in name_words("joined_to") and text[: last.segment[0]].rstrip().endswith(",")
    return joined and _says_who(text[slice(*last.before[0])])


def _is_label(text: str, places: Places, last: _Last) -> bool:
    behind, cut = last.words, last.before[-1][1]
    if text[cut : last.segment[0]].strip() != "," or len(behind) > _LABEL:
        return False
    if not places.touch((behind[0].start, behind[0].end)):
        return False
    figures = [at for at, word in enumerate(behind) if any(map(str.isdigit, word.text))]
    plain = bool(figures) and len(behind) - figures[-1] <= _COUNTED
    plain = plain and not any(word.low in name_words("copulas") for word in behind)
    language = languages.language_of([word.low for word in last.sentence], text)
    told = clauses.is_clause(text[last.start : cut], "de" if language == "en" else language)
    return plain and (told or _speaks(last.sentence, cut, language))


def _speaks(sentence: Sequence[Word], cut: int, language: str) -> bool:
    """Whether what stands before a place tells something of the user: "теперь я работаю в банке"."""
    before = [word for word in sentence if word.start < cut]
    return language != "en" and len(before) > _LABEL - 1 and any(it.low in all_words("first") for it in before)


def _says_who(segment: str) -> bool:
    """Whether it says who somebody is, or does something: "Soy Maricruz", "The user works at the port"."""
    words = read_words(segment)
    first = all_words("first") | _IS
    return len(words) >= _TOLD and (any(it.low in first for it in words[:_STATED]) or clauses.is_clause(segment, "de"))


def _is_of_touched(words: Sequence[Word], places: Places) -> bool:
    """Whether the sentence opens with whom or what goes."""
    english = languages.language_of([word.low for word in words], " ".join(word.text for word in words)) == "en"
    # "Band: Will plays drums ...": a label says who speaks, or of what it is.
    words = words[1:] if english and len(words) > 1 and ":" in words[1].gap else words
    aside = name_words("articles") | name_words("possessives") | (all_words("first") - name_words("acting_firsts"))
    # "Our son has asthma": in French "son" owns something.
    who = {it for it in words if speaking.is_being(it.low) and places.touch((it.start, it.end))}
    own = ((it.low in aside or it.owns) and it not in who for it in words)
    opening = next((word for word, owner in zip(words, own, strict=True) if not owner), words[0])
    if places.touch((opening.start, opening.end)):
        return True
    # "My new tenant is called Orla and pays late."
    telling = [word for word in words if word.low not in _NAMING]
    return any(
        before.low in name_words("copulas") | _CALLED and places.touch((word.start, word.end)) and word.capital
        for before, word in pairwise(telling)
    )


def _opens_with_called(words: Sequence[Word], places: Places) -> bool:
    """Whether it opens with who somebody is to the user, and the name of who goes: "Mi hermana In\u00e9s vive ..."."""
    aside = name_words("articles") | name_words("possessives") | all_words("first")
    opening = [*dropwhile(lambda it: it.low in aside or it.owns, words)]
    named = [*dropwhile(lambda it: bool(speaking.relations_of(it)) or speaking.is_being(it.low), opening)]
    if not named or named[0] is opening[0] or named[0].gap != " ":
        return False
    return named[0].capital and places.touch((named[0].start, named[0].end))


@cache
def _own_verbs() -> frozenset[str]:
    """Frequent verbs as the user says them of themselves, without what others do by the same word: "tengo", "ho"."""
    pairs = (pair.partition("=") for pair in name_words("persons_of_verbs"))
    return frozenset(first for first, _, third in pairs if first != third)


def _goes_on_of_user(text: str, words: Sequence[Word], verbs: Collection[str] = ()) -> bool:
    """Whether a later part of a sentence begins with what the user does, in a language that needs no pronoun for it.

    With ``verbs`` it has to be one of these.
    """
    language = languages.language_of([word.low for word in words], text)
    ends = _OWN_ENDS.get(language, ())
    own: Collection[str] = words_of(language, "first")
    if verbs:
        own, ends = (verbs if ends else ()), ()
    joints = _BEHIND.finditer(text, words[0].start, words[-1].end)
    openings = (word for joint in joints for word in words[word_from(words, joint.end()) :][:1] if not word.capital)
    return any(word.low in own or (bool(ends) and word.text.endswith(ends)) for word in openings)


def _segments(text: str, words: Sequence[Word]) -> list[Span]:
    """The parts of a sentence between commas and "and"."""
    begin, end, parts = words[0].start, words[-1].end, list[Span]()
    for joint in [*_SEGMENTS.finditer(text, begin, end)][:_MOST]:
        parts.append((begin, joint.start()))
        begin = joint.end()
    return [*parts, (begin, end)]


def _loses(
    text: str, words: Sequence[Word], segments: Sequence[Span], places: Places, *, kept: bool, facts: bool
) -> bool:
    touched = [at for at, segment in enumerate(segments) if places.touch(segment)]
    if not touched:
        return False
    language = languages.language_of([word.low for word in words], text)
    states = any(word.low in _IS or word.low in name_words("copulas") for word in words[: _STATED + 1])
    for at, segment in enumerate(segments):
        if at in touched or _same(segment, words, places):
            continue
        inside = words[word_from(words, segment[0]) : word_from(words, segment[1])]
        if not inside:
            continue
        before = at < touched[0]
        if before and at == 0 and not kept and _opens(text[slice(*segment)], inside, language):
            return True
        if (before and (at or kept)) or (facts and states):
            told = len(inside) >= _TOLD and _is_apposed(inside[0])
            if told and text[max(0, segment[0] - 2) : segment[0]].lstrip(" ")[:1] == ",":
                return True
        joined = re.fullmatch(_AND, text[segments[at - 1][1] : segment[0]], re.IGNORECASE) if at else None
        third = name_words("possessives") | frozenset(words_of(language, "third"))
        taken_up = takes_up_object(inside) or any(word.low in third for word in inside)
        goes_on = joined and not before and len(inside) >= _TOLD and not taken_up
        if goes_on and _is_done(inside, language):
            return True
    return False


def _same(segment: Span, words: Sequence[Word], places: Places) -> bool:
    """Whether a part has a form of a word that goes: "I no longer smoke, smoking is over"."""
    going = {word.low[:_ALIKE] for word in words if places.touch((word.start, word.end)) and len(word.low) >= _ALIKE}
    return any(word.low[:_ALIKE] in going for word in words if segment[0] <= word.start < segment[1])


def _opens(segment: str, words: Sequence[Word], language: str) -> bool:
    """Whether what opens a sentence tells something, and not only who is named behind it: "I have a friend, Tom"."""
    return len(words) >= _WITH_SUBJECT and clauses.is_clause(segment, language) and not speaking.is_being(words[-1].low)


def _is_apposed(opening: Word) -> bool:
    articles = name_words("articles")
    aside = (STOP_WORDS | name_words("prepositions") | name_words("possessives")) - articles
    return opening.low not in aside


def _is_done(words: Sequence[Word], language: str) -> bool:
    """Whether it begins with what the one before does as well: "y trabajo como contadora"."""
    opening = words[0]
    if language == "en":
        return capitals.finite(opening)
    aside = name_words("articles") | name_words("prepositions") | name_words("possessives") | STOP_WORDS
    aside |= name_words("object_pronouns") | name_words("singular_persons")
    return not opening.capital and opening.low not in aside and opening.low.isalpha()


def _only_aside(text: str, words: Sequence[Word], places: Places) -> bool:
    """Whether what was asked for is only told behind "who", and before it that there is such a one; English only."""
    language = languages.language_of([word.low for word in words], text)
    joint = _WHO.search(text, words[0].start, words[-1].end) if language == "en" else None
    if joint is None:
        return False
    before = [word for word in words if word.start < joint.start()]
    behind = places.touch((joint.end(), words[-1].end))
    return behind and any(map(capitals.finite, before[1:])) and len(before) > _TOLD
