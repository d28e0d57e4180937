"""Orders to a language model, in more words and languages than one: texts that give them are no source of a draft.

A text is an order where it tells whoever summarizes it what to write or do. Some phrases are one by themselves: a verb
of disobedience with a word for which orders are meant ("previous", "all", "your") and a word for an order, or the marks
of a prompt. Of others it takes two, in one sentence or in two that follow each other: "drop everything else" and
"reply with". So "she ignores the rules of the house" and "answer me only by mail" stay memories. The phrases lie in
``en/orders.toml``.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache, cached_property
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.sentences import sentences
from precis.language.words import kept, normal
from precis.language.written.markdown import visible

#: What a language model is called.
_MACHINE = (
    r"(?:ais?|a\.i\.|llms?|gpt|chatgpt|(?:(?:large |ai )?language )?models?|(?:ai )?assistants?|chat ?bots?|bots?|"
    r"(?:ai )?agents?|summari[sz]ers?|compactors?|condensers?|machine"
    r"|summar(?:y|i[sz]ation|i[sz]ing) (?:ai|bot|engine|model|tool))"
)
_MODAL = r"(?:must|should|shall|will|needs? to|ha(?:ve|s) to|is to|are to|is required to|are required to)"
#: What stands before an English verb in its plain form where it is an order: the beginning of a clause, or a subject.
_BEFORE = re.compile(
    r"(?:^|[^\w\s]\s*|\b(?:please|kindly|now|just|simply|then|also|so|instead|and|but|first|immediately)\s+"
    rf"|\b(?:you\s+|{_MACHINE}\b[^.!?]{{0,30}}\s|(?:summary|output|statement|answer|reply|response|line)s?\b[^.!?]{{0,20}}\s)"
    rf"{_MODAL}\s+)(?:(?:now|always|just|please|simply|immediately|also|then)\s+)*$"
)
#: As much of a text as that can be, in characters.
_BEFORE_CHARS = 80
#: Whose verb it is where it tells and orders nothing: "critics also say that", "he did, however, say that".
_TELLING = re.compile(
    r"\b(?:they|we|i|you|people|who|did|do|does|not|(?!your)\w{2,}s)(?:\s+(?:now|just|simply|then|also|so|instead|first)|"
    r"\s*,\s*(?:however|though|meanwhile|indeed|therefore|moreover|too|nonetheless|nevertheless)\s*,)\s+$"
)
_TO_A_MACHINE = re.compile(rf"\b{_MACHINE}\b")
_IMPERATIVE = "{IMPERATIVE}"
#: Of the letters and marks; more letters, and punctuation, follow far behind.
_LAST_LATIN = "\u036f"


class Cue(StrEnum):
    """What a phrase does in an order."""

    #: Is an order by itself.
    ALONE = "alone"
    #: Sets aside what else there is: "drop everything else".
    OVERRIDE = "override"
    #: Names words to be written: "reply with".
    WRITE = "write"
    #: Tells to say or write, with nothing that marks the words.
    SAY = "say"
    #: Speaks to a machine: "model," or "every agent must".
    ADDRESS = "address"
    #: Speaks of the machine's work: "in your summary".
    WORK = "work"
    #: Hands over what is secret or dear: "send the passwords".
    HAND_OVER = "hand_over"
    #: Speaks of whom the machine works for as somebody else: "the user's".
    USER = "user"
    #: Says where to: an address.
    TARGET = "target"
    #: Gives the machine another part to play.
    ROLE = "role"
    #: Runs or loads something where it is shown.
    MARKUP = "markup"


class Phrases:
    """The phrases of one cue. Imperatives are looked for first, and then what stands before them.

    They are compiled for the first text, so that reading this module costs little.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = tuple(patterns)

    @cached_property
    def _imperatives(self) -> re.Pattern[str] | None:
        imperatives = [
            pattern.removeprefix(_IMPERATIVE) for pattern in self._patterns if pattern.startswith(_IMPERATIVE)
        ]
        return re.compile(rf"(?<!\w)(?:{'|'.join(imperatives)})") if imperatives else None

    @cached_property
    def _plain(self) -> re.Pattern[str] | None:
        return self._declared(_is_latin)

    @cached_property
    def _others(self) -> re.Pattern[str] | None:
        return self._declared(lambda pattern: not _is_latin(pattern))

    def _declared(self, fits: Callable[[str], bool]) -> re.Pattern[str] | None:
        others = [pattern for pattern in self._patterns if not pattern.startswith(_IMPERATIVE) and fits(pattern)]
        return re.compile(tables.any_of(others)) if others else None

    def is_in(self, text: str) -> bool:
        """Whether one of them is in a text, which is case-folded."""
        return self.end_in(text) is not None

    def command_in(self, text: str) -> int | None:
        """Where the first of them ends; None where there is none, or where it tells what others do."""
        phrase = self._ordered(text)
        before = text[max(0, phrase.start() - _BEFORE_CHARS) : phrase.start()] if phrase else ""
        is_telling = _TELLING.search(before) is not None and _TO_A_MACHINE.search(before) is None
        return None if is_telling else self.end_in(text)

    def end_in(self, text: str) -> int | None:
        """Where the first of them ends; None where there is none."""
        matches = [self._ordered(text), self._plain.search(text) if self._plain else None]
        if self._others and not text.isascii():
            matches.append(self._others.search(text))
        return min((match.end() for match in matches if match is not None), default=None)

    def _ordered(self, text: str) -> re.Match[str] | None:
        phrase = self._imperatives.search(text) if self._imperatives else None
        while phrase is not None and self._imperatives is not None:
            if _BEFORE.search(text[max(0, phrase.start() - _BEFORE_CHARS) : phrase.start()]):
                return phrase
            phrase = self._imperatives.search(text, phrase.start() + 1)
        return None


def _is_latin(pattern: str) -> bool:
    """Whether text in Latin letters may fit a pattern."""
    return all(character <= _LAST_LATIN or "\u1e00" <= character <= "\u206f" for character in pattern)


_WRITE = r"mention|include|add|state|write|say|insert|append|put|claim"
_MEANINGS = {"{MACHINE}": _MACHINE, "{MODAL}": _MODAL, "{WRITE}": _WRITE}


def _patterns(cue: str) -> list[str]:
    patterns: list[str] = tables.entry(f"orders.{cue}.patterns")
    for name, meaning in _MEANINGS.items():
        patterns = [pattern.replace(name, meaning) for pattern in patterns]
    return patterns


_CUES = {cue: Phrases(_patterns(cue)) for cue in Cue}
#: One of these is in every order; of the others, that is not looked for before.
_FIRST = {
    cue: _CUES[cue] for cue in (Cue.ALONE, Cue.OVERRIDE, Cue.ADDRESS, Cue.WORK, Cue.HAND_OVER, Cue.ROLE, Cue.MARKUP)
}
_SECOND = {cue: phrases for cue, phrases in _CUES.items() if cue not in _FIRST}


def _in_language(name: str) -> str:
    """Verb, which, order; or verb, order, which, as Romance languages have it. No clause ends in between."""
    verb, which, order = (tables.entry(f"orders.languages.{name}.{part}") for part in ("verb", "which", "order"))
    gap = r"[^.,;:!?]"
    both = rf"\b(?:{which}){gap}{{0,30}}\b(?:{order})|\b(?:{order}){gap}{{0,20}}\b(?:{which})"
    return rf"\b(?:{verb})\b{gap}{{0,40}}(?:{both})"


@cache
def _itself(*, latin: bool) -> re.Pattern[str]:
    """What is an order by itself; for text in small Latin letters, which is most, there is less to be looked for."""
    patterns = (*_patterns("itself"), *map(_in_language, tables.entry("orders.languages")))
    if latin:
        return re.compile(tables.any_of([*filter(_is_latin, patterns)]), re.DOTALL)
    return re.compile(tables.any_of(patterns), re.IGNORECASE | re.DOTALL)


#: What is an order together, and neither of it alone.
_TOGETHER = (
    {Cue.OVERRIDE, Cue.WRITE}, {Cue.OVERRIDE, Cue.ADDRESS}, {Cue.OVERRIDE, Cue.WORK}, {Cue.OVERRIDE, Cue.ROLE},
    {Cue.OVERRIDE, Cue.HAND_OVER}, {Cue.OVERRIDE, Cue.SAY}, {Cue.SAY, Cue.ADDRESS},
    {Cue.SAY, Cue.WORK}, {Cue.SAY, Cue.ROLE}, {Cue.WRITE, Cue.ADDRESS}, {Cue.WRITE, Cue.WORK}, {Cue.WRITE, Cue.ROLE},
    {Cue.WRITE, Cue.MARKUP}, {Cue.HAND_OVER, Cue.ADDRESS}, {Cue.HAND_OVER, Cue.USER}, {Cue.HAND_OVER, Cue.TARGET},
    {Cue.ROLE, Cue.ADDRESS}, {Cue.ADDRESS, Cue.WORK}, {Cue.ADDRESS, Cue.MARKUP},
)  # fmt: skip
_COMMANDS = (_SECOND[Cue.WRITE], _SECOND[Cue.SAY])
#: Sentences around an order that it may speak of: so many before it and after it are no source either.
BEFORE, AFTER = 2, 3
#: A text up to so many characters is also looked at in one piece.
_LAID_OUT = 4_000
#: Letters of other alphabets that look like Latin ones.
_LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁһӏкмтвнгАЕОРСХІЅКМТВНοναικτυρχεωɪɴɢᴏʀᴇᴀsᴛᴜᴘʟᴄᴅᴍʙ",
    "aeopcyxisjdhlkmtbhrAEOPCXISKMTBHovaiktupxewignoreastuplcdmb",
)
#: Digits and signs that stand for letters, in words that have letters too.
_SIGNS = str.maketrans("013457@$!", "oieastasi")
_SIGNED = re.compile(r"(?<![\w@$!])(?=[\w@$!]*[^\W\d_])(?=[\w@$!]*[013457@$!])[\w@$!]+")
#: Who speaks, as a quote of a conversation says it, where a sentence begins: addresses nobody.
_QUOTED = re.compile(r"(?:^|(?<=[.!?\u2026\u3002\uff01\uff1f] ))(?:user|assistant|tool|function): (?=\S)")
#: A word written l i k e  t h i s.
_SPACED = re.compile(r"(?:\b[^\W\d_](?: |[.\-_*] ?)){3,}[^\W\d_]\b")


def unlabeled(text: str) -> str:
    """A quote by precis without the roles that speak in it: in what somebody wrote, they may address a machine."""
    return _QUOTED.sub("", text)


def is_order(text: str) -> bool:
    """Whether a text tells a language model what to do, also spelled with letters that only look right."""
    return bool(orders_in(text))


@kept
def orders_in(text: str) -> frozenset[int]:
    """Which sentences of a text give such an order, by place; all of them where it lies in how the text is laid out."""
    read = [_read(part) for part in sentences(visible(text))]
    places: set[int] = set()
    for at, sentence in enumerate(read):
        if _gives_one(sentence):
            places.add(at)
        elif (
            at
            and at - 1 not in places
            and _gives_one(_Read(spelled=_joined(read[at - 1], sentence), first=read[at - 1].first | sentence.first))
        ):
            places |= {at - 1, at}
    if not places and len(read) > 1 and len(text) < _LAID_OUT and any(map(_is_one, _spellings(text))):
        places.update(range(len(read)))
    return frozenset(places)


@kept
def commanded_in(text: str) -> dict[int, str]:
    """What a text tells somebody to write or say, by the place of the sentence: its words after "reply with"."""
    commanded = {}
    for at, sentence in enumerate(sentences(visible(text))):
        plain = _plain(sentence)
        ends = [end for phrases in _COMMANDS if (end := phrases.command_in(plain)) is not None]
        if ends:
            commanded[at] = plain[min(ends) - 1 :]
    return commanded


class _Read(NamedTuple):
    """A sentence, or two that follow each other."""

    #: Every way in which it may be meant.
    spelled: tuple[str, ...]
    #: The cues of which one is in every order.
    first: frozenset[Cue]


def _read(sentence: str) -> _Read:
    spelled = tuple(sorted(_spellings(sentence)))
    return _Read(
        spelled=spelled, first=frozenset(cue for cue, phrase in _FIRST.items() if any(map(phrase.is_in, spelled)))
    )


def _joined(sentence: _Read, other: _Read) -> tuple[str, ...]:
    ends = {(sentence.spelled[0], other.spelled[0]), (sentence.spelled[-1], other.spelled[-1])}
    return tuple(f"{before} {after}" for before, after in ends)


def _is_one(text: str) -> bool:
    """Whether a phrase stands in a text that is an order by itself."""
    return _itself(latin=text.isascii()).search(text) is not None


def _gives_one(read: _Read) -> bool:
    if Cue.ALONE in read.first or any(map(_is_one, read.spelled)):
        return True
    if not read.first:
        return False
    cues = read.first.union(cue for cue, phrase in _SECOND.items() if any(map(phrase.is_in, read.spelled)))
    return any(cues.issuperset(together) for together in _TOGETHER)


def spoiled_in(text: str) -> frozenset[int]:
    """The sentences of a text that an order is in, or near."""
    places = orders_in(text)
    if not places:
        return places
    return frozenset(near for at in places for near in range(max(0, at - BEFORE), at + AFTER + 1))


def _spellings(text: str) -> set[str]:
    """The text as it may be meant: as written, and with letters for what looks like them or stands for them."""
    seen = _plain(text)
    spellings = {seen, seen.translate(_LOOKALIKES)}
    if _SIGNED.search(seen):
        spellings.add(_SIGNED.sub(lambda word: word.group().translate(_SIGNS), seen))
    if _SPACED.search(seen):
        spellings.add(_SPACED.sub(lambda word: re.sub(r"[ .\-_*]", "", word.group()), _words_apart(text)))
    return spellings


def _plain(text: str) -> str:
    return " ".join(normal(visible(text)).split()).casefold()


def _words_apart(text: str) -> str:
    """The same with two spaces or more kept as one mark between words."""
    return re.sub(r"\s{2,}", " / ", normal(visible(text)).casefold()).replace(" / ", "  ")
