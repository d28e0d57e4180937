"""Lists as parameters of statements: nearly every statement has one, and psycopg writes them item by item.

A list of nothing but texts, or of nothing but numbers, is written at once, under the type that psycopg gives it. Every
other list is left to psycopg.
"""

from typing import Any

from psycopg import AsyncConnection, DataError
from psycopg.abc import DumperKey
from psycopg.adapt import Dumper, PyFormat
from psycopg.types.array import ListDumper


def write_lists_at_once(connection: AsyncConnection[Any]) -> None:
    """Have this connection do so."""
    connection.adapters.register_dumper(list, _Lists)


class _Texts(Dumper):
    """Of no type: the database takes them for what the statement compares them with."""

    encoding = "utf-8"

    def dump(self, obj: list[str]) -> bytes:
        """The texts in quotes. Raises DataError for one that PostgreSQL cannot hold."""
        text = "\0".join(obj)
        if text.count("\0") >= len(obj):
            raise DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", '","')
        return f'{{"{text}"}}'.encode(self.encoding)


class _Numbers(Dumper):
    """Of 64 bits."""

    oid = 1016

    def dump(self, obj: list[int]) -> bytes:
        """The numbers, between commas."""
        return f"{{{','.join(map(str, obj))}}}".encode()


class _Numbers32(_Numbers):
    oid = 1007


class _Numbers16(_Numbers):
    oid = 1005


class _Lists(ListDumper):
    def get_key(self, obj: list[Any], format: PyFormat) -> DumperKey:  # noqa: A002 - psycopg's name
        """See psycopg."""
        own = _dumper_of(obj)
        return super().get_key(obj, format) if own is None else (self.cls, own)

    def upgrade(self, obj: list[Any], format: PyFormat) -> Any:  # noqa: A002 - psycopg's name
        """See psycopg: the dumper of such lists."""
        own = _dumper_of(obj)
        if own is None:
            return super().upgrade(obj, format)
        dumper = own(self.cls, self._tx)
        if isinstance(dumper, _Texts):
            dumper.encoding = self._tx.encoding
        return dumper


def _dumper_of(items: list[Any]) -> type[Dumper] | None:
    """What writes a list at once; None for one of other things, or of numbers of more than 64 bits."""
    kinds = {*map(type, items)}
    if kinds == {str}:
        return _Texts
    if kinds != {int}:
        return None
    largest = max(*items, ~min(items))
    sizes = {1 << 15: _Numbers16, 1 << 31: _Numbers32, 1 << 63: _Numbers}
    return next((dumper for limit, dumper in sizes.items() if largest < limit), None)
