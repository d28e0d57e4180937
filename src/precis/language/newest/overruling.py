"""Whether an assertion overrules an older one: with another value, a denial or an end."""

from functools import lru_cache

from precis.language import grammar, tables
from precis.language.assertions.assertion import Assertion
from precis.language.dates import WEEKDAYS
from precis.language.newest.differing import PERIODS, differs, kinds, numbered
from precis.language.subjects import SHARED
from precis.language.words import stem
from precis.trust import may_displace

_EATEN = frozenset({"eat", "drink"})
_ALONE = frozenset(map(stem, ("single", "divorced", "widowed", "separated")))
#: How often, and of a habit how much.
_HOW_OFTEN = PERIODS | frozenset(map(stem, [*tables.words("calendar.how_often"), *WEEKDAYS]))


def lookup_keys(stated: Assertion) -> frozenset[str]:
    """Under what an assertion is found: its verb, its attributes, and the words of what it speaks of."""
    return _lookup_keys(stated.verb, stated.attributes, stated.value, stated.ended, stated.terms)


@lru_cache(maxsize=1 << 14)
def _lookup_keys(
    verb: str, attributes: frozenset[str], value: frozenset[str], ended: frozenset[str], terms: frozenset[str]
) -> frozenset[str]:
    sorts = {kind for word in value for kind in kinds(word)}
    traits = {trait for trait, foods in grammar.WITHOUT.items() if trait in terms or not foods.isdisjoint(terms)}
    alone = {"alone"} if "partner" in attributes or value & _ALONE else set()
    return frozenset({f"verb {verb}"} | alone | {f"is {name}" for name in attributes} | sorts | value | ended | traits)


def overrules(new: Assertion, old: Assertion) -> bool:
    """Whether the newer assertion leaves the older one out of date, and may displace it."""
    return may_displace(new.voice, old.voice) and says_otherwise(new, old)


def says_otherwise(new: Assertion, old: Assertion) -> bool:
    """Whether the newer assertion leaves the older one out of date, whoever says it."""
    if new.subject.key != old.subject.key or new.past or old.past or new.adds or old.dated:
        return False
    if not _may_be_of_one(new, old):
        return False
    rest = old.extra - new.terms - new.ended
    if rest and not (new.denied and rest <= _HOW_OFTEN):
        return False
    if _ends(new, old) or _called_off(new, old):
        return True
    if new.denied and not new.condition:
        return _contrary(new, old)  # who does it no longer does it on no day
    return new.condition == old.condition and (_contrary(new, old) or differs(new, old) or _excludes(new, old))


def _may_be_of_one(new: Assertion, old: Assertion) -> bool:
    """Whether what the one says may be of what the other speaks of, by who says it."""
    if new.speaker != old.speaker and (new.subject.bare or new.labelled or old.labelled):
        return False  # an example is none of what was said, and a joke is not meant
    # Of a shared thing what somebody else says is another value only where it is called a new one.
    return new.subject.key[:1] != (SHARED,) or (new.changes and new.speaker != old.speaker)


def says_the_same(stated: Assertion, other: Assertion) -> bool:
    """Whether both say the same of one subject; one of them may say more."""
    if (
        stated.subject.key != other.subject.key
        or stated.denied != other.denied
        or (stated.part == "leave") != (other.part == "leave")
    ):
        return False
    if stated.verb != other.verb and stated.attributes.isdisjoint(other.attributes):
        return False
    shared = stated.typed.keys() & other.typed.keys()
    if shared and not numbered(stated) and not numbered(other):
        return all(not stated.typed[kind].isdisjoint(other.typed[kind]) for kind in shared)
    return stated.value <= other.value or other.value <= stated.value


def _ends(new: Assertion, old: Assertion) -> bool:
    """Whether it says that the older is over: "quit Siemens", "gave up coffee", "switched from tea to coffee"."""
    if old.denied or new.denied or not new.ended or old.part == "leave" or not _may_end(new, old):
        return False
    value = frozenset(term for term in old.value if not term[0].isdigit())
    if value and (new.ended <= value or (value <= new.ended and new.ended_head in {"", *value})):
        return True
    return new.part == "leave" and any(new.ended <= grammar.NOUNS_OF[name] for name in new.attributes & old.attributes)


def _called_off(new: Assertion, old: Assertion) -> bool:
    """Whether what the older gives a day or a time does not take place."""
    timed = old.typed.keys() & {"time", "date", "weekday", "month"}
    return new.part == "off" and "is" in old.attributes and not old.denied and bool(timed)


def _may_end(new: Assertion, old: Assertion) -> bool:
    """Whether what ended is of the kind that the older tells."""
    if new.ended_verbs:
        return old.verb in new.ended_verbs or not new.attributes.isdisjoint(old.attributes)
    if new.part == "leave":
        return not new.attributes.isdisjoint(old.attributes)
    same = new.verb == old.verb or not new.attributes.isdisjoint(old.attributes)
    return same or "choice" in new.attributes


def _contrary(new: Assertion, old: Assertion) -> bool:
    """Whether one denies what the other affirms."""
    if new.denied == old.denied or {new.part, old.part} & {"leave", "change", "enter"}:
        return False
    if any(new.typed[kind].isdisjoint(old.typed[kind]) for kind in new.typed.keys() & old.typed.keys()):
        return False  # "the rent is not 950 euros" denies no 900
    if (new.verb != old.verb and not _same_role(new, old)) or (old.event and not old.denied):
        return False
    ours, theirs = (frozenset(term for term in stated.terms if not term[0].isdigit()) for stated in (new, old))
    if new.denied and new.changes and new.verb == "be" and ours:
        return ours <= theirs
    if new.denied and new.changes and not new.attributes and ours <= theirs and theirs - ours <= _HOW_OFTEN:
        return True  # who quit smoking smokes no pack a day, and who stopped going to church goes there on no Sunday
    return ours == theirs and (bool(ours) or new.changes)


def _same_role(new: Assertion, old: Assertion) -> bool:
    return new.part == old.part == "hold" and not (new.attributes & old.attributes).isdisjoint(
        grammar.SINGLE_ATTRIBUTES
    )


def _excludes(new: Assertion, old: Assertion) -> bool:
    """Whether nobody is both: single and married, vegetarian and an eater of meat."""
    if old.denied or new.denied:
        return False
    if "partner" in new.attributes and old.verb == "be" and new.part != "leave":
        return old.value <= _ALONE and bool(old.value)
    if new.verb == old.verb == "be" and len(new.value) == len(old.value) == 1 and not new.extra:
        (ours,), (theirs,) = new.value, old.value
        return ours != theirs and not grammar.STATES.get(ours, frozenset()).isdisjoint(grammar.STATES.get(theirs, ()))
    return _breaks(new, old) or _breaks(old, new)


def _breaks(stated: Assertion, other: Assertion) -> bool:
    """Whether one eats or drinks what the other, by what they are, does not."""
    if stated.verb not in _EATEN or other.verb != "be" or len(other.value) > 1:
        return False
    return any(not grammar.WITHOUT.get(trait, frozenset()).isdisjoint(stated.value) for trait in other.value)
