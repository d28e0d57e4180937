"""What stays in a summary before what only passes: health, which must not be forgotten, and what amounts come to."""

from collections.abc import Sequence
from dataclasses import replace

from precis import patterns as re
from precis.checks.reactions import is_general
from precis.checks.trifles import changes_a_life
from precis.extractive.candidate import Candidate
from precis.language import tables
from precis.language.dates import MONTHS_ELSEWHERE
from precis.language.newest.taken_back import jokes_in
from precis.language.script import is_foreign
from precis.language.sentences import is_entry, is_question, sentences
from precis.language.words import content, names, numbers
from precis.makers import Item

#: So many times as much they are worth as what has as many words of as much weight: health goes first, in however few
#: words it is said, and a diet before what only passes.
_HEALTH, _TOTAL, _DIET = 10.0, 4.0, 1.5
#: Of other languages it is not known which words are rare. There what changes a life, a dose and a number to call are
#: worth so many times as much, and what has an amount, a clock time or a day of the calendar this.
_KEPT, _EXACT = 2.5, 1.5
#: And so many times what makes up a sum that is told.
_PART = 0.5


#: Without IGNORECASE, over small letters, these take a third of the time.
_OF_HEALTH = re.compile(
    f"{tables.whole(tables.in_every_language('weighty.health'))}|{tables.in_every_language('weighty.health_unspaced')}"
)
_OF_DIET = re.compile(tables.whole(tables.in_every_language("weighty.diet")))
#: Of nobody: "for people who can't have lactose".
_OF_ANYBODY = re.compile(r"\b(?:people|anyone|those|everyone|guests|someone) (?:who|that|with)\b", re.IGNORECASE)
#: Words for an allergy in any word of another language: "Nussallergie".
_ELSEWHERE = re.compile("|".join(tables.words("wishes.parts.suits")))
_ABROAD = tables.entry("abroad").values()
_DOSE_OR_NUMBER = re.compile(tables.choices("weighty.exact.kept"), re.IGNORECASE)
_MONTHS = "|".join(
    month.replace("_", " ")
    for months in (*MONTHS_ELSEWHERE.values(), *(each["months"].split() for each in _ABROAD if "months" in each))
    for month in months
)
_AMOUNT_OR_DAY = re.compile(
    rf"{tables.choices('weighty.exact.amounts')}|\d{{1,2}}\.?º? (?:de )?(?:{_MONTHS})", re.IGNORECASE
)
#: A day that was added to what was said.
_ADDED = re.compile(r"\s?\([^()]*\b(?:19|20)\d\d[^()]*\)")
_COMES_TO = re.compile(
    rf"(?:{tables.whole(tables.in_every_language('weighty.totals'))}|{tables.in_every_language('weighty.totals_unspaced')})"
    r"\W{0,4}(?:[^\W\d_]{1,4}\W{0,2})?\d"
)


def weighted(options: Sequence[Candidate], items: Sequence[Item]) -> list[Candidate]:
    """The candidates, those worth more that tell of somebody's health for good, or what a bill comes to.

    What was told already of the same person is worth no more the second time.
    """
    told_of = set[_Key]()
    every: list[Candidate] = []
    summed = {option.item for option in options if _COMES_TO.search(option.text.lower())}
    of_diet = any(_OF_DIET.search(option.text.lower()) for option in options)
    for option in options:
        keys = {_key(part, option, items[option.item]) for part in of_health(option.text)}
        is_new = bool(keys - told_of)
        times = _HEALTH if is_new else _times(option.text, of_diet=of_diet)
        times *= _PART if option.item in summed and is_entry(option.text) else 1.0
        told_of |= keys
        same = times == 1.0 and is_new == option.of_health
        every.append(option if same else replace(option, share=option.share * times, of_health=is_new))
    return every


def _times(text: str, *, of_diet: bool) -> float:
    """What a text that is not of health is worth. Beside a diet what has a figure is worth as much, and stays."""
    if _COMES_TO.search(text.lower()):
        return _TOTAL
    if is_foreign(text):
        return _times_abroad(_ADDED.sub("", text))
    return _DIET if of_diet and (_OF_DIET.search(text.lower()) or numbers(text)) else 1.0


def _times_abroad(text: str) -> float:
    """What a text of another language is worth by what people keep, whatever the words are."""
    if is_question(text):
        return 1.0
    if _DOSE_OR_NUMBER.search(text) or changes_a_life(text):
        return _KEPT
    return _EXACT if _AMOUNT_OR_DAY.search(text) else 1.0


#: Who speaks, who is named, and what is told of their health.
_Key = tuple[str, frozenset[str], frozenset[str]]


def _key(sentence: str, option: Candidate, item: Item) -> _Key:
    match = _OF_HEALTH.search(sentence.lower())
    matter = content(match.group()) if match else content(sentence)
    return item.speaker or option.text.partition(":")[0], frozenset(names(sentence)), matter


def of_health(text: str) -> list[str]:
    """The sentences of a text that tell of somebody's health, and neither ask nor joke nor speak of everybody."""
    small = text.lower()
    if not (_OF_HEALTH.search(small) or _ELSEWHERE.search(small)):
        return []
    parts = sentences(text)
    return [
        part
        for part, joke in zip(parts, jokes_in(parts), strict=True)
        if not joke and not is_question(part) and _is_of_health(part)
    ]


def _is_of_health(sentence: str) -> bool:
    if _OF_HEALTH.search(sentence.lower()):
        return not is_general(sentence) and not _OF_ANYBODY.search(sentence)
    return _ELSEWHERE.search(sentence.lower()) is not None and is_foreign(sentence)
