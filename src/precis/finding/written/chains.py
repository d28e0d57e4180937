"""Whose something is called, owner by owner: of "my wife's brother's salary" the brother, the wife, then the user.

In each language the owners stand before a thing or behind it, and something marks them: an ending, a small word between
the two, or only their place.
"""

import re
from collections.abc import Collection, Sequence
from functools import cache

from precis.finding import capitals, kinds, values
from precis.finding.reading import Word, folded, read_words, unelided, word_from
from precis.finding.tables import by_language, calendar_words, ground_words, name_words, words_of
from precis.finding.written.caseless import is_given
from precis.finding.written.speaking import OF, is_being, own_words
from precis.finding.written.unspaced import Chain, unspaced_owners
from precis.language.words import STOP_WORDS

#: So many words may stand between a thing and the next owner: "my boss's new phone number".
_BETWEEN = 2
#: Languages whose owners stand before the thing, behind it, and behind it without a word between.
_NAMED = frozenset("en de fr es pt it nl vi ru uk".split())
_BEFORE, _PLACED = frozenset("en tr hi ko".split()), frozenset("ru uk ar".split())
#: Determiners of German that stand before an owner; those of the user begin so.
_GENITIVE = re.compile(r"(?:d|mein|unser|dein|sein|ihr|ein|kein|dies|jen)(?:er|es)$|unser(?:er|es)$")
_MINE = {
    "de": re.compile("(?:mein|unser)(?:e[nmrs]?)?$"),
    "ru": re.compile(
        "(?:\u043c\u043e|\u043d\u0430\u0448)(?:\u0438|\u044f|\u0435|\u044e|\u0438\u0445|\u0438\u043c|\u0435\u0433\u043e|\u0435\u0438|\u0435\u043c\u0443|\u0438\u043c\u0438|\u0430|\u0443)?$"
    ),
}
_POINTING = frozenset("the this that these those".split())
#: What stands between a thing and its owner.
_OF = by_language("before_owners")
#: Before a thing of which what stands behind "of" is no owner.
_INDEFINITE = by_language("indefinite")
#: How an owner ends in Turkish, and one of the user's.
_OWNER_TR, _MINE_TR = re.compile("[nmz][iu]n$"), re.compile("m[iu](?:z[iu])?n$")
_THING_TR = re.compile("m[iu]?$|m[iu]z[iu]?$")
#: What stands behind the apostrophe of a name that owns something, and not "Ankara'da".
_OWNED_TR = re.compile("['\u2019]n?[iu]n$")
_LEAST_TR, _LEAST_AR = 5, 2
_ENDS_MINE_AR, _POSSESSIVE_KO = "\u064a", "\uc758"


def chain_of(text: str, span: values.Span, language: str, users: Collection[str], known: Collection[str] = ()) -> Chain:
    """The owners of what stands at a place of a text; ``users`` are words for the user, ``known`` names of people."""
    if language in {"zh", "ja"}:
        return unspaced_owners(folded(text)[: span[0]], language, users)
    words = read_words(text)
    first, behind = word_from(words, span[0]), word_from(words, span[1])
    reader = _Reader(words, language, users, known)
    named = first > 0 and words[first - 1].owns
    chain = reader.before(first) if language in _BEFORE or named else Chain(users=reader.is_called_mine(first))
    if not (chain.owners or chain.users or reader.is_any(first)) and reader.is_thing(first):
        chain = reader.behind(behind)
    if chain.owners or chain.users or behind == 0:
        return chain
    return Chain(users=ends_mine(words[behind - 1].low, language))


def ends_mine(low: str, language: str) -> bool:
    """Whether a thing is called the user's by its ending: "maa\u015f\u0131m"."""
    if language == "tr":
        return len(low) > _LEAST_TR - 1 and _THING_TR.search(low) is not None
    plain = len(low) > _LEAST_AR and "\u0627\u0644" not in low[:3] and not is_being(low)
    return language == "ar" and plain and low.endswith(_ENDS_MINE_AR)


class _Reader:
    """Reads owners among the words of a text."""

    def __init__(self, words: Sequence[Word], language: str, users: Collection[str], known: Collection[str]) -> None:
        self._words, self._language, self._users, self._known = words, language, users, known

    def is_called_mine(self, at: int) -> bool:
        """Whether a word for what is the user's stands before a thing, in languages that set owners behind it."""
        before = self._words[max(0, at - _BETWEEN) : at]
        apart = any(word.gap.strip() for word in (*before[1:], *self._words[at : at + 1]))
        return not apart and any(self._is_users(word) and word.low not in self._users for word in before)

    def is_any(self, at: int) -> bool:
        """Whether an article says that it is no certain thing: "a tattoo (of a fox)"."""
        return any(word.low in _INDEFINITE.get(self._language, ()) for word in self._words[max(0, at - _BETWEEN) : at])

    def is_thing(self, at: int) -> bool:
        """Whether what stands behind "of" may own it: in English what opens a sentence or has "the"."""
        near = self._words[max(0, at - _BETWEEN) : at]
        opens = at < len(self._words) and self._words[at].opens
        acting = {*name_words("acting_firsts"), *self._users}
        opens = opens or any(word.low in _POINTING or (word.opens and word.low not in acting) for word in near)
        return self._language != "en" or opens

    def before(self, at: int) -> Chain:
        """The owners before a word."""
        owners: list[str] = []
        skipped = 0
        while 0 < at < len(self._words) and not self._words[at].gap.strip():
            at -= 1
            word = self._words[at]
            if word.low in name_words("acting_firsts") or word.low in _aside():
                break
            if self._is_users(word):
                return Chain(owners=tuple(owners), users=True)
            owner, at = self._owner(at)
            if owner:
                owners.append(owner)
                skipped = 0
                if self._language == "tr" and _MINE_TR.search(word.low) and word.low == folded(word.text):
                    return Chain(owners=tuple(owners), users=True)
                continue
            if owners and not skipped and self._is_of_one(word):
                owners[-1] += f"|{word.low}"  # "my boss Anna's", "Anna Berger's"
                continue
            skipped += 1
            aside = self._language == "en" and (word.low in STOP_WORDS or capitals.finite(word))
            if skipped > _BETWEEN or aside or is_being(word.low) or word.low in self._known:
                break
        return Chain(owners=tuple(owners))

    def _owner(self, at: int) -> tuple[str, int]:
        """The owner that a word is, and where it begins; nothing where it is none."""
        word = self._words[at]
        match self._language:
            case "en" | "de" | "nl":
                times = name_words("caseless_times") | name_words("times")
                return (word.low if word.owns and word.low not in times else ""), at
            case "tr":
                cased = _OWNED_TR.search(folded(word.text)) is not None
                long = len(word.low) >= _LEAST_TR and _OWNER_TR.search(word.low)
                return (word.low if cased or long else ""), at
            case "hi":
                if word.low in name_words("caseless_of") and at:
                    return self._words[at - 1].low, at - 1
                return "", at
            case _:
                if word.low.endswith(_POSSESSIVE_KO) and len(word.low) > 1:
                    return word.low[:-1], at
                return (word.low if is_being(word.low) else ""), at

    def behind(self, at: int) -> Chain:
        """The owners behind the word before this one."""
        owners: list[str] = []
        skipped = 0
        while at < len(self._words) and not self._words[at].gap.strip():
            joined = self._joint(at)
            if joined is None:
                skipped += 1
                if skipped > _BETWEEN or owners or self._words[at].low in name_words("copulas"):
                    break
                at += 1
                continue
            at, mine = joined
            if at >= len(self._words):
                return Chain(owners=tuple(owners), users=mine)
            if self._language == "en":
                return self._of_english(at, owners)
            word, skipped = self._words[at], 0
            if word.text[0].isdigit() or word.low in calendar_words():
                break
            if unelided(_without_of(word.low)) in self._users:
                return Chain(owners=tuple(owners), users=True)
            owners.append(unelided(_without_of(word.low)))
            at += 1
            at = self._with_names(at, owners)
            if mine or (self._language == "ar" and word.low.endswith(_ENDS_MINE_AR)):
                return Chain(owners=tuple(owners), users=True)
        return Chain(owners=tuple(owners))

    def _of_english(self, at: int, owners: list[str]) -> Chain:
        """The owners behind "of": "(the salary) of my wife's brother"."""
        while at + 1 < len(self._words) and (
            self._words[at].owns or self._is_users(self._words[at]) or self._words[at].low in {"the", "a", "an"}
        ):
            if self._words[at + 1].gap.strip():
                break
            at += 1
        word = self._words[at]
        if word.low in self._users or word.low in {"mine", "me", "us"}:
            return Chain(owners=tuple(owners), users=True)
        if kinds.is_animal(word.low):
            return Chain(owners=tuple(owners))
        further = self.before(at)
        called = [word.low]
        self._with_names(at + 1, called)
        return Chain(owners=(*owners, *called, *further.owners), users=further.users)

    def _with_names(self, at: int, owners: list[str]) -> int:
        """Where it goes on behind the names of the last owner, which are noted with it: "de ma femme Anna"."""
        # In Russian a name behind somebody is most often whose that is; behind a name it is a surname.
        plain = self._language not in _PLACED or (at > 0 and self._words[at - 1].capital)
        while self._language in _NAMED and plain and at < len(self._words) and self._is_name(at):
            owners[-1] += f"|{self._words[at].low}"
            at += 1
        return at

    def _is_of_one(self, word: Word) -> bool:
        """Whether a word right before an owner says who that is, or is a name before it."""
        if self._language == "en" and is_being(word.low):
            return True
        named = word.capital and word.low not in STOP_WORDS if self._language != "hi" else is_given(word)
        return named and self._language != "ko"

    def _joint(self, at: int) -> tuple[int, bool] | None:
        """Where the owner stands that begins with this word, and whether it is called the user's; None of no owner."""
        word, mine = self._words[at], False
        if self._language in _PLACED:
            return self._placed(at)
        if _without_of(word.low) != word.low:
            return at, False
        linked = word.low in _OF.get(self._language, OF)
        genitive = self._language == "de" and _GENITIVE.match(word.low) is not None
        if not linked and not genitive:
            return None
        at += linked
        articles = name_words("articles") | name_words("possessives")
        while self._language != "en" and at < len(self._words) and not (at and self._words[at].gap.strip()):
            own = self._is_users(self._words[at]) and self._words[at].low not in self._users
            if not own and self._words[at].low not in articles and not _GENITIVE.match(self._words[at].low):
                break
            mine = mine or own
            at += 1
        return at, mine

    def _placed(self, at: int) -> tuple[int, bool] | None:
        """The same where only its place shows an owner: somebody, or what stands before the user or somebody else."""
        if at and self._words[at - 1].low in name_words("caseless_places_before"):
            return None  # a street is only called after somebody
        mine = self._is_users(self._words[at]) and self._words[at].low not in self._users
        at += mine
        if at >= len(self._words) or (mine and self._words[at].gap.strip()):
            return None
        word = self._words[at]
        behind = self._words[at + 1] if at + 1 < len(self._words) and not self._words[at + 1].gap.strip() else None
        further = behind is not None and self._is_somebody(behind)
        named = at > 0 and self._is_name(at) and self._is_somebody(self._words[at - 1])
        return (at, mine) if mine or self._is_somebody(word) or further or named else None

    def _is_somebody(self, word: Word) -> bool:
        return word.low in self._users or word.low in self._known or is_being(word.low) or is_given(word)

    def _is_name(self, at: int) -> bool:
        """Whether it is a name, of somebody who stands before it."""
        word = self._words[at]
        return word.capital and word.gap == " " and word.low not in OF and word.low not in self._users

    def _is_users(self, word: Word) -> bool:
        """Whether it is the user, as whose something is."""
        if word.low in self._users or word.low in name_words("users_before"):
            return True
        pattern = _MINE.get(self._language)
        mine = (*words_of(self._language, "first"), *own_words(self._language, "mine"))
        return word.low in mine if pattern is None else pattern.match(word.low) is not None


@cache
def _aside() -> frozenset[str]:
    """Small words of Hindi behind a noun, which end what may own a thing: "X ke pas"."""
    return frozenset(ground_words("hi", "small")) - name_words("caseless_of") - {*words_of("hi", "first")}


def _without_of(low: str) -> str:
    """A word without the "of" before a vowel: "d'Anna", "dell'utente"."""
    before, apostrophe, behind = low.partition("'")
    return behind if apostrophe and before in {"d", "dell"} and behind else low
