"""The words by which memories of one scope find each other, each text in its own language.

English is read as grouping always read it. Of another language the nouns, the names and what a long noun is made of are
left, by the stems of that language; small words, light verbs and what is said of anything are not. Which language a
short text is in says the rest of its scope.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from precis import patterns as re
from precis.language import tables
from precis.language.chitchat import untimed
from precis.language.languages import is_general, names_nothing, spoken_abroad
from precis.language.script import is_english, is_grammar, own_language
from precis.language.subjects import other_words, subject_words
from precis.language.words import spoken_names, stem, stemmed_in
from precis.language.written.runs import is_unspaced, repeated_runs

# Which words of a text in another language may name what it is about: names and nouns, by stems of the language.
#: In these languages every noun has a capital letter, and hardly another word has.
_CAPITALS = frozenset({"German"})
#: Of these a stemmer takes the "-er" as well that makes another noun of one; endings that make none; and that one.
_DERIVING = frozenset({"German", "Dutch"})
_OF_CASES, _DERIVED = frozenset({"", "e", "n", "en", "s", "es"}), frozenset({"er", "ers", "ern"})
#: In these a name has no endings.
_PLAIN_NAMES = frozenset({"French", "Italian", "Portuguese", "Spanish"})
#: What stands behind a name with an apostrophe is an ending; in the others what stands before it is an article.
_ENDINGS = frozenset({"Turkish"})
#: Languages that join nouns to one word.
_JOINING = frozenset({"German", "Dutch", "Swedish", "Danish", "Norwegian"})
#: Letters of a word that names something, and of each part of a joined noun.
_SHORTEST, _PART = 3, 4
#: Letters of an ending that is left on a stem.
_ENDING = 2
_SPELLED = re.compile(r"[^\W\d_][\w]*(?:['\u2019\u2010-][^\W\d_]\w*)*")
_INSIDE = re.compile(r"(?<=[^\W\d_,] )[A-Z\u00c0-\u00de][^\W\d_A-Z]+")
_APOSTROPHE, _HYPHEN = re.compile(r"['\u2019]"), re.compile(r"[\u2010-]")
#: What is written behind a noun, in one with it; and syllables of a noun.
_KOREAN, _PARTICLES, _BARE = "Korean", frozenset(tables.words("keywords.particles.Korean")), 2
#: What ends a sentence or a clause.
_MARKS = frozenset(".,;:!?\u2026")
#: Scripts that set no words apart.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff]+")


def naming(
    text: str, language: str, besides: Collection[str], named: Collection[str] = ()
) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of the words that may name what a text is about, and of its others that are told with it.

    ``besides`` are words, in small letters, that name nothing here; what is ``named`` so stays as it is spelled.
    """
    nouns, others = set[str](), set[str]()
    spoken = untimed(_UNSPACED.sub(" ", text))
    end = 0
    before = ""
    for match in _SPELLED.finditer(spoken):
        opens = not spoken[end : match.start()].isspace()
        for spelling, article in _parts(match.group(), language):
            word = spelling.casefold()
            if _names_something(word, language) and word not in besides:
                behind = spoken[match.end() : match.end() + 1]
                ends = not behind or behind in _MARKS
                is_noun = _is_noun(spelling, language, article or before, opens=opens, ends=ends)
                (nouns if is_noun else others).add(word if spelling in named else stemmed_in(word, language))
            before = word
        end = match.end()
    return frozenset(nouns), frozenset(others - nouns)


def _names_something(word: str, language: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha() and not (is_general(word, language) or is_grammar(word))


def _is_noun(spelling: str, language: str, before: str, *, opens: bool, ends: bool) -> bool:
    """Whether a word may be a noun, by its capital, by what stands before it, and by how it ends.

    What a sentence opens with has a capital, whatever it is.
    """
    capital = spelling[0].isupper()
    if language in _CAPITALS:
        return capital
    if capital and not opens:
        return True
    doing = _doing(language)
    is_doing = doing is not None and doing.search(spelling.casefold()) is not None
    if language in _ENDINGS:
        return not (ends and is_doing)
    markers = _listed("before", language)
    if opens or not markers:
        return True
    return before in markers and not (is_doing and before in _listed("linking", language))


@cache
def _listed(place: str, language: str) -> frozenset[str]:
    return frozenset(tables.section(f"keywords.{place}").get(language, "").split())


@cache
def _doing(language: str) -> re.Pattern[str] | None:
    endings = tables.section("keywords.doing").get(language)
    return re.compile(f"{endings}$") if endings else None


def _parts(spelling: str, language: str) -> list[tuple[str, str]]:
    """The words in what is spelled as one, each with an article: "dell'affitto", "Lizbon'da", "vice-présidente"."""
    article, *rest = _APOSTROPHE.split(spelling)
    noun = article if language in _ENDINGS or not rest else rest[-1]
    elided = "" if noun == article else f"{article.casefold()}'"
    return [(part, elided) for part in _HYPHEN.split(noun) if part]


def parts_of(stems: Collection[str], language: str) -> Mapping[str, Sequence[str]]:
    """For each of these stems of a scope those others that it is made of.

    A joined noun is made of what it begins or ends with. Of a language that hangs endings on endings a stemmer leaves
    some: then a shorter stem is the same word.
    """
    if language not in _JOINING and language not in _ENDINGS:
        return {}
    known = {stem for stem in stems if len(stem) >= _PART}
    pieces = _ends_of if language in _JOINING else _shorter
    return {word: sorted(known.intersection(pieces(word))) for word in stems}


def _ends_of(word: str) -> Iterator[str]:
    """What a joined noun may begin or end with."""
    for at in range(_PART, len(word) - _PART + 1):
        yield word[:at]
        yield word[at:]


def _shorter(word: str) -> Iterator[str]:
    """The stem without an ending that is left on it."""
    return (word[:-letters] for letters in range(1, _ENDING + 1))


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
    named = {name: _names_in(texts, languages, name) for name in _PLAIN_NAMES.intersection(filter(None, languages))}
    # A name may look like another word: "Tilly", "Grace".
    called = frozenset(stem(name.casefold()) for name in _names_in(texts, languages, None))
    read = [_read(text, language, names, named) for text, language in zip(texts, languages, strict=True)]
    # A noun in one text is a noun in all, though it has no article there.
    abroad = [each for each, language in zip(read, languages, strict=True) if language is not None]
    nouns = {word for nouns_of, *_ in abroad for word in nouns_of}
    for (nouns_of, verbs, _), text, language in zip(read, texts, languages, strict=True):
        # Where nouns have capitals it is none without, unless nothing there has any: "wir arbeiten" is of no "Arbeit".
        if language is not None and (language not in _CAPITALS or text.islower()):
            nouns_of.update(verbs & nouns)
        elif language is None:
            nouns_of.update(verbs & called)
    _add_parts(read, languages, texts)
    _add_bare(read, texts)
    _add_runs(read, texts)
    return [
        Keywords(
            words=frozenset(nouns_of),
            verbs=verbs - nouns_of,
            moods=moods - nouns_of,
            name=_stems(person, language, named),
        )
        for (nouns_of, verbs, moods), person, language in zip(read, people, languages, strict=True)
    ]


def _languages(texts: Sequence[str]) -> list[str | None]:
    """The language of each; None for English, and for what has no words."""
    spoken = [spoken_abroad(text) for text in texts]
    votes = Counter(names[0] for names in spoken if len(names) == _SURELY)
    main = max(votes, key=lambda name: (votes[name], name), default=None)
    english = sum(map(is_english, texts))
    if main and votes[main] <= english:
        main = None
    # Beside English what may be of several is of none that nothing else is in: a "different man" is no German.
    spoken = [[name for name in names if votes[name] or not english] for names in spoken]

    def language_of(text: str, names: Sequence[str]) -> str | None:
        if main and (main in names or (not names and not is_english(text))):
            return main
        return max(names, key=lambda name: (votes[name], name), default=None)

    return [language_of(text, names) for text, names in zip(texts, spoken, strict=True)]


def _names_in(texts: Sequence[str], languages: Sequence[str | None], language: str | None) -> frozenset[str]:
    """Words with a capital inside a sentence of texts of a language, in which none of them stands in small letters."""
    spoken = " ".join(text for text, other in zip(texts, languages, strict=True) if other == language)
    return frozenset(match for match in _INSIDE.findall(spoken) if f" {match.lower()} " not in spoken)


_Read = tuple[set[str], frozenset[str], frozenset[str]]


def _read(text: str, language: str | None, names: Collection[str], named: Mapping[str, Collection[str]]) -> _Read:
    if language is None:
        stems = frozenset(map(stem, names))
        verbs, moods = other_words(text)
        return set(subject_words(text) - stems), verbs - stems, moods - stems
    nouns, verbs = naming(text, language, names, named.get(language, ()))
    return set(nouns), verbs, frozenset()


def _stems(person: str | None, language: str | None, named: Mapping[str, Collection[str]]) -> frozenset[str]:
    if language is None:
        return subject_words(person or "")
    return naming(person or "", language, (), named.get(language, ()))[0]


def _add_parts(read: Sequence[_Read], languages: Sequence[str | None], texts: Sequence[str]) -> None:
    """Nouns are of what they are made of, where that stands by itself in another text."""
    for language in {language for language in languages if language}:
        places = [at for at, each in enumerate(languages) if each == language]
        parts = parts_of({word for at in places for word in read[at][0]}, language)
        if language in _DERIVING and any(parts.values()):
            spelled = {word.casefold() for at in places for word in _SPELLED.findall(texts[at])}
            parts = {word: [part for part in of if _is_made_of(word, part, spelled)] for word, of in parts.items()}
        for at in places:
            for word in list(read[at][0]):
                read[at][0].update(parts.get(word, ()))


def _is_made_of(word: str, part: str, spelled: Collection[str]) -> bool:
    """Whether a joined noun begins with a word as it is spelled, and not with the stem of it that has lost its "-er".

    No "Schlager" is in "Schlaganfall", and "Kinder" are in "Kinderwagen".
    """
    endings = {form.removeprefix(part) for form in spelled if form.startswith(part)}
    if not word.startswith(part) or not endings.isdisjoint(_OF_CASES):
        return True
    derived = endings & _DERIVED
    return not derived or any(word.startswith(f"{part}{ending}") for ending in derived)


def _add_bare(read: Sequence[_Read], texts: Sequence[str]) -> None:
    """Where nouns have their endings one by one, a noun is what stands bare or with any of them in several texts."""
    places = [at for at, text in enumerate(texts) if own_language(text) == _KOREAN]
    bases = [{base for word in _SPELLED.findall(texts[at]) for base in _bases(word)} for at in places]
    standing = Counter(base for each in bases for base in each)
    nouns = {base for base, number in standing.items() if number > 1 and not names_nothing(base, _KOREAN)}
    # A name may have a syllable more before its ending: "지훈이는" and "지훈이랑" are of "지훈".
    nouns -= {base for base in nouns if any(base != noun and base.startswith(noun) for noun in nouns)}
    for at, of_text in zip(places, bases, strict=True):
        spelled = {word for word in read[at][0] if not nouns.isdisjoint(_bases(word))}
        read[at][0].difference_update(spelled)
        read[at][0].update(of_text & nouns)


def _bases(word: str) -> Iterator[str]:
    """A word of Korean, and what is left of it without each ending it may have."""
    return (base for base in (word, *without_endings(word)) if len(base) >= _BARE)


def without_endings(word: str) -> Iterator[str]:
    """What is left of a word of Korean without each ending that it may have, the shortest ending first."""
    return (word[:-size] for size in range(1, len(word) - _BARE + 1) if word[-size:] in _PARTICLES)


def _add_runs(read: Sequence[_Read], texts: Sequence[str]) -> None:
    """Where no spaces part words, what comes back is one."""
    places = [at for at, text in enumerate(texts) if is_unspaced(text)]
    for at, runs in zip(places, repeated_runs([texts[at] for at in places]), strict=True):
        read[at][0].update(runs)
