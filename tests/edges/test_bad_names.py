"""Names and ids that nothing can have, at every verb of the Python API: refused in words, by one error."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

import pytest

from precis.app import App
from precis.errors import InvalidInput, NotFound
from precis.memory import Moments, Words
from precis.store.filtering import Filter

pytestmark = pytest.mark.asyncio(loop_scope="session")
Verb = Callable[[App, Any], Awaitable[object]]
#: What PostgreSQL cannot store, and what no encoding has: a byte of a command line that is not UTF-8 comes as this.
UNSTORABLE = ["a\0b", "\udcff"]
FIELDS = ["user_id", "project_id", "environment", "namespace", "session_id", "agent_id", "run_id", "memory_type"]
VERBS: dict[str, Verb] = {
    "memories.get": lambda app, id_: app.memories.get(id_),
    "memories.edit": lambda app, id_: app.memories.edit(id_, {"pinned": True}),
    "memories.forget": lambda app, id_: app.memories.forget(["there", id_]),
    "memories.forget_user": lambda app, id_: app.memories.forget_user(id_),
    "summaries.get": lambda app, id_: app.summaries.get(id_),
    "summaries.expand": lambda app, id_: app.summaries.expand(id_),
    "summaries.list": lambda app, id_: app.summaries.list(user_id=id_),
    "summaries.plan": lambda app, id_: app.summaries.plan(user_id=id_),
    "summaries.refresh": lambda app, id_: app.summaries.refresh(id_),
    "summaries.refresh_group": lambda app, id_: app.summaries.refresh_group(id_),
    "summaries.refresh_all": lambda app, id_: app.summaries.refresh_all(user_id=id_),
    "summaries.delete": lambda app, id_: app.summaries.delete(id_),
    "summaries.stats": lambda app, id_: app.summaries.stats(user_id=id_),
    "recall.search": lambda app, id_: app.recall.search("tea", user_id=id_),
    "recall.search query": lambda app, id_: app.recall.search(f"tea {id_}"),
    "context.assemble": lambda app, id_: app.context.assemble("tea", token_budget=100, user_id=id_),
    "long_term.compact": lambda app, id_: app.long_term.compact(Filter(user_id=id_)),
    "views.create": lambda app, id_: app.views.create(name=id_, group_by=["user_id"]),
    "views.create filters": lambda app, id_: app.views.create(group_by=["user_id"], filters={"user_id": id_}),
    "views.get": lambda app, id_: app.views.get(id_),
    "views.delete": lambda app, id_: app.views.delete(id_),
    "views.partitions": lambda app, id_: app.views.partitions(id_),
    "views.run": lambda app, id_: app.views.run(id_),
    "tasks.get": lambda app, id_: app.tasks.get(id_),
    "jobs.retry": lambda app, id_: app.jobs.retry(id_),
    "jobs.list": lambda app, id_: app.jobs.list(state=id_),
    "rollups.summarize": lambda app, id_: app.rollups.summarize(id_, "weekly"),
    "rollups.list": lambda app, id_: app.rollups.list("weekly", user_id=id_),
    "rollups.set_zone": lambda app, id_: app.rollups.set_zone("UTC", user_id=id_),
    "archive.preview": lambda app, id_: app.archive.preview(user_id=id_),
    "conversations.load": lambda app, id_: app.conversations.load(id_),
    "conversations.context": lambda app, id_: app.conversations.context("s", user_id=id_),
    "conversations.turn": lambda app, id_: app.conversations.turn(id_, [{"role": "user", "content": "Hello."}]),
    "conversations.forget": lambda app, id_: app.conversations.forget(id_),
    "conversations.sessions": lambda app, id_: app.conversations.sessions(namespace=id_),
}


@pytest.mark.parametrize("name", UNSTORABLE, ids=["null", "half a pair"])
@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
async def test_a_name_that_nothing_can_have_is_refused(app: App, verb: Verb, name: str) -> None:
    """Not with an error of the driver, and before anything is done."""
    await app.memories.add([{"id": "there", "text": "Ana likes tea.", "user_id": "ana"}])
    with pytest.raises(InvalidInput) as raised:
        await verb(app, name)
    assert name not in str(raised.value)
    assert await app.memories.get("there")


@pytest.mark.parametrize("name", UNSTORABLE, ids=["null", "half a pair"])
async def test_on_the_wire_it_is_an_id_that_is_not_there(app: App, name: str) -> None:
    """As in the original; forgetting it is nothing."""
    with pytest.raises(NotFound):
        await app.long_term.get(name)
    assert () == await app.long_term.forget([name])


@pytest.mark.parametrize("name", [*UNSTORABLE, 5, b"ana", ["ana"]], ids=ascii)
@pytest.mark.parametrize("field", FIELDS)
async def test_a_filter_names_its_bad_field(app: App, field: str, name: object) -> None:
    """Whatever verb it is for, and whether as a field or made by hand."""
    # Of namespaces a filter takes several.
    named: dict[str, Any] = {field: [*name, 5] if field == "namespace" and isinstance(name, list) else name}
    words: Any = ("a", name)
    makers: tuple[Callable[[], Filter], ...] = (
        lambda: Filter(**named),
        lambda: Filter(words={"topics": Words(none=words)}),
    )
    for made in makers:
        with pytest.raises(InvalidInput, match=r"it holds a null|it is of type"):
            made()
    with pytest.raises(InvalidInput) as raised:
        await app.memories.list(**named)
    assert field == raised.value.field


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"usr_id": "ana"}, "usr_id"),
        ({"is_summary": "no"}, "is_summary"),
        ({"pinned": 1}, "pinned"),
        ({"words": {"text": Words(any=("tea",))}}, "text"),
        ({"times": {"updated_at": Moments()}}, "updated_at"),
        ({"times": {"created_at": Moments(gte=datetime(2026, 1, 5))}}, "created_at"),  # noqa: DTZ001 - no zone is the case
    ],
)
async def test_what_a_filter_cannot_ask_is_refused(app: App, fields: dict[str, Any], field: str) -> None:
    """A misspelled filter would widen the answer; one of another type would say something else."""
    for verb in (lambda: app.memories.list(**fields), lambda: app.recall.search("tea", **fields)):
        with pytest.raises(InvalidInput) as raised:
            await verb()
        assert field == raised.value.field


@pytest.mark.parametrize(
    ("verb", "field"),
    [
        (lambda app: app.recall.search(" "), "query"),
        (lambda app: app.recall.search("tea " * 8001), "query"),
        (lambda app: app.recall.search(b"tea"), "query"),
        (lambda app: app.recall.search("tea", summaries="some"), "summaries"),
        (lambda app: app.recall.search("tea", limit="5"), "limit"),
        (lambda app: app.memories.list(limit=0), "limit"),
        (lambda app: app.summaries.plan(limit=-1), "limit"),
        (lambda app: app.conversations.sessions(limit=-1), "limit"),
        (lambda app: app.conversations.sessions(offset=-1), "offset"),
        (lambda app: app.conversations.load("s", tenant="other"), "tenant"),
        (lambda app: app.jobs.list(state="lost"), "state"),
    ],
)
async def test_what_a_verb_cannot_do_is_refused(app: App, verb: Callable[[App], Awaitable[object]], field: str) -> None:
    """As REST refuses it."""
    with pytest.raises(InvalidInput) as raised:
        await verb(app)
    assert field == raised.value.field
