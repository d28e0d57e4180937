"""Of whom a row tells where a question asks of somebody: of them, of a relative of theirs, or of somebody else. Pure.

"Hanne's sister Pia drives a Volvo" holds more words of "What car does Hanne drive?" than "I drive a Fiat", which is
what Hanne wrote. So a row that names whom the question asks of only as whose relative somebody is stands behind one
that tells of them and holds as many words of what is asked. So does, where the question asks of the user, a row with
another name for a subject. Nothing is told apart where the question asks of a relative, or who does something.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple, Self

from precis.language import tables
from precis.language.script import languages_of, without_small
from precis.language.words import STOP_WORDS, kept, led_by, stem
from precis.recall.question import Question
from precis.recall.ranking import Score
from precis.recall.telling import Told
from precis.recall.users import USERS

#: What is elided before a word; a word with what stands behind its apostrophe; and what parts two clauses.
_TOKEN = re.compile(
    r"\b(?:d|l|j|m|qu|all|dell|un)['\u2019](?=\w)|[^\W\d_]+(?:-[^\W\d_]+)*(?:['\u2019][^\W\d_]*)?"
    r"|[.!?;:,\u3002\uff0c\u3001]",
    re.IGNORECASE,
)
_APOSTROPHE = re.compile(r"['\u2019].*")
_FIRST_VERB = re.compile(tables.entry("kin.endings.verbs"), re.IGNORECASE)
_OWN_NOUN = re.compile(rf"\b(?:{tables.choices('kin.endings.nouns')})\b", re.IGNORECASE)
_OF = frozenset(tables.words("kin.of.all"))
_WHO = re.compile(rf"\W*(?:{tables.entry('kin.subject.asks')})(?!\w)", re.IGNORECASE)
#: So many words stand between a relative and whose they are.
_BETWEEN = 3
#: Letters that two forms of a word share at least, and that either has more at most.
_SHARED, _ENDING = 3, 3
#: A row that is further behind answers something else; and by how much what is put before is before.
_FURTHEST, _BEFORE = 0.9, 0.001
#: The language that any question may be in; and those in which a verb says who does it, without a word for "I".
_ENGLISH, _TURKISH, _USER = "English", "Turkish", ""
_WITHOUT_I = frozenset(tables.words("kin.subject.left_out"))
#: What the user is called who writes to an agent.
_USERS = frozenset(tables.words("kin.subject.users"))


def of_whom_first(question: Question, scores: Sequence[Score], told: Mapping[str, Told]) -> list[Score]:
    """These first rows of an answer, in order, with those of whom is asked before those of their relatives."""
    asked = _Asked.of(question)
    if asked is None or not (asked.is_user or any(asked.names_a_relative(row.text) for row in told.values())):
        return list(scores)
    readings = {score.id: asked.read(told[score.id]) for score in scores if score.id in told}
    lifts: dict[str, float] = {}
    for other in (score for score in scores if score.id in readings):
        another = readings[other.id]
        # What the user does another does in another form: "pago", "paga".
        words = ((another.same if asked.is_subject else frozenset()) or another.holds) - another.behind
        theirs = [
            score
            for score in scores
            if words and another.behind
            and (reading := readings.get(score.id)) is not None
            and words <= reading.holds and not another.behind.isdisjoint(reading.tells_of)
            and 0 <= other.total - score.total <= _FURTHEST
        ]  # fmt: skip
        for place, score in enumerate(reversed(theirs), start=1):
            lifts[score.id] = max(lifts.get(score.id, 0.0), other.total - score.total + _BEFORE * place)
    lifted = [replace(score, telling=score.telling + lifts.get(score.id, 0.0)) for score in scores]
    return sorted(lifted, key=lambda score: (-score.total, score.id)) if lifts else list(scores)


class _Reading(NamedTuple):
    """Of whom a row tells, as words of the question; the user is ``_USER``."""

    tells_of: frozenset[str]
    #: Whom it names only as whose relative somebody is, or not at all though somebody else does what is asked for.
    behind: frozenset[str]
    #: The words of what is asked for that it holds, in whatever form.
    holds: frozenset[str]
    #: Those of them that it holds in the form that is asked.
    same: frozenset[str]


class _Owner(NamedTuple):
    """Whose relative somebody is: where that stands, and the word of the question for it; none for whoever writes."""

    at: int
    word: str | None


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Whom a question asks of, and for what."""

    languages: tuple[str, ...]
    #: Its words that say something, as they are compared; and the names of the user among them.
    words: tuple[str, ...]
    own: frozenset[str]
    #: It asks of the user; and for what they do, not for something of theirs.
    is_user: bool
    is_subject: bool

    @classmethod
    def of(cls, question: Question) -> Self | None:
        """None where it asks of a relative, or who does something."""
        names, _ = languages_of(question.text)
        tokens = _tokens(question.text)
        languages = (*names, _ENGLISH)
        if not names and STOP_WORDS.isdisjoint(map(_folded, tokens)):
            languages = tuple(tables.section("kin.people"))
        if any(_is_kin(token, languages) for token in tokens) or _WHO.match(question.text):
            return None
        bare = _tokens(without_small(question.text, names[0] if names else None))
        spoken = [token for token in bare if token[0].isalpha() and _bare(token).casefold() not in STOP_WORDS]
        own = frozenset(_folded(token) for token in spoken if stem(_bare(token).casefold()) in question.own)
        is_first = any(_is_first(token, languages) for token in tokens)
        is_open = not any(token[0].isupper() for token in tokens[1:]) and not _WITHOUT_I.isdisjoint(names)
        return cls(
            languages=languages, words=tuple(dict.fromkeys(map(_folded, spoken))), own=own,
            is_user=bool(own) or is_first or is_open,
            is_subject=is_first or is_open or any(_folded(token) in own and token == _bare(token) for token in spoken),
        )  # fmt: skip

    def names_a_relative(self, text: str) -> bool:
        """Whether a row names who may be somebody to somebody else."""
        return any(_is_kin(token, self.languages) for token in _tokens(text))

    def read(self, told: Told) -> _Reading:
        """Of whom a row tells, and what of what is asked for."""
        tokens = _tokens(told.text)
        by = frozenset(map(_folded, _tokens(told.speaker or led_by(told.text) or "")))
        owners = [owner for at, token in enumerate(tokens) for owner in self._owners(at, token, tokens)]
        rest = [token for at, token in enumerate(tokens) if at not in {owner.at for owner in owners}]
        tells_of = {word for word in self.words if any(_is_named(token, word) for token in rest)}
        behind = {owner.word for owner in owners if owner.word is not None} - tells_of
        # Who says it is who writes "I"; where nobody knows who does, the user.
        is_own = by <= _USERS or not by.isdisjoint(self.own)
        of_writer = {word for word in self.words if word in by} | ({_USER} if self.is_user and is_own else set())
        is_of_writer = any(self._is_of_writer(token) for token in rest)
        if is_own:
            is_of_writer = is_of_writer or not self.own.isdisjoint(tells_of)
            behind -= self.own if is_of_writer else frozenset()
        is_behind = any(owner.word is None for owner in owners) or not behind.isdisjoint(self.own)
        is_of_another = is_own and (self._is_of_a_relative(tokens) or (self.is_subject and self._names_another(tokens)))
        is_behind = is_behind or (self.is_user and is_of_another)
        # A note may leave out of whom it tells: of who writes it.
        (behind if is_behind and not is_of_writer else tells_of).update(of_writer)
        folded = [_folded(token) for token in tokens]
        asked = (word for word in self.words if word not in self.own)
        holds = frozenset(word for word in asked if any(_is_form(token, word) for token in folded))
        same = holds.intersection(folded)
        return _Reading(frozenset(tells_of - behind), frozenset(behind), holds, same)

    def _owners(self, at: int, token: str, tokens: Sequence[str]) -> Iterator[_Owner]:
        """Whose relative this word names, as far as it is of somebody in the question, or of who writes."""
        if not _is_kin(token, self.languages):
            return
        my = _small("my", self.languages)
        before = list(
            takewhile(lambda place: tokens[place][0].isalpha(), range(at - 1, max(-1, at - 1 - _BETWEEN), -1))
        )
        behind = list(range(at + 1, min(len(tokens), at + 2 + _BETWEEN)))
        if _OWN_NOUN.fullmatch(token):
            yield _Owner(at, None)
        yield from (_Owner(place, None) for place in (*before, *behind[:1]) if _folded(tokens[place]) in my)
        for word in self.words:
            yield from (_Owner(place, word) for place in before if _is_genitive(tokens[place], word))
            # "siostra Hanny", "сестра Ханны"
            yield from (_Owner(place, word) for place in behind[:1] if _is_inflected(tokens[place], word))
            yield from (
                _Owner(place, word)
                for place in behind[1:]
                if tokens[place - 1].casefold() in _OF
                and not tokens[place][0].islower()
                and _is_named(tokens[place], word)
            )

    def _is_of_writer(self, token: str) -> bool:
        """Whether a word says that somebody writes of themselves."""
        does = self.languages[0] == _TURKISH and _FIRST_VERB.fullmatch(token) and not _OWN_NOUN.fullmatch(token)
        return bool(does) or _is_first(token, self.languages) or _folded(token) in _small("my", self.languages)

    def _is_of_a_relative(self, tokens: Sequence[str]) -> bool:
        """Whether it opens with somebody who is somebody to another: "Brenda's husband", "el marido de Brenda"."""
        opening = tokens[: _BETWEEN + 1]
        at = next((at for at, token in enumerate(opening) if _is_kin(token, self.languages)), None)
        if at is None:
            return False
        owners = [token for token in opening[:at] if token[0].isupper() and _is_of(token)]
        if at + 2 < len(tokens) and tokens[at + 1].casefold() in _OF:
            owners += [token for token in tokens[at + 2 : at + 3] if token[0].isupper()]
        return bool(owners) and not any(_folded(token) in self.own or stem(_folded(token)) in USERS for token in owners)

    def _names_another(self, tokens: Sequence[str]) -> bool:
        """Whether it opens with another name that does what is asked for; in Turkish the verb is the last word.

        In English a verb has another form there: "drives" of "drive", while "desk" of "Which desk" is a noun.
        """
        spoken = [token for token in tokens if token[0].isalpha()]
        names = list(takewhile(lambda token: token[0].isupper() and token == _bare(token), spoken))
        opens = _folded(spoken[0]) if names and len(names) < len(spoken) else ""
        if not opens or opens in STOP_WORDS or stem(opens) in USERS or not without_small(spoken[0], self.languages[0]):
            return False
        verb = _folded(spoken[-1] if self.languages[0] == _TURKISH else spoken[len(names)])
        asked = [word for word in self.words if word not in self.own]
        does = any(_is_form(verb, word) and (verb != word or len(self.languages) > 1) for word in asked)
        # A verb of two letters shares too few with its other forms; the last word has no ending that says "I".
        does = does or (
            self.languages[0] == _TURKISH and not _OWN_NOUN.fullmatch(spoken[-1]) and len(spoken) > len(names) + 1
        )
        return does and not any(_is_form(opens, word) for word in asked)


@kept
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(unicodedata.normalize("NFC", text)))


def _bare(token: str) -> str:
    return _APOSTROPHE.sub("", token)


@lru_cache(maxsize=8192)
def _folded(token: str) -> str:
    """A word in small letters, without accents and without what stands behind its apostrophe."""
    marked = unicodedata.normalize("NFD", _bare(token).casefold())
    return "".join(sign for sign in marked if not unicodedata.combining(sign))


@cache
def _small(key: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The words of these languages for "I", or for "my"."""
    listed = tables.section(f"kin.{key}")
    return frozenset(_folded(word) for name in languages for word in listed.get(name, "").split())


@cache
def _people(languages: tuple[str, ...]) -> re.Pattern[str]:
    """The words of these languages for who somebody may be to somebody else."""
    listed = tables.section("kin.people")
    nouns = [word for name in languages for word in listed.get(name, "").split()]
    endings = [f"{_folded(noun[:-1])}" if noun.endswith("|") else rf"{_folded(noun)}[\w-]*" for noun in nouns]
    return re.compile("|".join(sorted(endings, key=len, reverse=True)) or "(?!)")


@lru_cache(maxsize=65536)
def _is_kin(token: str, languages: tuple[str, ...]) -> bool:
    return _people(languages).fullmatch(_folded(token)) is not None


def _is_first(token: str, languages: tuple[str, ...]) -> bool:
    """Whether it is how whoever writes calls themselves. "i" is small in English alone: in Swedish it says where."""
    is_small = token.islower() and len(token) == 1 and languages[0] != _ENGLISH
    return not is_small and _folded(token) in _small("first", languages)


def _is_named(token: str, word: str) -> bool:
    """Whether a word is this one of the question, or of it: "Hanne", "Hannes", "Hanne's"."""
    spoken = _folded(token)
    return spoken in {word, f"{word}s"}


def _is_genitive(token: str, word: str) -> bool:
    spoken = _folded(token)
    return spoken == f"{word}s" or (spoken == word and (token != _bare(token) or word.endswith(("s", "x", "z"))))


def _is_of(token: str) -> bool:
    """Whether a name has the ending of whose something is, as English, German and Turkish write it."""
    return token != _bare(token) or token.endswith("s")


def _is_inflected(token: str, word: str) -> bool:
    """Whether a name is this one with the ending of another case."""
    spoken = _folded(token)
    return token[0].isupper() and spoken != word and _alike(spoken, word) >= max(2, len(word) - 2)


@lru_cache(maxsize=65536)
def _is_form(spoken: str, word: str) -> bool:
    """Whether two words may be forms of one: "fahre" and "fährt"."""
    alike = _alike(spoken, word)
    shortest, longest = sorted((len(spoken), len(word)))
    return spoken == word or (alike >= max(_SHARED, shortest - 2) and longest - alike <= _ENDING)


def _alike(first: str, second: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
