"""What a request in Chinese or Japanese names, and whose something is, where no space sets words apart."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from precis.finding import reading, values, wording
from precis.finding.parts import Part
from precis.finding.tables import fields, ground_asks, groups, name_words, unspaced_groups, words_of
from precis.finding.written.speaking import is_being

#: "\u8fd9\u4e2a\u53f7\u7801", "\u3053\u306e\u756a\u53f7": what points at something.
_POINTING = re.compile("^(?:[\u8fd9\u90a3\u9019](?:\u4e2a|\u500b|\u6761|\u4e32)?|[\u3053\u305d\u3042]\u306e)(?=.)")
#: Signs of which a word is made at least.
_WORD = 2
_PARTICLES = re.compile("[\u7684\u306e\u306b\u306f\u3092\u3067]")
_KANA, _HAN, _LETTER = re.compile("[\u3040-\u30ff]+"), re.compile("[\u3400-\u9fff]"), re.compile(r"\w")


def unspaced(text: str, language: str) -> tuple[tuple[tuple[str, ...], ...], tuple[Part, ...]]:
    """Of a request in Chinese or Japanese: names in Latin letters, group words, and what else is left as a name."""
    names: list[tuple[str, ...]] = []
    parts: list[Part] = []
    latin = reading.read_words(re.sub(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]", " ", text))
    if latin:
        names.append(tuple(word.low for word in latin))
    for chunk in (piece for run in re.split(r"[\x00-\u024f\s]+", text) for piece in _split(run, _PARTICLES)):
        bare = chunk.strip(wording.EDGE)
        for ending in words_of(language, "behind"):
            bare = bare.removesuffix(ending) if len(bare) > len(ending) + 1 else bare
        bare = "" if len(bare) == 1 and _KANA.fullmatch(bare) else bare  # one sign of a syllable names nothing
        if not bare:
            continue
        listed = _chunk(bare)
        if listed:
            parts += listed
        elif _POINTING.sub("", bare) not in name_words("unspaced_weak") and not (len(bare) == 1 and _KANA.match(bare)):
            names.append((bare,))
    return tuple(names), tuple(parts)


def pieces_of(text: str, joints: str) -> list[str]:
    """A request in Chinese or Japanese at what joins two things, and not within a name that has such a sign."""
    return [
        piece for run in re.split("[\u3001\uff0c;]", text) for piece in _split(run, re.compile(joints), joined=True)
    ]


def _split(text: str, between: re.Pattern[str], *, joined: bool = False) -> list[str]:
    """The text at those places alone where words stand on both sides: "\u3055\u3084\u304b" is one name."""
    pieces, start = [], 0
    for match in between.finditer(text):
        before, behind = text[start : match.start()], text[match.end() :]
        # "\u3072\u306a\u306e\u306e\u8a71": the second of two is the particle.
        if _is_word(before, joined=joined) and _is_word(behind, joined=joined) and not behind.startswith(match.group()):
            pieces.append(before)
            start = match.end()
    return [*pieces, text[start:]]


def _is_word(text: str, *, joined: bool) -> bool:
    """Whether it may be one: two signs without a title, or a Chinese one that, of joined things, a table knows."""
    bare = text.strip(wording.EDGE)
    titles = tuple(words_of("ja", "behind"))
    title = next((it for it in sorted(titles, key=len, reverse=True) if bare.endswith(it)), "")
    bare = bare.removesuffix(title)
    if len(bare) >= _WORD or not joined:
        return len(bare) >= _WORD or _HAN.fullmatch(bare) is not None
    return _HAN.fullmatch(bare) is not None and any(called.fullmatch(bare) for called, _ in groups().values())


def things_among(names: Sequence[tuple[str, ...]], text: str) -> tuple[tuple[tuple[str, ...], ...], tuple[Part, ...]]:
    """The names, and as things those that no table knows: what is the old one of several is mostly no person.

    Where the text says behind what it is how it is called, that is a name.
    """
    owned = any(joint in text for joint in "\u7684\u306e")
    things = [name for name in names if len(name) == 1 and not (owned or is_person_called(name[0]))]
    return tuple(name for name in names if name not in things), tuple(Part(word=name[0]) for name in things)


def is_person_called(name: str) -> bool:
    """Whether a name without spaces has what only the names of people have: a title behind it."""
    return reading.UNSPACED.search(name) is None or name.endswith(tuple(words_of("ja", "behind")))


def _chunk(chunk: str) -> list[Part]:
    """What a chunk names by words of groups; none where it begins with no such word."""
    for pattern, members in fields().values():
        if pattern.fullmatch(chunk):
            return [Part(word=chunk, groups=members, field=True)]
    called = {name for name, (pattern, _) in groups().items() if pattern.fullmatch(chunk)}
    if called:
        return [Part(word=chunk, groups=narrowed(called))]
    opening = [
        (match.end(), name)
        for name, (pattern, _) in groups().items()
        for match in [pattern.match(chunk)]
        if match and len(match.group()) >= _WORD
    ]
    if not opening:
        return []
    end = max(length for length, _ in opening)
    named, rest = narrowed({name for _, name in opening}), chunk[end:]
    if len(rest) < _WORD or rest in name_words("unspaced_weak"):
        return [Part(word=chunk, groups=named)]
    asked = ground_asks().get(rest)
    others = [Part(word=rest, groups=frozenset({asked}))] if asked else _chunk(rest) or [Part(word=rest)]
    return [Part(word=chunk[:end], groups=named), *others]


#: By a group, those that its words name as well, and which are not meant then: a credit card is no credit.
_WITHIN = {
    "passport": ("travel",), "flight": ("travel",), "hotel": ("travel",), "money.card": ("debt",),
    "surgery": ("illness",), "body.weight": ("salary",), "shoe_size": ("body",),
}  # fmt: skip


def narrowed(names: Collection[str]) -> frozenset[str]:
    """Without the group of a kind that is named, "dog" is no name of all pets, nor a wider one than another of them."""
    wider = {group for name in names for group in _WITHIN.get(name, ())}
    return frozenset(names) - {name.partition(".")[0] for name in names if "." in name} - wider


_HIRAGANA = re.compile("[\u3041-\u309f]")
#: What stands behind whom a sentence is about.
_TOPICS = tuple("\u306f\u3082")


def as_unspaced_word(name: str, text: str, start: int, end: int) -> str:
    """Why a name in Chinese or Japanese may be a word at its place, or a part of one; nothing where it is a name.

    A word in kana goes on in the sign behind it; "there is" and "falls" stand before no name that ends a clause.
    """
    behind = text[end : end + 3]
    if _KANA.fullmatch(name):
        titled = behind.startswith(words_of("ja", "behind"))
        grows = _HAN.match(behind) is not None and not titled and behind[:2] not in name_words("japanese_behind")
        kana = name[-1] >= "\u30a0" and "\u30a1" <= behind[:1] <= "\u30fc"
        return "it may be a longer word" if grows or kana or _within_kana(name, text, start, end) else ""
    if _KANA.search(text) and _HAN.match(name):
        grown = _grown(text, start, end)
        if grown:
            return grown
    exists = text[max(0, start - 1) : start] in set("".join(name_words("chinese_there_is")))
    return "it may be a word and no name there" if exists and not _LETTER.match(behind[:1]) else ""


def _within_kana(name: str, text: str, start: int, end: int) -> bool:
    """Whether a name in hiragana stands between letters of a word: "\u308b\u304b" within "\u3044\u308b\u304b\u306a"."""
    if name[0] > "\u309f" or name[-1] > "\u309f":
        return False
    before, behind = text[max(0, start - 3) : start], text[end : end + 4]
    opened = not _HIRAGANA.match(before[-1:]) or before.endswith(tuple(name_words("kana_before")))
    closed = not _HIRAGANA.match(behind) or behind.startswith(tuple(name_words("kana_behind")))
    return not (opened and closed)


def _grown(text: str, start: int, end: int) -> str:
    """Why a name in Chinese signs may be a longer one, or a word, in Japanese; nothing where it is a name.

    A title, somebody, or a thing that people tell of may stand beside it ("\u6c96\u7e04\u65c5\u884c").
    """
    before, behind = text[max(0, start - 1) : start], text[end : end + 2]
    titled = behind.startswith(words_of("ja", "behind")) or behind in name_words("japanese_behind")
    grows = _HAN.match(behind) is not None and not titled
    if _HAN.match(before) or grows:
        known = [(first, last) for first, last, _ in unspaced_groups(text) if last - first >= _WORD or last == start]
        grows = grows and not any(first == end for first, _ in known)
        if grows or (_HAN.match(before) and not any(last == start for _, last in known)):
            return "it may be a part of a longer name or word"
    return ""


def is_part(name: str, text: str, spans: Sequence[values.Span]) -> bool:
    """Whether a Chinese name may be a word at each of these places, or the beginning of a longer one."""
    longer = len(name) > 1 and all(_goes_on(text[end : end + 2]) for _, end in spans)
    return is_lone_sign(name, text, spans) or (bool(spans) and longer)


def _goes_on(behind: str) -> bool:
    """Whether one more sign stands there before what is told: "\u73e0\u5728"."""
    none = name_words("chinese_no_name") | name_words("chinese_before_verbs")
    return len(behind) > 1 and _HAN.match(behind) is not None and behind[0] not in none and behind[1] in _TELLING


def is_lone_sign(name: str, text: str, spans: Sequence[values.Span]) -> bool:
    """Whether a name of one Chinese sign has no title at any of these places, and no mark of a topic in Japanese.

    It may be a word there: "\u82b1\u3092\u8cb7\u3063\u305f" tells of flowers.
    """
    if len(name) != 1 or not _HAN.match(name) or reading.HANGUL.search(text):
        return False
    marks = (*words_of("ja", "behind"), *words_of("zh", "behind"), *name_words("titles_unspaced"), *_TOPICS)
    return bool(spans) and not any(text[end:].startswith(marks) for _, end in spans)


#: What tells something of who or what stands before it.
_TELLING = frozenset("\u662f\u5728\u7684\u4f4f\u6709")
#: What joins owners where no spaces part words, and what ends the words before the first of them.
JOINTS, _BOUNDS = (
    re.compile("[\u7684\u306e\u4e4b]"),
    re.compile(
        r"[\s\u3001\u3002,.:;!?\uff0c\uff1a\uff1b\uff01\uff1f\u300c\u300d\u306f\u304c\u3092\u3082]"
        "|\u662f|\u8bf4|\u548c|\u4e0e|\u8ddf|\u628a"
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Chain:
    """The owners of a thing, the nearest one first, and whether the last of them is the user's, or is the user."""

    owners: tuple[str, ...] = ()
    users: bool = False


def unspaced_owners(before: str, language: str, users: Collection[str]) -> Chain:
    """The owners at the end of a text without spaces."""
    tail = _BOUNDS.split(before)[-1]
    called = sorted({*words_of(language, "first"), *name_words("users_unspaced"), *users}, key=len, reverse=True)
    owners: list[str] = []
    for place, piece in enumerate(reversed(JOINTS.split(tail))):
        user = next((word for word in called if word in piece), "")
        owner = piece.rpartition(user)[2] if user else piece
        # Right before the thing, without a joint, only somebody is its owner: no "\u7528\u6237\u5bf9\u732b".
        owners += [owner] if owner and (place or is_being(owner)) else []
        if user:
            return Chain(owners=tuple(owners), users=True)
    return Chain(owners=tuple(owners))
