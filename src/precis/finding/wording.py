"""What stands around the subject of a request is taken off: commands, politeness, "everything about", "my", "old"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from precis.finding.reading import UNSPACED
from precis.finding.tables import patterns

EDGE = ' \t\n,.;:!?\u3002\u3001\uff0c"\u201c\u201d\u00ab\u00bb\u300c\u300d'


def stripped(text: str, language: str) -> str:
    """The request without its commands, its politeness and "everything about"."""
    spaced = language not in {"zh", "ja"}
    begin = re.compile("|".join(f"(?:{p})" for p in patterns(language, "begin")) or r"(?!)", re.IGNORECASE)
    end = re.compile(
        (r"(?:^|(?<=\s))" if spaced and language != "ko" else "")
        + "(?:"
        + ("|".join(f"(?:{p})" for p in patterns(language, "end")) or r"(?!)")
        + ")$",
        re.IGNORECASE,
    )
    before = None
    while before != text:
        before = text
        text = text.strip(EDGE)
        match = begin.match(text)
        if match and match.group():
            text = text[match.end() :]
            continue
        match = end.search(text)
        if match and match.group():
            text = text[: match.start()]
    return text.strip(EDGE)


def without(text: str, expressions: Iterable[str], *, anywhere: bool = False) -> tuple[str, bool]:
    """The text without these words, and whether they were there; anywhere in it or at its beginning."""
    for expression in expressions:
        unspaced = bool(UNSPACED.search(expression))
        edge = r"(?!\w)" if not unspaced and "(?=" not in expression else ""
        begins = "" if unspaced else r"(?<!\w)"
        pattern = re.compile(f"{begins}(?:{expression}){edge}", re.IGNORECASE)
        match = pattern.search(text) if anywhere else pattern.match(text.strip(EDGE))
        if match and match.group():
            source = text if anywhere else text.strip(EDGE)
            return f"{source[: match.start()]} {source[match.end() :]}".strip(), True
    return text, False


def without_clause(text: str, language: str) -> tuple[str, str]:
    """The kind that a request names by a clause about it ("the desserts I like"), and the verb where that is all.

    The text itself, and no verb, where there is no such clause.
    """
    for expression in patterns(language, "relative"):
        match = re.match(expression, text.strip(EDGE), re.IGNORECASE)
        if match:
            named = match.groupdict()
            return (named.get("kind") or named.get("verb") or text), named.get("verb") or ""
    return text, ""
