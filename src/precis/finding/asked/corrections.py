"""What a request says not to be so, of the user: "that's wrong, I never lived in Bern. Delete that".

What is to be forgotten then is the memory that tells what it denies, and so it is read as "forget that I lived there".
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from precis.finding.about.denials import denials
from precis.finding.asked.asking import Request
from precis.finding.asked.standing import JOINT, asks, names_thing, others_in, without_now
from precis.finding.beyond.tables import listed
from precis.finding.grounded.clauses import spoken
from precis.finding.reading import HANGUL, UNSPACED, folded, read_words, unelided, users_of
from precis.finding.scripts import ARABIC
from precis.finding.tables import all_words, languages, name_words
from precis.finding.values import Finding, Level, Row
from precis.finding.wording import EDGE, plainly_put

#: So many first signs may have who a memory tells of.
_OPENING = 8
#: What something is no longer was so: "I no longer live there".
_NO_LONGER = re.compile(
    r"\b(?:no longer|any ?more|mehr|plus|ya no|j\u00e1 n\u00e3o|pi\u00f9|meer|ju\u017c|l\u00e4ngre|art\u0131k"
    r"|\u0431\u043e\u043b\u044c\u0448\u0435)\b|\u4e0d\u518d|\u3082\u3046|\ub354 ?\uc774\uc0c1|\uc774\uc81c",
    re.IGNORECASE,
)


class Meant(NamedTuple):
    """A request as it is to be read: of what it denies of the user, and without what it says to be so now."""

    text: str
    now: tuple[str, ...]
    denied: bool


def as_meant(what: str) -> Meant:
    """A request as it is to be read."""
    put = with_nouns(plainly_put(what))
    text = affirmed(put)
    return Meant(*without_now(text), denied=text != put)


def with_nouns(text: str) -> str:
    """A request with a noun for what it asks for by a clause: of "dove abitavo prima" the old address."""
    language = spoken(text)
    if language not in languages():
        return text
    for pattern, called in _pairs("by_noun", language):
        text = pattern.sub(called, text, count=1)
    return text


def doubt_others(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Put in doubt what does not open with the user, where the request says that something of the user is wrong."""
    clause = any(subject.clause for subject in request.subjects)
    for row in rows if request.denied else ():
        finding = known.get(row.id)
        if finding is not None and finding.level is Level.SURE and not _opens_with_user(row.text, clause=clause):
            known[row.id] = replace(finding, level=Level.DOUBTFUL, why="it may be somebody else's")


def _opens_with_user(text: str, *, clause: bool) -> bool:
    """Whether one of its first words is the user; of what a clause tells, as who does it, and not as whose it is."""
    own = all_words("first") | name_words("subjects") | users_of(())
    if UNSPACED.search(text[:_OPENING]):
        return folded(text).startswith((*filter(None, all_words("first")), *name_words("users_unspaced")))
    words = read_words(text)[:2]
    behind = len(words) > 1 and (words[0].low in name_words("articles") or ARABIC.match(words[0].text) is not None)
    return any(
        (unelided(word.low) in own or any(HANGUL.match(it) and word.low.startswith(it) for it in own))
        and not (clause and word.owns)
        for word in words[: 1 + behind]
    )


def affirmed(text: str) -> str:
    """A request that says that something of the user is wrong, as one for what tells it; any other as it is."""
    pieces = [piece.strip(EDGE) for piece in JOINT.split(text) if piece.strip(EDGE)]
    language = spoken(text) if len(pieces) > 1 else ""
    if language not in languages():
        return text
    wrong = [piece for piece in pieces if _wrong(language).fullmatch(piece)]
    asking = [piece for piece in pieces if piece not in wrong and asks(piece, language)]
    denied = [piece for piece in pieces if piece not in (*wrong, *asking)]
    pointing = all(not names_thing(piece, language) for piece in asking)
    if not wrong or len(denied) != 1 or not pointing or not _is_of_user(denied[0], language):
        return text
    told = _told(denied[0], language)
    return listed("forget_that", language)[0].format(told) if told else text


def _is_of_user(clause: str, language: str) -> bool:
    """Whether it tells of the user, perhaps without a word for them, and that it never was so."""
    if _NO_LONGER.search(clause):
        return False
    lows = {word.low for word in read_words(clause)}
    if UNSPACED.search(clause) or HANGUL.search(clause):
        return True
    own = lows & (all_words("first") | name_words("subjects"))
    return bool(own) or (language != "en" and not lows & others_in(language))


def _told(clause: str, language: str) -> str:
    """What a clause denies; nothing where it denies nothing, or more than once."""
    for rule in _pairs("affirms", language):
        told, times = rule[0].subn(rule[1], clause, count=1)
        if times:
            told = " ".join(told.split()).strip(EDGE)
            return "" if denials(read_words(told)) else told
    return ""


@cache
def _wrong(language: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{phrase})" for phrase in listed("wrong", language)) or "(?!)", re.IGNORECASE)


@cache
def _pairs(section: str, language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """What a table says to put in the place of what, in its order."""
    pairs = (rule.partition("=>") for rule in listed(section, language))
    return tuple((re.compile(read.strip(" "), re.IGNORECASE), put.strip()) for read, _, put in pairs)
