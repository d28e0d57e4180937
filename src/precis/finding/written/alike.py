"""Two facts in one sentence of another language than English, told by what each of them begins with.

"Ärende 206 är öppet, ärende 207 är avslutat": both begin with what is called by a number, and say something of it.
"Ebba sjunger i kör och Linnea spelar bas": both begin with somebody, and a word that may be their verb.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from precis.finding import identifiers, scripts, values
from precis.finding.reading import HANGUL, UNSPACED, Word, folded, is_caseless, read_words, users_of
from precis.finding.tables import all_words, characters, groups, name_words, words_of
from precis.finding.written.caseless import is_given
from precis.finding.written.speaking import RELATIONS, relations_of
from precis.language import tables

#: So much of a fact says what it begins with.
_OPENING = 300
#: So many words may stand before a number that something is called by, and so many signs where no space parts words.
_LABEL, _SIGNS = 3, 8
#: What is told of somebody has so many words at least, or signs where no space parts words.
_TOLD, _TOLD_SIGNS = 2, 3
#: How a verb of somebody begins in Arabic, and its least length.
_DOES, _VERB = ("\u064a", "\u062a"), 4
_LETTERS = re.compile(r"[^\W\d_]{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
#: "은정이는", "태호가": whom or what a Korean clause tells of.
_TOPIC = re.compile(r"[\uac00-\ud7a3\w]{1,8}?[은는이가]$")


@dataclass(frozen=True, slots=True)
class _Opening:
    """What a fact begins with: of what sort that is, how it is called, and what stands before that."""

    sort: str
    called: str
    before: str


@cache
def _joints() -> frozenset[str]:
    """What joins two facts, in languages other than English."""
    listed = tables.section("parallel.joints")
    return frozenset(word for name in listed if name != "English" for word in listed[name].split())


@cache
def _joint() -> re.Pattern[str]:
    joints = "|".join(sorted(map(re.escape, _joints()), key=len, reverse=True))
    ends = "|".join(rf"(?<=[\uac00-\ud7a3]{end})" for end in sorted(tables.words("parallel.ends.Korean")))
    return re.compile(
        rf"(?:[,;]\s+|\s+)(?:{joints})\s+|[,;]\s+|[\u060c\u061b,]?\s+(?=\u0648\w{{2}})|[\u060c\u061b]\s+"
        rf"|[\uff0c\uff1b\u3001]\s*|(?:{ends})[,\s]\s*",
        re.IGNORECASE,
    )


def alike(text: str, piece: values.Span, language: str) -> list[values.Span]:
    """The facts of a clause that begin alike, each of something else; the clause itself where it is one, or English."""
    start, end = piece
    if language == "en":
        return [piece]
    pieces, begin = [], start
    joints = [joint.span() for joint in _joint().finditer(text, start, end)]
    anew = next((last for _, last in reversed(joints) if _is_of_now(text[last:end], language)), end)
    for first, last in joints:
        one = _opens(text[begin : min(first, begin + _OPENING)], language)
        other = _opens(text[last : min(end, last + _OPENING)], language) if one else None
        two = one and other and _are_alike(one, other) and not _is_open(text[begin:first], language)
        if two or (last == anew and not tells_now(text[begin:first])):
            pieces.append((begin, first))
            begin = last
    return [*pieces, (begin, end)]


def stands_alone(text: str, language: str) -> bool:
    """Whether a part of a sentence begins with somebody, or what is called by a number, and says something of it."""
    return language != "en" and (_opens(text, language) is not None or _is_of_now(text, language))


def tells_now(text: str) -> bool:
    """Whether it says that something is so now."""
    return any(word.low in name_words("alike_now") for word in read_words(text)) or _now().search(text) is not None


@cache
def _now() -> re.Pattern[str]:
    """The same in scripts that set no space behind such a word."""
    listed = name_words("alike_now")
    return re.compile("|".join(word for word in listed if UNSPACED.search(word) or HANGUL.search(word)))


def _is_of_now(text: str, language: str) -> bool:
    """Whether it tells what is so now of the user, or of something that it names: "jetzt wohne ich hier"."""
    words = read_words(text[:_OPENING])
    if not words or not tells_now(text[:_OPENING]):
        return False
    if UNSPACED.search(words[0].text):
        opening = text.lstrip()[:_SIGNS]
        return any(word in opening for word in (*words_of(language, "first"), *name_words("users_unspaced")))
    behind = [word for word in words if word.low not in name_words("alike_now")]
    third = {*words_of(language, "third")}.difference(words_of(language, "articles"))
    if len(behind) <= _TOLD or any(word.low in third for word in behind):
        return False
    own = words_of(language, "first") + tuple(users_of(()))
    # "lönen kommer": a thing with its article behind it, before its verb.
    thing = (behind[0].low in words_of(language, "articles") and behind[0] is words[0]) or (
        language == "sv" and behind[0].low.endswith(("en", "et")) and behind[1].low.endswith("r")
    )
    return thing or any(word.low in own for word in behind)


def are_of_others(texts: Sequence[str], language: str) -> bool:
    """Whether each of these facts begins with somebody or something else."""
    opened = [_opens(text, language) for text in texts] if language != "en" else [None]
    return None not in opened and len({opening.called for opening in opened if opening}) == len(texts)


def _are_alike(one: _Opening, other: _Opening) -> bool:
    if one.sort != other.sort or one.called == other.called:
        return False
    if one.sort == "number":
        return bool(one.before) and one.before[:_LABEL] == other.before[:_LABEL]
    if one.sort == "code":
        return not other.before or one.before[:_LABEL] == other.before[:_LABEL]
    return True


def _is_open(text: str, language: str) -> bool:
    """Whether a part of a sentence has not come to its verb, which stands last in Hindi."""
    last = read_words(text)[-1]
    return language == "hi" and (is_given(last) or not last.low.endswith(tuple(name_words("hindi_verbs"))))


def _opens(text: str, language: str) -> _Opening | None:
    """What a fact begins with, where something is told of it."""
    return _by_mark(text) or (_by_signs(text, language) if UNSPACED.search(text[:2]) else _by_words(text, language))


def _by_mark(text: str) -> _Opening | None:
    mark = next(iter(identifiers.identifiers_in(text)), None)
    if mark is None or not _LETTERS.search(text[mark.end :]) or mark.kind not in {"number", "code"}:
        return None
    before = text[: mark.start].strip()
    words = read_words(before)
    if len(before) > _SIGNS if UNSPACED.search(before) else len(words) > _LABEL:
        return None
    label = words[-1].low if words else ""
    return None if label in name_words("alike_aside") else _Opening(mark.kind, mark.value, label)


def _by_signs(text: str, language: str) -> _Opening | None:
    """Chinese: a name that begins with that of a family, or a relative. What Japanese tells of is marked."""
    low = folded(text.strip())
    if language != "zh":
        return None
    if low[:1] in characters("chinese_families") and len(low) > _TOLD_SIGNS + 1:
        return _Opening("somebody", low[:2], "")
    relative = next((match for name in RELATIONS for it in groups()[name] for match in [it.match(low)] if match), None)
    user = next((word for word in name_words("users_unspaced") if low.startswith(word)), "")
    called = relative.group() if relative else user
    return _Opening("somebody", called, "") if called and len(low) > len(called) + _TOLD_SIGNS else None


def _by_words(text: str, language: str) -> _Opening | None:
    words = read_words(text)
    if len(words) <= _TOLD:
        return None
    if HANGUL.search(words[0].text):
        topic = next((word for word in words[:2] if _TOPIC.match(word.text)), None)
        return _Opening("somebody", topic.low, "") if topic is not None else None
    if is_caseless(words[0].text):
        return _caseless(words)
    return _named(words) if language != "de" else None


def _caseless(words: Sequence[Word]) -> _Opening | None:
    """Arabic and Hindi: a given name, or somebody of the user's; in Arabic perhaps behind the verb."""
    most = 2 if scripts.ARABIC.search(words[0].text) else 1
    named = next((word for word in words[:most] if is_given(word) or word.low in users_of(())), None)
    if named is None and most > 1 and len(words[1].low) >= _VERB and words[1].low.startswith(_DOES):
        named = words[0]
    if named is None and scripts.DEVANAGARI.search(words[0].text) and words[0].low in all_words("first"):
        named = next((word for word in words[1:2] if relations_of(word)), None)
    return _Opening("somebody", named.low, "") if named is not None else None


def _named(words: Sequence[Word]) -> _Opening | None:
    """In a script with capitals: a name, the user or somebody of theirs, and a small word that may be a verb."""
    at, before = 0, ""
    while at < _TOLD and not _is_somebody(words[at]):
        if words[at].low not in name_words("articles") | all_words("first") | name_words("alike_having"):
            return None
        before, at = words[at].low if words[at].low in name_words("alike_having") else "", at + 1
    if not _is_somebody(words[at]):
        return None
    called = " ".join(word.low for word in _run(words, at))
    behind = words[at + len(called.split()) :]
    if len(behind) < _TOLD or behind[0].gap != " " or behind[0].capital or not behind[0].text[0].isalpha():
        return None
    aside = name_words("alike_aside") | _joints() | name_words("articles")
    return None if behind[0].low in aside else _Opening("somebody", called, before)


def _is_somebody(word: Word) -> bool:
    small = word.low in name_words("alike_aside") | name_words("articles") | all_words("first")
    return (word.capital and not small) or bool(relations_of(word)) or word.low in users_of(())


def _run(words: Sequence[Word], at: int) -> Iterator[Word]:
    yield words[at]
    for word in words[at + 1 :]:
        if not word.capital or word.gap != " ":
            return
        yield word


def stop(piece: str) -> str:
    """What a sentence in the script of its last letter ends with."""
    if UNSPACED.match(piece[-1:]):
        return "\u3002"
    return "\u0964" if "\u0900" <= piece[-1:] <= "\u097f" else "."


def is_open(piece: str) -> bool:
    """Whether a part of a sentence in Japanese or Korean goes on in the one behind it: "\u6d88\u9632\u58eb\u3067"."""
    bare = piece.rstrip(" ,\u3001\uff0c")
    return bool(bare) and bare.endswith(tuple(name_words("unfinished")))
