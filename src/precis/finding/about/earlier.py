"""Requests of several sentences: each asks for something, or says who "he" is, and of what "the old one" is.

"Tobin and I met at the zoo. Forget that he works there." is about Tobin; "My eye exam was moved, drop the old time" is
about the old eye exam. English only: elsewhere such a request is read by what the memories say.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from precis.finding import parts, reading, values
from precis.finding.framing import CLAUSE, Asked, unframed
from precis.finding.names import Name, people
from precis.finding.wording import EDGE, FORGETS, stripped
from precis.finding.written.named import before_verb

#: A person as the subject of what is to be forgotten.
_PERSON = re.compile(
    r"\b(?:that|how|where|what|when|why|whether|says?|because) (?:still )?(?:he|she|they)(?:['\u2019]\w+)?\b",
    re.IGNORECASE,
)
#: "Forget what you know about her dog".
_THEIRS = re.compile(
    r"\b(?:forget|delete|remove|erase|drop|wipe|about|of|on)\s+(?:his|her|their)\s+(?!own\b)[a-z]", re.IGNORECASE
)
#: What is asked for is only of another age than the one of now.
_OLD_ONE = re.compile(
    r"^(?:the|its|that|my|our|any) (?P<age>old|older|earlier|former|previous|prior|first|original|superseded|outdated"
    r"|obsolete)(?: (?:ones?|versions?|entry|entries|values?|time|date|day|place|figure|idea|name|title|number))?$",
    re.IGNORECASE,
)
#: A clause that says of what something is another one now.
_CHANGED = (
    re.compile(
        r"^(?:so |well )?(?:(?:i|we)(?:['\u2019]ve| have| had)? )?(?:just |finally )?(?:got|had|have|get)"
        r" (?P<what>(?:my|our|the) [\w' -]+?)"
        r" (?:moved|changed|postponed|rescheduled|replaced|renamed|updated|shifted)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:so |well |since )?(?:i|we)(?:['\u2019]ve| have)? (?:just |finally |recently )?"
        r"(?:(?P<for>changed|switched|swapped)|moved|replaced|updated|rescheduled|renamed|got|have|bought|found)"
        r" (?:to )?(?:a |an |some )?(?P<whose>my |our )?(?P<new>new )?(?P<what>[\w' -]+?)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<what>(?:the|my|our|[A-Z][\w-]+['\u2019]s) [\w' -]+?)(?: (?:was|were|has|have|is|are|got|had)"
        r"|(?= (?:changed|expired)\b))(?: now| just| since)?(?: been)?(?: now| just)?"
        r" (?:extended|changed|expired|moved|postponed|rescheduled|replaced|renamed|updated|shifted|retitled"
        r"|raised|lowered|brought forward|put (?:off|back)|different|another)\b",
        re.IGNORECASE,
    ),
)
#: Somebody beside the user at the beginning of a clause: "Tobin and I".
_WITH_ME = re.compile(r"^\W*(?P<name>[A-Z][\w-]+) and (?:I|me)\b")
_DETERMINED = re.compile(r"^(?P<of>the|my|our|[A-Z][\w-]+['\u2019]s) ", re.IGNORECASE)


def with_thing(text: str) -> str:
    """An English request with the thing that changed: "My exam was moved, drop the old one" is of the old exam."""
    *before, last = [clause for clause in CLAUSE.split(text) if clause.strip()] or [""]
    bare, purpose = unframed(re.sub(r"^(?:so|and|then|therefore) ", "", last, flags=re.IGNORECASE), "en")
    aged = _OLD_ONE.match(stripped(bare, "en") or bare) or _OLD_ONE.match(bare)
    if purpose is not Asked.FORGET or aged is None:
        return text
    things = {thing for clause in before for thing in [_changed(clause.strip(" .,;!"))] if thing}
    return f"forget {things.pop()}" if len(things) == 1 else text


def _changed(clause: str) -> str:
    """What a clause says to be another one now, as the old one of it; nothing where it says of nothing so."""
    for pattern in _CHANGED:
        match = pattern.match(clause)
        if match is None:
            continue
        named = match.groupdict()
        if "new" in named:
            own = named["new"] or named["whose"] or named["for"]
            return f"{named['whose'] or 'my '}old {named['what']}" if own else ""
        return _DETERMINED.sub(lambda owner: f"{owner['of']} old ", named["what"], count=1)
    return ""


def names_in(text: str) -> list[values.Span]:
    """Where somebody is named, neighboring words as one name."""
    return reading.joined_spans(text, ((start, end) for start, end, _ in people(text)))


def named_before(text: str) -> tuple[str, set[str]]:
    """The last clause of a text, and who is named in those before it."""
    *before, last = [clause for clause in CLAUSE.split(text) if clause.strip()] or [""]
    names = {before_verb(clause, start) or clause[start:end] for clause in before for start, end in names_in(clause)}
    opening = {match["name"] for clause in before for match in [_WITH_ME.match(clause)] if match}
    return last, opening or names


def takes_up_person(text: str) -> bool:
    """Whether what is to be forgotten is told of "him" or "her", or is "her dog"; what is not, may stand behind it."""
    asked = next((clause for clause in reversed(CLAUSE.split(text)) if FORGETS.search(clause)), "")
    return any(_PERSON.search(clause) for clause in (named_before(text)[0], asked)) or _THEIRS.search(asked) is not None


def with_person(subjects: tuple[parts.Subject, ...], names: tuple[Name, ...]) -> tuple[parts.Subject, ...]:
    """The subjects, told of the one person who is named before."""
    return tuple(replace(subject, names=names, mine=False) for subject in subjects)


_FORGETS = r"(?:forget(?: about)?|delete|erase|remove|wipe|drop|purge|get rid of)"
#: How each of them begins: with a verb, or with what joins it to the one before.
_FIRST = re.compile(
    rf"(?:(?:please|kindly|now|hey|ok|okay|(?:could|can|would) you(?: please)?),? )*{_FORGETS} (?P<what>.+)",
    re.IGNORECASE,
)
_NEXT = re.compile(
    rf"(?:(?P<joint>and|also|plus|then|too|as well as|please|oh),? )*(?:{_FORGETS} )?(?P<what>.+)", re.IGNORECASE
)
_JOINTS = re.compile(
    r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bMrs)(?<!\bProf)(?<!\b[A-Z])[.!;]\s+"
    r"|[,;]?\s+(?=(?:and also|and then also|(?<!and )(?<!then )also|as well as|plus) )"
    rf"|[,;]?\s+(?=and {_FORGETS} )",
    re.IGNORECASE,
)
#: What only one who has read the sentence before understands, or asks for something else than forgetting.
_OTHER = re.compile(
    r"\b(?:keep|except|but|not|never|only|rest|else|remember|save|instead|because|since|don['\u2019]?t|ones?|both"
    r"|all of)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"(?:my|our|the|that|what|where|when|how|who|everything|all|any|every|(?-i:[A-Z])[\w'\u2019-]+)\b", re.IGNORECASE
)


def sentences_of(what: str) -> Sequence[str]:
    """What each sentence of an English request asks for, as a request of its own; empty where it is one request."""
    text = " ".join(what.split()).strip(EDGE.replace('"', ""))
    pieces = [piece.strip(EDGE.replace('"', "")) for piece in _JOINTS.split(text) if piece and piece.strip(EDGE)]
    first = _FIRST.fullmatch(pieces[0]) if len(pieces) > 1 else None
    if first is None or any(_OTHER.search(piece) for piece in pieces):
        return ()
    things = [first["what"]]
    for piece in pieces[1:]:
        match = _NEXT.fullmatch(piece)
        begins = match is not None and match.start("what") > 0
        if match is None or not begins or not _OPENS.match(match["what"]) or _takes_up(match["what"]):
            return ()
        things.append(match["what"])
    return tuple(f"forget {thing}" for thing in things)


def _takes_up(text: str) -> bool:
    """Whether a pronoun in it takes up somebody or something of another sentence."""
    lows = {word.low for word in reading.read_words(text)}
    return not lows.isdisjoint({"he", "she", "him", "her", "his", "hers", "it", "its", "they", "them", "their", "this"})
