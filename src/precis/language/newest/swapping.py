"""A sentence with the value that somebody says right after it to be meant: "sorry, not the 13th, June 20". Pure.

Only what is plain is taken: a text that says nothing but the other value, and one value of its kind in the sentence,
or the one that the text denies. What else opens like a correction is only known to be one, or perhaps one.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from precis.language import tables
from precis.language.newest.signs import (
    BESIDE,
    DAY,
    ENDS,
    MEANT,
    OPENS,
    OWNS,
    SURE,
    WORD,
    Value,
    denial,
    denies,
    values_in,
)
from precis.language.sentences import is_question
from precis.language.words import stem

#: A correction has at most so many words beside what opens it.
_MOST = 8
#: A day of a month is none of more.
_DAYS_OF_MONTH = 31
#: Of a word of so many letters no more than so many are its ending.
_LONG, _ENDING = 4, 2
#: Who opens on one of these agrees or cries out, and names nobody: "Ok, no Redis", "Fine, not Prague".
_ASSENTS = re.compile(
    rf"(?:{tables.in_every_language('corrections.agrees')}|{tables.choices('corrections.cries.all')}"
    rf"|{tables.choices('statements.interjections')})",
    re.IGNORECASE,
)
#: Words that tell a man from a woman.
_GENDERED = frozenset(" ".join(tables.phrases("corrections.gendered.all")).split())
_LISTED = re.compile(rf"\s*(?:{'|'.join(map(re.escape, tables.phrases('corrections.lists.all')))})\s*", re.IGNORECASE)


def corrected(sentence: str, correction: str, *, surely: bool = False) -> str | None:
    """A sentence with the value that a later one of the same speaker puts right; None where that is not plain.

    Where something stands between them that others said, it is to be ``surely`` a correction.
    """
    opens, ends = OPENS.match(correction), ENDS.search(correction)
    signs = f"{opens[0] if opens else ''} {ends[0] if ends else ''}"
    denied = [value for value in values_in(sentence, opens=True) if denies(value, correction)]
    if not (opens or ends or denied) or (surely and not denied and not SURE.search(signs)):
        return None
    if is_question(correction) or is_question(sentence):
        return None
    rest = correction[: ends.start()] if ends else correction
    for value in denied[:1]:
        rest = denial(value).sub(" ", rest)
    match = OPENS.match(rest)
    rest = rest[match.end() if match else 0 :].strip()
    if len(WORD.findall(rest)) > _MOST:
        return None
    # "Sorry, Tom" calls somebody.
    names = any(value.kind == "name" for value in denied) or MEANT.search(signs) is not None
    new = list(_new_values(rest, sentence, names=names))
    kinds = {value.kind for value in new}
    old = denied if len(denied) <= 1 else [value for value in denied if value.kind in kinds]
    if len(old) > 1 or (old and len(new) != 1):
        return None
    if old and old[0].kind == "name" and not _GENDERED.isdisjoint(_spoken(sentence)):
        # "Leo lent me his drill" is of no Lea.
        return None
    return _with_day(sentence, rest, old, new) or replaced(sentence, rest, old or list(values_in(sentence)), new)


def _new_values(rest: str, sentence: str, *, names: bool) -> Iterator[Value]:
    """The values of a correction without its words and names that the sentence has itself."""
    own = frozenset(_spoken(sentence))
    for value in values_in(rest, opens=True, names=names):
        if value.kind == "name" and not value.start and _ASSENTS.fullmatch(value.text):
            continue
        if value.kind != "name" or not own.issuperset(_spoken(value.text)):
            yield value


def _with_day(sentence: str, rest: str, old: Sequence[Value], new: Sequence[Value]) -> str | None:
    """The sentence with another day of the same month, where a day alone is said instead: "not the 13th, the 20th"."""
    if len(old) != 1 or old[0].kind != "date" or len(new) != 1 or new[0].kind != "number":
        return None
    other, day = DAY.fullmatch(new[0].text), DAY.search(old[0].text)
    if other is None or day is None or not is_bare(sentence, rest, new):
        return None
    number = other[0].removesuffix(other["ends"] or "")
    if not 0 < int(number) <= _DAYS_OF_MONTH:
        return None
    start = old[0].start + day.start()
    return f"{sentence[:start]}{number}{other['ends'] or '' if day['ends'] else ''}{sentence[start + len(day[0]) :]}"


def replaced(sentence: str, rest: str, old: Sequence[Value], new: Sequence[Value]) -> str | None:
    """The sentence with other values, of kinds of which it has one, of a text that says nothing else."""
    if not new or not is_bare(sentence, rest, new):
        return None
    swaps: dict[tuple[int, int], str] = {}
    for value in new:
        near = [other for other in old if other.kind == value.kind and (not value.unit or other.unit == value.unit)]
        alike = [other for other in new if other.kind == value.kind]
        if len(near) == len(alike) > 1 and _is_list(sentence, near) and _is_list(rest, alike):
            near = [near[alike.index(value)]]
        elif any(other.text.casefold() == value.text.casefold() for other in near):
            continue
        if len(near) != 1 or (near[0].start, near[0].end) in swaps:
            return None
        swaps[near[0].start, near[0].end] = value.text
    changed = sentence
    for (start, end), text in sorted(swaps.items(), reverse=True):
        changed = changed[:start] + text + changed[end:]
    return None if changed == sentence else changed


def _is_list(text: str, listed: Sequence[Value]) -> bool:
    """Whether nothing but "and" or a comma stands between the values."""
    return all(_LISTED.fullmatch(text[before.end : behind.start]) for before, behind in pairwise(listed))


def is_bare(sentence: str, rest: str, of: Sequence[Value]) -> bool:
    """Whether a text says these values alone, with words of the sentence that it corrects, or of none."""
    for value in sorted(of, key=lambda value: value.start, reverse=True):
        rest = rest[: value.start] + " " + OWNS.sub("", rest[value.end : value.end + 2]) + rest[value.end + 2 :]
    own = frozenset(map(stem, _spoken(sentence)))
    return all(word in BESIDE or _is_form_of(stem(word), own) for word in _spoken(rest))


def _is_form_of(word: str, own: frozenset[str]) -> bool:
    """Whether a word is one of these, but for how it ends: "Herr" of "Herrn"."""
    if word in own:
        return True
    return len(word) >= _LONG and any(
        other.startswith(word) or word.startswith(other) for other in own if 0 < abs(len(other) - len(word)) <= _ENDING
    )


def _spoken(text: str) -> list[str]:
    """Its words in small letters, each without the article before it: "l'échelle"."""
    spoken = (word.casefold().replace("\u2019", "'") for word in WORD.findall(text))
    return [word if word in BESIDE else word.rpartition("'")[2] or word for word in spoken]
