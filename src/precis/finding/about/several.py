"""A request of several sentences, each of which asks for something: "Forget Tom. Also forget my salary."."""

import re
from collections.abc import Sequence

from precis.finding.reading import read_words
from precis.finding.wording import EDGE

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
    lows = {word.low for word in read_words(text)}
    return not lows.isdisjoint({"he", "she", "him", "her", "his", "hers", "it", "its", "they", "them", "their", "this"})
