"""People with attributes that change, and two disjoint sets of sentences that say so; the second is not tuned to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

NAMES = (
    "Kuno", "Greta", "Hugo", "Ana Lopez", "Jean-Luc Moreau", "Mary Ann", "Siobhan O'Neil", "Will", "May", "Mark",
    "Rose",
    "Hope", "Grace", "Bill", "Dawn", "Chase", "Frank Page", "Summer Reed", "Nguyễn Thị Mai", "Łukasz", "Çağla",
    "Олег",
    "Анна Петрова", "Γιώργος", "Արամ", "გიორგი", "محمد", "दीपिका", "王芳", "김민수", "Ali ibn Hassan",
    "Vincent van Dyke", "Jin-ho Park", "Zoë", "DeShawn", "Ingrid", "Mbali", "Tāne", "Yusuf", "Priya Nair",
)  # fmt: skip
CITIES = (
    "Lisbon", "Ghent", "Porto", "Oslo", "Tromsø", "Kraków", "Lima", "Dakar", "Quito", "Perth", "New York", "São Paulo",
    "Hanoi", "Turin", "Cork", "Basel",
)  # fmt: skip
FIRMS = (
    "Siemens", "Bosch", "Nokia", "Iberia", "Maersk", "Tata Steel", "Kia", "Orsted", "Brill & Sons", "Acme",
    "Vattenfall",
    "Lufthansa", "Novo", "Unicredit",
)  # fmt: skip
MONEY = tuple(f"{amount} euros" for amount in range(610, 1400, 37))
DAYS = ("March 3", "March 12", "April 7", "May 19", "June 2", "July 28", "August 14", "September 5", "October 30")
COLORS = ("blue", "green", "orange", "purple", "yellow", "turquoise", "maroon", "beige")
JOBS = ("nurse", "teacher", "baker", "pilot", "plumber", "florist", "welder", "dentist", "translator")
NUMBERS = tuple(f"555-0{number}" for number in range(112, 900, 53))
DRINKS = ("coffee", "tea", "juice", "cider", "cocoa", "lemonade")
THINGS = ("penicillin", "peanuts", "latex", "pollen", "shellfish", "wool", "soy", "mold")
INSTRUMENTS = ("cello", "flute", "harp", "banjo", "oboe", "tuba", "lute", "organ")
CARS = ("Volvo", "Tesla", "Fiat", "Skoda", "Mazda", "Lada", "Honda", "Jeep")


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """What somebody has one of, or does until it ends."""

    values: tuple[str, ...]
    #: Sentences that say what is so, and sentences that say what is so now.
    states: tuple[str, ...]
    changes: tuple[str, ...]
    #: Whether a change only says that the old is over: "Ana quit Siemens".
    ends: bool = False


WORKING: Mapping[str, Attribute] = {
    "home": Attribute(
        values=CITIES,
        states=("{P} lives in {v}.", "{P} moved to {v}."),
        changes=("{P} has moved to {v}.", "{P} moved to {v}.", "{P} lives in {v} now.", "{P} now lives in {v}."),
    ),
    "employer": Attribute(
        values=FIRMS, states=("{P} works at {v}.", "{P} works for {v}."), changes=("{P} now works for {v}.",)
    ),
    "left": Attribute(
        values=FIRMS, states=("{P} works at {v}.",), changes=("{P} quit {v}.", "{P} left {v}."), ends=True
    ),
    "rent": Attribute(
        values=MONEY,
        states=("{P}'s rent is {v}.",),
        changes=("{P}'s rent is {v} from now on.", "{P}'s rent went up to {v}.", "{P}'s rent is now {v}."),
    ),
    "deadline": Attribute(
        values=DAYS,
        states=("{P}'s deadline is {v}.",),
        changes=("{P}'s deadline was moved to {v}.", "{P}'s deadline is now {v}."),
    ),
    "color": Attribute(
        values=COLORS,
        states=("{P}'s favorite color is {v}.",),
        changes=("{P}'s favorite color is {v} now.", "{P}'s favorite color has changed to {v}."),
    ),
    "job": Attribute(
        values=JOBS, states=("{P} works as a {v}.", "{P} is a {v}."), changes=("{P} now works as a {v}.",)
    ),
    "number": Attribute(
        values=NUMBERS,
        states=("{P}'s phone number is {v}.",),
        changes=("{P}'s new phone number is {v}.", "{P}'s phone number has changed to {v}."),
    ),
    "drink": Attribute(
        values=DRINKS, states=("{P} prefers {v}.",), changes=("{P} now prefers {v}.", "{P} prefers {v} these days.")
    ),
    "allergy": Attribute(
        values=THINGS,
        states=("{P} is allergic to {v}.",),
        changes=("{P} is not allergic to {v} after all.", "{P} is no longer allergic to {v}."),
        ends=True,
    ),
    "music": Attribute(
        values=INSTRUMENTS,
        states=("{P} plays the {v}.",),
        changes=("{P} no longer plays the {v}.", "{P} stopped playing the {v}."),
        ends=True,
    ),
    "car": Attribute(values=CARS, states=("{P} drives a {v}.",), changes=("{P} sold the {v}.",), ends=True),
}
SET_ASIDE: Mapping[str, Attribute] = {
    "home": Attribute(
        values=CITIES,
        states=("{P} resides in {v}.", "{P} is living in {v}.", "{P} has lived in {v} since 2019."),
        changes=(
            "{P} relocated to {v} last month.", "As of this week, {P} lives in {v}.", "{P} just moved to {v}!",
            "Update: {P} has relocated to {v}.", "{P} packed up and moved to {v}.", "These days {P} lives in {v}.",
        ),
    ),
    "employer": Attribute(
        values=FIRMS,
        states=("{P} is employed by {v}.", "{P} is working at {v}."),
        changes=("{P} started at {v} last week.", "{P} works at {v} these days.", "{P} is now employed by {v}."),
    ),
    "left": Attribute(
        values=FIRMS,
        states=("{P} works for {v}.", "{P} is working for {v}."),
        changes=("{P} resigned from {v}.", "{P} no longer works for {v}.", "{P} doesn't work for {v} anymore."),
        ends=True,
    ),
    "rent": Attribute(
        values=MONEY,
        states=("The rent of {P} is {v}.", "{P}'s rent: {v}.", "{P}'s monthly rent is {v}."),
        changes=(
            "The landlord raised the rent of {P} to {v}.", "{P}'s monthly rent has gone up to {v}.",
            "The rent of {P} dropped to {v}.",
        ),
    ),
    "deadline": Attribute(
        values=DAYS,
        states=("{P}'s thesis deadline is on {v}.", "The deadline of {P}'s thesis is {v}."),
        changes=("{P}'s thesis deadline has been extended to {v}.", "{P}'s thesis deadline got pushed back to {v}."),
    ),
    "color": Attribute(
        values=COLORS,
        states=("The favorite color of {P} is {v}.", "{P}'s favourite colour is {v}."),
        changes=("{P}'s favourite colour is {v} nowadays.", "{P} changed the favorite color to {v}."),
    ),
    "job": Attribute(
        values=JOBS,
        states=("{P} is employed as a {v}.", "{P} is working as a {v}."),
        changes=("{P} became a {v}.", "{P} retrained as a {v}.", "{P} is a {v} now."),
    ),
    "number": Attribute(
        values=NUMBERS,
        states=("The phone number of {P} is {v}.", "{P}'s mobile number is {v}."),
        changes=("{P}'s mobile number was updated to {v}.", "The phone number of {P} is {v} now."),
    ),
    "drink": Attribute(
        values=DRINKS,
        states=("{P} drinks {v}.", "{P} drinks {v} every morning."),
        changes=("{P} switched to {v}.", "{P} drinks {v} instead now.", "{P} has switched to {v}."),
    ),
    "allergy": Attribute(
        values=THINGS,
        states=("{P} has an allergy to {v}.", "{P} is sensitive to {v}."),
        changes=("{P} doesn't have an allergy to {v} anymore.", "{P} isn't sensitive to {v} after all."),
        ends=True,
    ),
    "music": Attribute(
        values=INSTRUMENTS,
        states=("{P} practices the {v}.", "{P} is learning the {v}."),
        changes=("{P} gave up the {v}.", "{P} has quit practicing the {v}.", "{P} is not learning the {v} anymore."),
        ends=True,
    ),
    "car": Attribute(
        values=CARS,
        states=("{P} owns a {v}.", "{P} has a {v}."),
        changes=("{P} sold the {v} last week.", "{P} got rid of the {v}.", "{P} doesn't own a {v} anymore."),
        ends=True,
    ),
}  # fmt: skip
#: Of two attributes that speak of one thing a person is given one.
_RIVALS = {"left": "employer"}


@dataclass(frozen=True, kw_only=True)
class Told:
    """A sentence of a batch: who, what of, the value, and whether a later one of the batch changed it."""

    person: str
    attribute: str
    value: str
    text: str
    gone: bool = False


@st.composite
def facts(draw: st.DrawFn, templates: Mapping[str, Attribute], *, most: int = 9) -> list[Told]:
    """One fact of each attribute of each person: nobody's is changed by another's."""
    pairs = st.tuples(st.sampled_from(NAMES), st.sampled_from(sorted(templates)))
    drawn = draw(st.lists(pairs, min_size=1, max_size=most, unique_by=lambda pair: (pair[0], _thing(pair[1]))))
    return [_told(draw, templates[name], person, name) for person, name in drawn]


@st.composite
def changes(draw: st.DrawFn, templates: Mapping[str, Attribute], *, most: int = 4) -> list[Told]:
    """Facts of several people in any order, each of which is changed later; others stand between."""
    pairs = st.tuples(st.sampled_from(NAMES), st.sampled_from(sorted(templates)))
    drawn = draw(st.lists(pairs, min_size=1, max_size=most, unique_by=lambda pair: (pair[0], _thing(pair[1]))))
    older, newer = [], []
    for person, name in drawn:
        attribute = templates[name]
        old, new = draw(st.permutations(attribute.values))[:2]
        before = draw(st.sampled_from(attribute.states))
        after = draw(st.sampled_from(attribute.changes))
        value = old if attribute.ends else new
        older.append(_as_told(before, person, name, old, gone=True))
        newer.append(_as_told(after, person, name, value))
    return [*draw(st.permutations(older)), *draw(st.permutations(newer))]


def _thing(attribute: str) -> str:
    return _RIVALS.get(attribute, attribute)


def _told(draw: st.DrawFn, attribute: Attribute, person: str, name: str) -> Told:
    text = draw(st.sampled_from([*attribute.states, *attribute.changes]))
    return _as_told(text, person, name, draw(st.sampled_from(attribute.values)))


def _as_told(text: str, person: str, name: str, value: str, *, gone: bool = False) -> Told:
    return Told(person=person, attribute=name, value=value, text=text.format(P=person, v=value), gone=gone)


def missing(batch: Sequence[Told], statements: Sequence[str]) -> list[Told]:
    """Facts that no statement tells: none has both the name and the value."""
    standing = [fact for fact in batch if not fact.gone]
    return [fact for fact in standing if not any(_tells(text, fact) for text in statements)]


def stale(batch: Sequence[Told], statements: Sequence[str]) -> list[Told]:
    """Changed facts that a statement still tells as they were."""
    return [fact for fact in batch if fact.gone and fact.text.rstrip(".") in " ".join(statements)]


def _tells(text: str, fact: Told) -> bool:
    return fact.person.lower() in text.lower() and fact.value.lower() in text.lower()
