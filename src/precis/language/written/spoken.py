"""Passwords and PINs as people tell them, in the languages of ``secrets.toml``, and what has a lock. Pure."""

from precis import patterns as re
from precis.language import tables
from precis.language.newest.parallel import joining_words

#: Seven digits or more, in groups or not, with the letters before and between them.
_IDENTIFIER = re.compile(r"(?<![\w.,])[A-Z]{0,2}\+?(?:\d[ /\u2013-]?){7,}(?![\d.,]\d)")
#: Days of the calendar, and spans of them.
_DAYS = re.compile(r"\b(?:\d{4}[-\u2013/.]\d\d?[-\u2013/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}|\d{4}[-\u2013]\d{2,4})\b")


def without_identifiers(text: str) -> str:
    """The text without such numbers. A day, a sum and a span of years are none."""
    return _IDENTIFIER.sub(" ", _DAYS.sub(" ", text))


def has_identifier(text: str) -> bool:
    """Whether such a number is in it."""
    return _IDENTIFIER.search(_DAYS.sub(" ", text)) is not None


#: Scripts that set no words apart, or write more behind one.
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _spoken(*names: str) -> str:
    """Any phrase of these sections, the longest first, as a whole word where the script sets words apart."""
    places = [f"secrets.{name}.{language}" for name in names for language in tables.section(f"secrets.{name}")]
    phrases = sorted({it for place in places for it in tables.phrases(place)}, key=lambda it: (-len(it), it))
    unspaced = "|".join(it for it in phrases if _UNSPACED.search(it))
    spaced = "|".join(it for it in phrases if not _UNSPACED.search(it))
    return rf"(?:(?<![\w\u0900-\u0963])(?:{spaced})(?![\w\u0900-\u0963])" + (rf"|(?:{unspaced}))" if unspaced else ")")


#: Signs of a password without spaces.
_SIGNS = r"a-z\u00c0-\u024f\u0370-\u04ff\d@#$!*&^+=?~_.-"
#: A password that is told: figures, letters among figures and signs, or what stands in signs of quotation.
_VALUE = (
    r"(?:(?<![a-z\d@.,/+-])(?P<figures>\d(?:[ -]?\d){2,9})(?!\d|[ -]?\d|[.,:/]\d|[%\u20ac$\u00a3\u20b9\u00b0])"
    rf"|(?<![a-z\d@.,/+-])(?P<mixed>(?=[{_SIGNS}]*\d)(?=[{_SIGNS}]*[^\d.,-])[{_SIGNS}]{{5,}})"
    r"|[\"\u201c\u201e\u00ab\u300c\u300e](?P<quoted>[^\s\"\u201c\u201d\u00ab\u00bb\u300c\u300d\u300e\u300f]{4,})"
    r"[\"\u201c\u201d\u00bb\u300d\u300f])"
)
#: What may stand between what it is called and the value, of one clause.
_GAP = r"[^\d.!?;,\n\u3002\uff01\uff1f\uff1b\u0964\u061f\u060c\u3001\uff0c]"
_PASSWORD, _LOCK = (re.compile(_spoken(name), re.IGNORECASE) for name in ("passwords", "locks"))
_BEHIND = re.compile(
    rf"{_GAP}{{0,40}}?(?:,\s(?:{_spoken('links')}))?[,\u3001\uff0c]?[ '\"(\uff1a:=]*{_VALUE}", re.IGNORECASE
)
_VALUES = re.compile(_VALUE, re.IGNORECASE)
_BEFORE = re.compile(rf"{_VALUE}[#*]?(?:{_spoken('links', 'locks')}|[\s=:'\"\u2013-])+$", re.IGNORECASE)
_LINKED = re.compile(rf"(?:[:=\uff1a]|{_spoken('links')})\W*$", re.IGNORECASE)
_COUNTED = re.compile(rf"\s?-?{_spoken('counts')}", re.IGNORECASE)
_OF_A_YEAR = re.compile(rf"{_spoken('before_years')}\W*$", re.IGNORECASE)
#: A year, a day, and what is counted in a unit: "19h30", "128GB".
_YEAR, _DAY = re.compile(r"(?:19|20)\d\d"), re.compile(r"\d{1,2}[ -]\d{1,2}[ -]\d{2,4}|\d{4}-\d\d-\d\d")
_MEASURE, _NUMBERED = re.compile(r"\d+[^\W\d_]{1,3}|\d{1,2}h\d\d", re.IGNORECASE), re.compile(r"[^\W\d_]+[ -]?\d{1,2}")
_WORD = re.compile(r"\s*[^\W\d_]")
_JOINS = re.compile(rf"\s+(?:{'|'.join(joining_words())})\s", re.IGNORECASE)
_NEAR = 40
#: So many words stand before what a clause tells of.
_OPENING = 4
#: In so few words a clause may say of something else which word its password is.
_BRIEF, _THREE, _SMALL = 4, 3, 3
_EQUALS, _LATIN = tables.whole_words("secrets.equals.all"), re.compile("[A-Za-z]{4}")
_CODE = tables.whole_words("secrets.codes.all")


def tells_secret(text: str) -> bool:
    """Whether it tells a password or a PIN; the code of a door is something that people ask for, and none."""
    if not any(map(str.isdigit, text)) and not re.search('["\u201c\u201e\u00ab\u300c\u300e]', text):
        return False
    return any(_has_value(text, *match.span()) for match in _PASSWORD.finditer(text))


def opens_on_secret(clause: str) -> bool:
    """Whether a clause names no password, or does so among its first words: what it tells is that."""
    match = _PASSWORD.search(clause)
    return match is None or len(clause[: match.start()].split()) <= _OPENING


def may_be_secret(clause: str) -> bool:
    """Whether it names a password, or has a value that may be one's and does not say of which code it is.

    So may a word be that something is, in a few words: "and Netflix is amsel".
    """
    spoken = clause.split()
    equals = _EQUALS.search(clause) is not None or (len(spoken) == _THREE and len(spoken[1]) <= _SMALL)
    may_be = _LATIN.search(clause) if _UNSPACED.search(clause) else equals and len(spoken) <= _BRIEF
    if _PASSWORD.search(clause) or may_be:
        return True
    if _CODE.search(clause):
        return False
    return any(_is_value(match, clause[: match.start()]) for match in _VALUES.finditer(clause))


def has_lock(text: str) -> bool:
    """Whether it names something that has a lock: "\u30ad\u30fc\u30dc\u30c3\u30af\u30b9\u306e\u756a\u53f7"."""
    return _LOCK.search(text) is not None


def _has_value(text: str, start: int, end: int) -> bool:
    """Whether a value stands behind what is called so, or before it: "4471 is the code of the safe"."""
    behind = _BEHIND.match(text, end)
    if behind and _is_value(behind, text[end : behind.start(behind.lastgroup or 0)]):
        return True
    opening = max(0, start - _NEAR)
    before = _BEFORE.search(text[opening:start])
    named = before is not None and before["figures"] is not None and not _YEAR.fullmatch(before["figures"])
    return named and before is not None and _is_value(before, ":")


def _is_value(match: re.Match[str], gap: str) -> bool:
    """Whether it may be a password: no day, no year that something is of, nothing that is counted."""
    if match["quoted"]:
        return True
    if match["mixed"]:
        value = match["mixed"].rstrip(".!?")
        return not (_MEASURE.fullmatch(value) or (_NUMBERED.fullmatch(value) and not _LINKED.search(gap)))
    figures, rest = match["figures"], match.string[match.end("figures") :]
    if _YEAR.fullmatch(figures) and rest[:1] in {"'", "\u2019"}:
        return False
    if _DAY.fullmatch(figures) or _COUNTED.match(rest) or (_YEAR.fullmatch(figures) and _OF_A_YEAR.search(gap)):
        return False
    # "Took 200 attempts": what a figure stands before is counted, unless something says that it is the value.
    return (
        _LINKED.search(gap) is not None
        or not gap.strip()
        or _UNSPACED.match(rest.lstrip()) is not None
        or not _WORD.match(rest)
        or _JOINS.match(rest) is not None
    )
