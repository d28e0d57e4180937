"""Whether an assertion overrules an older one: with another value, a denial or an end."""

from functools import lru_cache

from precis.language import grammar, tables
from precis.language.assertions.assertion import Assertion, is_single
from precis.language.dates import NUMBERS, WEEKDAYS
from precis.language.subjects import SHARED
from precis.language.values import usual_unit
from precis.language.words import stem
from precis.trust import may_displace

#: Verbs of what somebody chose among others of its kind.
_CHOSEN = frozenset("drink eat prefer use take drive ride commute order wear read travel".split())
#: Verbs whose number is one at a time; of others only a word of change says that it is another now.
_COUNTED = frozenset("have earn weigh measure pay".split())
#: For or of what time an amount is, or a home.
PERIODS = frozenset(map(stem, tables.words("calendar.paid_for")))
_NUMBERS = frozenset(map(stem, NUMBERS))
_PEOPLE = frozenset(map(stem, grammar.PEOPLE))
#: Of these there may be several, and a word of change says nothing of which one is meant.
_SEVERAL = frozenset(map(stem, grammar.SEVERAL))


def differs(new: Assertion, old: Assertion) -> bool:
    """Whether both give one attribute a value, and not the same."""
    if new.denied or old.denied or "leave" in {new.part, old.part} or _is_qualified(new, old):
        return False
    if _beside(old) - new.terms:  # so long, which is not how wide
        return False
    if "choice" in new.attributes:
        return not new.ended and old.verb in _CHOSEN and (_of_one_kind(new.value, old.value) or _version(new, old))
    if new.attributes.isdisjoint(old.attributes):
        return _same_frame(new, old) or _prefers(new, old)
    if new.attributes & old.attributes == {"is"}:
        return _is_other(new, old)
    return _other_holding(new, old)


def _version(new: Assertion, old: Assertion) -> bool:
    """Whether both name one thing with another number: "Python 3.9", "Python 3.12"."""
    shared = {word for word in new.value & old.value if not word[0].isdigit()}
    return bool(shared) and new.named and old.named and _other_typed(new, old)


def _is_qualified(new: Assertion, old: Assertion) -> bool:
    """Whether the newer says more, by which its value may be another beside the older: "with parking", "a year"."""
    if new.changes:
        return False
    past_move = new.part == "enter" and new.dated  # "moved to Paris in 2010"
    return past_move or bool(new.extra - old.terms) or new.value & PERIODS != old.value & PERIODS


def _other_holding(new: Assertion, old: Assertion) -> bool:
    """Another home, employer, place, or length of time."""
    shared = new.attributes & old.attributes
    if not shared.isdisjoint(grammar.SINGLE_VERBS):
        return _other_typed(new, old)
    stays = new.part == "hold" and not new.changes
    if stays and ("place" in shared or ("home" in shared and old.part == "hold" and new.particle != old.particle)):
        return False  # "on Elm Street" may be where in Boston
    if "place" in shared and new.typed.keys() & {"time", "date", "weekday"}:
        return _is_other(new, old)
    if shared.isdisjoint(grammar.SINGLE_ATTRIBUTES) and not (new.changes or new.part == "enter"):
        return False
    jobs = any("work" in grammar.CHOICES.get(word, ()) for word in new.value) and bool(old.value)
    if new.named != old.named or (new.verb in {"join", "become", "leave"} and not new.named and not jobs):
        return False
    return _other_words(new, old)


def _is_other(new: Assertion, old: Assertion) -> bool:
    """Another value of a thing: "the rent is 950 euros"."""
    if new.subject.head in grammar.NAME_NOUNS:
        return False
    if new.typed or old.typed:
        if numbered(new) or numbered(old):
            return is_single(new.subject) and _other_words(new, old)
        certain = is_single(new.subject) or (_measured(new) and new.subject.head not in _PEOPLE)
        return _other_typed(new, old) and (new.changes or (certain and new.subject.head not in grammar.EVENTS))
    if not new.subject.thing:
        return new.changes and _of_one_kind(new.value, old.value) and _other_words(new, old)
    if is_single(new.subject) and (
        (new.named and old.named) or not grammar.WORDED.isdisjoint(map(stem, new.subject.key))
    ):
        return _other_words(new, old)
    named = new.named and old.named and old.part == "hold" and new.subject.head not in _SEVERAL
    return new.changes and (named or _of_one_kind(new.value, old.value)) and _other_words(new, old)


def _beside(stated: Assertion) -> frozenset[str]:
    """What a measure says beside its number and unit: "wide", "per person"."""
    units = {kind.removeprefix("amount ") for kind in stated.typed if kind.startswith("amount ")}
    return frozenset(
        word
        for word in stated.value
        if units and not (usual_unit(word) in units or word[0].isdigit() or word in _NUMBERS)
    )


def _measured(stated: Assertion) -> bool:
    """Whether its value is a price or a measure: a thing has one of it."""
    return any(kind == "money" or kind.startswith("amount ") for kind in stated.typed)


def numbered(stated: Assertion) -> bool:
    """Whether its value is a number of nothing, like that of a phone: compared as it is written."""
    return "amount" in stated.typed


def _other_typed(new: Assertion, old: Assertion) -> bool:
    """Whether a value of one kind is another, and the older tells no kind of value that the newer lacks."""
    if not old.typed or not old.typed.keys() <= new.typed.keys():
        return False
    return any(new.typed[kind].isdisjoint(old.typed[kind]) for kind in old.typed)


def _other_words(new: Assertion, old: Assertion) -> bool:
    """``Oslo`` and ``Oslo, Norway`` are one value."""
    ours, theirs = new.value | new.extra, old.value | old.extra
    return bool(new.value and old.value) and not (ours <= theirs or theirs <= ours)


def _same_frame(new: Assertion, old: Assertion) -> bool:
    """Whether only a number differs: "has 3 cats", "runs 10 km a day". "Has paid 90 euros" twice is two payments."""
    if new.event or old.event:
        return False
    if new.verb != old.verb or new.attributes or old.attributes or not _other_typed(new, old):
        return False
    return (new.changes or new.verb in _COUNTED) and _without_numbers(new) == _without_numbers(old)


def _without_numbers(stated: Assertion) -> frozenset[str]:
    numbers = {part for values in stated.typed.values() for value in values for part in (value, *_spelled(value))}
    return frozenset(term for term in stated.terms if term not in numbers and not term[0].isdigit())


def _spelled(number: str) -> tuple[str, ...]:
    return (stem(NUMBERS[int(number)]),) if number.isdigit() and int(number) <= 12 else ()


def _prefers(new: Assertion, old: Assertion) -> bool:
    """Another choice of one kind: coffee for tea, light mode for dark mode."""
    if new.verb != old.verb or not _other_words(new, old) or old.part not in {"", "hold"}:
        return False
    if new.replaces:
        return _of_one_kind(new.value, old.value)
    if new.verb not in {"prefer", "drive", "study"}:
        return False
    if new.verb != "prefer":
        return new.changes
    return bool(new.value & old.value) or (new.changes and _of_one_kind(new.value, old.value))


def _of_one_kind(new: frozenset[str], old: frozenset[str]) -> bool:
    ours, theirs = ({kind for word in value for kind in kinds(word)} for value in (new, old))
    return not ours.isdisjoint(theirs)


def kinds(word: str) -> frozenset[str]:
    """Of which kinds of choices and states a word is."""
    return grammar.CHOICES.get(word, frozenset()) | frozenset(f"state {kind}" for kind in grammar.STATES.get(word, ()))


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
