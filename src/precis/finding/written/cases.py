"""Whose name a Russian case is of: "Александра" is a form of a man's name, and a woman is called so."""

from collections.abc import Collection
from functools import lru_cache

from precis.finding.reading import folded

#: Why a row is in doubt that has a name of the same letters.
LIKE_NAME = "it may be of somebody else of a like name"
#: How a verb of one person ends, or a word that says who a woman is.
_OF_SUBJECT = ("ет", "ит", "ла", "тся", "лась", "моя", "наша")
_NOT_THERE = "нет"
#: Endings of one case each, by which two words of one person agree.
_ALIKE = (("ой", "ей", "ою", "ею", "ом", "ем", "ым", "им"), ("а", "я"), ("у", "ю"), ("е",), ("ы", "и"))
_CYRILLIC = ("\u0400", "\u04ff")
_VOWELS = "аеиоуыэюя"
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
    if form[-1:] not in _VOWELS and form[-2:] not in _MEANT:
        return frozenset({form})
    return _with_endings(form, _MEANT)


def _with_endings(form: str, endings: dict[str, tuple[str, ...]]) -> frozenset[str]:
    ending = next((end for end in endings if len(form) > len(end) + 1 and form.endswith(end)), None)
    if ending is None:
        return frozenset()
    stem = form[: len(form) - len(ending)]
    bare = {stem, *filter(None, [fleeting(stem)])} if "" in endings[ending] else set[str]()
    fitting = (end for end in endings[ending] if end and (stem[-1] in _VOWELS if end == "й" else True))
    return frozenset(f"{stem}{end}" for end in fitting if end != "ь" or stem[-1] not in _VOWELS) | bare


def fleeting(stem: str) -> str:
    """A stem of two last consonants as it stands without an ending: "павел" of "павла"; nothing of any other."""
    plain = len(stem) > 2 and stem[-1] not in _VOWELS and stem[-2] not in _VOWELS
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
        return len({*map(folded, possible - {asked})}.intersection(called)) > 1
    if nominatives(told).isdisjoint(meant):
        return True
    return acts and told in possible - meant


def agree(one: str, other: str) -> bool:
    """Whether two words beside each other may say who one person is: "маму Ольгу", and not "маме Артура".

    Words that are not Cyrillic always may.
    """
    if not all(_CYRILLIC[0] <= word[:1] <= _CYRILLIC[1] for word in (one, other)):
        return True
    return _case(plain(one)) == _case(plain(other))


def _case(form: str) -> int:
    return next((at for at, endings in enumerate(_ALIKE) if form.endswith(endings)), -1)
