"""Figures and what they are of: a thing's measure, a number that tells it apart, what a number is called.

"The parcel weighs 4 kilos" tells no weight of the user, "room 12" is no other room, "Passport number is 561203447"
tells no telephone number, and "Adesso l'affitto è di 780 euro" says only what the rent is.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from precis.finding import capitals, halves, identifiers, nouns, parts
from precis.finding.reading import UNSPACED, Word, folded, read_words, word_from
from precis.finding.tables import all_words, any_group, groups, name_words, words_of
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written import languages, speaking
from precis.language.values import unit_of
from precis.language.words import STOP_WORDS

#: Groups of what things have as well as people: how old, tall or heavy they are.
_MEASURES = frozenset({"age", "birthday", "body"})
#: Words that open a sentence about a thing.
_POINTING = frozenset("the a an this that these those".split())


def of_own_thing(
    words: Sequence[Word],
    own: Collection[str],
    own_names: Collection[str],
    groups_meant: Collection[str],
    subject: Collection[Span],
) -> bool:
    """Whether a thing of the user's is so old, tall or heavy, and not the user: "My bookcase is two meters tall"."""
    if not groups_meant or not _MEASURES.issuperset(groups_meant) or not subject:
        return False
    place = min(start for start, _ in subject)
    if _measures_thing(words, word_from(words, place), groups_meant):
        return True
    owners = [at for at, word in enumerate(words) if word.low in own and word.start < place]
    if not owners or owners[-1] + 1 == len(words):
        return False
    owner = words[owners[-1]]
    if owner.low in speaking.SPEAKING or (owner.low in own_names and not owner.owns):
        return False
    behind = next((word for word in words[owners[-1] + 1 :] if word.low not in name_words("plain")), words[-1])
    return behind.start < place


def _measures_thing(words: Sequence[Word], at: int, groups_meant: Collection[str]) -> bool:
    """Whether it is said behind "of" what a thing weighs or measures: "a kettlebell of 16 kilos"."""
    while at and words[at - 1].text[0].isdigit():
        at -= 1
    if at < 2 or words[at - 1].low != "of":
        return False
    thing = words[at - 2].low
    return thing not in STOP_WORDS and not any(groups()[name][0].fullmatch(thing) for name in groups_meant)


def of_a_thing(sentence: str, spans: Sequence[Span]) -> bool:
    """Whether a sentence tells of a thing of nobody's what was asked for of the user: "The parcel weighs 4 kilos"."""
    words = read_words(sentence)
    lows = [word.low for word in words]
    if not words or not spans or lows[0] not in _POINTING or languages.language_of(lows, sentence) != "en":
        return False
    own = any(low in words_of("en", "first") for low in lows)
    if not own and _narrows(words, spans):
        return True
    # Behind "the" and a noun, where no verb is known.
    verb = next((word.start for word in words[1:] if capitals.finite(word)), words[2].start if len(words) > 2 else None)
    return verb is not None and not own and min(spans)[0] >= verb


def _narrows(words: Sequence[Word], spans: Sequence[Span]) -> bool:
    """Whether all that was found only says what kind another thing is: of "the family bakery" the family."""
    ends = {end for _, end in spans}
    heads = [
        behind
        for word, behind in pairwise(words)
        if word.end in ends and behind.gap == " " and nouns.names_thing(behind.low) and not capitals.finite(behind)
    ]
    return len(heads) == len(ends) and not any(first <= head.start < last for head in heads for first, last in spans)


_SIGN = r"(?:(?:no\.?|nr\.?|number|#) ?)?"
_ASKED = re.compile(
    rf"(?:(?:the|my|our|that|this) )?(?P<things>[a-z]{{3,}}(?: [a-z]{{3,}}){{0,2}}) {_SIGN}"
    r"(?P<number>\d{1,4}(?:\.\d{1,3}){0,3}-?[a-z]?)$",
    re.IGNORECASE,
)
#: Their number says how many or when, and not which one.
_COUNTED = name_words("counted")


def match_numbered(subject: parts.Subject, row: Row) -> Match | None:
    """SURE for a row with the thing and its number, NEAR for one with another number; None where none is asked for."""
    if subject.foreign or subject.names or subject.clause or subject.old or subject.current:
        return None
    asked = _ASKED.match(subject.text)
    if asked is None or not _COUNTED.isdisjoint(asked["things"].lower().split()):
        return None
    numbers = [*_pattern(asked["things"].lower()).finditer(row.text)]
    same = tuple(it.span() for it in numbers if _plain(it["number"]) == _plain(asked["number"]))
    if same:
        return Match(level=Level.SURE, why="it has this number", spans=same)
    return Match(level=Level.NEAR, why="it has another number") if numbers else None


@lru_cache(maxsize=256)
def _pattern(things: str) -> re.Pattern[str]:
    names = "|".join(re.escape(thing) for thing in things.split())
    return re.compile(rf"\b(?:{names}) {_SIGN}(?P<number>\d+(?:\.\d+){{0,3}}-?[a-z]?)\b(?![.,:/-]\d)", re.IGNORECASE)


def _plain(number: str) -> str:
    return number.replace("-", "").lower()


#: What may stand beside it where no space sets words apart: figures, units, times and endings.
_UNSPACED = re.compile(
    "[\\d\\s,.:\uff0e\uff0c\u3001\u3002\u306e\u306f\u3067\u3059\u3060\u3063\u305f\u4eca\u524d\u6708\u5e74\u65e5\u5186\u4e07\u5343\u767e\u5143\u5757\u516c\u65a4\u30ad\u30ed\u671d\u6628\u6bce\u5206\u6642\u662f\u73b0\u5728]*"
)
_YES = re.compile("^(?:\u306f\u3044|\u3046\u3093|\u3048\u3048|\u55ef)\u3001?")


def tells_only_a_value(sentence: str, subject: Collection[Span]) -> bool:
    """Whether a sentence has what was asked for and a figure, and else only small words and words of time."""
    if not subject or not any(map(str.isdigit, sentence)):
        return False
    if UNSPACED.search(sentence):
        rest = "".join(sign for at, sign in enumerate(sentence) if not any(s <= at < e for s, e in subject))
        return _UNSPACED.fullmatch(_YES.sub("", rest)) is not None
    words = [word for word in read_words(sentence) if not any(s < word.end and word.start < e for s, e in subject)]
    return all(map(_says_little, words))


def _says_little(word: Word) -> bool:
    if any(map(str.isdigit, word.text)):
        return True
    small = (
        name_words("articles") | all_words("articles") | speaking.OF | name_words("copulas") | name_words("hindi_verbs")
        | name_words("present") | name_words("alike_now") | name_words("beside_values") | name_words("caseless_of")
    )  # fmt: skip
    return word.low in small or bool(unit_of(word.low)) or folded(word.text).strip("$\u20ac\u00a3") == ""


def behind_all(words: Sequence[Word], spans: Collection[Span]) -> int | None:
    """Where the word begins that follows what was found."""
    ends = {end for _, end in spans}
    return next((word.start for before, word in pairwise(words) if before.end in ends), None)


def only_object(words: Sequence[Word], own: Collection[str], subject: Collection[Span], language: str) -> bool:
    """Whether something with an article does something to the user, and is not called theirs: "El perro me sigue"."""
    owners = [word for word in words if word.low in own]
    objects, articles = words_of(language, "objects"), words_of(language, "articles")
    acting = words[0].low in articles and any(start == words[min(1, len(words) - 1)].start for start, _ in subject)
    return acting and bool(owners) and all(word.low in objects for word in owners)


#: Groups of what has a number of its own.
_NUMBERED = frozenset(
    "passport identity_card insurance tax money secret plate subscription contract driving law travel car".split()
)
#: What a number is called by in English: the word before it.
_CALLED = re.compile(
    r"(?<![\w'\u2019])(?P<of>[a-z][\w-]*) (?:numbers?|no\.?|nr\.?|ids?|codes?|reference|ref\.?)\b"
    r"|\b(?P<id>id|pin|iban|isbn|vat)\b",
    re.IGNORECASE,
)
#: The same, of words that say nothing of what it is.
_PLAIN = name_words("beside_number")
#: In one word, as German, Dutch and Swedish make it, and by a sign of capitals: "Kundennummer ist", "CLABE es".
_COMPOUND = re.compile(r"\b(?P<of>[^\W\d_]{3,}?)s?(?:nummer|numret|numre)\b", re.IGNORECASE)
_MARK = re.compile(r"(?<!\w)(?P<sign>[A-Z]{3,6})(?::| (?:is|ist|es|é|est|è|to|är))? ?$")
_TELEPHONES = frozenset("TEL TLF GSM CEL MOB SMS WHATSAPP FAX".split())
_CLAUSE = re.compile(r"[.;!?\n]|,\s")
#: What parts what is told of somebody: "..., and she lives in Cork".
_JOINT = re.compile(r"[,;]\s+(?:(?:and|but)\s+)?|\s+(?:and|but)\s+|[.!?]\s+")
_THEY = frozenset("he she they".split())
#: Kinds of identifiers that somebody has, and is not asked for by their value.
_TOLD = frozenset({"number", "address", "account"})


def is_called_otherwise(text: str, start: int, groups: Collection[str]) -> bool:
    """Whether the number at this place is called by something else than these groups mean."""
    before = _CLAUSE.split(text[:start])[-1]
    low = folded(before)
    if any_group(frozenset(groups), plain=low.isascii()).search(low):
        return False
    sign, compounds = _MARK.search(before), [*_COMPOUND.finditer(before)]
    if compounds or (sign is not None and sign["sign"] not in _TELEPHONES):
        return True
    others = _NUMBERED.difference(groups)
    called = [(match["of"] or match["id"]).lower() for match in _CALLED.finditer(before)]
    if called and called[-1] not in _PLAIN:
        return True
    return any_group(others, plain=low.isascii()).search(low) is not None


def takes_more_along(text: str, going: Sequence[Span], keeps: Sequence[Span]) -> bool:
    """Whether a number or an address of mail goes, and with it another or what somebody is told of by a pronoun."""
    places, kept = halves.Places(going), halves.Places(keeps)
    marks = identifiers.identifiers_in(text)
    if not any(mark.kind in _TOLD and places.touch((mark.start, mark.end)) for mark in marks):
        return False
    lost = [mark for mark in marks if not places.touch((mark.start, mark.end))]
    if any(not kept.touch((mark.start, mark.end)) for mark in lost):
        return True
    words = read_words(text)
    cuts = [0, *(cut for joint in _JOINT.finditer(text) for cut in joint.span()), len(text)]
    for piece in zip(cuts[::2], cuts[1::2], strict=True):
        inside = words[word_from(words, piece[0]) : word_from(words, piece[1])]
        taken = bool(inside) and inside[0].low in _THEY and any(map(capitals.finite, inside[1:]))
        if taken and not (places.touch(piece) or kept.touch(piece)):
            return True
    return False
