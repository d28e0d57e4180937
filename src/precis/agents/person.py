"""What the doors of agent frameworks share: one person's memory, asked from whichever loop or thread they run in."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import blake2b
from itertools import count
from typing import Annotated, Any

import orjson
from pydantic import AfterValidator, Field
from pydantic_core import to_jsonable_python

from precis.agents.loop import AppLoop
from precis.app import App
from precis.app.assembling.bound import LEAST_RELEVANCE
from precis.app.context import TOKENS_OF_AGENTS
from precis.app.conversing.recognition import behind_the_end
from precis.app.inputs import MAX_QUERY_CHARS, UnownedInput
from precis.app.messages import MessageInput
from precis.app.recall import Recalled
from precis.conversation import Address, memory_id
from precis.errors import Conflict, Forgotten, InvalidInput, NotFound
from precis.ids import checked_json, faults_of, has_half_pair
from precis.memory import Memory
from precis.typed import ANY_ID, validated

Namespace = tuple[str, ...]
#: How many bytes of JSON a value may take.
MAX_VALUE_BYTES = 4_000_000
#: Between the labels of a namespace; no label may hold a full stop, so this cannot be confused.
_JOIN = "."
#: A namespace is stored as a label of so many characters; the item knows all of it.
_LABEL = 512
#: Under these keys of a value the words of a memory are looked for.
TEXTS = ("text", "content", "memory")
_BETWEEN = "\x1f"
#: The longest text that is searched.
MAX_TEXT_CHARS = 200_000


Metadata = Annotated[dict[str, Any], AfterValidator(partial(checked_json, limit=MAX_VALUE_BYTES))]


class ItemInput(UnownedInput):
    """An item as a memory to write: its value may be longer than other metadata."""

    metadata: Metadata = Field(default_factory=dict)


def id_of(namespace: Sequence[str], key: str) -> str:
    """The id of its memory: another for every namespace and key."""
    parts = [*namespace, "", key]
    plain = not any(_BETWEEN in part for part in parts)
    named = _BETWEEN.join(parts) if plain else json.dumps(parts)
    return blake2b(named.encode("utf-8", "surrogatepass"), digest_size=16, person=b"precis-item").hexdigest()


def label_of(namespace: Sequence[str]) -> str | None:
    """The namespace as memories have it; None where it has no label."""
    return _JOIN.join(namespace)[:_LABEL] or None


#: What a summary begins with that stands in front of the messages it does not speak for.
OPENING = "Summary of the conversation so far:\n\n"
_PAGE = 500


class Person:
    """One user of an app; ``project_id`` parts what several applications know of a user."""

    def __init__(self, app: App, user_id: str, *, project_id: str | None = None, loop: AppLoop | None = None) -> None:
        if not isinstance(user_id, str) or not user_id.strip():
            raise InvalidInput("user_id: say whose memory it is; an empty name would be everybody's", field="user_id")
        self.user_id = user_id
        self._app = app
        self._project_id = project_id
        self.loop = loop or AppLoop()

    def address(self, session_id: str) -> Address:
        """The conversation of that name."""
        return Address(
            session_id=session_id, user_id=self.user_id, namespace=self._project_id or "",
            project_id=self._project_id or "", environment="production",
        )  # fmt: skip

    async def remember(self, text: str, **fields: Any) -> str:
        """Write one fact, once however often it is handed in; answers its id. ``fields`` are those of MemoryInput."""
        text = clean(text)
        named = "\x1f".join([self.user_id, self._project_id or "", fields.get("namespace") or "", text])
        id_ = blake2b(named.encode(), digest_size=16, person=b"precis-fact").hexdigest()
        # Who says a fact again after it was forgotten means it.
        row = validated(UnownedInput, {"id": id_, "text": text, "revive": True, **self._mine, **_plainly(fields)})
        try:
            await self.loop.run(self._app.memories.add([row], max_text_chars=self._longest))
        except Conflict:
            # The id is of the text: it is remembered already, from another day or with other labels.
            await self.own([id_])
        return id_

    async def hear(self, session_id: str, messages: Sequence[MessageInput]) -> list[str]:
        """Write what of a conversation is not stored yet; answers the ids of the memories that its messages are.

        Its messages may be handed in again, all or some of them; those without ids are recognized by their words. What
        was forgotten of this conversation, or corrected in it, is left out: frameworks hand in what they still have.
        """
        return await self.loop.run(self._hear_all(self.address(session_id), messages))

    async def _hear_all(self, address: Address, messages: Sequence[MessageInput]) -> list[str]:
        """With ids; of what stands behind the end of what is stored, none that is stored already."""
        identified = _identified(messages)
        places, ids = await behind_the_end(self._app.parts, address.conversation_id, identified)
        for at in places:
            if messages[at].id is None and identified[at].id in ids:
                identified[at] = next(row for n in count(1) if (row := _numbered(messages[at], n)).id not in ids)
            ids.add(identified[at].id or "")
        return await self._hear(address, identified)

    async def _hear(self, address: Address, inputs: Sequence[MessageInput]) -> list[str]:
        try:
            checked = await self._app.conversations.check(address, inputs) if inputs else None
            if checked is not None and (checked.new or checked.grown):
                computed, _ = await self._app.conversations.try_summarize(checked)
                await self._app.conversations.persist(checked, computed)
        except (Forgotten, Conflict) as error:
            kept = [row for row in inputs if memory_id(address.conversation_id, row.id or "") not in error.ids]
            if len(kept) == len(inputs):
                raise
            return await self._hear(address, kept)
        return [row.id for row in checked.messages] if checked else []

    async def recall(self, question: str, *, limit: int = 10, **fields: Any) -> list[Recalled]:
        """The rows that matter for a question, best first; ``fields`` are those of Filter."""
        query = clean(question).strip()[:MAX_QUERY_CHARS]
        if not query:
            return []
        return await self.loop.run(
            self._app.recall.search(query, limit=limit, min_relevance=LEAST_RELEVANCE, **self._mine, **fields)
        )

    async def context(self, question: str, *, token_budget: int = TOKENS_OF_AGENTS, known: Sequence[str] = ()) -> str:
        """What is known that matters for a question, within a budget, without the memories ``known`` by their ids."""
        query = clean(question).strip()[:MAX_QUERY_CHARS]
        if not query:
            return ""
        assembled = self._app.context.assemble(query, token_budget=token_budget, known=known, **self._mine)
        return (await self.loop.run(assembled)).text

    async def own(self, ids: Sequence[str]) -> list[Memory]:
        """The rows of these ids. Raises NotFound for one that is not there, or is not this person's."""
        rows = await self.loop.run(self._app.memories.get_many(ids))
        mine = [
            row
            for row in rows.values()
            if row.scope.user_id == self.user_id and self._project_id in (None, row.scope.project_id)
        ]
        for missing in set(ids) - {row.id for row in mine}:
            raise NotFound(f"there is no memory {missing!r} of this user")
        return mine

    async def edit(self, memory_id: str, change: dict[str, Any]) -> Memory:
        """Replace what the change names; see MemoryChange. Raises NotFound."""
        await self.own([memory_id])
        changing = self._app.memories.edit(memory_id, _plainly(change), max_text_chars=self._longest)
        edited, _ = await self.loop.run(changing)
        return edited

    async def forget(self, ids: Sequence[str]) -> int:
        """Forget these rows of this person; answers how many. Raises NotFound."""
        await self.own(ids)
        return len((await self.loop.run(self._app.memories.forget(list(ids)))).forgotten)

    async def forget_all(self) -> None:
        """Forget everything of this person, within the project if there is one; it may be nothing."""
        try:
            if self._project_id is None:
                await self.loop.run(self._app.memories.forget_user(self.user_id))
            elif ids := [row.id for row in await self.rows(turns=True)]:
                await self.loop.run(self._app.memories.forget(ids))
        except NotFound:
            return

    async def rows(self, **fields: Any) -> list[Memory]:
        """Every row that somebody wrote, the latest first."""
        rows: list[Memory] = []
        cursor: str | None = None
        while True:
            listed = self._app.memories.list(limit=_PAGE, cursor=cursor, is_summary=False, **self._mine, **fields)
            page = await self.loop.run(listed)
            rows += page.rows
            cursor = page.next_cursor
            if cursor is None:
                return rows

    @property
    def _longest(self) -> int:
        return max(MAX_TEXT_CHARS, self._app.parts.settings.max_text_chars)

    @property
    def _mine(self) -> dict[str, Any]:
        return {"user_id": self.user_id} | ({} if self._project_id is None else {"project_id": self._project_id})


def clean(text: str) -> str:
    """The text as it can be stored: null characters and halves of pairs, which tools print now and then, are marked."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def message(
    role: str,
    content: str,
    *,
    name: str | None = None,
    id: str | None = None,  # noqa: A002 - as every message calls it
    payload: Any = None,
    **fields: Any,
) -> MessageInput:
    """A message as a framework has it, whatever its parts hold; its name only where the role does not say it."""
    speaker = clean(name or "").strip()[:200]
    return MessageInput(
        role=role,
        content=clean(content),
        name=speaker if speaker not in ("", role) else None,
        id=_id(id) if id else None,
        payload=None if payload is None else plain(payload),
        **fields,
    )


def _plainly(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The same fields; in ``metadata``, which is free, what JSON cannot say as text."""
    return {**fields, **{name: plain(fields[name]) for name in ("metadata",) if name in fields}}


def _id(id_: str) -> str:
    """The same, or one made of it where it could be no id of precis."""
    return id_ if ANY_ID.fullmatch(id_) else blake2b(id_.encode("utf-8", "replace"), digest_size=16).hexdigest()


def plain(value: Any) -> Any:
    """The same as JSON has it everywhere: numbers that are not finite, or longer than 64 bits, and objects as text."""
    if isinstance(value, Mapping):
        return {plain(name) if isinstance(name, str) else str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if has_half_pair(value) else value
    if value is None or isinstance(value, bool | int | float):
        return str(value) if next(faults_of(value), None) else value
    return plain(to_jsonable_python(value, fallback=str, bytes_mode="base64"))


def as_json(value: Any) -> str:
    """The same in letters."""
    return orjson.dumps(plain(value)).decode()


def called(name: str, arguments: Any) -> str:
    """A call as a summarizer reads it; arguments that are text already stand as they are."""
    return f"[calls {name} {arguments if isinstance(arguments, str) else as_json(arguments)}]"


def _identified(messages: Sequence[MessageInput]) -> list[MessageInput]:
    """The same; those without an id have one of their words, and of how many messages before them say the same."""
    before: Counter[str] = Counter()
    identified = []
    for row in messages:
        before[_words(row)] += 1
        identified.append(_numbered(row, before[_words(row)]))
    return identified


def _words(row: MessageInput) -> str:
    return clean("\x1f".join([row.role, row.name or "", row.content, *row.opens, *row.closes]))


def _numbered(row: MessageInput, number: int) -> MessageInput:
    """The message with its id, else with one of its words and this number."""
    words = f"{number}\x1f{_words(row)}".encode()
    return row.model_copy(update={"id": row.id or blake2b(words, digest_size=16, person=b"precis-said").hexdigest()})
