"""Whether a newer note gives another value of what an older one tells, in next to no words but its own. Pure.

"Biscuit now weighs 13 kilos" says again that Biscuit weighs 12 kilos, but for the value. "The gym went up to 34" has no
word that "The gym costs 29 a month" has not, but for the figure and for those of the change.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from precis.language import tables
from precis.language.chitchat import untimed
from precis.language.newest.parallel import says_again
from precis.language.script import without_small
from precis.language.words import content, numbers
from precis.recall.question import as_asked
from precis.recall.telling import UNSPACED, listed, matches

#: One of two figures of the same is at most so many times the other.
_TIMES = 3
_PLAIN = re.compile(r"\d+(?:\.\d+)?")


def puts_anew(
    newer: str, older: str, known: Collection[str], forms: Mapping[str, str], languages: Sequence[str]
) -> bool:
    """Whether a note that tells of a change says an older one anew, or gives a figure of what it tells, and no more.

    ``known`` are the words of the question and of the older note.
    """
    if says_again(newer, older):
        return True
    if not matches("goes", languages, newer) or not _is_other_figure(newer, older):
        return False
    rest = untimed(newer)
    for language in languages:
        goes = listed("turned.goes", language)
        rest = without_small(goes.sub(" ", rest) if goes else rest, language)
    told = (word for word in as_asked(content(rest), forms) if not any(map(str.isdigit, word)))
    return UNSPACED.isdisjoint(languages) and all(word in known for word in told)


def _is_other_figure(newer: str, older: str) -> bool:
    """Whether both have figures, the newer none that the older has, and each of much the same size."""
    now, before = numbers(newer), numbers(older)
    if not now or not before or not set(now).isdisjoint(before):
        return False
    sizes = [float(figure) for figure in (*now, *before) if _PLAIN.fullmatch(figure) and float(figure)]
    return len(sizes) == len(now) + len(before) and max(sizes) <= _TIMES * min(sizes)


@cache
def _moved() -> re.Pattern[str]:
    return re.compile(tables.entry("turned.to_firm"))


@cache
def _places() -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{tables.choices('turned.places')})$", re.IGNORECASE)


def moved_to_firm(text: str) -> bool:
    """Whether it says that somebody moved to something with a name, which is no place as far as names tell."""
    return any(_places().search(match["name"].rstrip(".")) is None for match in _moved().finditer(text))
