"""Where each part of the page is."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from precis.errors import NotFound
from precis.page import entering, forgetting, person, ruling, summary, work
from precis.page.rendering import link, static
from precis.page.sessions import PATH
from precis.page.visit import Visit, route


async def _home(request: Request) -> Response:
    del request
    return RedirectResponse(link(), 307)


async def _nowhere(visit: Visit) -> Response:
    raise NotFound(f"there is nothing at {visit.request.url.path}")


async def _static(request: Request) -> Response:
    return static(request.path_params["name"]) or Response(status_code=404)


ROUTES = [
    Route("/", _home),
    Route(PATH, _home),
    Route(f"{PATH}/static/{{name}}", _static),
    route("sign-in", entering.sign_in, "GET", "POST", is_open=True),
    route("sign-out", entering.sign_out, "POST"),
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
    route("plan", work.plan),
    route("plan/refresh", work.refresh, "POST"),
    route("work", work.work),
    route("work/retry", work.retry, "POST"),
    route("view", work.view),
    route("view/run", work.run_view, "POST"),
    route("settings", ruling.settings),
    route("settings/zone", ruling.set_zone, "POST"),
    route("settings/views/create", ruling.create_view, "POST"),
    route("settings/views/delete", ruling.delete_view, "POST"),
    route("settings/keys/create", ruling.create_key, "POST"),
    route("settings/keys/revoke", ruling.revoke_key, "POST"),
    route("{place:path}", _nowhere),
]
