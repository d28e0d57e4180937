"""Pages of other sites: what a browser says of whoever made it send a request.

Without keys whoever reaches the server is served, and every page that is open in a browser of this computer reaches it.
A page cannot choose three headers: ``Host`` is the name it asked for, ``Origin`` and ``Sec-Fetch-Site`` say whose page
it is. Programs that are no browser send ``Host`` alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers

#: Methods that change nothing: the browser keeps their answers from the other page by itself.
READS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
#: Whose page sent it, as browsers say: the server's own, or nobody's (typed into the address bar).
_OWN_SITES = frozenset({"same-origin", "none"})
_PORTS = {"http": 80, "https": 443}

_FOREIGN_HOST = (
    "without keys only this computer is served, under the name localhost or a loopback address; name further hosts in "
    "PRECIS_ALLOWED_HOSTS, or run `precis keys create` and send a key"
)
_FOREIGN_PAGE = (
    "a page of another site sent this (its Origin or Sec-Fetch-Site says so), and without keys such a page may change "
    "nothing; run `precis keys create` and send a key"
)


class Refusal(NamedTuple):
    """Why a request is not served."""

    status: int
    detail: str


def refusal(method: str, headers: Headers, *, bound: str, allowed: Iterable[str]) -> Refusal | None:
    """What speaks against serving this request without a key; None where nothing does.

    ``bound`` is the address that was listened on, ``allowed`` names further hosts.
    """
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not _is_ours(hosts[0], {bound.lower(), *map(_name, allowed)}):
        return Refusal(status=421, detail=_FOREIGN_HOST)
    if method in READS or is_own(headers):
        return None
    return Refusal(status=403, detail=_FOREIGN_PAGE)


def is_own(headers: Headers) -> bool:
    """Whether no page of another server sent it, as browsers say."""
    hosts = headers.getlist("host")
    own = len(hosts) == 1 and all(_is_same(origin, hosts[0]) for origin in headers.getlist("origin"))
    return own and _OWN_SITES.issuperset(headers.getlist("sec-fetch-site"))


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches a server that listens there."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def _is_ours(host: str, names: set[str]) -> bool:
    name = _name(host)
    return bool(name) and (is_loopback(name) or name in names)


def _name(host: str) -> str:
    """The name in ``name:port``, lower-cased; empty where there is none."""
    parts = _split(f"//{host}")
    return (parts.hostname or "").rstrip(".") if parts else ""


def _is_same(origin: str, host: str) -> bool:
    """Whether the page came from this very server: the same name and the same port."""
    parts = _split(origin)
    if parts is None or parts.scheme not in _PORTS:
        return False
    default, own = _PORTS[parts.scheme], _split(f"//{host}")
    return own is not None and (parts.hostname, parts.port or default) == (own.hostname, own.port or default)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts
