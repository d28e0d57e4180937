"""A text as a person sees it: without what is invisible, and without what turns letters around or drives a terminal.

A language model reads characters that no person sees, so a text can tell it what nobody ever read. What writing needs
stays: joiners in emoji, Persian and Indic words, bidirectional marks beside Hebrew and Arabic, the variants of an
emoji or an ideograph, the tags that make a flag.
"""

import unicodedata

from precis import patterns as re
from precis.language.words import MARKS

#: Sequences that color, move or hide in a terminal: CSI, OSC and kin up to their terminator, two-character ones.
_TERMINAL = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
#: Breaks that end a line or page.
_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_EMOJI = "[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]"
#: Letters and signs of scripts whose words hold joiners: Arabic and its kin, Indic, Southeast Asian, Mongolian.
_JOINING = (
    "[\u0600-\u0dff\u0e00-\u109f\u1780-\u18aa\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
#: What is kept of invisible signs, because something that is seen depends on it.
_NEEDED = re.compile(
    # The flags of England, Scotland, Wales and other parts of countries.
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
    # Emoji joined to one, and the look of one.
    f"|(?<={_EMOJI})\ufe0f?\u200d(?={_EMOJI})|(?<=[\U0001f3fb-\U0001f3ff])\u200d(?={_EMOJI})"
    f"|(?<={_EMOJI})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    # Joiners inside words, and the one after a letter that stands alone.
    f"|(?<={_JOINING})\u200c(?={_JOINING})|(?<={_JOINING})\u200d"
    # Variants of an ideograph, and of a Mongolian letter.
    "|(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af])[\ufe00-\ufe02\U000e0100-\U000e01ef]"
    "|(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]"
)
#: Counted among the invisible although they are seen: signs that stand around Arabic and other numbers.
_SHOWN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
#: Invisible by themselves although they count as letters, marks or signs.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\u180b\u180c\u180d\u180f")
_MARKS_OF_DIRECTION = frozenset("\u061c\u200e\u200f")
_OPEN, _ISOLATE = frozenset("\u202a\u202b"), frozenset("\u2066\u2067\u2068")
_POP, _POP_ISOLATE = "\u202c", "\u2069"
_DIRECTING = _MARKS_OF_DIRECTION | _OPEN | _ISOLATE | {_POP, _POP_ISOLATE}
#: Opens a tag that runs or loads something, or a comment that no page shows.
_ACTIVE = re.compile(
    r"<(?=\s*/?\s*(?:script|img|image|iframe|frame|svg|object|embed|applet|link|meta|style|video|audio|source|form|base"
    r"|body|input|button|template|math)\b)|<(?=!--)|<(?=[^<>]{0,200}\bon[a-z]{3,20}\s*=)|<(?=[^<>]{0,200}\bjavascript:)",
    re.IGNORECASE,
)
#: An image in Markdown, which most programs load unasked: it becomes a link.
_LOADED = re.compile(r"!(\[[^\]]*\]\s*\()")
#: More marks than this on one letter cover what stands around it.
_STACK = re.compile(rf"([{MARKS}]{{4}})[{MARKS}]+")


def visible(text: str) -> str:
    """What is seen of a text. Tabs and line breaks stay; a text that holds nothing else is answered as it is."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").replace("\r", "").isprintable():
        return text
    plain = _BREAKS.sub("\n", _TERMINAL.sub("", text))
    parts: list[str] = []
    end = 0
    for needed in _NEEDED.finditer(plain):
        parts += [_seen(plain[end : needed.start()]), needed.group()]
        end = needed.end()
    parts.append(_seen(plain[end:]))
    return _directed(_STACK.sub(r"\1", "".join(parts)))


def disarmed(text: str) -> str:
    """What is seen of a text, in which nothing runs or loads where it is shown: a person's words stay readable."""
    return _LOADED.sub(r"\1", _ACTIVE.sub(lambda tag: "\u2039" + tag.group()[1:], visible(text)))


def _seen(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(character for character in text if _is_seen(character))


def _is_seen(character: str) -> bool:
    """Whether it is neither a control character nor ignored where it cannot be shown."""
    if character in _DIRECTING or character in "\t\n\r":
        return True
    code = ord(character)
    if 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE0FFF or 0x1D173 <= code <= 0x1D17A:
        return False
    is_control = unicodedata.category(character) in {"Cc", "Cf"}
    return character not in _BLANK and (not is_control or character in _SHOWN)


def _directed(text: str) -> str:
    """Marks of direction where something is written from the right, and embeddings that are closed in their line."""
    if _DIRECTING.isdisjoint(text):
        return text
    return "".join(map(_directed_line, text.splitlines(keepends=True)))


def _directed_line(line: str) -> str:
    kept: frozenset[int] = frozenset()
    if _RIGHT_TO_LEFT.search(line):
        marks = (at for at, character in enumerate(line) if character in _MARKS_OF_DIRECTION)
        kept = _closed(line).union(marks)
    return "".join(character for at, character in enumerate(line) if at in kept or character not in _DIRECTING)


def _closed(line: str) -> frozenset[int]:
    """Places of the embeddings and isolates that are opened and closed in order."""
    opened: list[int] = []
    pairs: set[int] = set()
    for at, character in enumerate(line):
        if character in _OPEN or character in _ISOLATE:
            opened.append(at)
        elif opened and character == (_POP_ISOLATE if line[opened[-1]] in _ISOLATE else _POP):
            pairs |= {opened.pop(), at}
    return frozenset(pairs)
