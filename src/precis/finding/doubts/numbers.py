"""What a number is called where it stands: "passport number is 561203447" tells no telephone number."""

import re
from collections.abc import Collection

from precis.finding.reading import folded
from precis.finding.tables import any_group

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
_PLAIN = frozenset(
    """my our his her their your its the a this that new old current former own user private personal home work office
    business main second other same direct emergency contact daytime evening night landline number his whose and
    is""".split()
)
#: In one word, as German, Dutch and Swedish make it, and by a sign of capitals: "Kundennummer ist", "CLABE es".
_COMPOUND = re.compile(r"\b(?P<of>[^\W\d_]{3,}?)s?(?:nummer|numret|numre)\b", re.IGNORECASE)
_SIGN = re.compile(r"(?<!\w)(?P<sign>[A-Z]{3,6})(?::| (?:is|ist|es|é|est|è|to|är))? ?$")
_TELEPHONES = frozenset("TEL TLF GSM CEL MOB SMS WHATSAPP FAX".split())
_CLAUSE = re.compile(r"[.;!?\n]|,\s")


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
