"""Titles without a model: who it is about, what noun phrase is theirs, and from when to when. Pure.

Every word of a title stands in a statement, but for the months that its sources are of. A noun phrase is words behind a
determiner or a preposition, of which most come back in other statements; who says "my" of it owns it. Where no noun
phrase is good enough, a title is who spoke and when.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from precis.language import tables
from precis.language.chitchat import KIND, MOOD, PRAISE, untimed
from precis.language.dates import MONTHS, NUMBERS, WEEKDAYS, months_between
from precis.language.grammar import AMBIGUOUS_FORMS, DEGREES, FORMS
from precis.language.script import is_english, repeated
from precis.language.sentences import sentences
from precis.language.vocabulary import PLAIN
from precis.language.words import STOP_WORDS, kept, names, stem
from precis.summary import Statement, speaker_of, unattributed

_DETERMINERS = frozenset(tables.words("titles.determiners"))
_PREPOSITIONS = frozenset(tables.words("titles.prepositions"))
_OWN = frozenset(tables.words("titles.own"))
_ROLES = frozenset(tables.words("titles.roles"))
_NO_NOUNS = frozenset(tables.words("titles.no_nouns")) | frozenset(MONTHS) | frozenset(WEEKDAYS)
_COUNTS = frozenset(NUMBERS) | frozenset(tables.words("numbers.tens"))
#: General words that are nouns where one may stand.
_NOUNS = frozenset(tables.words("titles.nouns"))
#: Words that end like an adverb and are none.
_LY = frozenset(tables.words("titles.ly"))
_MOODS = KIND | MOOD | PRAISE
_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|[^\s\w]|\d+")
#: What a picture shows, and the date behind a relative one, are not what was talked of.
_ASIDE = re.compile(r"\[[^\]]*\]|\([^)]*\)")
_APOSTROPHE = re.compile(r"['\u2019]")
#: Somebody's: a determiner as good as "the".
_GENITIVE = re.compile(r"[^\W\d_].*['\u2019]s|[^\W\d_]+s['\u2019]")
#: Most words of a noun phrase, most of them in a title, and most persons.
_WORDS, _PHRASES, _PERSONS = 3, 2, 3
#: So many people who talk are named beside what they talk of.
_TALKING = 2
#: A phrase is good that stands in so many statements, or each of whose words does; one common word in more than that.
_OFTEN = 2
#: The second must be worth this share of the first; an owner says this share of what is said of it.
_SECOND, _OWNED = 0.55, 0.7


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A noun phrase where it stands."""

    text: str
    stems: tuple[str, ...]
    speaker: str | None
    own: bool
    #: Whether what stands before it says that it is a noun phrase; else only that it comes back does.
    sure: bool = True


def title_of(statements: Sequence[Statement], days: Mapping[str, date] | None = None) -> str | None:
    """A title of served statements; ``days`` are those of their sources. None without a noun phrase or name."""
    served = [statement for statement in statements if statement.superseded_by is None]
    texts = [statement.text for statement in served]
    english = is_english(" ".join(texts))
    topics = texts if english else [untimed(_body(text)) for text in texts]
    ids = [id_ for statement in served for id_ in statement.source_ids]
    span = months_between([days[id_] for id_ in ids if days and id_ in days]) if english else None
    people = _people(texts)
    named = (
        " and ".join(_phrases(texts) or _phrases(texts, singly=_OFTEN))
        if english
        else ", ".join(_entities(topics)) or _back(topics)
    )
    if named and 0 < len(people) <= _TALKING and not any(person in named for person in people):
        named = f"{_listed(people)}: {named}"
    named = named or _listed(people) or (_first_phrase(texts) if english else "") or _back(topics) or _names(topics)
    title = named[:1].upper() + named[1:]
    return (f"{title}, {span}" if span else title) if named else None


def _people(texts: Iterable[str]) -> list[str]:
    """Who speaks, most first."""
    spoken = ((speaker_of(text) or "").strip() for text in texts)
    speakers = Counter(filter(_is_person, spoken))
    return [name for name, _ in sorted(speakers.items(), key=lambda pair: -pair[1])]


def _is_person(speaker: str) -> bool:
    return speaker.casefold() not in _ROLES and speaker[:1].isalpha() and len(speaker.split()) <= _WORDS


def _listed(people: Sequence[str]) -> str:
    if len(people) > _PERSONS:
        return f"{', '.join(people[:2])} and others"
    return " and ".join(filter(None, (", ".join(people[:-1]), *people[-1:])))


def _entities(texts: Sequence[str]) -> list[str]:
    """The names that come back, most often first: of a language whose noun phrases are not known."""
    seen = Counter(name for text in texts for name in dict.fromkeys(names(_body(text))))
    often = sorted((name for name, times in seen.items() if times >= _OFTEN), key=lambda name: -seen[name])
    return often[:_PHRASES]


def _back(texts: Sequence[str]) -> str:
    """What comes back in whatever language."""
    return "".join(repeated([_body(text) for text in texts]))


def _first_phrase(texts: Sequence[str]) -> str:
    """The first noun phrase of all, one of two words before others."""
    phrases = [phrase for text in texts for phrase in _phrases_of(text) if phrase.sure]
    return min(phrases, key=lambda phrase: len(phrase.stems) != _OFTEN).text if phrases else ""


def _names(texts: Sequence[str]) -> str:
    """The first names of all, where nothing comes back; in German these are nouns."""
    return ", ".join(list(dict.fromkeys(name for text in texts for name in names(_body(text))))[:_PHRASES])


def _phrases(texts: Sequence[str], singly: int = _OFTEN + 1) -> list[str]:
    """The best noun phrase, with its owner, and another about something else where that is nearly as good.

    A common word by itself has to stand in ``singly`` statements.
    """
    places: dict[tuple[str, ...], list[_Phrase]] = defaultdict(list)
    for text in texts:
        phrases = sorted(_phrases_of(text), key=lambda phrase: phrase.sure)
        for phrase in {phrase.stems: phrase for phrase in phrases}.values():
            places[phrase.stems].append(phrase)
    words_of_texts = [
        frozenset(stem(word.casefold()) for word in _TOKEN.findall(_ASIDE.sub(" ", text))) for text in texts
    ]
    often = Counter(term for stems in words_of_texts for term in stems)
    worth = {
        stems: _worth(stems, len(phrases), often, singly, named=all(phrase.text[:1].isupper() for phrase in phrases))
        for stems, phrases in places.items()
        if any(phrase.sure for phrase in phrases) or len(phrases) >= (_OFTEN if len(stems) > 1 else _OFTEN + 1)
    }
    order = sorted((stems for stems in worth if worth[stems] > 0), key=lambda stems: -worth[stems])
    best: list[tuple[str, ...]] = []
    for stems in order:
        if len(best) < _PHRASES and not any(set(stems) & set(other) for other in best):
            if best and worth[stems] < _SECOND * worth[best[0]]:
                break
            best.append(stems)
    spoken = [_owned(places[stems], words_of_texts, texts) for stems in best]
    pairs = (" ".join(pair) for pair in (spoken, spoken[::-1]) if len(pair) > 1)
    return next(([pair] for pair in pairs if any(pair.casefold() in text.casefold() for text in texts)), spoken)


def _worth(stems: tuple[str, ...], standing: int, often: Mapping[str, int], singly: int, *, named: bool) -> float:
    """How many statements it, and its words, stand in; two words tell more than one."""
    spread = sum(often[term] for term in stems) / len(stems)
    if standing < _OFTEN and (len(stems) < _OFTEN or min(often[term] for term in stems) < _OFTEN):
        return 0.0
    if len(stems) == 1 and not named and standing < singly:
        return 0.0
    return (standing + 0.5 * spread + 0.5 * often[stems[-1]]) * (1.0, 1.6, 1.65)[len(stems) - 1]


def _owned(places: Sequence[_Phrase], words_of_texts: Sequence[frozenset[str]], texts: Sequence[str]) -> str:
    """The phrase behind the name of the one who calls it their own."""
    stems = set(places[0].stems)
    spellings = Counter(phrase.text for phrase in places)
    text = _capitals(max(spellings, key=lambda spelling: spellings[spelling]), texts)
    saying = (statement for statement, words in zip(texts, words_of_texts, strict=True) if stems <= words)
    speakers = Counter(map(speaker_of, saying))
    speaker, times = max(speakers.items(), key=lambda pair: pair[1])
    owns = any(phrase.own and phrase.speaker == speaker for phrase in places)
    if speaker is None or not owns or not _is_person(speaker) or times < _OWNED * speakers.total():
        return text
    return f"{speaker}'s {text}"


def _capitals(phrase: str, texts: Sequence[str]) -> str:
    """The phrase, with the capitals of words that have one wherever no sentence begins."""
    inside = {token for text in texts for part in sentences(_body(text)) for token in _TOKEN.findall(part)[1:]}
    return " ".join(
        word.capitalize() if word.capitalize() in inside and word not in inside else word for word in phrase.split()
    )


def _phrases_in(text: str) -> Iterator[_Phrase]:
    speaker = speaker_of(text)
    for sentence in sentences(_body(text)):
        tokens = _TOKEN.findall(sentence)
        for at, token in enumerate(tokens):
            lowered = token.casefold()
            if lowered in _DETERMINERS or lowered in _PREPOSITIONS or _is_genitive(token):
                run = _run(tokens[at + 1 :])
                if run:
                    yield _phrase(run, speaker, own=lowered in _OWN)
                if len(run) > 1:  # what it is, without what kind of it
                    yield _phrase(run[-1:], speaker, own=lowered in _OWN)
            elif at == 0 or _opens(tokens[at - 1]):
                # The first word of a sentence has its capital from there.
                for part in _parts_of([token.lower() if at == 0 else token, *tokens[at + 1 :]]):
                    yield _phrase(part, speaker, sure=False)


_phrases_of: Callable[[str], tuple[_Phrase, ...]] = kept(lambda statement: tuple(_phrases_in(statement)))


def _phrase(run: Sequence[str], speaker: str | None, *, own: bool = False, sure: bool = True) -> _Phrase:
    stems = tuple(stem(word.casefold()) for word in run)
    return _Phrase(text=" ".join(run), stems=stems, speaker=speaker, own=own, sure=sure)


def _opens(token: str) -> bool:
    """Whether a noun phrase without a determiner may follow: "I use dark mode", "not dark mode"."""
    word = token.casefold()
    return word in STOP_WORDS or word in FORMS or not word[0].isalpha()


def _parts_of(tokens: Sequence[str]) -> Iterator[list[str]]:
    """All that may be a noun phrase in the content words that the tokens open with."""
    run: list[str] = []
    for token in tokens[: 2 * _WORDS]:
        word = token.casefold()
        if not word[0].isalpha() or word in STOP_WORDS or _APOSTROPHE.search(word):
            break
        if not _is_noun(word) and (word in FORMS or word in _NO_NOUNS or _is_verb(word, first=not run)):
            break
        run.append(token)
    for size in range(1, _WORDS + 1):
        for start in range(len(run) - size + 1):
            part = run[start : start + size]
            # A name by itself may be of whoever is spoken to: "Hey Noor!"
            named = size == 1 and part[0][0].isupper()
            moody = stem(part[0].casefold()) in _MOODS and not _is_noun(part[0])
            if len(part[-1]) > _WORDS and not named and not moody and _ends_well(part[-1]):
                yield part


def _ends_well(word: str) -> bool:
    """Whether a noun phrase may end with it."""
    lowered = word.casefold()
    general = stem(lowered) in PLAIN | _MOODS or lowered in DEGREES or lowered in _COUNTS
    ending = lowered.endswith(("ing", "ed")) or (lowered.endswith("ly") and lowered not in _LY)
    return _is_noun(lowered) or not (general or ending)


def _is_noun(word: str) -> bool:
    """Whether it, or what it is the plural of, is listed as a noun."""
    low = word.casefold()
    return low in _NOUNS or low.removesuffix("s") in _NOUNS or f"{low.removesuffix('ies')}y" in _NOUNS


def _is_genitive(token: str) -> bool:
    return _GENITIVE.fullmatch(token) is not None and token.casefold() not in _NO_NOUNS


def _body(text: str) -> str:
    """What a statement says, without who says it, pictures and dates in brackets."""
    return _ASIDE.sub(" ", unattributed(text))


def _run(tokens: Sequence[str]) -> list[str]:
    """The nouns, with the adjectives before them, that the tokens open with."""
    run: list[str] = []
    for at, token in enumerate(tokens):
        word = token.casefold()
        if (
            not word[0].isalpha()
            or word in STOP_WORDS
            or (word.endswith("ly") and word not in _LY)
            or _is_verb(word, first=at == 0)
        ):
            break
        if (run and _parts(run[-1], token)) or _APOSTROPHE.search(word):
            break
        general = word in _NO_NOUNS or word in DEGREES or stem(word) in _MOODS or word in _COUNTS
        if general and not _is_noun(word):
            if run or word in _DETERMINERS:
                break
            continue
        run.append(token)
        if len(run) > _WORDS:
            return []
    return run if run and _ends_well(run[-1]) else []


def _parts(before: str, token: str) -> bool:
    """Whether a name ends or begins between two words; "LGBTQ community" is one noun phrase."""
    return token[0].isupper() != before[0].isupper() and not before.isupper()


def _is_verb(word: str, *, first: bool) -> bool:
    """Whether a word is surely a verb where a noun may stand: "my sister moved"."""
    form = FORMS.get(word) or (None if first else AMBIGUOUS_FORMS.get(word))
    if form is None or _is_noun(word):
        return False
    return bool(form.kinds & {"past", "third"}) and not (first and form.kinds & {"third", "base"})
