"""Whether a command printed what a page says, where some of it differs from run to run.

- ``…`` stands for anything on its line, and alone on a line for any lines. In JSON it stands for anything.
- An id or a key on the page stands for one of its shape. The same on the page is the same in what is printed, and later
  commands of the page get the real one.
- White space counts neither at the ends of lines nor, where the page shows JSON, between its words.
"""

from __future__ import annotations

import re
from difflib import unified_diff

#: What ids look like: a UUID, the id of a view, a hash (of a key, an index, a conversation), the secret of a key.
_SHAPES = (
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    r"[0-7][0-9A-HJKMNP-TV-Z]{25}",
    r"[0-9a-f]{16}",
    r"[0-9a-f]{24}",
    r"[0-9a-f]{32}",
    r"[a-z2-7]{52}",
)
_ID = re.compile("|".join(rf"(?<![0-9A-Za-z]){shape}(?![0-9A-Za-z])" for shape in _SHAPES))
_ONLY_A_GAP = re.compile(r"^…\n", re.MULTILINE)
#: Stands for a line that is only a gap until it is a pattern.
_LINES = "\0"
_JSON_WORD = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')


class Ids:
    """Which real id each id of a page stands for."""

    def __init__(self) -> None:
        self._real: dict[str, str] = {}

    def in_command(self, command: str) -> str:
        """The command with real ids; an id that no output showed is left as it is."""
        return _ID.sub(lambda match: self._real.get(match[0], match[0]), command)

    def pattern(self, expected: str, *, gap: str) -> tuple[str, dict[str, str]]:
        """A regular expression for the text, and which of its groups stands for which new id of the page."""
        parts, groups, end = [], dict[str, str](), 0
        for match in _ID.finditer(expected):
            parts += [_escaped(expected[end : match.start()], gap), self._id_pattern(match[0], groups)]
            end = match.end()
        return "".join([*parts, _escaped(expected[end:], gap)]), {group: shown for shown, group in groups.items()}

    def _id_pattern(self, shown: str, groups: dict[str, str]) -> str:
        if shown in self._real:
            return re.escape(self._real[shown])
        if shown in groups:
            return f"(?P={groups[shown]})"
        groups[shown] = f"id{len(groups)}"
        shape = next(shape for shape in _SHAPES if re.fullmatch(shape, shown))
        return f"(?P<{groups[shown]}>{shape})"

    def learn(self, match: re.Match[str], shown: dict[str, str]) -> bool:
        """Keep what the groups matched; False, and nothing is kept, where two ids would stand for the same one."""
        known = self._real | {page_id: match[group] for group, page_id in shown.items()}
        if len(set(known.values())) < len(known):
            return False
        self._real = known
        return True


def _escaped(text: str, gap: str) -> str:
    return re.escape(text).replace("…", gap).replace(_LINES, r"(?:[^\n]*\n)*?")


def difference(expected: str, printed: str, ids: Ids) -> str:
    """Nothing where the text was printed as the page has it, else both beside each other."""
    in_json = expected.lstrip().startswith(("{", "["))
    if in_json:
        shown_text, got = _without_white_space(expected), _without_white_space(printed)
        pattern, shown = ids.pattern(shown_text, gap=r"[\s\S]*?")
    else:
        shown_text, got = _without_line_ends(expected), _without_line_ends(printed)
        pattern, shown = ids.pattern(_ONLY_A_GAP.sub(_LINES, shown_text), gap=r"[^\n]*?")
    match = re.fullmatch(pattern, got)
    if match and ids.learn(match, shown):
        return ""
    shown_text = ids.in_command(shown_text)
    lines = unified_diff(shown_text.splitlines(), got.splitlines(), "page", "printed", lineterm="", n=99)
    return "\n".join(lines) or "an id is another than before"


def _without_line_ends(text: str) -> str:
    return "".join(line.rstrip() + "\n" for line in text.rstrip().splitlines())


def _without_white_space(text: str) -> str:
    return _JSON_WORD.sub(lambda match: match[1] or "", text)
