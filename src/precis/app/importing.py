"""Reading memories from files: JSON lines, a JSON list, or the LoCoMo layout of conversations.

Pure: a file in, items out. Each item has the shape of one entry of ``POST /v1/memories``. What an item may
hold beyond its text is checked where items are written, so that a file and a request are refused alike.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, NoReturn

from precis.errors import InvalidInput
from precis.ids import each_once, is_blank
from precis.language.dates import MONTHS

_BOM = b"\xef\xbb\xbf"
#: By these a file begins whose characters have two bytes each, as Windows' "Unicode" has it.
_WIDE = (b"\xff\xfe", b"\xfe\xff")
#: A whole JSON document above this many bytes is not parsed twice only to show a progress bar.
_COUNTED_BYTES = 32 * 2**20
_DATE = re.compile(r"(\d{1,2}):(\d{2}) ?([ap])\.?m\.? on (\d{1,2}) (\w+),? (\d{4})", re.IGNORECASE)
_SESSION = re.compile(r"session_(\d+)")
#: The values of JSON, as a person calls them.
_KINDS = {
    bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"
}  # fmt: skip


class _Layout(Enum):
    LINES = "one JSON object a line"
    DOCUMENT = "one JSON document"


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the memories of a file in order.

    JSON lines are read one at a time, whatever the size of the file; a single JSON document is loaded whole.
    Raises InvalidInput, naming the file, the line or item and what to do, when that place is reached: the
    items before it have been yielded by then.
    """
    if _layout(path) is _Layout.LINES:
        yield from _read_lines(path)
    else:
        yield from _read_document(path)


def count(path: Path) -> int | None:
    """How many memories the file holds; None when only a slow or failing read would tell."""
    if _layout(path) is _Layout.LINES:
        return sum(1 for _, _, raw in _lines(path) if raw.strip())
    if path.stat().st_size > _COUNTED_BYTES:
        return None
    try:
        return sum(1 for _ in _read_document(path))
    except InvalidInput:
        return None


# --- which layout ---


def _layout(path: Path) -> _Layout:
    first = next(((number, raw) for number, _, raw in _lines(path) if raw.strip()), None)
    if first is None:
        _refuse(path, "the file is empty; it should hold memories as JSON lines or as a JSON list")
    number, raw = first
    if raw.startswith(_WIDE):
        _refuse(path, "the file is UTF-16; save it as UTF-8")
    opening = raw.strip()[:1]
    if opening == b"[":
        return _Layout.DOCUMENT
    if opening != b"{":
        shown = repr(raw.strip()[:20].decode("utf-8", "replace"))
        _refuse(path, f"line {number} starts with {shown}, not with {{ or [; save it as JSON lines or JSON")
    return _Layout.DOCUMENT if _opens_document(raw.strip()) else _Layout.LINES


def _opens_document(line: bytes) -> bool:
    """Whether an object's first line is unfinished, or is a whole ``{"memories": [...]}`` or conversation."""
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        return error.pos >= len(error.doc)
    except (ValueError, RecursionError):
        return False
    return "text" not in value and ("memories" in value or "conversation" in value)


# --- bytes to values ---


def _lines(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield (line number, offset of its first byte, its bytes); a byte order mark is skipped."""
    try:
        with path.open("rb") as file:
            offset = len(_BOM) if file.read(len(_BOM)) == _BOM else 0
            file.seek(offset)
            for number, raw in enumerate(file, start=1):
                yield number, offset, raw
                offset += len(raw)
    except OSError as error:
        reason = error.strerror or str(error)
        _refuse(path, f"cannot be read ({reason}); check the path and its permissions")


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    for number, offset, raw in _lines(path):
        if raw.strip():
            yield _memory(path, f"line {number}", _parse(path, raw.rstrip(), offset=offset, line=number))


def _read_document(path: Path) -> Iterator[dict[str, Any]]:
    value = _parse(path, b"".join(raw for _, _, raw in _lines(path)), offset=0, line=1)
    if isinstance(value, dict) and isinstance(value.get("memories"), list):
        value = value["memories"]
    entries = value if isinstance(value, list) else [value]
    if not entries:
        _refuse(path, "the list is empty; there is nothing to import")
    for index, entry in enumerate(entries):
        if isinstance(entry, dict) and isinstance(entry.get("conversation"), dict):
            yield from _conversation(path, index, entry)
        else:
            yield _memory(path, f"item {index + 1}", entry, field=f"memories.{index}.text")


def _parse(path: Path, raw: bytes, *, offset: int, line: int) -> object:
    try:
        text = raw.decode("utf-8")
        value: object = json.loads(text, parse_constant=_no_constant, object_pairs_hook=each_once)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        at = line + raw[: error.start].count(b"\n")
        _refuse(path, f"invalid UTF-8 at byte {offset + error.start} (line {at}); save the file as UTF-8")
    except UnicodeEncodeError:
        _refuse(path, f"line {line} holds half of a surrogate pair (\\ud800); write the whole character")
    except json.JSONDecodeError as error:
        lineno, column = _place(error)
        _refuse(path, f"bad JSON at line {line + lineno - 1}, column {column}: {error.msg}; {_JSON_ADVICE}")
    except RecursionError:
        _refuse(path, f"line {line} is nested too deeply to be a memory; flatten its metadata")
    except ValueError as error:
        _refuse(path, f"bad JSON at line {line}: {error}; {_JSON_ADVICE}")
    return value


def _place(error: json.JSONDecodeError) -> tuple[int, int]:
    """Line and column, from 1: of what is missing those behind what was read, not where the next line begins."""
    rest = error.doc[error.pos :].lstrip()
    is_missing = not rest or error.msg.endswith("delimiter") or (rest[0] in "{[" and "property name" in error.msg)
    if not is_missing:
        return error.lineno, error.colno
    before = error.doc[: error.pos].rstrip()
    return before.count("\n") + 1, len(before) - before.rfind("\n")


_JSON_ADVICE = "each line must be one JSON object, or the file one JSON list"


def _no_constant(name: str) -> NoReturn:
    message = f"{name} is not a JSON number"
    raise ValueError(message)


def _refuse(path: Path, what: str, *, field: str | None = None) -> NoReturn:
    message = f"{path}: {what}."
    raise InvalidInput(message, field=field) from None


def _kind(value: object) -> str:
    """What a value of JSON is, in its words."""
    return _KINDS.get(type(value), "null")


def _memory(path: Path, where: str, value: object, *, field: str | None = None) -> dict[str, Any]:
    """Give the value as it came, once it is sure to be an object with a text."""
    if not isinstance(value, dict):
        _refuse(path, f'{where} is {_kind(value)}, not an object like {{"text": ...}}')
    text = value.get("text")
    if not isinstance(text, str) or is_blank(text):
        wrong = "an empty text" if isinstance(text, str) else f"a text that is {_kind(text)}"
        known = ", ".join(sorted(value)[:8]) or "none"
        what = f"{where} has {'no text' if 'text' not in value else wrong}; fields found: {known}"
        _refuse(path, f'{what}; every memory needs "text"', field=field or "text")
    return value


# --- the LoCoMo layout ---


def _conversation(path: Path, index: int, sample: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One memory a turn; the sessions by number, whatever order the file has them in."""
    sample_id = sample.get("sample_id")
    if not isinstance(sample_id, str) or not sample_id:
        _refuse(path, f'item {index + 1} is a conversation without "sample_id", which says whose it is')
    conversation = sample["conversation"]
    sessions = [name for name in conversation if _SESSION.fullmatch(name)]
    if not sessions:
        _refuse(path, f'conversation {sample_id} has no "session_1" or later; there is nothing to import')
    for name in sorted(sessions, key=lambda name: int(name.removeprefix("session_"))):
        yield from _session(path, sample_id, name, conversation)


def _session(path: Path, sample_id: str, name: str, conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    where = f"conversation {sample_id}, {name}"
    turns = conversation[name]
    if not isinstance(turns, list):
        _refuse(path, f"{where} is {_kind(turns)}, not a list of turns")
    if not turns:
        return
    start = _session_start(path, where, conversation.get(f"{name}_date_time"))
    for seconds, turn in enumerate(turns):
        spot = f"{where}, turn {seconds + 1}"
        yield _turn(path, spot, turn) | {
            "id": f"{sample_id}:{turn['dia_id']}",
            "user_id": sample_id,
            "session_id": name,
            "memory_type": "message",
            "created_at": (start + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z"),
        }


def _turn(path: Path, where: str, turn: object) -> dict[str, Any]:
    if not isinstance(turn, dict):
        _refuse(path, f"{where} is {_kind(turn)}, not an object with speaker, dia_id and text")
    missing = [name for name in ("speaker", "dia_id") if not isinstance(turn.get(name), str)]
    if missing:
        _refuse(path, f"{where} has no {' and no '.join(missing)}; every turn needs both")
    text = turn.get("text")
    caption = turn.get("blip_caption")
    shared = f"[shares {caption}]" if isinstance(caption, str) and caption.strip() else ""
    full_text = _joined((text if isinstance(text, str) else "", shared))
    return _memory(path, where, {"text": full_text, "metadata": {"speaker": turn["speaker"]}})


def _joined(parts: Iterable[str]) -> str:
    return " ".join(part.strip() for part in parts if part.strip())


def _session_start(path: Path, where: str, value: object) -> datetime:
    """Read the date of a session, whatever the locale: "1:56 pm on 8 May, 2023", taken as UTC."""
    match = _DATE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        _refuse(path, f'{where} has the date {value!r}; it should read like "1:56 pm on 8 May, 2023"')
    hour, minute, half, day, month, year = match.groups()
    try:
        number = MONTHS[month[:3].casefold()]
        clock = int(hour) % 12 + (12 if half in "pP" else 0)
        return datetime(int(year), number, int(day), clock, int(minute), tzinfo=UTC)
    except (KeyError, ValueError):
        _refuse(path, f"{where} has the date {value!r}, which is no day of the calendar")
