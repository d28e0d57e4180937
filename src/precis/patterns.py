"""Regular expressions that are compiled when they are first asked: modules import it in the place of ``re``.

Compiling took more than half of the time in which precis is imported, and most verbs ask few of the expressions. What
is compiled here has its text at once, and becomes whatever the module ``re`` makes of it at its first use.
"""

import re
from re import (
    ASCII,
    DOTALL,
    IGNORECASE,
    MULTILINE,
    Match,
    Pattern,
    RegexFlag,
    escape,
    findall,
    finditer,
    fullmatch,
    match,
    search,
    split,
    sub,
)
from typing import Any, cast

__all__ = [
    "ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "Match", "Pattern", "compile", "escape", "findall", "finditer",
    "fullmatch", "match", "search", "split", "sub",
]  # fmt: skip
_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Deferred:
    """Stands for a pattern. Once compiled it has the methods of that, which are then found without ``__getattr__``."""

    __slots__ = ("_flags", "pattern", *_METHODS)

    def __init__(self, pattern: str, flags: int | RegexFlag) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def compile(pattern: str, flags: int | RegexFlag = 0) -> Pattern[str]:  # noqa: A001 - the name that ``re`` has for it
    """The same as ``re.compile``, later. Where the expression is wrong, its first use raises ``re.error``."""
    return cast("Pattern[str]", _Deferred(pattern, flags))
