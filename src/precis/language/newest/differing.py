"""Whether two assertions give one attribute another value, and not the same one said otherwise."""

from precis.language import grammar, tables
from precis.language.assertions.assertion import Assertion, is_single
from precis.language.dates import NUMBERS
from precis.language.values import usual_unit
from precis.language.words import stem

#: Verbs of what somebody chose among others of its kind.
_CHOSEN = frozenset("drink eat prefer use take drive ride commute order wear read travel".split())
#: Verbs whose number is one at a time; of others only a word of change says that it is another now.
_COUNTED = frozenset("have earn weigh measure pay".split())
_WORK = "work"
#: Numbers up to this one are compared with their words.
_SPELLED = 12
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


def _is_state(stated: Assertion) -> bool:
    return stated.part in {"", "hold"}


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
    if new.named != old.named or (new.verb in {"join", "become", "leave"} and not new.named and not _jobs(new, old)):
        return False
    return _other_words(new, old)


def _jobs(new: Assertion, old: Assertion) -> bool:
    return any(_WORK in grammar.CHOICES.get(word, ()) for word in new.value) and bool(old.value)


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
    return (stem(NUMBERS[int(number)]),) if number.isdigit() and int(number) <= _SPELLED else ()


def _prefers(new: Assertion, old: Assertion) -> bool:
    """Another choice of one kind: coffee for tea, light mode for dark mode."""
    if new.verb != old.verb or not _other_words(new, old) or not _is_state(old):
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
