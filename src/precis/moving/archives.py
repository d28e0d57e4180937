"""The files of a data export: as they lie in a folder or in a .zip, and read without holding more than a piece."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

from precis.errors import InvalidInput

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
