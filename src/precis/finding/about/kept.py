"""What a request leaves alone of what it takes: "... but not her address", "..., mine should stay", "don't forget A".

Of "Ana's number stays, Ben's can go" the number is said of one of the two, and meant of both.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from precis.finding.about.questions import PEOPLE
from precis.finding.framing import Asked, unframed
from precis.finding.kinds import is_person
from precis.finding.parts import Part, Subject
from precis.finding.reading import UNSPACED, folded, read_words
from precis.finding.tables import patterns, words_of
from precis.finding.wording import EDGE, stripped

#: Between what is to be kept and what is not; and what is left beside that.
_JOINT = re.compile(
    r"(?:[,;!]|(?<!\b[MDSJ]r)(?<!\bMrs)(?<!\b[MS]s)(?<!\bSt)(?<!\bProf)(?<!\bSra)\.)"
    r"\s+(?:but|and|then|aber|und|mais|et|pero|y|mas|e|ma|\u043d\u043e|\u0438)?\s*|\s+(?:but|and)\s+",
    re.IGNORECASE,
)
_KEEP = re.compile(r"^(?:please )?(?:keep|remember|save|retain)\s+", re.IGNORECASE)
_REST = re.compile(
    r"\b(?:the rest|everything else|all else|anything else|all the others|den rest|alles andere|le reste|tout le reste"
    r"|el resto|todo lo dem\u00e1s|o resto|todo o resto|il resto|tutto il resto|de rest"
    r"|al het andere|resztę?|всё остальное|остальное|gerisi)\b(?: of (?:it|that|them))?",
    re.IGNORECASE,
)
#: What somebody says to keep, or to need; and the other one of two, which is not asked for anyway.
_WANTED = re.compile(
    r"(?:but )?(?:i|we)(?:['\u2019]m|['\u2019]re|['\u2019]ll| am| are| will)?(?: still| want to| would like to)? "
    r"(?:keep(?:ing)?|need(?:ing)?) (?P<what>(?!to\b)\S.*)$",
    re.IGNORECASE,
)
_OF_ANOTHER_AGE = re.compile(
    r"(?:only )?(?:the|my|our) (?:old|older|new|newer|current|previous|other|former|latest|present)(?: ones?)?",
    re.IGNORECASE,
)
#: Something of somebody's, of which another clause says what it is: "delete that of the dishwasher".
_THAT_OF = re.compile(r"\b(?:that|those|the one|the ones) of\b", re.IGNORECASE)
_HEAD = re.compile(r"\b(?P<head>(?:the|my|our) [\w' -]+?) of\b", re.IGNORECASE)
#: Somebody's, and not said what.
_BARE_OWNER = re.compile(r"['\u2019]s$|s['\u2019]$")
_OURS = frozenset({"mine", "ours"})


def first_kept(text: str, language: str) -> tuple[str, str]:
    """What is to be kept where a clause of its own says so, and the rest: "keep the recipes, but lose the rest"."""
    joints = [*_JOINT.finditer(text)]
    for joint in joints:
        first, last = text[: joint.start()], text[joint.end() :]
        bare, purpose = unframed(first, language)
        if (purpose is Asked.KEEP or keeps(first, language)) and _forgets(last, language):
            kept = stripped(_KEEP.sub("", bare), language)
            return kept, _with_head(_REST.sub("everything", last), kept)
    for joint in joints[-1:]:
        first, staying = text[: joint.start()], _staying(text[joint.end() :], language)
        wanted = _WANTED.match(text[joint.end() :]) if language == "en" else None
        staying = staying or (wanted["what"].strip(EDGE) if wanted else "")
        other = _REST.fullmatch(staying) or _OF_ANOTHER_AGE.fullmatch(staying)
        if other and _forgets(first, language):
            return "", first  # whatever is not asked for stays anyway
        if staying and _forgets(first, language):
            return _with_head(staying, first), first
    return "", text


def _forgets(text: str, language: str) -> bool:
    return unframed(text, language)[1] is Asked.FORGET and not keeps(text, language)


def _staying(clause: str, language: str) -> str:
    """What a clause says of that it stays, by a verb at its end: "mine should stay"."""
    endings = (
        re.search(rf"^(?P<what>\S.*?){pattern}[\s.!]*$", clause, re.IGNORECASE)
        for pattern in patterns(language, "stays")
    )
    staying = next(filter(None, endings), None)
    return staying["what"].strip(EDGE) if staying else ""


def _with_head(text: str, other: str) -> str:
    """What is called "that of the boiler", with what the other clause names: "the warranty of the boiler"."""
    head, pointing = _HEAD.search(other), _THAT_OF.search(text)
    if head is None or pointing is None:
        return text
    return f"{text[: pointing.start()]}{head['head']} of{text[pointing.end() :]}"


def keeps(text: str, language: str) -> bool:
    """Whether it asks to keep something; in some languages that is said at the end."""
    search = re.search if language in {"zh", "ja", "ko", "tr", "hi"} else re.match
    return any(search(pattern, text, re.IGNORECASE) for pattern in patterns(language, "keep"))


def ownerless(text: str, language: str) -> str:
    """What is kept of somebody, without the word for whose it is: "her address", of one who is to be forgotten."""
    thirds = words_of(language, "third")
    if UNSPACED.search(text):
        opening = max((word for word in thirds if text.startswith(word)), key=len, default="")
        return text[len(opening) :].removeprefix("\u7684").removeprefix("\u306e") or text
    words = read_words(text)
    articles = {*words_of(language, "articles")}
    first = next((at for at, word in enumerate(words) if word.low not in articles), len(words))
    if len(words) > first + 1 and words[first].low in thirds:
        return f"{text[: words[first].start]}{text[words[first + 1].start :]}"
    if len(words) > first + 1 and words[-1].low in thirds:
        return text[: words[-2].end]
    return text


def completed(subjects: Sequence[Subject], kept: Sequence[Subject]) -> tuple[tuple[Subject, ...], tuple[Subject, ...]]:
    """What is asked for and what is kept, each with the thing that only the other names: "mine should stay"."""
    shared = next((own for it in kept for own in [_things(it)] if own), ())
    things = next((own for it in subjects for own in [_things(it)] if own), ())
    return (
        tuple(replace(it, parts=(*it.parts, *shared)) if shared and _is_bare(it) else it for it in subjects),
        tuple(
            replace(it, parts=(*it.parts, *things), mine=it.mine or not it.names) if things and _is_bare(it) else it
            for it in kept
        ),
    )


def _things(subject: Subject) -> tuple[Part, ...]:
    """What is somebody's, without who that is."""
    return tuple(part for part in subject.parts if not (part.is_of(PEOPLE) or is_person(part.word)))


def _is_bare(subject: Subject) -> bool:
    """Whether it only says whose something is."""
    if folded(subject.text) in _OURS:
        return True
    named = bool(subject.names or subject.parts)
    return named and not _things(subject) and _BARE_OWNER.search(subject.text) is not None
