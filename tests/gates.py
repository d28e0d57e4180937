"""A gate before a service, which can be shut as a network shuts: without a word, or with a refusal."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Gate:
    """Passes bytes on to a service, until it is told to hang or to refuse."""

    #: A host and a port, or a socket of this computer.
    target: tuple[str, int] | str
    port: int = 0
    _loop: asyncio.AbstractEventLoop = field(init=False)
    _passes: asyncio.Event = field(init=False)
    _end: asyncio.Event = field(init=False)
    _server: asyncio.Server | None = None
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)

    def hang(self) -> None:
        """Take what comes, and answer nothing."""
        self._loop.call_soon_threadsafe(self._passes.clear)

    def refuse(self) -> None:
        """Take no connection, and end those that there are."""
        asyncio.run_coroutine_threadsafe(self._refuse(), self._loop).result(10)

    def open(self) -> None:
        """Pass on what waits, and whatever comes."""
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(10)

    async def _open(self) -> None:
        self._passes.set()
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
            self.port = self._server.sockets[0].getsockname()[1]

    async def _refuse(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened = (
            asyncio.open_unix_connection(self.target)
            if isinstance(self.target, str)
            else asyncio.open_connection(*self.target)
        )
        try:
            there, beyond = await opened
        except OSError:
            writer.close()
            return
        self._writers |= {writer, beyond}
        await asyncio.gather(self._pass_on(reader, beyond), self._pass_on(there, writer))
        self._writers -= {writer, beyond}

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._passes.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@contextmanager
def gate_to(target: tuple[str, int] | str) -> Iterator[Gate]:
    """An open one, in a thread of its own."""
    gate, begun = Gate(target), threading.Event()

    async def main() -> None:
        gate._loop, gate._passes, gate._end = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        begun.set()
        await gate._end.wait()
        await gate._open()  # nobody is left who waits
        await gate._refuse()
        await asyncio.sleep(0.1)

    thread = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
    thread.start()
    begun.wait(10)
    gate.open()
    try:
        yield gate
    finally:
        gate._loop.call_soon_threadsafe(gate._end.set)
        thread.join(10)
