"""Facts of dealings: what was agreed with somebody, the code or number of a place, who succeeds whom."""

import re

from precis.language import tables
from precis.language.newest.single import single_in
from precis.language.words import names, normal, words

_FIGURE = re.compile(r"\d")
#: "We agreed on 85 euros with Lumo", "At Brandt we fixed 12.40": whoever speaks, and those they deal with.
_AGREED = re.compile(
    rf"\b(?P<who>I|we)(?:['\u2019]ve| have)?(?: \w+ly| now| also| just)? (?:{tables.choices('told_of.agreed')})\b",
    re.IGNORECASE,
)
_VALUED = frozenset(tables.words("told_of.valued"))
#: Who is what to somebody named right before: "Her successor is one Tobias Weiher."
_RELATED = re.compile(
    rf"(?:his|her|their) (?:new |direct |private |work |own )?(?:{tables.choices('told_of.related')})"
    r" (?:is|are|will be|is called|['\u2019]s)(?: now| called| one| a certain| going to be)* (?P<value>.+)",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Z\u00c0-\u00de][^\W\d_]+")


def is_agreement(sentence: str) -> bool:
    """Whether it says what whoever speaks agreed with somebody it names, with a figure."""
    return _AGREED.search(sentence) is not None and _FIGURE.search(sentence) is not None and bool(_partners(sentence))


def _partners(sentence: str) -> list[str]:
    return [name for name in names(sentence) if name != "I"]


def without_we(sentence: str) -> str:
    """An agreement as if one alone had made it: it is known who "we" are, whoever speaks for them."""
    return re.sub(r"\b[Ww]e\b", "I", sentence) if is_agreement(sentence) else sentence


def gives_value(sentence: str) -> bool:
    """Whether it gives the code, the number, the price of something that it says by name where or whose it is."""
    single = single_in(sentence)
    if single is None or not _FIGURE.search(single.value):
        return False
    named = re.split(r"\b(?:is|are|was|were)\b|[:=]", normal(sentence), maxsplit=1)[0]
    return not _VALUED.isdisjoint(words(named)) and bool(_partners(named))


def tells_who_to_whom(sentence: str) -> bool:
    """Whether it names who or what is whose, where "his" or "her" is of whoever the sentence before is about."""
    match = _RELATED.fullmatch(sentence)
    return match is not None and (_NAME.search(match["value"]) or _FIGURE.search(match["value"])) is not None
