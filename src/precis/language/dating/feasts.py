"""On which day a feast is in a year: on the same each year, or so many days from Easter Sunday."""

import re
from datetime import date, timedelta

from precis.language import tables

NAMES = tuple(name for place in ("holidays", "feasts") for name in tables.section(f"calendar.{place}"))


def _plain(name: str) -> str:
    """A name as it may be typed: "new years eve", "st patricks day"."""
    return re.sub(r"['\u2019]", "", name.lower()).replace("st. ", "st ").replace("saint ", "st ")


_FIXED = {_plain(name): tuple(map(int, day.split())) for name, day in tables.section("calendar.holidays").items()}
_FROM_EASTER = {_plain(name): int(step) for name, step in tables.section("calendar.feasts").items()}
#: Words of their names, with and without an ending: "valentine's", "valentines", "valentine".
WORDS = frozenset(
    word for name in NAMES for word in (*_plain(name).split(), *re.split(r" |['\u2019]s?(?= |$)", name)) if word
) | {"saint"}
#: The names, as alternatives of a regular expression; those of more than a word are of one day alone.
_SPELLED = {
    name: name.replace("'", "['\u2019]?").replace("st ", r"(?:st\.?|saint) ") for name in sorted(NAMES, key=len)[::-1]
}
FEAST, DAY_OF_FEAST = "|".join(_SPELLED.values()), "|".join(_SPELLED[name] for name in _SPELLED if " " in name)
_ANY = re.compile(FEAST, re.IGNORECASE)


def easter(year: int) -> date:
    """Easter Sunday of the Western churches, by the algorithm of J. Meeus, Astronomical Algorithms, chapter 8."""
    century, of_century = divmod(year, 100)
    leaps, rest = divmod(century, 4)
    shift = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * (year % 19) + century - leaps - shift + 15) % 30
    weekday = (32 + 2 * rest + 2 * (of_century // 4) - moon - of_century % 4) % 7
    late = (year % 19 + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def day_of(name: str, year: int) -> date:
    """The day of a feast. Raises LookupError for an unknown name."""
    name = _plain(name)
    if name in _FIXED:
        return date(year, *_FIXED[name])
    return easter(year) + timedelta(days=_FROM_EASTER[name])


def feast_in(text: str) -> str:
    """The first name of a feast in a text. Raises LookupError where there is none."""
    match = _ANY.search(text)
    if match is None:
        raise LookupError(text)
    return match.group()
