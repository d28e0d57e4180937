"""What was booked, planned or estimated, and what of it is off again, or what it came to in the end. Pure.

A guess by the words for the thing: it is used for the order of statements, and for the day behind the older one. What
somebody else canceled, what may be canceled, and a part or another of the same kind undo nothing.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.grammar import FIRST, OWN, THEIR, THIRD
from precis.language.script import without_small
from precis.language.values import NUMBER, keys_of, unit_of
from precis.language.words import MARKS, STOP_WORDS, names, stem, words


def _whole(place: str) -> dict[str, re.Pattern[str]]:
    """What a table lists, by language, as whole words."""
    return {
        language: re.compile(
            rf"(?<![\w{MARKS}-])(?:{tables.choices(f'{place}.{language}')})(?![\w{MARKS}-])", re.IGNORECASE
        )
        for language in tables.section(place)
    }


_ARRANGED, _OFF, _DROPS, _NOT, _UNLESS, _IF, _ESTIMATES, _FINALS = (
    _whole(f"undone.{name}")
    for name in ("arranged", "off", "drops", "not", "unless", "condition", "estimates", "finals")
)
_ENGLISH = "English"
#: Any of these in small letters, which is looked for first: most sentences have none.
_ANY = re.compile(
    rf"(?<![\w{MARKS}-])(?:%s)"
    % "|".join(
        tables.choices(f"undone.{place}.{language}")
        for place in ("arranged", "off", "drops", "not", "estimates", "finals")
        for language in tables.section(f"undone.{place}")
    )
)
_ARRANGEMENTS = frozenset(map(stem, tables.words("undone.arrangements.English")))
#: What ends the phrase for a thing; what parts clauses; and what stands between who does something and the verb.
_TAIL = re.compile(
    r"\b(?:for|at|in|of|from|with|to|on|by|because|since|after|before|until|so|but|and|that|which|who|as|when|we|I)\b"
)
_CLAUSE = re.compile(r"\s*(?:[,;:.!?\u2013\u2014]|\b(?:and|but|so|because)\b)\s*")
_AIDS = re.compile(r"(?:\b(?:has|have|had|just|also|already|now|\w+ly)|['\u2019](?:ve|s|d))\s*$", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be|got|gets)\s*$", re.IGNORECASE)
_NAME = re.compile(r"[A-Z\u00c0-\u00de][^\W\d_]+")
#: Behind one of these stands where to or with whom, also where each noun has a capital.
_WHERE = re.compile(rf"\b(?:{tables.choices('undone.where.all')})\s+([A-Z\u00c0-\u00de][^\W\d_]+)")
_KIN = re.compile(
    "|".join(
        noun[:-1] if noun.endswith("|") else rf"{noun}[\w-]*"
        for listed in tables.section("kin.people").values()
        for noun in listed.split()
    )
)
#: Words of whoever speaks, which may open a sentence.
_ME = {
    language: re.compile(tables.choices(f"asides.{language}.me"), re.IGNORECASE)
    for language in tables.section("undone.arranged")
    if language != _ENGLISH
}
#: Who does something, where only a pronoun says so.
_SELF, _OTHER = "I", "other"
_OTHERS = (THIRD | THEIR) - {"it", "its", "this", "that"}
_SHORTEST = 3
#: An article before an apostrophe: "l'appartamento".
_ELIDED = re.compile(r"\b[^\W\d_]{1,6}['\u2019]")
#: An amount that is so near to another may be what an estimate came to where nobody says of what.
_NEAR = 1.3


class Thing(NamedTuple):
    """What is off: the last word of its phrase, those before it, and those behind it."""

    head: str
    before: frozenset[str]
    behind: frozenset[str]


class Deed(NamedTuple):
    """What a sentence says to be arranged or off, or to cost."""

    #: arranged, off, estimate, final, or nothing of these.
    kind: str = ""
    language: str = ""
    things: tuple[Thing, ...] = ()
    #: Who does it: whoever speaks, somebody that a pronoun names, or the words for somebody else.
    who: frozenset[str] = frozenset()
    matter: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    figures: frozenset[str] = frozenset()

    @property
    def may_end(self) -> bool:
        """Whether a later sentence may say what became of it."""
        return self.kind in {"arranged", "estimate"}

    @property
    def keys(self) -> frozenset[str]:
        """Words by which it is found; of sums one more, since what is paid in the end may not say of what."""
        return self.matter | {""} if self.figures else self.matter

    def calls_off(self, doing: frozenset[str], shared: frozenset[str]) -> bool:
        """Whether what is off is what another sentence speaks of doing, of the same: "The move to Dartmouth is off"."""
        things = self.things if self.kind == "off" else ()
        return any(thing.head in doing and not thing.behind.isdisjoint(shared) for thing in things)


_NOTHING = Deed()


def deed_of(sentence: str) -> Deed:
    """What a sentence that neither asks nor jokes says to be arranged, off, or likely to cost, or to have cost."""
    if _ANY.search(sentence.lower()) is None:
        return _NOTHING
    off = _first(sentence, _NOT, _OFF, _DROPS)
    language, verb = off or _first(sentence, _ARRANGED) or ("", None)
    if verb is None or _is_unsure(sentence, verb, language):
        return _cost(sentence)
    who = _who(sentence, verb) if language == _ENGLISH else _who_abroad(sentence, language)
    rest = sentence[: verb.start()] + " " + sentence[verb.end() :]
    return Deed(
        kind="off" if off else "arranged",
        language=language,
        things=tuple(_things(sentence, verb)) if off and language == _ENGLISH else (),
        who=who,
        matter=_terms(rest, language) - who,
        named=_named(sentence, language) - who,
    )


def _first(sentence: str, *tables_: Mapping[str, re.Pattern[str]]) -> tuple[str, re.Match[str]] | None:
    """The first match of these patterns, with its language."""
    matches = ((name, pattern.search(sentence)) for table in tables_ for name, pattern in table.items())
    return next(((name, match) for name, match in matches if match), None)


def _named(sentence: str, language: str) -> frozenset[str]:
    return frozenset(map(str.casefold, names(sentence) if language == _ENGLISH else _WHERE.findall(sentence)))


def is_arranged(sentence: str) -> bool:
    """Whether it says that something is booked, ordered or planned."""
    return deed_of(sentence).kind == "arranged"


def undoes(newer: Deed, older: Deed) -> bool:
    """Whether the newer sentence says that what the older one says is off, or what it came to."""
    if older.kind == "estimate" and newer.kind == "final":
        return newer.figures.isdisjoint(older.figures) and _is_of_one_sum(newer, older)
    if older.kind != "arranged" or newer.kind != "off" or newer.language != older.language:
        return False
    if not _may_be_of(newer.who, older):
        return False
    if newer.named and older.named and newer.named.isdisjoint(older.named):
        return False  # "the flat in Porto" is not the one in Lisbon
    if newer.language != _ENGLISH:
        return not newer.matter.isdisjoint(older.matter)
    return any(_is_thing(thing, older.matter) for thing in newer.things)


def _is_thing(thing: Thing, own: frozenset[str]) -> bool:
    """Whether a thing is what the older sentence arranges: by its noun, or as what is arranged of it."""
    if thing.head in own:
        return not thing.before or not thing.before.isdisjoint(own)
    return thing.head in _ARRANGEMENTS and not (thing.before | thing.behind).isdisjoint(own)


def _may_be_of(who: frozenset[str], older: Deed) -> bool:
    """Whether those who call something off may be who arranged it, or with whom they arranged it."""
    if not who or who == older.who:
        return True
    if _SELF in who:
        return not older.who
    if _OTHER in who:
        return bool(older.who) and _SELF not in older.who
    return who <= older.who | older.matter


def _is_of_one_sum(newer: Deed, older: Deed) -> bool:
    if newer.matter and older.matter:
        return not newer.matter.isdisjoint(older.matter) and not (
            newer.named and older.named and newer.named.isdisjoint(older.named)
        )
    least, most = sorted(max(map(float, deed.figures)) for deed in (newer, older))
    return most <= _NEAR * least


def _cost(sentence: str) -> Deed:
    """What it says something may cost, or did."""
    estimate = _first(sentence, _ESTIMATES)
    final = _first(sentence, _FINALS) if estimate is None else None
    language, match = estimate or final or ("", None)
    read = (keys_of(number)[0].removeprefix("#") for number in re.findall(NUMBER, sentence))
    figures = frozenset(key for key in read if key.replace(".", "", 1).isdigit() and float(key) > 0)
    if match is None or not figures:
        return _NOTHING
    return Deed(
        kind="estimate" if estimate else "final",
        language=language,
        matter=_terms((_ESTIMATES if estimate else _FINALS)[language].sub(" ", sentence), language),
        named=_named(sentence, language),
        figures=figures,
    )


def _is_unsure(sentence: str, verb: re.Match[str], language: str) -> bool:
    """Whether it stands under a condition, or says that it was not or only nearly done."""
    before = _CLAUSE.split(sentence[: verb.start()])[-1]
    low = f"{before[:1].lower()}{before[1:]}"
    return any(
        language in table and (table[language].match(sentence) if table is _IF else table[language].search(low))
        for table in (_IF, _UNLESS)
    )


def _who(sentence: str, verb: re.Match[str]) -> frozenset[str]:
    """Who does it; of what is done to a thing, whose that is."""
    parts = [part for part in _CLAUSE.split(sentence[: verb.start()]) if _bare(part)]
    subject = _bare(parts[-1]) if parts else ""
    spoken = [word.casefold() for word in re.findall(r"[^\W\d_]+", subject)]
    owner = re.match(r"([^\W\d_]+)['\u2019]s\b", subject)
    passive = _PASSIVE.search(sentence[: verb.start()]) is not None or _OFF[_ENGLISH].match(verb.group()) is not None
    if not FIRST.isdisjoint(spoken):
        return frozenset({_SELF})
    if not _OTHERS.isdisjoint(spoken[:1]):
        return frozenset({_OTHER})
    kin = [word for word in spoken[:3] if _KIN.fullmatch(word)]
    if kin and not OWN.isdisjoint(spoken[:1]):
        return frozenset(map(stem, kin))
    if owner and owner[1][0].isupper():
        return frozenset({stem(owner[1].casefold())} | (_terms(subject, _ENGLISH) if not passive else set()))
    opens = _NAME.match(subject)
    if opens and opens.group().casefold() not in STOP_WORDS and not (passive and _PASSIVE.search(subject)):
        return _terms(subject, _ENGLISH)
    return frozenset()


def _bare(part: str) -> str:
    """A part of a sentence without what only helps its verb."""
    while aid := _AIDS.search(part):
        part = part[: aid.start()]
    return part.strip()


def _who_abroad(sentence: str, language: str) -> frozenset[str]:
    """Who somebody is to whoever speaks, where another language says so, or the name that opens the sentence."""
    spoken = without_small(sentence, language)
    kin = frozenset(stem(word) for word in words(spoken) if _KIN.fullmatch(word))
    opens = _NAME.match(sentence)
    if opens and (_first(opens.group(), _ARRANGED, _DROPS) or _ME[language].fullmatch(opens.group())):
        opens = None
    return kin | (_terms(opens.group(), language) if opens else frozenset())


def _things(sentence: str, verb: re.Match[str]) -> Iterator[Thing]:
    """What is off: what stands behind a verb that has something behind it, else what stands before."""
    behind = _CLAUSE.split(sentence[verb.end() :])[0]
    if not _OFF[_ENGLISH].match(verb.group()):
        thing = _thing(re.sub(r"^\s*(?:to|at|in|for|with|the|on)\b", "", behind))
        if thing is not None:
            yield thing
            return
    parts = [part for part in _CLAUSE.split(sentence[: verb.start()]) if _bare(part)]
    thing = _thing(_bare(parts[-1])) if parts else None
    if thing is not None:
        yield thing


def _thing(phrase: str) -> Thing | None:
    tail = _TAIL.search(phrase)
    telling = [stem(word) for word in words(phrase[: tail.start()] if tail else phrase) if _tells(word)]
    rest = _terms(phrase[tail.end() :], _ENGLISH) if tail else frozenset()
    return Thing(telling[-1], frozenset(telling[:-1]), rest) if telling else None


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha() and word not in STOP_WORDS and not unit_of(word)


def _terms(text: str, language: str) -> frozenset[str]:
    """The stems of what tells something in a text."""
    bare = text if language == _ENGLISH else without_small(_ELIDED.sub(" ", text), language)
    return frozenset(stem(word) for word in words(bare) if _tells(word))
