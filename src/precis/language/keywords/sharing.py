"""The words by which memories of one scope find each other, each text in its own language.

English is read as grouping always read it. Of another language the nouns, the names and what a long noun is made of are
left, by the stems of that language; small words, light verbs and what is said of anything are not. Which language a
short text is in says the rest of its scope.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from precis.language.keywords.abroad import naming, parts_of
from precis.language.keywords.languages import spoken_abroad
from precis.language.keywords.unspaced import is_unspaced, repeated_runs
from precis.language.script import is_english
from precis.language.subjects import other_words, subject_words
from precis.language.words import spoken_names, stem

#: A text of one language has words of its neighbors, too: so many languages it may be in to have a say.
_SURELY = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Keywords:
    """The stems of a text by what they tell of what it is about, and of the name of whom it is about."""

    words: frozenset[str] = frozenset()
    #: Of what is done, and of mood: told with a subject, and naming none.
    verbs: frozenset[str] = frozenset()
    moods: frozenset[str] = frozenset()
    name: frozenset[str] = frozenset()


def keywords(texts: Sequence[str], *, people: Sequence[str | None], speakers: Iterable[str | None]) -> list[Keywords]:
    """One for each text of a scope, in order; ``people`` are whom each is about, and who speaks is no subject."""
    names = {word for speaker in set(speakers) for word in spoken_names(speaker)}
    languages = _languages(texts)
    read = [_read(text, language, names) for text, language in zip(texts, languages, strict=True)]
    # A noun in one text is a noun in all, though it has no article there.
    abroad = [each for each, language in zip(read, languages, strict=True) if language is not None]
    nouns = {word for nouns_of, *_ in abroad for word in nouns_of}
    for nouns_of, verbs, _ in abroad:
        nouns_of.update(verbs & nouns)
    _add_parts(read, languages)
    _add_runs(read, texts)
    return [
        Keywords(
            words=frozenset(nouns_of), verbs=verbs - nouns_of, moods=moods - nouns_of, name=_stems(person, language)
        )
        for (nouns_of, verbs, moods), person, language in zip(read, people, languages, strict=True)
    ]


def _languages(texts: Sequence[str]) -> list[str | None]:
    """The language of each; None for English, and for what has no words."""
    spoken = [spoken_abroad(text) for text in texts]
    votes = Counter(names[0] for names in spoken if len(names) == _SURELY)
    main = max(votes, key=lambda name: (votes[name], name), default=None)
    if main and votes[main] <= sum(map(is_english, texts)):
        main = None

    def language_of(text: str, names: Sequence[str]) -> str | None:
        if main and (main in names or (not names and not is_english(text))):
            return main
        return max(names, key=lambda name: (votes[name], name), default=None)

    return [language_of(text, names) for text, names in zip(texts, spoken, strict=True)]


_Read = tuple[set[str], frozenset[str], frozenset[str]]


def _read(text: str, language: str | None, names: Collection[str]) -> _Read:
    if language is None:
        stems = frozenset(map(stem, names))
        verbs, moods = other_words(text)
        return set(subject_words(text) - stems), verbs - stems, moods - stems
    nouns, verbs = naming(text, language, names)
    return set(nouns), verbs, frozenset()


def _stems(person: str | None, language: str | None) -> frozenset[str]:
    if language is None:
        return subject_words(person or "")
    return naming(person or "", language, ())[0]


def _add_parts(read: Sequence[_Read], languages: Sequence[str | None]) -> None:
    """Nouns are of what they are made of, where that stands by itself in another text."""
    for language in {language for language in languages if language}:
        places = [at for at, each in enumerate(languages) if each == language]
        parts = parts_of({word for at in places for word in read[at][0]}, language)
        for at in places:
            for word in list(read[at][0]):
                read[at][0].update(parts.get(word, ()))


def _add_runs(read: Sequence[_Read], texts: Sequence[str]) -> None:
    """Where no spaces part words, what comes back is one."""
    places = [at for at, text in enumerate(texts) if is_unspaced(text)]
    for at, runs in zip(places, repeated_runs([texts[at] for at in places]), strict=True):
        read[at][0].update(runs)
