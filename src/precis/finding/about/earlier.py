"""What a request takes up of what it says before: who "he" is, and of what "the old one" is the old one.

"Tobin and I met at the zoo. Forget that he works there." is about Tobin; "My eye exam was moved, drop the old time" is
about the old eye exam. English only: elsewhere such a request is read by what the memories say.
"""

import re
from dataclasses import replace

from precis.finding.framing import CLAUSE, Asked, unframed
from precis.finding.names import Name, people
from precis.finding.parts import Subject
from precis.finding.reading import joined_spans
from precis.finding.values import Span
from precis.finding.wording import FORGETS, stripped
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
        r"(?:changed|moved|switched|replaced|updated|swapped|rescheduled|renamed|got|have|bought|found)"
        r" (?:to )?(?:a |an |some )?(?P<whose>my |our )?(?P<new>new )?(?P<what>[\w' -]+?)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<what>(?:the|my|our|[A-Z][\w-]+['\u2019]s) [\w' -]+?) (?:was|were|has|have|is|are|got|had)"
        r"(?: now| just| since)?(?: been)?(?: now| just)?"
        r" (?:extended|changed|moved|postponed|rescheduled|replaced|renamed|updated|shifted|retitled"
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
            return f"{named['whose'] or 'my '}old {named['what']}" if named["new"] or named["whose"] else ""
        return _DETERMINED.sub(lambda owner: f"{owner['of']} old ", named["what"], count=1)
    return ""


def names_in(text: str) -> list[Span]:
    """Where somebody is named, neighboring words as one name."""
    return joined_spans(text, ((start, end) for start, end, _ in people(text)))


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


def with_person(subjects: tuple[Subject, ...], names: tuple[Name, ...]) -> tuple[Subject, ...]:
    """The subjects, told of the one person who is named before."""
    return tuple(replace(subject, names=names, mine=False) for subject in subjects)
