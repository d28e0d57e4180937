"""A text as Markdown has it: what of it are sentences, and what is code, a table or a heading. Pure.

Whoever writes a long answer tells in its paragraphs; an entry of a list means nothing without what stands above it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from precis.language.sentences import is_question, sentences
from precis.language.words import kept_where_short

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
            yield f"{_plain(above)}: {_plain(text)}" if above and not is_question(above) else _plain(text)


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
