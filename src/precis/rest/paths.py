"""Parts of a path that hold an id, which may hold a slash: clients of the wire write it as it is.

Importing this lets routes name such a part ``{name:anything}``.
"""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor


class _Anything(Convertor[str]):
    """Any text, but some."""

    regex = r"[\s\S]+"

    def convert(self, value: str) -> str:
        """As it came."""
        return value

    def to_string(self, value: str) -> str:
        """As it is."""
        return value


register_url_convertor("anything", _Anything())
