"""The lists of ``words/beyond.toml``."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from precis.finding.reading import HANGUL, UNSPACED

_FILE = Path(__file__).parent.parent / "words" / "beyond.toml"


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


@cache
def any_language(section: str) -> re.Pattern[str]:
    """Any of the words of a section, of any language; whole words where a script sets spaces."""
    words = [word.strip() for text in _table()[section].values() for word in text.split(";") if word.strip()]
    spaced = "|".join(dict.fromkeys(word for word in words if not _is_unspaced(word)))
    unspaced = "|".join(dict.fromkeys(filter(_is_unspaced, words)))
    parts = [rf"(?<!\w)(?:{spaced})(?!\w)" if spaced else "", f"(?:{unspaced})" if unspaced else ""]
    return re.compile("|".join(filter(None, parts)), re.IGNORECASE)


@cache
def listed(section: str, language: str) -> tuple[str, ...]:
    """The words of a section in one language, in their order; none of one that it does not have."""
    return tuple(word.strip() for word in _table()[section].get(language, "").split(";") if word.strip())


def _is_unspaced(word: str) -> bool:
    return UNSPACED.search(word) is not None or HANGUL.search(word) is not None
