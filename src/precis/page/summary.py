"""A summary: what it says, what each statement rests on, who made it and when; and a memory, with what rests on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from precis.app.reasons import Resting
from precis.errors import InvalidInput
from precis.memory import Memory
from precis.page.visit import Visit, whole_number
from precis.summary import Statement, served_of

_MEMORIES = 50
_STATEMENTS = 50
_FEEDBACK = 20
#: Why a check set sources aside, in words.
REASONS = {
    "small_talk": "greet, thank or praise, and tell nothing",
    "question": "ask, and tell nothing",
    "repetition": "say what a statement here says already",
    "overruled": "are overruled by something newer on the same subject",
}
#: The same of one of them.
REASON = {
    "small_talk": "it greets, thanks or praises, and tells nothing",
    "question": "it asks, and tells nothing",
    "repetition": "a statement says so already",
    "overruled": "something newer on the same subject overrules it",
}


@dataclass(frozen=True, kw_only=True)
class Lights:
    """Numbers of the memories on a page: what shares one lights up together."""

    numbers: Mapping[str, int]

    def of(self, ids: Sequence[str]) -> str:
        """Of these memories, as far as they are on the page."""
        return " ".join(str(self.numbers[id_]) for id_ in ids if id_ in self.numbers)


async def summary(visit: Visit) -> Response:
    """One summary with its statements, and beside it the memories that they rest on."""
    app, id_ = visit.app, visit.needed("id")
    shown = await app.summaries.get(id_)
    statements = served_of(shown.statements, 0.0)
    number = _number(visit, statements)
    ids = visit.some(shown.leaf_source_ids if number is None else statements[number].source_ids, _MEMORIES)
    memories = await _in_order(visit, ids.rows)
    resting = await app.standing.resting_on([memory.id for memory in memories])
    feedback = await app.feedback.list(summary_id=id_, limit=_FEEDBACK)
    return visit.show(
        "summary.html", summary=shown, statements=visit.some(statements, _STATEMENTS, "said"), number=number,
        memories=memories, ids=ids, checked=await app.standing.checked(id_),
        lights=Lights(numbers={memory.id: at for at, memory in enumerate(memories)}),
        elsewhere=[each for each in resting if each.summary.id != id_], reasons=REASONS, reason_of=REASON,
        history=(await app.summaries.history(id_)).refreshes, feedback=feedback.rows,
        planned=await app.standing.plan(id_), outcome=visit.query.get("outcome"),
    )  # fmt: skip


def _number(visit: Visit, statements: Sequence[Statement]) -> int | None:
    """Of the statement whose memories alone are shown."""
    number = whole_number(visit.query.get("statement", ""))
    return number if number is not None and number < len(statements) else None


async def _in_order(visit: Visit, ids: Sequence[str]) -> list[Memory]:
    memories = await visit.app.memories.get_many(ids)
    return [memories[id_] for id_ in ids if id_ in memories]


async def memory(visit: Visit) -> Response:
    """One memory in full, and every statement that rests on it."""
    id_ = visit.needed("id")
    shown = await visit.app.memories.get(id_)
    if shown.is_summary:
        return visit.go("summary", id=id_)
    resting: Sequence[Resting] = await visit.app.standing.resting_on([id_])
    return visit.show("memory.html", memory=shown, resting=resting)


async def refresh(visit: Visit) -> Response:
    """Make one summary current now."""
    id_ = visit.needed("id")
    outcome = await visit.app.summaries.refresh(id_, force=visit.form.get("force") == "yes")
    if outcome.result.value == "dropped":
        return visit.go("")
    return visit.go("summary", id=id_, outcome=outcome.result.value)


async def give_feedback(visit: Visit) -> Response:
    """Mark a statement, or the summary as a whole, as wrong or good."""
    id_, verdict = visit.needed("id"), visit.needed("verdict")
    if verdict not in ("wrong", "good"):
        raise InvalidInput(f"verdict: {verdict!r} is not wrong or good", field="verdict")
    await visit.app.feedback.give(
        id_, "wrong" if verdict == "wrong" else "good", note=visit.form.get("note") or None,
        statement=whole_number(visit.form.get("statement", "")), text=visit.form.get("text") or None,
    )  # fmt: skip
    kept = await visit.app.memories.get_many([id_])
    return visit.go("summary", id=id_, outcome=f"marked {verdict}") if id_ in kept else visit.go("")


async def take_back(visit: Visit) -> Response:
    """Take feedback back."""
    feedback = await visit.app.feedback.get(visit.needed("feedback"))
    await visit.app.feedback.take_back(feedback.id)
    return visit.go("summary", id=feedback.summary_id, outcome="taken back")
