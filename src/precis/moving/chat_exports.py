"""The data export of a chat: its files, as they lie in a folder or in a .zip, and its messages as memories.

Files are read without holding more than a piece. A chat is told the same whoever wrote it: which of its messages stand,
and what memories they become.
"""

import io
import json
import re
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any, NoReturn

from precis.errors import InvalidInput
from precis.moving.arrivals import Arrival, LeftOut, MoveOptions, cleaned, existing, memory

#: Characters that are read at once.
_PIECE = 1 << 18
_GAP = re.compile(r"[\s,]*")
#: A JSON error so near to the end of what was read so far may only mean that more is to be read.
_CUT = 16


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile | None]:
    """The .zip, or None for anything else. Raises InvalidInput for one that cannot be read."""
    if not path.is_file() or not zipfile.is_zipfile(path):
        yield None
        return
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError) as error:
        raise InvalidInput(f"{path}: this .zip cannot be read ({error}); fetch the export again") from error


def files_named(path: Path, pattern: re.Pattern[str]) -> Generator[tuple[str, IO[bytes]], None, None]:
    """Name and content of the files of that name, in order; a file that is no .zip is one, whatever its name.

    To be closed. Raises InvalidInput where there is none.
    """
    with opened(path) as archive:
        if archive is not None:
            names = sorted(name for name in archive.namelist() if pattern.fullmatch(name.rpartition("/")[2]))
            for name in names:
                with archive.open(name) as content:
                    yield name, content
        else:
            files = sorted(path.rglob("*")) if path.is_dir() else [path]
            names = [str(file) for file in files if file == path or pattern.fullmatch(file.name)]
            for name in names:
                with Path(name).open("rb") as content:
                    yield name, content
    if not names:
        raise InvalidInput(f"{path}: there is no {pattern.pattern.replace(chr(92), '')} in it")


def listed(path: Path, pattern: re.Pattern[str]) -> Generator[tuple[str, Any], None, None]:
    """Each element of the JSON lists in the files of that name, with its place. To be closed. Raises InvalidInput."""
    with closing(files_named(path, pattern)) as files:
        for name, content in files:
            with closing(elements(content, name)) as values:
                for number, value in enumerate(values, start=1):
                    yield f"{name}, {number}", value


def elements(content: IO[bytes], name: str) -> Generator[Any, None, None]:
    """The elements of a JSON list, one at a time. Raises InvalidInput where it stops being one."""
    text = io.TextIOWrapper(content, encoding="utf-8-sig")
    try:
        yield from _elements(text, name)
    finally:
        text.detach()


def _elements(text: io.TextIOWrapper, name: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    buffer, place, number = _more(text, name), 0, 0
    if not buffer.lstrip().startswith("["):
        _refuse(name, "it holds no JSON list")
    place = buffer.index("[") + 1
    while True:
        gap = _GAP.match(buffer, place)
        place = gap.end() if gap else place
        if buffer.startswith("]", place):
            return
        try:
            value, end = decoder.raw_decode(buffer, place)
        except json.JSONDecodeError as error:
            if error.pos < len(buffer) - _CUT and not error.msg.startswith("Unterminated"):
                _refuse(name, f"bad JSON in element {number + 1}: {error.msg}")
            value, end = None, len(buffer)
        except RecursionError:
            _refuse(name, f"element {number + 1} is nested too deeply")
        if end < len(buffer):
            number, place = number + 1, end
            yield value
            continue
        # What ends with the piece may go on behind it. As much again each time, so that an element of any length is
        # parsed a few times and not hundreds.
        piece = _more(text, name, max(_PIECE, len(buffer) - place))
        if not piece:
            _refuse(name, f"it ends within element {number + 1}; fetch the export again")
        buffer, place = buffer[place:] + piece, 0


def _more(text: io.TextIOWrapper, name: str, size: int = _PIECE) -> str:
    try:
        return text.read(size)
    except UnicodeDecodeError as error:
        _refuse(name, f"it is not UTF-8 ({error.reason})")
    except (zipfile.BadZipFile, zlib.error, OSError) as error:
        _refuse(name, f"it cannot be read ({error})")


def _refuse(name: str, reason: str) -> NoReturn:
    raise InvalidInput(f"{name}: {reason}") from None


#: Large exports come in several files.
_FILE = re.compile(r"conversations(?:[-_]\d+)?\.json")
#: Between messages of which the later one has no date.
_STEP = timedelta(seconds=1)
ASSISTANT = "said by the assistant: --assistant moves it too"
BRANCH = "in a branch that was left: edited or made anew since"
SILENT = "without words: an image, a file or a tool alone"


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A message."""

    id: str
    text: str
    by_assistant: bool = False
    at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Chat:
    """A conversation as an export has it."""

    #: Whose export it is; begins the ids.
    kind: str
    #: Who the assistant is.
    assistant: str
    id: str
    title: str
    started: datetime | None
    messages: Sequence[Said | LeftOut] = field(default=())


class Export(ABC):
    """Reads conversation by conversation, whatever the size of the file."""

    def __init__(self, source: str, options: MoveOptions) -> None:
        """Raises InvalidInput."""
        options.owner()
        self._path, self._options = existing(source), options
        self.total: int | None = None

    async def arrivals(self) -> AsyncGenerator[Arrival, None]:
        """Raises InvalidInput."""
        with closing(listed(self._path, _FILE)) as chats:
            for where, chat in chats:
                for arrival in self._read(chat, where):
                    yield arrival

    @abstractmethod
    def _read(self, chat: Any, where: str) -> Iterator[Arrival]:
        """What a conversation of the file holds."""


def way_to(last: str | None, parents: Mapping[str, str | None]) -> list[str]:
    """From the first message to this one, by the parents; it ends where a parent is unknown, or comes again."""
    way: dict[str, None] = {}
    while last is not None and last in parents and last not in way:
        way[last] = None
        last = parents[last]
    return list(reversed(way))


def arrivals_of(chat: Chat, options: MoveOptions) -> Iterator[Arrival]:
    """Each message as a memory of the person, dated, with who said it."""
    before = chat.started or _begun(chat)
    for message in chat.messages:
        if isinstance(message, LeftOut):
            yield message
            continue
        at = message.at or (before + _STEP if before else None)
        before = at
        if not message.text.strip():
            yield LeftOut(id=message.id, reason=SILENT)
        elif message.by_assistant and not options.assistant:
            yield LeftOut(id=message.id, reason=ASSISTANT)
        else:
            yield _memory(chat, message, at, options.owner())


def _begun(chat: Chat) -> datetime | None:
    """Where the chat itself has no date: as long before its first message with one as there are messages."""
    first = next((message.at for message in chat.messages if isinstance(message, Said) and message.at), None)
    return first - _STEP * len(chat.messages) if first else None


def _memory(chat: Chat, message: Said, at: datetime | None, owner: str) -> Arrival:
    return memory(
        f"{chat.kind}:{message.id}",
        {
            "text": cleaned(message.text),
            "user_id": owner,
            "session_id": chat.id,
            "memory_type": "message",
            "created_at": at,
            "metadata": {
                "speaker": chat.assistant if message.by_assistant else owner,
                "role": "assistant" if message.by_assistant else "user",
                "from": chat.kind,
                **({"title": cleaned(chat.title)[:_TITLE]} if chat.title else {}),
            },
        },
    )


#: Characters of a title.
_TITLE = 300
