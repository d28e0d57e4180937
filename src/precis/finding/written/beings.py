"""Whether a word of any language says who somebody is to somebody, in any of its forms."""

from functools import lru_cache

from precis.finding.kinds import is_animal, is_person
from precis.finding.nouns import nouns, persons, singular
from precis.finding.reading import HANGUL, UNSPACED, is_caseless
from precis.finding.scripts import ARABIC
from precis.finding.tables import groups, name_words
from precis.finding.written.speaking import RELATIONS

#: A word in a case is as long as this without its ending, of which so many letters are one.
_LEAST, _ENDING = 3, 5
_ROLES = "role."


@lru_cache(maxsize=16384)
def beings_of(low: str) -> frozenset[str]:
    """The groups of people, and the kinds within them, that a word is of: "partner.wife" of "wife"."""
    named = {
        name
        for name, both in groups().items()
        if (name.partition(".")[0] in RELATIONS or name.startswith(_ROLES))
        if any(called.fullmatch(low) for called in both)
    }
    kinds = {name for name in named if "." in name}
    return frozenset(kinds or named)


def _is_only_person(low: str) -> bool:
    """Whether an English noun says who somebody is in its usual senses: a tutor, and neither a router nor a printer."""
    senses = next((nouns().senses[form] for form in singular(low) if form in nouns().senses), {})
    usual = [senses[rank] for rank in (0, 1) if rank in senses]
    return low.isascii() and is_person(low) and all(line in persons() for line in usual)


@lru_cache(maxsize=16384)
def is_being(low: str) -> bool:
    """Whether it is somebody or an animal, as it stands or in a case."""
    if _is_only_person(low) or is_animal(low) or beings_of(low):
        return True
    if UNSPACED.search(low) or HANGUL.search(low) or ARABIC.search(low):
        return any(word in low for word in name_words("others_unspaced")) or low in name_words("roles_elsewhere")
    known = name_words("others") | name_words("roles_elsewhere")
    if low in known:
        return True
    forms = (low[:-cut] for cut in range(1, _ENDING + 1) if len(low) - cut >= _LEAST)
    return not is_caseless(low) and any(form in known or beings_of(form) for form in forms)
