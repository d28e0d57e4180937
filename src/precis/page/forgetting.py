"""Forget: say it in words, see what would go, confirm, keep the receipt, and look for what is left."""

import hashlib

import orjson
from starlette.responses import Response

from precis.app.in_words.answers import Preview
from precis.app.receipts import Proof, begin_looking
from precis.engine.forgetting import Receipt
from precis.errors import InvalidInput, NotFound
from precis.page.visit import Some, Visit, whole_number

_RECEIPTS = 50
#: Memories of each kind that one page of a preview shows.
_MEANT = 50
#: What the fields of single rows are called, each with the id of a memory behind it.
_ALSO, _KEEP = "also.", "keep."
#: Seconds that a browser waits for a search; what takes longer goes on, and is asked for.
_WAIT = 8.0
#: What a receipt counts, in words.
_COUNTS = {
    "memories": "memories forgotten", "not_found": "ids that were nobody's", "statements_removed": "statements removed",
    "segments_removed": "segments removed", "summaries_deleted": "summaries of which nothing was left",
    "summaries_redacted": "summaries that lost statements", "being_derived": "summaries being made anew",
}  # fmt: skip


async def ask(visit: Visit) -> Response:
    """Ask what is to be forgotten, and of whom."""
    return visit.show("forget.html", user_id=visit.query.get("user", ""), what="", refused=None)


async def preview(visit: Visit) -> Response:
    """Show what goes, what is in doubt and what stays near it. Nothing is forgotten yet."""
    user_id, what = visit.form.get("user", ""), visit.form.get("what", "")
    try:
        shown = await visit.app.memories.find_to_forget(what, user_id=user_id)
    except (InvalidInput, NotFound) as error:
        return visit.show("forget.html", 422, user_id=user_id, what=what, refused=str(error))
    seen, before = _seen(shown), visit.form.get("seen", "")
    # The next rows are of a preview made anew: where that is another one, whoever confirms it has to see it whole.
    changed = before not in ("", seen)
    first = 0 if changed else whole_number(visit.form.get("from", "")) or 0
    lists = (shown.forget, shown.doubtful, shown.near, shown.summaries)
    shares = [Some(rows=rows[first : first + _MEANT], first=first, total=len(rows)) for rows in lists]
    following = first + _MEANT if any(len(rows) > first + _MEANT for rows in lists) else None
    names = await visit.app.standing.get_many([each.summary_id for each in shown.summaries[first : first + _MEANT]])
    return visit.show(
        "preview.html", preview=shown, what=what, lists=shares, following=following, seen=seen, changed=changed,
        names=names, choosable=following is None and not first, also=_ALSO, keep=_KEEP,
    )  # fmt: skip


def _seen(preview: Preview) -> str:
    """What a preview shows, in a few letters: the same as long as it shows the same."""
    rows = [[row.id for row in rows] for rows in (preview.forget, preview.doubtful)]
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


async def confirm(visit: Visit) -> Response:
    """Forget what a preview showed."""
    receipt = await visit.app.memories.forget_preview(
        visit.needed("preview"), user_id=visit.form.get("user") or None,
        include_doubtful=visit.form.get("doubtful") == "yes",
        also=_rows(visit, _ALSO), keep=_rows(visit, _KEEP),
    )  # fmt: skip
    return await _done(visit, receipt)


def _rows(visit: Visit, prefix: str) -> list[str]:
    """The ids of the rows that were ticked."""
    return [name.removeprefix(prefix) for name in visit.form if name.startswith(prefix)]


async def forget_one(visit: Visit) -> Response:
    """Forget one memory; the question is asked once more before."""
    id_ = visit.needed("id")
    memory = await visit.app.memories.get(id_)
    if visit.form.get("sure") != "yes":
        return visit.show("forget_one.html", memory=memory, resting=await visit.app.standing.resting_on([id_]))
    return await _done(visit, await visit.app.memories.forget(id_))


async def forget_user(visit: Visit) -> Response:
    """Forget everything of a user, whose name has to be written out; their key is destroyed."""
    user_id = visit.needed("user")
    if visit.form.get("again") != user_id:
        raise InvalidInput("the name that was written is not the user's: nothing was forgotten", field="again")
    return await _done(visit, await visit.app.memories.forget_user(user_id))


async def _done(visit: Visit, receipt: Receipt) -> Response:
    names = await visit.app.standing.get_many([summary.id for summary in receipt.summaries])
    edited = getattr(receipt, "edited", ())
    return visit.show("forgotten.html", receipt=receipt, names=names, edited=edited)


async def receipts(visit: Visit) -> Response:
    """All receipts, the latest first; of one user where one is named."""
    user_id = visit.query.get("user") or None
    page = await visit.app.receipts.list(limit=_RECEIPTS, cursor=visit.query.get("cursor"), user_id=user_id)
    return visit.show("receipts.html", receipts=page, user_id=user_id, key=visit.app.receipts.key, verdict=None)


async def verify_chain(visit: Visit) -> Response:
    """Check every signature, and that none is missing or out of its place."""
    verdict = await visit.app.receipts.verify()
    page = await visit.app.receipts.list(limit=_RECEIPTS)
    return visit.show("receipts.html", receipts=page, user_id=None, key=visit.app.receipts.key, verdict=verdict)


async def receipt(visit: Visit) -> Response:
    """One receipt, in words and as it was signed."""
    signed = await visit.app.receipts.get(visit.needed("id"))
    numbers = signed.receipt.get("counts", {})
    counts = {words: numbers[name] for name, words in _COUNTS.items() if numbers.get(name)}
    document = orjson.dumps(signed.receipt, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()
    return visit.show("receipt.html", signed=signed, counts=counts, document=document)


async def look(visit: Visit) -> Response:
    """Look for words everywhere precis writes. They are kept nowhere, and not said again."""
    words = [word.strip() for word in visit.form.get("words", "").splitlines() if word.strip()]
    run = await begin_looking(visit.app.parts, words, files=not visit.has_key)
    task = await run.wait(_WAIT)
    proof = Proof.read(task.result) if task.result is not None else None
    return visit.show("looked.html", proof=proof, task_id=task.id)


async def looked(visit: Visit) -> Response:
    """What a search that took longer came upon."""
    task_id = visit.needed("task")
    task = await visit.app.tasks.get(task_id)
    if task.type != "verify_forgotten":
        raise NotFound(f"there is no search {task_id!r}")
    proof = Proof.read(task.result) if task.result is not None else None
    return visit.show("looked.html", proof=proof, task_id=task_id)
