"""Laughs, and what else takes back what stands before it: what is told so may be no plain fact. Pure."""

from collections.abc import Iterator, Sequence

from precis import patterns as re
from precis.language import tables
from precis.language.words import kept_where_short

# What takes back or puts right the sentence before it: "Only a rumor, she admitted.", "Well, her boss did."
#: A word of a name, and a name with what may stand before it, in a pattern that else counts no case.
_CAPITAL = "[A-Z\u00c0-\u00de](?![A-Z])[\\w'\u2019-]+"
_NAME = rf"(?-i:(?:(?:the|der|die|das|le|la|el|il|o|a) |l['\u2019])?{_CAPITAL}(?: {_CAPITAL})?)"
#: What may stand behind a comma.
_TAIL = r"(?:,? (?:though|anyway|of course)|[,;:\u2013\u2014-]+ ?[^.!?]{1,60})?"
#: Letters: what is longer tells something of its own.
_LONGEST = 120
#: Parts of the patterns, each filled in before those that hold it.
_PARTS = ("kin", "day", "number", "other", "who", "open", "no")


def _patterns(kind: str) -> Iterator[str]:
    for language in tables.section(f"taken_back.{kind}"):
        known = {"name": _NAME, "tail": _TAIL}
        for part in _PARTS:
            if language in tables.section(f"taken_back.{part}"):
                known[part] = _filled(tables.choices(f"taken_back.{part}.{language}"), known)
        yield _filled(tables.choices(f"taken_back.{kind}.{language}"), known)


def _filled(pattern: str, known: dict[str, str]) -> str:
    for name, meaning in known.items():
        pattern = pattern.replace(f"{{{name}}}", f"(?:{meaning})")
    return pattern


def _of(kind: str) -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{'|'.join(_patterns(kind))})\W*", re.IGNORECASE)


_DISOWNS, _PUTS_RIGHT = _of("disowns"), _of("puts_right")


def disowns(sentence: str) -> bool:
    """Whether it says that what stands before it is not so, or only what people say: "He made it up."."""
    return len(sentence) <= _LONGEST and _DISOWNS.fullmatch(sentence) is not None


def puts_right(sentence: str) -> bool:
    """Whether it says who, what or when it was instead: "Or rather the Ibis.", "No, it was his cousin."."""
    return len(sentence) <= _LONGEST and _PUTS_RIGHT.fullmatch(sentence) is not None


#: "Haha", "jajaja", "kkk", "rsrs", "lol", "mdr", "xd" and their like, in letters of seven scripts.
_LETTERS = (
    r"ha(?:[ -]ha)+"
    r"|(?:h+[aeio\u00e9\u00e0]+){2,}h?|(?:j+[aei\u00e1]+){2,}j?|(?:\u0445+[\u0430\u0435\u0438]+){2,}\u0445?"
    r"|a+(?:ha)+(?:ha|h+)|\u0430+(?:\u0445\u0430)+(?:\u0445\u0430|\u0445+)|k{3,}|(?:rs){2,}|(?:wk){2,}w?|lo+l|lmf?ao+|rofl|mdr+|ptdr+"
    r"|(?-i:xd+|xD+|XDD+)|(?:\u03c7+[\u03b1\u03b5]+){2,}\u03c7?|\u0647{4,}|\u062e{3,}|\u05d7{3,}|(?<!the )(?-i:w{3,})"
)
#: In Japanese, Chinese, Korean and Thai a laugh hangs on the word before it.
_HANGING = (
    r"(?<=[\u3001\u3002\u3040-\u30ff\u3400-\u9fff\uff01])(?:w|\sww)w*(?!\w|\.\w)|[(\uff08]\u7b11[)\uff09]"
    r"|(?<=[\u3040-\u30ff])\u7b11(?=$|[\u3002\uff01!\s])|\u54c8{2,}|\u5475{2,}|\u563f{2,}|\u563b{2,}"
    r"|[\u314b\u314e]{2,}|(?<=[\u0e00-\u0e7f])(?:555|\s5555)5*(?![\d.,])|555+\+"
)
_FACES = r"[\U0001f602\U0001f606\U0001f609\U0001f61c\U0001f61d\U0001f639\U0001f923\U0001f92a]"
_LAUGH = re.compile(rf"(?<![\w.])(?:{_LETTERS})(?!\w|[.'\u2019]\w)|{_HANGING}|{_FACES}", re.IGNORECASE)
#: A laugh in ASCII has one of these in it: few texts do, and the others need not be looked through.
_MAY_LAUGH = re.compile(r"h[aeio]+h|ha[ -]ha|j[aei]+j|kkk|rsrs|wkw|lo+l|lmf?a|rofl|mdr|xd|www|555")
_SIGNS = re.compile(r"[\W_]+")


_TAKES_BACK = re.compile(rf"\W*(?:{tables.in_every_language('outcomes.takes_back')})\W*", re.IGNORECASE)
#: What denies behind a laugh: "Lol no."
_NO = re.compile(r"\W*(?:no|not|nope|nah|nein|nö|non|não|nee|nej|nie|hayır|yok|нет)\W*", re.IGNORECASE)


@kept_where_short
def laughs(text: str) -> bool:
    """Whether somebody laughs in it: "allergic to Mondays lol"."""
    if text.isascii() and _MAY_LAUGH.search(text.lower()) is None:
        return False
    return _LAUGH.search(text) is not None


def only_laughs(sentence: str) -> bool:
    """Whether it is a laugh and nothing else: "Hahaha!"."""
    rest, times = _LAUGH.subn(" ", sentence)
    return times > 0 and not _SIGNS.sub("", rest)


@kept_where_short
def takes_back(sentence: str) -> bool:
    """Whether it laughs, or says that what stands before it was a joke, a wish, hearsay, or of somebody else."""
    rest, times = _LAUGH.subn(" ", sentence)
    if _TAKES_BACK.fullmatch(rest.replace("\u2019", "'")):
        return True
    if times > 0 and (not _SIGNS.sub("", rest) or _NO.fullmatch(rest) is not None):
        return True
    return disowns(sentence) or puts_right(sentence)


def jokes_in(parts: Sequence[str]) -> list[bool]:
    """For each sentence whether it may not be meant: there is a laugh in it, or what stands behind it takes it back."""
    behind = [*parts[1:], ""]
    return [laughs(part) or takes_back(after) for part, after in zip(parts, behind, strict=False)]
