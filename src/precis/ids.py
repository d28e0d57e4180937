"""Ids and times are made by the client: UUIDv7, so that ids sort by the time they were made."""

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import orjson
import uuid_utils

from precis.errors import InvalidInput

#: How ZoneInfo says that there is no zone of a name.
_NO_ZONE = (ZoneInfoNotFoundError, OSError, ValueError)
#: Digits of a ULID: no letter that could be taken for a digit.
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

#: What is not seen, as a class of a pattern has it: besides what ``\\s`` stands for, characters that Unicode lets every
#: font ignore (Default_Ignorable_Code_Point, of the basic plane), and the blank of Braille.
UNSEEN = (
    r"\x00\x1c-\x1f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
)
_VISIBLE = re.compile(rf"[^\s{UNSEEN}]")


def system_clock() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def zoned(moment: datetime) -> datetime:
    """The moment; where it names no zone, it is UTC's."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def zone_named(name: str) -> tzinfo:
    """The time zone of an IANA name. Raises ValueError where there is none of that name."""
    try:
        return ZoneInfo(name)
    except _NO_ZONE as error:
        near = next((zone for zone in available_timezones() if zone.casefold() == name.casefold()), None)
        hint = f"did you mean {near}?" if near else "one is named like Europe/Berlin, or UTC"
        raise ValueError(f"{name!r} is no time zone; {hint}") from error


def zone_of(zones: Mapping[str, str], user_id: str) -> tzinfo:
    """The user's zone, else the tenant's; UTC where the name is not known here, so that no write is lost over it."""
    try:
        return ZoneInfo(zones.get(user_id) or zones.get("") or "UTC")
    except _NO_ZONE:
        return UTC


def new_id() -> str:
    """A new id, 36 characters."""
    return str(uuid_utils.uuid7())


def new_ulid() -> str:
    """The same as a ULID, 26 characters, where the wire format asks for one."""
    number = uuid_utils.uuid7().int
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def is_blank(text: str) -> bool:
    """Whether nothing of it can be seen: spaces, and characters without a glyph, as U+200B and U+2800."""
    return not _VISIBLE.search(text)


def as_read(text: str) -> str:
    """The text as everybody reads it, however an editor or a protocol writes its letters, its lines and their ends."""
    lines = unicodedata.normalize("NFC", text).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()


def as_said(memory_id: str, text: str) -> str:
    """What a memory said before a part of it was forgotten, as a name of it: no id holds a null character."""
    return f"{memory_id}\0{text}"


def as_sent(conversation_id: str, role: str, mark: int) -> str:
    """Words that a person forgot in a conversation, by their keyed ``mark``, as a name: they stay so under any id."""
    return f"{conversation_id}\0{role}\0{mark}"


#: What a text that cannot be stored holds.
UNSTORABLE = "a null character or half a surrogate pair, which is not valid text"
#: Levels of lists and objects within each other.
MAX_DEPTH = 100
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_LEAST, _MOST = -(2**63), 2**64 - 1
#: Where in a JSON value: keys and places from the outermost on.
Path = tuple[str | int, ...]


def is_storable(value: str) -> bool:
    """Whether a text can be stored. Half a pair comes from bytes of a command line that are not UTF-8."""
    return "\0" not in value and not has_half_pair(value)


def has_half_pair(value: str) -> bool:
    """Whether no encoding has this text."""
    return not value.isascii() and _HALF_PAIR.search(value) is not None


def storable(value: str) -> str:
    """The text, if it can be stored. Raises ValueError."""
    if not is_storable(value):
        raise ValueError(f"the text holds {UNSTORABLE}")
    return value


def checked_name(value: object, field: str) -> str:
    """An id or a name, if it is text that can be stored. Raises InvalidInput, which never repeats it."""
    if not isinstance(value, str):
        raise InvalidInput(f"{field}: it is of type {type(value).__name__}; give it as text", field=field)
    if not is_storable(value):
        raise InvalidInput(f"{field}: it holds {UNSTORABLE}; leave that out", field=field)
    return value


class Doubled(ValueError):
    """A name stands twice in an object of JSON: whoever reads on would believe one value and lose the other."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {written((name,))} stands twice in one object; give it once")


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """What ``json.loads`` makes of an object, its ``object_pairs_hook``. Raises Doubled."""
    value = dict(pairs)
    if len(value) < len(pairs):
        before = set[str]()
        for name, _ in pairs:
            if name in before:
                raise Doubled(name)
            before.add(name)
    return value


def checked_json(value: Any, *, limit: int) -> Any:
    """A JSON value, if it is one that comes back as it went in, of at most ``limit`` bytes. Raises ValueError."""
    for path, fault in faults_of(value):
        raise ValueError(f"{written(path)}: {fault}" if path else fault)
    try:
        size = len(orjson.dumps(value))
    except TypeError as error:
        raise ValueError(f"it is not JSON: {error}") from error
    if size > limit:
        raise ValueError(f"it takes {size:,} bytes of JSON; the limit is {limit:,}")
    return value


def faults_of(value: Any) -> Iterator[tuple[Path, str]]:
    """The parts of a value that JSON cannot say, or not everywhere in the same way: where each is and its fault."""
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting:
        path, part = waiting.pop()
        fault = _fault(part)
        if fault is not None:
            yield path, fault
        elif isinstance(part, Mapping | list | tuple):
            if len(path) >= MAX_DEPTH:
                yield path, f"it lies more than {MAX_DEPTH} levels deep"
                continue
            inner = list(part.items() if isinstance(part, Mapping) else enumerate(part))
            for key, _ in inner if isinstance(part, Mapping) else ():
                if not isinstance(key, str) or has_half_pair(key):
                    yield path, "a name in it is no text" if not isinstance(key, str) else "a name in it" + _NO_PAIR
            waiting += [((*path, key), item) for key, item in reversed(inner)]


_NO_PAIR = " holds half a surrogate pair, which is not valid text"


def _fault(part: object) -> str | None:
    if isinstance(part, str):
        return "the text" + _NO_PAIR if has_half_pair(part) else None
    if isinstance(part, float):
        return None if math.isfinite(part) else "it is no finite number, which JSON does not know"
    if isinstance(part, int) and not isinstance(part, bool):
        return None if _LEAST <= part <= _MOST else "it is a whole number of more than 64 bits; give it as text"
    return None


def written(path: Path) -> str:
    """A path as error messages write it: names are cut, and what no encoding has is spelled out."""
    return ".".join(str(part)[:60].encode("utf-8", "backslashreplace").decode() for part in path)
