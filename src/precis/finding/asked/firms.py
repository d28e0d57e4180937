"""Names of firms with a legal form: "Tarvik AG" is Tarvik, unless a memory knows another firm of that name."""

import re
from collections.abc import Collection, Sequence

from precis.finding.kinds import is_person
from precis.finding.nouns import known, names_thing
from precis.finding.reading import Word, folded, read_words
from precis.finding.tables import name_words
from precis.finding.values import Level, Span
from precis.finding.written.forms import same_word
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

#: Legal forms with dots or signs between their letters, behind a name.
_DOTTED = re.compile(
    r"(?<=\w),? (?:(?P<form>S\.p\.A|S\.r\.l|S\.A\.S|S\.A\.R\.L|S\.A|S\.L|B\.V|N\.V)(?!\w)\.?"
    r"|(?:(?:GmbH|AG) )?& (?P<company>Co)\b\.?(?: KG\b)?)"
)
#: Before the make of a thing: "parts for Mercedes engines"; not "with", for whom something is done.
_OF_A_THING = frozenset("of for my our his her their old new blue white".split())
#: Those that are not all capitals.
_WRITTEN = frozenset("Ltd Inc Corp GmbH Oy Oyj SpA Srl Sarl Limited Incorporated Corporation ApS Aps Pty Co".split())


def plain_forms(text: str) -> str:
    """A request in which each legal form is one word: "Rossini SpA", "Kerrigan Co"."""
    return _DOTTED.sub(lambda match: f" {re.sub('[. ]', '', match['form'] or match['company'])}", text)


def is_firm(name: tuple[str, ...], text: str) -> bool:
    """Whether a name that stands in a request ends in a legal form as one is written: "SA", and not "Ana S\u00e1"."""
    if len(name) < 2 or name[-1] not in name_words("legal_forms"):
        return False
    return any(word.low == name[-1] and (word.text.isupper() or word.text in _WRITTEN) for word in read_words(text))


def without_forms(name: tuple[str, ...]) -> tuple[str, ...]:
    """A name without the legal forms behind its first word."""
    return (*name[:1], *(word for word in name[1:] if word not in name_words("legal_forms")))


def legal_forms(text: str) -> frozenset[str]:
    """The legal forms behind the first word of a name as it is written."""
    lows = {folded(word.text) for word in read_words(text)[1:]}
    return frozenset(lows & name_words("legal_forms"))


def of_firm(
    firm: tuple[str, ...], form: str, full: tuple[str, ...], forms: frozenset[str], *, others: bool
) -> tuple[Level, str]:
    """How surely a name is that of a firm that was asked for with its legal form.

    ``full`` is the name as it is written, ``forms`` what stands behind it there, ``others`` says whether the memories
    know another firm of that name.
    """
    if len(full) != len(firm) or not all(map(same_word, firm, full)):
        shared = any(same_word(word, other) for word in firm for other in full)
        return (Level.DOUBTFUL, "another firm may be called so") if shared else (Level.NEAR, "it is somebody else")
    if form in forms:
        return Level.SURE, "it has that name"
    if forms or others:
        return Level.DOUBTFUL, "another firm may be called so"
    return Level.SURE, "it has that name"


def only_beside_institution(text: str, spans: Sequence[Span], asked: str) -> bool:
    """Whether each name stands right beside a bank, a street or a firm that was not asked for: "with Moss bank"."""
    words = read_words(text)
    named = {word.low for word in read_words(asked)}
    places = [[at for at, word in enumerate(words) if first <= word.start < last] for first, last in spans]
    return bool(places) and all(
        at and (_is_institutions(words, at[0], at[-1], named) or _is_make(words, at[0], at[-1], named)) for at in places
    )


def _is_make(words: Sequence[Word], first: int, last: int, asked: Collection[str]) -> bool:
    """Whether it says of what make the thing behind it is: "a waxed Barbour jacket", "extra for Mercedes parts"."""
    if not first or last + 1 >= len(words) or words[last].owns or words[last + 1].gap != " ":
        return False
    before, thing = words[first - 1], words[last + 1]
    plain = before.low in name_words("articles") | _OF_A_THING or _describes(before.low)
    somebody = is_person(before.low) or before.low in name_words("others") | {*asked}
    if before.capital or somebody or not plain or any(mark in words[first].gap for mark in ",;:."):
        return False
    noun = names_thing(thing.low) or (known(thing.low.removesuffix("s")) and _is_noun(thing.low))
    return noun and not thing.capital and thing.low not in {*asked, *STOP_WORDS, *name_words("weak_heads"), "back"}


def _is_noun(low: str) -> bool:
    """Whether it is no verb, or a plural: "jacket", "parts"."""
    return low.endswith("s") or form_of(token(low)) is None


def _describes(low: str) -> bool:
    """Whether it is no verb, no pronoun and no small word: "green", "waxed"."""
    form = form_of(token(low))
    return low not in STOP_WORDS and (form is None or form.kinds == {"participle"} or low.endswith("ed"))


def _is_institutions(words: Sequence[Word], first: int, last: int, asked: Collection[str]) -> bool:
    if words[last].owns:
        return False
    behind = words[last + 1 : last + 2] if last + 1 < len(words) and words[last + 1].gap == " " else ()
    before = words[first - 1 : first] if first and words[first].gap == " " else ()
    beside = {word.low for word in behind} & name_words("institutions")
    beside |= {word.low for word in before} & name_words("institutions_before")
    forms = {word.low for word in (*behind, words[last]) if word.text.isupper() or word.text in _WRITTEN}
    return not (beside | (forms & name_words("legal_forms"))) <= set(asked)
