"""A key is entered, and left behind."""

from __future__ import annotations

from starlette.responses import Response

from precis.errors import Unauthorized
from precis.page.visit import Visit, put_cookie


async def sign_in(visit: Visit) -> Response:
    """Ask for a key, and begin a session with it; the key itself is kept nowhere."""
    if visit.request.method != "POST":
        return visit.go("") if visit.seen.tenant_id is not None else visit.show("sign_in.html", refused=None)
    client = visit.request.client
    try:
        session = await visit.door.enter(visit.form.get("key", "").strip(), client.host if client else "")
    except Unauthorized as error:
        return visit.show("sign_in.html", 401, refused=str(error))
    visit.door.sessions.end(visit.seen.session)
    response = visit.go("")
    put_cookie(response, visit.request, visit.door.sessions.written(session))
    return response


async def sign_out(visit: Visit) -> Response:
    """End the session; its cookie opens nothing from now on."""
    sessions = visit.door.sessions
    sessions.end(visit.seen.session)
    response = visit.go("sign-in")
    put_cookie(response, visit.request, sessions.written(sessions.begin()))
    return response
