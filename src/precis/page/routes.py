"""Where each part of the page is, and the door before them: a key is entered, and left behind."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from precis.errors import NotFound, Unauthorized
from precis.page import forgetting, operating, person, summary
from precis.page.rendering import PATH, link, static
from precis.page.visit import Visit, put_cookie, route


async def _home(request: Request) -> Response:
    del request
    return RedirectResponse(link(), 307)


async def _nowhere(visit: Visit) -> Response:
    raise NotFound(f"there is nothing at {visit.request.url.path}")


async def _static(request: Request) -> Response:
    return static(request.path_params["name"]) or Response(status_code=404)


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


ROUTES = [
    Route("/", _home),
    Route(PATH, _home),
    Route(f"{PATH}/static/{{name}}", _static),
    route("sign-in", sign_in, "GET", "POST", is_open=True),
    route("sign-out", sign_out, "POST"),
    route("", person.people),
    route("person", person.person),
    route("search", person.search),
    route("context", person.context),
    route("memory", summary.memory),
    route("summary", summary.summary),
    route("summary/refresh", summary.refresh, "POST"),
    route("summary/feedback", summary.give_feedback, "POST"),
    route("summary/take-back", summary.take_back, "POST"),
    route("forget", forgetting.ask),
    route("forget/preview", forgetting.preview, "POST"),
    route("forget/confirm", forgetting.confirm, "POST"),
    route("forget/one", forgetting.forget_one, "POST"),
    route("forget/user", forgetting.forget_user, "POST"),
    route("forget/look", forgetting.look, "POST"),
    route("forget/looked", forgetting.looked),
    route("receipts", forgetting.receipts),
    route("receipts/verify", forgetting.verify_chain, "POST"),
    route("receipt", forgetting.receipt),
    route("plan", operating.plan),
    route("plan/refresh", operating.refresh, "POST"),
    route("work", operating.work),
    route("work/retry", operating.retry, "POST"),
    route("view", operating.view),
    route("view/run", operating.run_view, "POST"),
    route("settings", operating.settings),
    route("settings/zone", operating.set_zone, "POST"),
    route("settings/views/create", operating.create_view, "POST"),
    route("settings/views/delete", operating.delete_view, "POST"),
    route("settings/keys/create", operating.create_key, "POST"),
    route("settings/keys/revoke", operating.revoke_key, "POST"),
    route("{place:path}", _nowhere),
]
