"""A text as a person sees it, and as Markdown has it: what of it are sentences, and what is code or a table. Pure.

Whoever writes a long answer tells in its paragraphs; an entry of a list means nothing without what stands above it.
What is invisible, turns letters around or drives a terminal is taken out: a language model reads characters that no
person sees. What writing needs stays: joiners in emoji, Persian and Indic words, bidirectional marks beside Hebrew and
Arabic, the variants of an emoji or an ideograph, the tags that make a flag.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from precis import patterns as re
from precis.language.sentences import is_question, sentences
from precis.language.words import MARKS, kept_where_short

#: A line that is indented is prose here, and one above a rule no heading.
_PARSER = MarkdownIt("commonmark").enable("table").disable(["code", "lheading", "html_block", "reference"])
#: What a text has that is more than sentences; "1. Parties. 2. Leaving." on one line are some.
_MARKED = re.compile(
    r"^[ \t>]*(?:```|~~~|\|.*\||#{1,6} |(?:[-*+]|\d{1,3}[.)](?![^\n]* \d{1,3}[.)] ))[ \t]+\S|\*\*)|"
    r"^[^\n|]+\|.*\n[ \t]*\|?[ :-]*-",
    re.MULTILINE,
)
_CODE = re.compile(r"```|~~~|\|")
_STRONG = re.compile(r"(?<![\w*])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_MARK = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
#: What names an entry of a list: "**Lifetime.** Choose 30 days.", "**Stage 3, 19 May:** all the Dutch shops".
_LABELED = re.compile(
    r"^(?:\*\*|__)(?P<label>[^*_]{1,60}?)[.:]?(?:\*\*|__)[.:]?(?:\s*[\u2013\u2014-])?"
    r"(?!\s*[a-z,;:(])\s*(?P<rest>.*)$",
    re.DOTALL,
)
_HEADED = re.compile(r"^\s*(?:\*\*|__)(?P<text>[^*\n]{1,80}?)[.:]?(?:\*\*|__):?\s*$")
_NUMBERED = re.compile(r"^(?:\d{1,2}[.)]|[IVX]+\.|[A-Z]\))\s+")
#: So many entries of so few words each are told together.
_FEW, _CURT = 8, 6
_CLOSING = re.compile(r"[.;,\s]+$")


class _Block(NamedTuple):
    """A block of the text, and its lines."""

    kind: str
    lines: Sequence[str]
    entries: tuple[str, ...] = ()


@kept_where_short
def without_code(text: str) -> str:
    """The text without its blocks of code and its tables, else as it is."""
    if not _CODE.search(text):
        return text
    lines = text.split("\n")
    for token in _PARSER.parse(text):
        if token.type in ("fence", "table_open") and token.map and token.level == 0:
            lines[token.map[0] : token.map[1]] = [""] * (token.map[1] - token.map[0])
    return "\n".join(lines)


@kept_where_short
def with_lists(text: str) -> str:
    """The text without its code and tables; entries of a few words each are one sentence with what stands above them.

    Nothing else of it changes: a list whose entries are sentences, or have numbers of their own, stays as it is.
    """
    text = without_code(text)
    if not _MARKED.search(text):
        return text
    lines, tokens = text.split("\n"), _PARSER.parse(text)
    for at, token in reversed(list(enumerate(tokens))):
        if token.type != "bullet_list_open" or token.level or not token.map:
            continue
        start, end = token.map
        head = next((place for place in reversed(range(start)) if lines[place].strip()), None)
        above = "" if head is None else _plain(lines[head].lstrip("#> "))
        entries = [_CLOSING.sub("", _plain(entry)) for entry in _entries(tokens[at:], lines)]
        told = [line for line in lines[start:end] if line.strip()]
        if head is None or not (above.endswith(":") or lines[head].startswith("#")) or len(told) > len(entries):
            continue
        if all(len(entry.split()) <= _CURT for entry in entries):
            lines[head:end] = [f"{above.rstrip(': ')}: {', '.join(entries)}."]
    return "\n".join(lines)


@kept_where_short
def as_prose(text: str) -> str:
    """What a text says in sentences, a line each: of a list what stands above it, or names an entry, stands with that.

    A heading alone, code and tables are left out, and so is what only leads to them. A text that is written in
    sentences alone is left as it is.
    """
    if not _MARKED.search(text):
        return _STRONG.sub(r"\2", text)
    parts: list[str] = []
    heading, blocks = "", list(_blocks(text))
    for at, block in enumerate(blocks):
        following = blocks[at + 1].kind if at + 1 < len(blocks) else ""
        if block.kind == "heading":
            heading = _NUMBERED.sub("", _plain(block.lines[0].lstrip("#> "))).rstrip(".:")
        elif block.kind == "list":
            parts.extend(_entries_told(block.entries, heading))
            heading = ""
        elif block.kind == "prose":
            lines, heading = _paragraph(block.lines, following, heading)
            parts.extend(lines)
    return "\n".join(parts)


def _paragraph(lines: Sequence[str], following: str, heading: str) -> tuple[list[str], str]:
    """What a paragraph tells, and what of it stands above the list behind it."""
    headed = _HEADED.match("\n".join(lines))
    if headed:
        return [], headed["text"]
    plain = [_plain(line) for line in lines]
    *_, last = ["", *sentences(plain[-1])]
    if last.endswith(":") and following:
        plain[-1] = plain[-1].rstrip()[: -len(last)].rstrip()
        heading = last.rstrip(": ") if following == "list" else ""
    elif is_question(last) and following == "list":
        heading = ""
    return [line for line in plain if line], heading if following == "list" else ""


def _entries_told(entries: Sequence[str], heading: str) -> Iterator[str]:
    """The entries of a list, each behind its name or the heading; where each is a word or two, one sentence."""
    read = [(_LABELED.match(entry), entry) for entry in entries]
    pairs = [(match["label"], _first(match["rest"])) if match else ("", _first(entry)) for match, entry in read]
    curt = [label or text for label, text in pairs if not (label and text)]
    if heading and len(curt) == len(pairs) <= _FEW and all(len(text.split()) <= _CURT for text in curt):
        yield f"{heading}: {', '.join(_CLOSING.sub('', _plain(text)) for text in curt)}."
        return
    for label, text in pairs:
        above = label or heading
        if text:
            entry = f"{_plain(above)}: {_plain(text)}" if above and not is_question(above) else _plain(text)
            # Where an entry ends a sentence does, whatever the next one begins with.
            yield f"{entry}." if entry[-1].isalnum() or entry[-1] in ")%\u00b0" else entry


def _first(entry: str) -> str:
    """The first sentence of an entry: what follows it is of that. Within backticks none ends."""
    first = ""
    for part in sentences(" ".join(entry.split())):
        first = f"{first} {part}" if first else part
        if first.count("`") % 2 == 0:
            break
    return first


def _plain(text: str) -> str:
    return _STRONG.sub(r"\2", text).strip()


def _blocks(text: str) -> Iterator[_Block]:
    """The blocks of a text in their order; what holds blocks itself, and is no list, is prose as it stands."""
    lines = text.split("\n")
    tokens = _PARSER.parse(text)
    for at, token in enumerate(tokens):
        if token.level or token.nesting < 0 or token.map is None:
            continue
        own = [line for line in lines[token.map[0] : token.map[1]] if line.strip()]
        if token.type in ("bullet_list_open", "ordered_list_open"):
            yield _Block("list", own, tuple(_entries(tokens[at:], lines)))
        elif token.type == "heading_open":
            yield _Block("heading", own)
        elif token.type in ("fence", "table_open"):
            yield _Block("code", own)
        elif own and token.type != "hr":
            yield _Block("prose", own)


def _entries(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[str]:
    """The text of each entry of the list that opens here, up to what is nested in it."""
    for at, token in enumerate(tokens):
        if at and token.level == 0:
            return
        if token.type == "list_item_open" and token.level == 1:
            first = next((inner for inner in tokens[at + 1 :] if inner.level <= 2), None)
            if first is not None and first.type == "paragraph_open" and first.map:
                yield _MARK.sub("", "\n".join(lines[first.map[0] : first.map[1]])).strip()


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
