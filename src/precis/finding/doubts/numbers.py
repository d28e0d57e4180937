"""What a number is called where it stands, and what else goes along with one: a mail address, a place, a town.

"Passport number is 561203447" tells no telephone number.
"""

import re
from collections.abc import Collection, Sequence

from precis.finding.capitals import finite
from precis.finding.halves import Places
from precis.finding.identifiers import identifiers_in
from precis.finding.reading import folded, read_words, word_from
from precis.finding.tables import any_group, name_words
from precis.finding.values import Span

#: Groups of what has a number of its own.
_NUMBERED = frozenset(
    "passport identity_card insurance tax money secret plate subscription contract driving law travel car".split()
)
#: What a number is called by in English: the word before it.
_CALLED = re.compile(
    r"(?<![\w'\u2019])(?P<of>[a-z][\w-]*) (?:numbers?|no\.?|nr\.?|ids?|codes?|reference|ref\.?)\b"
    r"|\b(?P<id>id|pin|iban|isbn|vat)\b",
    re.IGNORECASE,
)
#: The same, of words that say nothing of what it is.
_PLAIN = name_words("beside_number")
#: In one word, as German, Dutch and Swedish make it, and by a sign of capitals: "Kundennummer ist", "CLABE es".
_COMPOUND = re.compile(r"\b(?P<of>[^\W\d_]{3,}?)s?(?:nummer|numret|numre)\b", re.IGNORECASE)
_SIGN = re.compile(r"(?<!\w)(?P<sign>[A-Z]{3,6})(?::| (?:is|ist|es|é|est|è|to|är))? ?$")
_TELEPHONES = frozenset("TEL TLF GSM CEL MOB SMS WHATSAPP FAX".split())
_CLAUSE = re.compile(r"[.;!?\n]|,\s")
#: What parts what is told of somebody: "..., and she lives in Cork".
_JOINT = re.compile(r"[,;]\s+(?:(?:and|but)\s+)?|\s+(?:and|but)\s+|[.!?]\s+")
_THEY = frozenset("he she they".split())
#: Kinds of identifiers that somebody has, and is not asked for by their value.
_TOLD = frozenset({"number", "address", "account"})


def is_called_otherwise(text: str, start: int, groups: Collection[str]) -> bool:
    """Whether the number at this place is called by something else than these groups mean."""
    before = _CLAUSE.split(text[:start])[-1]
    low = folded(before)
    if any_group(frozenset(groups), plain=low.isascii()).search(low):
        return False
    sign, compounds = _SIGN.search(before), [*_COMPOUND.finditer(before)]
    if compounds or (sign is not None and sign["sign"] not in _TELEPHONES):
        return True
    others = _NUMBERED.difference(groups)
    called = [(match["of"] or match["id"]).lower() for match in _CALLED.finditer(before)]
    if called and called[-1] not in _PLAIN:
        return True
    return any_group(others, plain=low.isascii()).search(low) is not None


def takes_more_along(text: str, going: Sequence[Span], keeps: Sequence[Span]) -> bool:
    """Whether a number or an address of mail goes, and with it another or what somebody is told of by a pronoun."""
    places, kept = Places(going), Places(keeps)
    marks = identifiers_in(text)
    if not any(mark.kind in _TOLD and places.touch((mark.start, mark.end)) for mark in marks):
        return False
    lost = [mark for mark in marks if not places.touch((mark.start, mark.end))]
    if any(not kept.touch((mark.start, mark.end)) for mark in lost):
        return True
    words = read_words(text)
    cuts = [0, *(cut for joint in _JOINT.finditer(text) for cut in joint.span()), len(text)]
    for piece in zip(cuts[::2], cuts[1::2], strict=True):
        inside = words[word_from(words, piece[0]) : word_from(words, piece[1])]
        taken = bool(inside) and inside[0].low in _THEY and any(map(finite, inside[1:]))
        if taken and not (places.touch(piece) or kept.touch(piece)):
            return True
    return False
