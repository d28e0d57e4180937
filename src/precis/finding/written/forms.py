"""In which forms a word of a name stands in a text: with the ending of a case, or in another script.

Cyrillic and Greek are written in Latin letters by rule, in several ways ("Mikhail", "Michail"): two words are one name
where their simplest forms are the same, but for the ending of a case. "Александра" is a form of a man's name, and a
woman is called so.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from precis.finding import reading, scripts, tables
from precis.finding.spelling import slips
from precis.finding.values import Level, Match, Row
from precis.finding.written.caseless import without_prefix

#: Why a row is in doubt that has a name of the same letters.
LIKE_NAME = "it may be of somebody else of a like name"
#: How a verb of one person ends, or a word that says who a woman is.
_OF_SUBJECT = ("ет", "ит", "ла", "тся", "лась", "моя", "наша")
_NOT_THERE = "нет"
#: Endings of one case each, by which two words of one person agree.
_ALIKE = (("ой", "ей", "ою", "ею", "ом", "ем", "ым", "им"), ("а", "я"), ("у", "ю"), ("е",), ("ы", "и"))
_RUSSIAN_LETTERS = ("\u0400", "\u04ff")
_RUSSIAN_VOWELS = "аеиоуыэюя"
#: By how a case ends, how a name may end in the nominative; the longest first.
_NOMINATIVES = {
    "ой": ("а",), "ей": ("а", "я"), "ом": ("",), "ем": ("й", "ь", ""), "ым": ("",),
    "а": ("а", ""), "я": ("я", "й", "ь"), "у": ("а", ""), "ю": ("я", "й", "ь"), "ы": ("а",),
    "и": ("а", "я", "й", "ь"), "е": ("а", "я", "", "й", "ь"),
}  # fmt: skip
#: The same of whom something is told or asked for, where that is one of them only.
_MEANT = {
    "ой": ("а",), "ом": ("",), "ем": ("й", "ь", ""), "а": ("",), "я": ("й", "ь"), "у": ("а",), "ю": ("я",), "ы": ("а",)
}  # fmt: skip


def plain(word: str) -> str:
    """A word in small letters, with one letter for the two of "Алёна" and "Алена"."""
    return word.lower().replace("ё", "е")


@lru_cache(maxsize=4096)
def nominatives(form: str) -> frozenset[str]:
    """How somebody may be called of whose name this is a form."""
    return _with_endings(form, _NOMINATIVES) | {form}


@lru_cache(maxsize=4096)
def meant_by(form: str) -> frozenset[str]:
    """Those of them that it is a case of as it stands in a request; empty where it may be of two."""
    if form[-1:] not in _RUSSIAN_VOWELS and form[-2:] not in _MEANT:
        return frozenset({form})
    return _with_endings(form, _MEANT)


def _with_endings(form: str, endings: dict[str, tuple[str, ...]]) -> frozenset[str]:
    ending = next((end for end in endings if len(form) > len(end) + 1 and form.endswith(end)), None)
    if ending is None:
        return frozenset()
    stem = form[: len(form) - len(ending)]
    bare = {stem, *filter(None, [fleeting(stem)])} if "" in endings[ending] else set[str]()
    fitting = (end for end in endings[ending] if end and (stem[-1] in _RUSSIAN_VOWELS if end == "й" else True))
    return frozenset(f"{stem}{end}" for end in fitting if end != "ь" or stem[-1] not in _RUSSIAN_VOWELS) | bare


def fleeting(stem: str) -> str:
    """A stem of two last consonants as it stands without an ending: "павел" of "павла"; nothing of any other."""
    plain = len(stem) > 2 and stem[-1] not in _RUSSIAN_VOWELS and stem[-2] not in _RUSSIAN_VOWELS
    return f"{stem[:-1]}е{stem[-1]}" if plain and stem[-1] in "лцк" else ""


def is_subject(behind: str, gap: str) -> bool:
    """Whether what follows a name in such a vowel says of a woman that she does or is something."""
    return "\u2014" in gap or "\u2013" in gap or (plain(behind).endswith(_OF_SUBJECT) and plain(behind) != _NOT_THERE)


def may_be_another(asked: str, told: str, called: Collection[str], *, acts: bool) -> bool:
    """Whether a name in a memory may be of somebody else than the one of whom a request has a form, in small letters.

    ``called`` are the names of all memories that may be meant, folded; ``acts`` says that this one does something.
    """
    meant, possible = meant_by(asked), nominatives(asked)
    if not meant:
        return len({*map(reading.folded, possible - {asked})}.intersection(called)) > 1
    if nominatives(told).isdisjoint(meant):
        return True
    return acts and told in possible - meant


def agree(one: str, other: str) -> bool:
    """Whether two words beside each other may say who one person is: "маму Ольгу", and not "маме Артура".

    Words that are not Cyrillic always may.
    """
    if not all(_RUSSIAN_LETTERS[0] <= word[:1] <= _RUSSIAN_LETTERS[1] for word in (one, other)):
        return True
    return _case(plain(one)) == _case(plain(other))


def _case(form: str) -> int:
    return next((at for at, endings in enumerate(_ALIKE) if form.endswith(endings)), -1)


_CYRILLIC, _GREEK = re.compile("[\u0400-\u04ff]"), re.compile("[\u0370-\u03ff]")
_RUSSIAN = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґў",
        "a b v g d e io Z z i i k l m n o p r s t u f h c C S S  i  e iu ia i i e g u".split(" "),
        strict=True,
    )
)
_HELLENIC = dict(
    zip("αβγδεζηθικλμνξοπρστυφχψως", "a v g d e z i t i k l m n ks o p r s t i f h ps o s".split(), strict=True)
)
#: Spellings of one sound, in the order in which they are read; where a sign is spoken in two ways, both.
_SOUNDS = tuple(
    (re.compile(spelling), tuple(sounds.split("|")))
    for spelling, _, sounds in (
        pair.rpartition("=")
        for pair in (
            "shch=S sch=S sh=S tsch=C tch=C cz=C dzh=J dj=J дж=J dZ=J zh=Z kh=h ts=c tz=c ph=f th=t ou=u gk=g ck=k "
            "ch=C|h|S ^y(?=e)= ^j(?=e)=J|i| j(?=[uao])=i|J j=i|J y(?=[uao])=i c(?=[eiy])=s|c c=k y=i ii+=i w=v "
            "q=k x=ks h$="
        ).split()
    )
)
_DOUBLE = re.compile(r"([a-zA-Z])\1+")
#: Names shorter than this are too often alike.
_LEAST = 3
#: Endings of cases of names in Cyrillic, of those that end in a consonant and of those that end in "a".
_AFTER_CONSONANT, _IN_PLACE_OF_A = ("a", "u", "om", "em", "im", "e"), ("i", "e", "u", "oi", "ei", "ou")
#: So long is a name in Latin letters that may have one of them.
_LONG = 4
_VOWELS = "aeiou"
#: Shorter names are one slip away from too many others.
_LIKE = 5


def any_of(names: Iterable[tuple[str, ...]]) -> re.Pattern[str]:
    """Finds the rows worth reading: those whose folded text has a word of one of the names, whatever follows it.

    A word in another script passes where it begins as one of the names may be written there.
    """
    stems = {re.escape(_shortest(word)) for name in names for word in name}
    stems |= {_elsewhere(word) for name in names for word in name}
    return re.compile("|".join(sorted(stems)))


def _shortest(word: str) -> str:
    if _CYRILLIC.match(word) and len(word) > 3:
        return word[:-2] if len(word) > 4 else word[:-1]
    return word


@lru_cache(maxsize=4096)
def _elsewhere(word: str) -> str:
    """How a word of a name may begin in another script: one of the letters for its first sound."""
    if not is_written(word):
        return re.escape(word)
    firsts = {sound[0] for sound in sounded(word) if sound}
    if word.isascii():
        letters = [letter for letter, latin in (_RUSSIAN | _HELLENIC).items() if firsts & _begun(latin)]
        letters += ["д"] if "J" in firsts else []
        return rf"(?<![^\W_])[{''.join(sorted(letters))}][\u0370-\u04ff]{{2}}" if letters else re.escape(word)
    letters = [first for first in "abcdefghijklmnopqrstuvwxyz" if firsts & _begun(first)]
    spelled = {"C": "ct", "S": "sc", "J": "dj", "Z": "zj", "e": "yj", "h": "kc", "i": "yj", "c": "tc"}
    letters += [letter for first in firsts for letter in spelled.get(first, "")]
    return rf"(?<![^\W_])[{''.join(sorted(letters))}][a-z]{{2}}" if letters else re.escape(word)


def _begun(latin: str) -> set[str]:
    return {latin[:1], *({"j": "i", "y": "i", "w": "v", "q": "k", "c": "k", "x": "k", "p": "f"}.get(latin, ""))}


def is_written(word: str) -> bool:
    """Whether it is in a script that is written in another by rule."""
    return len(word) >= _LEAST and (word.isascii() or bool(_CYRILLIC.match(word) or _GREEK.match(word)))


@lru_cache(maxsize=65536)
def sounded(word: str) -> frozenset[str]:
    """A word of a name, folded, in simple Latin letters, in each way in which it may be read.

    "михаил" is "mihail"; "michail" is that, "miCail" and "miSail".
    """
    table = _RUSSIAN if _CYRILLIC.match(word) else _HELLENIC if _GREEK.match(word) else {}
    forms = ["".join(table.get(char, char) for char in word)]
    for spelling, sounds in _SOUNDS:
        if table and spelling.pattern.startswith(("c", "j", "^")):
            continue
        forms = [spelling.sub(sound, form) for form in forms for sound in (sounds if spelling.search(form) else [""])]
    return frozenset(_DOUBLE.sub(r"\1", form) for form in forms)


@lru_cache(maxsize=65536)
def same_word(name: str, word: str) -> bool:
    """Whether a word is this word of a name, perhaps with the ending of its case or in another script."""
    if name == word:
        return True
    if scripts.ARABIC.search(name):
        return word[1:] == name and without_prefix(word) == name
    if reading.HANGUL.search(name):
        return word.startswith(name) and word[len(name) :] in tables.words_of("ko", "behind")
    if name.isascii() != word.isascii():
        return _same_sound(name, word)
    if _CYRILLIC.match(name):
        return _declined(name, word)
    return len(name) > 3 and word == f"{name}s" and name not in tables.name_words("words")


def _same_sound(first: str, second: str) -> bool:
    if not (is_written(first) and is_written(second)):
        return False
    latin, other = (first, second) if first.isascii() else (second, first)
    heard, written = sounded(latin), sounded(other)
    return not heard.isdisjoint(written) or (
        bool(_CYRILLIC.match(other)) and any(_is_case(name, case) for name in heard for case in written)
    )


def _is_case(heard: str, written: str) -> bool:
    """Whether what is written in Cyrillic is a case of this name."""
    if len(heard) < _LONG:
        return False
    if heard[-1] == "a":
        return written in {f"{heard[:-1]}{end}" for end in _IN_PLACE_OF_A} or f"{written}a" == heard
    return heard[-1] not in _VOWELS and written in {f"{heard}{end}" for end in _AFTER_CONSONANT}


def _declined(first: str, second: str) -> bool:
    """Russian: both are one stem with an ending of a case, or nothing."""
    endings = (*tables.words_of("ru", "behind"), "", "\u044c", "\u044f", "\u0439")
    stems = [{word[: len(word) - len(end)] for end in endings if word.endswith(end)} for word in (first, second)]
    stems = [{*listed, *filter(None, map(fleeting, listed))} for listed in stems]
    return any(len(shared) >= 3 for shared in stems[0] & stems[1]) and first[0] == second[0]


def match_like(name: tuple[str, ...], row: Row) -> Match:
    """Whether a row names somebody who is written much like a name that no row has: a slip, or another case of it."""
    spans = [
        (word.start, word.end)
        for word in reading.read_words(row.text)
        if word.capital and any(_is_like(part, word.low) for part in name) and len(name) == 1
    ]
    return Match(
        level=Level.DOUBTFUL if spans else Level.NO, why="it has a name that is much like it", spans=tuple(spans)
    )


@lru_cache(maxsize=65536)
def _is_like(name: str, word: str) -> bool:
    if min(len(name), len(word)) < _LIKE or name[0] != word[0]:
        return False
    stem = max(_LIKE - 1, min(len(name), len(word)) - 2)
    declined = name[:stem] == word[:stem] and abs(len(name) - len(word)) < 3
    return declined or any(word in kind for kind in slips(name))
