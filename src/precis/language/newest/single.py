"""What a sentence says to be the one value of something: "Tom's email is tom@a.org", "Gate code: 4471". Pure."""

import re
from typing import NamedTuple

from precis.language import tables
from precis.language.words import STOP_WORDS, normal, stem, words

_IS = rf"(?:\s(?:{tables.choices('single.is')})\s|\s?[:=\uff1a]\s?|\s[\u2013\u2014-]\s)"
_SPACED = re.compile(
    rf"(?P<what>[^:=\uff1a]{{3,60}}?){_IS}(?:{tables.choices('single.now')}\s)?(?P<value>.{{1,60}})", re.IGNORECASE
)
_REACHED = re.compile(
    rf"(?P<what>.*\b(?:{tables.choices('single.reached')})\b.{{0,30}}) (?:at|on|under) (?P<value>\S.{{1,40}})",
    re.IGNORECASE,
)
#: Of Chinese, Japanese and Korean.
_UNSPACED = (
    re.compile(
        r"(?P<what>[^\u662f\u3001\uff0c]{2,20}?)(?:\u73b0\u5728|\u73fe\u5728)?(?:\u662f|\u6539\u4e3a|\u6539\u70ba)"
        r"(?P<value>.{1,30})"
    ),
    re.compile(
        r"(?P<what>[^\u306f\u3001]{2,20}?)\u306f(?P<value>.{1,30}?)"
        r"(?:\u3067\u3059|\u3060|\u306b\u306a\u308a\u307e\u3057\u305f)?"
    ),
    re.compile(
        r"(?P<what>.{2,20}?)(?:\uc740|\ub294) (?P<value>.{1,30}?)"
        r"(?:\uc785\ub2c8\ub2e4|\uc774\uc5d0\uc694|\uc608\uc694|\uc774\uc57c|\uc57c|\ub2e4)?"
    ),
)
#: A value is looked up: it has a figure, a sign of an address, or a name.
_VALUE = re.compile(r"[\d@]|(?<!\w)[^\W\d_a-z]")
#: A number of a telephone is one value.
_PAIRS = re.compile(r"(?<=\d) (?=\d)")
_ENDS = " .!\u3002\uff01\uff0e,;"
#: More words tell a story.
_LONGEST = 5
_TIMES = frozenset(tables.words("chitchat.times"))
#: What has several values at a time, or another one each time.
_SEVERAL = re.compile(rf"\b(?:{tables.choices('single.several')})\b", re.IGNORECASE)


class Single(NamedTuple):
    """What has one value, by the stems of its words, and the value."""

    what: tuple[str, ...]
    value: str


def single_in(sentence: str) -> Single | None:
    """What a sentence gives the one value of, and that; None where it tells something else."""
    bare = normal(sentence).strip(_ENDS)
    for pattern in (_SPACED, _REACHED, *_UNSPACED):
        match = pattern.fullmatch(bare)
        if match and _VALUE.search(match["value"]) and len(_PAIRS.sub("", match["value"]).split()) <= _LONGEST:
            named = [word for word in words(match["what"]) if word not in STOP_WORDS]
            if named and _TIMES.isdisjoint(named) and not _SEVERAL.search(match["what"]):
                return Single(tuple(map(stem, named)), " ".join(match["value"].casefold().split()))
    return None
