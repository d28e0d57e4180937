"""Which words of a text in another language may name what it is about: names and nouns, by stems of the language."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from precis.language import tables
from precis.language.chitchat import untimed
from precis.language.keywords.languages import is_general
from precis.language.script import is_grammar
from precis.language.words import stemmed_in

#: In these languages every noun has a capital letter, and hardly another word has.
_CAPITALS = frozenset({"German"})
#: What stands behind a name with an apostrophe is an ending; in the others what stands before it is an article.
_ENDINGS = frozenset({"Turkish"})
#: Languages that join nouns to one word.
_JOINING = frozenset({"German", "Dutch", "Swedish", "Danish", "Norwegian"})
#: Letters of a word that names something, and of each part of a joined noun.
_SHORTEST, _PART = 3, 4
#: Letters of an ending that is left on a stem.
_ENDING = 2
_SPELLED = re.compile(r"[^\W\d_][\w]*(?:['\u2019\u2010-][^\W\d_]\w*)*")
_APOSTROPHE, _HYPHEN = re.compile(r"['\u2019]"), re.compile(r"[\u2010-]")
#: What ends a sentence or a clause.
_MARKS = frozenset(".,;:!?\u2026")
#: Scripts that set no words apart.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff]+")


def naming(text: str, language: str, besides: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of the words that may name what a text is about, and of its others that are told with it.

    ``besides`` are words, in small letters, that name nothing here.
    """
    nouns, others = set[str](), set[str]()
    spoken = untimed(_UNSPACED.sub(" ", text))
    end = 0
    before = ""
    for match in _SPELLED.finditer(spoken):
        opens = not spoken[end : match.start()].isspace()
        for spelling, article in _parts(match.group(), language):
            word = spelling.casefold()
            if _may_name(word, language) and word not in besides:
                behind = spoken[match.end() : match.end() + 1]
                ends = not behind or behind in _MARKS
                named = _is_noun(spelling, language, article or before, opens=opens, ends=ends)
                (nouns if named else others).add(stemmed_in(word, language))
            before = word
        end = match.end()
    return frozenset(nouns), frozenset(others - nouns)


def _may_name(word: str, language: str) -> bool:
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
    if language not in _JOINING | _ENDINGS:
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
