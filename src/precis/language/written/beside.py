"""What a sentence tells beside something that is not to be told: clauses of their own, in any language. Pure.

A clause is parted from the next at a word or mark that joins two, where what stands behind begins with somebody or
something of its own: "Ute's PIN is 4471 and Jan moves to Gera". In doubt nothing is parted.
"""

import re
from collections.abc import Callable
from functools import cache

from precis.language import tables
from precis.language.newest.parallel import joining_words, joint
from precis.language.script import languages_of
from precis.language.words import MARKS

#: Where scripts set no words apart, a clause has so many signs; else so many words.
_SIGNS, _WORDS = 4, 3
#: In so many of its first words a clause says who is writing, and in so many that it goes on about somebody else.
_OPENING, _GOES_ON = 3, 2
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
#: "\u7531\u7f8e\u306f", "\uc740\uc815\uc774\ub294": of whom or what a Japanese and a Korean clause tells.
_TOPIC = re.compile("[^\u3001\u3002\u306f\u304c]{1,14}[\u306f\u304c]")
_TOPIC_OF_TWO = re.compile("(?:\\S+ )?\\S*[\uc740\ub294\uc774\uac00](?= )")
_BRACKETS = re.compile(r"\s?[(\[\uff08][^()\[\]\uff08\uff09]*[)\]\uff09]")
_END = re.compile(r"[.!?\u3002\uff01\uff1f\u0964\u2026]+[\"'\u201d\u00bb)]*$")
_WORD = re.compile(rf"[\w{MARKS}'\u2019-]+")
_IF = tables.whole_words(*(f"standing.unless.{language}" for language in tables.section("standing.unless")))


def beside(sentence: str, is_secret: Callable[[str], bool], is_known: Callable[[str], bool]) -> str:
    """The clauses of a sentence that are not secret, each as a sentence; "" where they cannot be parted for sure.

    ``is_known`` says of a clause whether its words make it one that tells the secret, and nothing that hangs on it.
    """
    bare = _BRACKETS.sub(lambda match: "" if is_secret(match.group()) else match.group(), sentence)
    if not is_secret(bare):
        return bare if len(_WORD.findall(bare)) >= _WORDS else ""
    languages = ("English", *languages_of(sentence)[0])
    pieces = _clauses(sentence, languages)
    secret = [piece for piece in pieces if is_secret(piece)]
    rest = [piece for piece in pieces if piece not in secret]
    is_sure = secret and all(map(is_known, secret)) and not _IF.match(pieces[0])
    if not is_sure or not all(_is_long(piece, languages) for piece in rest):
        return ""
    end = _END.search(sentence)
    mark = end.group() if end else "\u3002" if _UNSPACED.search(sentence) else "."
    told = " ".join(f"{piece[:1].upper()}{piece[1:]}{'' if _END.search(piece) else mark}" for piece in rest)
    return "" if is_secret(told) else told


def _is_long(piece: str, languages: tuple[str, ...]) -> bool:
    """Whether it may be a sentence, and does not go on about somebody who was named before."""
    if _UNSPACED.search(piece):
        return len(piece) >= _SIGNS
    words = _WORD.findall(piece)
    goes_on = any(_third(name).search(" ".join((*words[:_GOES_ON], "\n", words[-1]))) for name in languages)
    return len(words) >= _WORDS and not goes_on


def _clauses(sentence: str, languages: tuple[str, ...]) -> list[str]:
    """Its clauses, each of which but the first begins with somebody of its own."""
    pieces = []
    begin = 0
    for cut in joint(languages).finditer(sentence):
        if _opens(sentence[cut.end() :], languages):
            pieces.append(sentence[begin : cut.start()])
            begin = cut.end()
    return [_joined_on().sub("", piece.strip(" ,;")) for piece in (*pieces, sentence[begin:]) if piece.strip(" ,;")]


def _opens(clause: str, languages: tuple[str, ...]) -> bool:
    """Whether it begins with a name, whoever writes, somebody of theirs, or "the" and a noun."""
    if _UNSPACED.match(clause):
        return "Japanese" not in languages or _TOPIC.match(clause) is not None
    if _HANGUL.match(clause):
        return _TOPIC_OF_TWO.match(clause) is not None
    words = _WORD.findall(clause)[:_OPENING]
    low = [word.casefold() for word in words]
    if not words or words[0][0].isupper():
        return bool(words)
    if any(low[0] in _listed("parallel.articles", name) or low[0] in _listed("kin.my", name) for name in languages):
        return True
    mine = any(word in _listed("kin.first", name) for word in low for name in languages)
    return mine or any(_kin(name).match(clause) for name in languages)


@cache
def _joined_on() -> re.Pattern[str]:
    """A word of any language that joins two clauses, where a name is behind it."""
    return re.compile(rf"^\W*(?:{'|'.join(joining_words())})\s+(?![a-z\u00df-\u00ff\u0430-\u044f])")


@cache
def _listed(place: str, language: str) -> frozenset[str]:
    return frozenset(tables.section(place).get(language, "").split())


@cache
def _kin(language: str) -> re.Pattern[str]:
    endings = rf"(?:{tables.entry('kin.endings.nouns').replace('; ', '|')})\s" if language == "Turkish" else "(?!)"
    return re.compile(endings, re.IGNORECASE)


@cache
def _third(language: str) -> re.Pattern[str]:
    """A word for somebody or something that was named before."""
    known = language in tables.section("persons.third")
    return re.compile(
        tables.whole(f"it|{tables.choices(f'persons.third.{language}')}" if known else "it"), re.IGNORECASE
    )
