"""Calls precis, and waits for its answers.

Written by `make client`: change `asynchronous.py` instead.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import count
from types import TracebackType
from typing import Literal, Self, TypeVar, Unpack, cast

import httpx

from . import shapes
from .calls import ApiError, Call, Retries, answer_of, named, place, unreachable

T = TypeVar("T")


class Client:
    """A connection to precis, in the name of a key. Answers are dictionaries, as the API has them.

    ``timeout`` is in seconds. What may be sent twice is sent again as ``retries`` says. Every method raises ApiError.
    """

    def __init__(
        self, base_url: str = "http://127.0.0.1:8766", *, key: str | None = None, timeout: float = 60.0,
        retries: Retries | None = None, transport: httpx.BaseTransport | None = None,
    ) -> None:  # fmt: skip
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.Client(base_url=base_url, headers=headers, timeout=timeout, transport=transport)
        self._retries = retries or Retries()
        self.memories = Memories(self)
        self.summaries = Summaries(self)
        self.conversations = Conversations(self)
        self.receipts = Receipts(self)
        self.tasks = Tasks(self)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send any request of the API, and again where that is right."""
        for attempt in count():
            try:
                response = self._http.send(call.of(self._http))
            except httpx.TransportError as error:
                seconds = self._retries.before_next(call, attempt, error)
                if seconds is None:
                    raise unreachable(error) from error
            else:
                seconds = self._retries.before_next(call, attempt, response)
                if seconds is None:
                    answer: T = answer_of(response)
                    return answer
            time.sleep(seconds)
        raise AssertionError

    def recall(self, **question: Unpack[shapes.Question]) -> shapes.RecallAnswer:
        """Find what matters for a question, best first."""
        return self.send(Call[shapes.RecallAnswer](method="POST", path="/v1/recall", body=question))

    def context(self, **question: Unpack[shapes.ContextQuestion]) -> shapes.ContextAnswer:
        """Assemble what an agent reads, within a budget of tokens."""
        return self.send(Call[shapes.ContextAnswer](method="POST", path="/v1/context", body=question))

    def summarize(self, **texts: Unpack[shapes.SummarizeInput]) -> shapes.SummarizedBody:
        """Summarize texts that are stored nowhere."""
        return self.send(Call[shapes.SummarizedBody](method="POST", path="/v1/summarize", body=texts))

    def check(self, **summary: Unpack[shapes.CheckInput]) -> shapes.CheckedBody:
        """Check a summary against its sources."""
        return self.send(Call[shapes.CheckedBody](method="POST", path="/v1/check", body=summary))

    def verify_forgotten(self, words: Sequence[str], *, within: float = 600.0) -> shapes.Proof:
        """Look for words everywhere precis writes. TimeoutError where that takes more than so many seconds."""
        call = Call[shapes.Proof | shapes.Begun](
            method="POST", path="/v1/verify-forgotten", body={"words": list(words)}
        )
        answer = self.send(call)
        if "words" in answer:
            return cast("shapes.Proof", answer)
        task = self.tasks.wait(answer["task_id"], within=within)
        return cast("shapes.Proof", task["result"])


class _Resource:
    def __init__(self, client: Client) -> None:
        self._client = client


class Memories(_Resource):
    """The resource /v1/memories, and forgetting."""

    def add(
        self, memories: Sequence[shapes.MemoryInput], *, summarize: Literal["inline", "deferred"] = "inline"
    ) -> shapes.WriteAnswer:
        """Write memories, all or none. One without an id gets it here, so that none is written twice."""
        body = {"memories": named(memories), "summarize": summarize}
        return self._client.send(Call[shapes.WriteAnswer](method="POST", path="/v1/memories", body=body))

    def get(self, memory_id: str) -> shapes.MemoryBody:
        """Read one."""
        return self._client.send(Call[shapes.MemoryBody](method="GET", path=place("/v1/memories/{}", memory_id)))

    def list(self, **query: Unpack[shapes.MemoriesListQuery]) -> shapes.MemoryPage:
        """A page of memories and summaries, newest first."""
        return self._client.send(Call[shapes.MemoryPage](method="GET", path="/v1/memories", params=query))

    def each(self, **query: Unpack[shapes.MemoriesListQuery]) -> Iterator[shapes.MemoryBody]:
        """All of them, page by page."""
        while True:
            page = self.list(**query)
            yield from page["memories"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def edit(self, memory_id: str, **change: Unpack[shapes.MemoryChange]) -> shapes.EditAnswer:
        """Replace the fields that are named; the old text is forgotten at once."""
        path = place("/v1/memories/{}", memory_id)
        return self._client.send(Call[shapes.EditAnswer](method="PATCH", path=path, body=change, repeatable=False))

    def forget(self, memory_id: str) -> shapes.Receipt:
        """Forget one and everything that rests on it."""
        path = place("/v1/memories/{}", memory_id)
        return self._client.send(Call[shapes.Receipt](method="DELETE", path=path, repeatable=False))

    def forget_many(self, ids: Sequence[str]) -> shapes.Receipt:
        """Forget up to a thousand; unknown ids are in ``not_found``."""
        body = {"ids": list(ids)}
        return self._client.send(Call[shapes.Receipt](method="POST", path="/v1/forget", body=body, repeatable=False))

    def forget_user(self, user_id: str) -> shapes.Receipt:
        """Forget everything of a user, and destroy the user's key."""
        path = place("/v1/users/{}", user_id)
        return self._client.send(Call[shapes.Receipt](method="DELETE", path=path, repeatable=False))

    def preview_forget(self, **request: Unpack[shapes.ForgetRequest]) -> shapes.Preview:
        """What a request in words (``what``, of ``user_id``) would forget; nothing is forgotten."""
        body = {**request, "confirm": False}
        return self._client.send(Call[shapes.Preview](method="POST", path="/v1/forget", body=body))

    def confirm_forget(
        self,
        preview_id: str,
        *,
        include_doubtful: bool = False,
        also: Sequence[str] = (),
        keep: Sequence[str] = (),
    ) -> shapes.Confirmed:
        """Forget what a preview showed, also those in doubt that are chosen by their ids, and not those to keep."""
        body = {
            "preview_id": preview_id, "include_doubtful": include_doubtful, "also": list(also), "keep": list(keep),
        }  # fmt: skip
        return self._client.send(Call[shapes.Confirmed](method="POST", path="/v1/forget", body=body, repeatable=False))


class Summaries(_Resource):
    """The resource /v1/summaries, and the plan."""

    def list(self, **query: Unpack[shapes.SummariesListQuery]) -> shapes.SummaryPage:
        """A page, the newest refresh first."""
        return self._client.send(Call[shapes.SummaryPage](method="GET", path="/v1/summaries", params=query))

    def each(self, **query: Unpack[shapes.SummariesListQuery]) -> Iterator[shapes.SummaryBody]:
        """All of them, page by page."""
        while True:
            page = self.list(**query)
            yield from page["summaries"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def get(self, summary_id: str, *, as_of: str | None = None) -> shapes.SummaryBody:
        """Read one, each statement with the memories it rests on."""
        path, params = place("/v1/summaries/{}", summary_id), {"as_of": as_of}
        return self._client.send(Call[shapes.SummaryBody](method="GET", path=path, params=params))

    def sources(self, summary_id: str) -> shapes.SourceList:
        """The memories it was made from."""
        path = place("/v1/summaries/{}/sources", summary_id)
        return self._client.send(Call[shapes.SourceList](method="GET", path=path))

    def history(self, summary_id: str) -> shapes.HistoryAnswer:
        """Its last refreshes, the newest first."""
        path = place("/v1/summaries/{}/history", summary_id)
        return self._client.send(Call[shapes.HistoryAnswer](method="GET", path=path))

    def refresh(self, summary_id: str, *, force: bool = False) -> shapes.Outcome:
        """Make it current now."""
        path = place("/v1/summaries/{}/refresh", summary_id)
        call = Call[shapes.Outcome](method="POST", path=path, body={"force": force}, repeatable=not force)
        return self._client.send(call)

    def delete(self, summary_id: str) -> None:
        """Remove it; none is made of the same sources until they change."""
        path = place("/v1/summaries/{}", summary_id)
        self._client.send(Call[None](method="DELETE", path=path, repeatable=False))

    def plan(self, **query: Unpack[shapes.SummariesPlanQuery]) -> shapes.PlanAnswer:
        """What refreshing would do and take. Calls no model and changes nothing."""
        return self._client.send(Call[shapes.PlanAnswer](method="GET", path="/v1/plan", params=query))


class Conversations(_Resource):
    """The resource /v1/conversations."""

    def list(self, **query: Unpack[shapes.ConversationsListQuery]) -> shapes.ConversationList:
        """Their names, the latest written first."""
        return self._client.send(Call[shapes.ConversationList](method="GET", path="/v1/conversations", params=query))

    def append(self, session_id: str, **turn: Unpack[shapes.NewTurn]) -> shapes.TurnAnswer:
        """Write what was said since the last time. A message without an id gets it here: none is written twice."""
        path, body = place("/v1/conversations/{}/turns", session_id), {**turn, "messages": named(turn["messages"])}
        return self._client.send(Call[shapes.TurnAnswer](method="POST", path=path, body=body))

    def context(self, session_id: str, **query: Unpack[shapes.ConversationsContextQuery]) -> shapes.ConversationContext:
        """The summary, and the messages it does not speak for."""
        path = place("/v1/conversations/{}/context", session_id)
        return self._client.send(Call[shapes.ConversationContext](method="GET", path=path, params=query))

    def messages(self, session_id: str, **query: Unpack[shapes.ConversationsMessagesQuery]) -> shapes.MessageList:
        """A page of its messages as they were, oldest first."""
        path = place("/v1/conversations/{}/messages", session_id)
        return self._client.send(Call[shapes.MessageList](method="GET", path=path, params=query))

    def forget(self, session_id: str, **query: Unpack[shapes.ConversationsForgetQuery]) -> shapes.Receipt | None:
        """Forget it whole; None where it had no messages."""
        path = place("/v1/conversations/{}", session_id)
        return self._client.send(
            Call[shapes.Receipt | None](method="DELETE", path=path, params=query, repeatable=False)
        )


class Receipts(_Resource):
    """The resource /v1/receipts."""

    def list(self, **query: Unpack[shapes.ReceiptsListQuery]) -> shapes.ReceiptPage:
        """A page, the latest first, and the signed head of the chain."""
        return self._client.send(Call[shapes.ReceiptPage](method="GET", path="/v1/receipts", params=query))

    def get(self, receipt_id: str) -> shapes.SignedReceipt:
        """One as it was signed, and the one that completes it."""
        return self._client.send(Call[shapes.SignedReceipt](method="GET", path=place("/v1/receipts/{}", receipt_id)))

    def key(self) -> shapes.PublicKey:
        """What verifies them."""
        return self._client.send(Call[shapes.PublicKey](method="GET", path="/v1/receipts/key"))


class Tasks(_Resource):
    """The resource /v1/tasks."""

    def get(self, task_id: str) -> shapes.TaskBody:
        """How far it is."""
        return self._client.send(Call[shapes.TaskBody](method="GET", path=place("/v1/tasks/{}", task_id)))

    def wait(self, task_id: str, *, within: float = 600.0, interval: float = 0.5) -> shapes.TaskBody:
        """Ask every ``interval`` seconds until it has ended well. Raises ApiError where it fails; TimeoutError."""
        for _ in range(max(1, round(within / interval))):
            task = self.get(task_id)
            if task["status"] == "success":
                return task
            if task["status"] == "failed":
                raise ApiError(task["error_message"] or "it failed", code="task_failed")
            time.sleep(interval)
        message = f"task {task_id} goes on after {within} seconds: ask again, or wait longer"
        raise TimeoutError(message)
