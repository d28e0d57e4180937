"""How errors leave: a status and ``{"detail": ...}``, never a text of a memory and never a secret."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from precis.errors import (
    BudgetExhausted,
    Conflict,
    DraftFailed,
    Forgotten,
    InvalidInput,
    LeaseLost,
    NoSlot,
    NotFound,
    PrecisError,
    SourceChanged,
    StoreUnavailable,
    Unauthorized,
)
from precis.ids import new_id

_log = structlog.get_logger(__name__)

#: The first class that fits decides. 402 for the ceiling: trying again does not help before the month turns.
_STATUS: tuple[tuple[type[PrecisError], int], ...] = (
    (InvalidInput, 422),
    (NotFound, 404),
    (Forgotten, 410),
    (Conflict, 409),
    (LeaseLost, 409),
    (SourceChanged, 409),
    (Unauthorized, 401),
    (BudgetExhausted, 402),
    (NoSlot, 503),
    (DraftFailed, 503),
    (StoreUnavailable, 503),
)
_RETRY = {"Retry-After": "5"}
_HEADERS: Mapping[int, Mapping[str, str]] = {
    401: {"WWW-Authenticate": 'Bearer realm="precis"'},
    503: _RETRY,
}


def answer_to(error: Exception) -> JSONResponse:
    """The response for any error; one that is not foreseen is logged by its type and place only."""
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), None)
    if status is None:
        return _unforeseen(error)
    body: dict[str, Any] = {"detail": str(error)}
    if isinstance(error, InvalidInput) and error.field is not None:
        body["field"] = error.field
    return JSONResponse(body, status_code=status, headers=dict(_HEADERS.get(status, {})))


def install(api: FastAPI) -> None:
    """Answer precis's errors and those of body validation."""

    async def precis_error(request: Request, error: Exception) -> JSONResponse:
        del request
        return answer_to(error)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        del request
        found = error.errors() if isinstance(error, RequestValidationError) else []
        return JSONResponse({"detail": [without_input(one) for one in found]}, status_code=422)

    api.add_exception_handler(PrecisError, precis_error)
    api.add_exception_handler(RequestValidationError, invalid)


def without_input(found: Mapping[str, Any]) -> dict[str, Any]:
    """What is wrong and where, without what was sent: that may be the text of a memory."""
    return {"type": found["type"], "loc": list(found["loc"]), "msg": found["msg"]}


def _unforeseen(error: Exception) -> JSONResponse:
    """The message of an unforeseen error may quote a row, so neither the caller nor the log sees it."""
    id_ = new_id()
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    _log.error("internal_error", id=id_, error=type(error).__name__, where=where)
    return JSONResponse({"detail": f"internal error {id_}"}, status_code=500)
