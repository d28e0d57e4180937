"""/mcp, for hosts of the Model Context Protocol. Its packages are read with the first request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from precis.app import App
from precis.bootstrap import Runtime

if TYPE_CHECKING:
    from precis.mcp.server import Endpoint

_NOT_INSTALLED = "this server has no MCP: it needs pip install 'precis-memory[mcp]'"


class Mcp:
    """The route. It needs a key like any other: who may ask is settled before it is reached."""

    def __init__(self, runtime: Runtime, app_of: Callable[[str], App]) -> None:
        self._runtime = runtime
        self._app_of = app_of
        self._opening = asyncio.Lock()
        self._endpoint: Endpoint | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        try:
            endpoint = await self._opened()
        except ModuleNotFoundError:
            await JSONResponse({"detail": _NOT_INSTALLED}, 501)(scope, receive, send)
            return
        await endpoint(scope, receive, send)

    async def _opened(self) -> Endpoint:
        async with self._opening:
            if self._endpoint is None:
                module = await asyncio.to_thread(import_module, "precis.mcp.server")
                self._endpoint = module.Endpoint(self._runtime, self._app_of)
            return self._endpoint

    async def aclose(self) -> None:
        """End what is under way."""
        if self._endpoint is not None:
            await self._endpoint.aclose()
