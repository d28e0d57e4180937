"""``/metrics``: figures of this process and of the database for Prometheus, and who may read them."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from precis.bootstrap import Runtime
from precis.errors import Unauthorized
from precis.watch.census import Census

PATH = "/metrics"
_NOT_ITS_KEY = (
    "the figures are of all tenants, so no tenant's key opens them: "
    "set PRECIS_METRICS_KEY and send it as Authorization: Bearer"
)


def metrics_route(runtime: Runtime, *, timer: Callable[[], float] = time.monotonic) -> Route:
    """Where Prometheus scrapes."""
    census = Census(runtime, timer=timer)

    async def scrape(request: Request) -> Response:
        del request
        return Response(await census.text(), media_type=CONTENT_TYPE_LATEST)

    return Route(PATH, scrape, methods=["GET"])


def refuse_scraper(headers: Headers, *, key: str | None, has_keys: bool) -> None:
    """Raises Unauthorized unless the scraper's key was sent; without one, a server without keys tells this computer."""
    if key is None and not has_keys:
        return
    scheme, _, sent = headers.get("authorization", "").partition(" ")
    is_key = scheme.lower() == "bearer" and hmac.compare_digest(sent.strip().encode(), (key or "").encode())
    if key is None or not is_key:
        raise Unauthorized(_NOT_ITS_KEY)
