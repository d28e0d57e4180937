"""app.facts: read what is said in conversations for facts, each message once; and what waits to be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import structlog

from precis.app.conversing.drafts import FactDraft, by_rules
from precis.app.inputs import UnownedInput
from precis.app.parts import Parts, Verbs
from precis.app.preparing import prepare
from precis.conversation import Extraction, Remembering, Strategy
from precis.engine import budget, node, repeating
from precis.errors import BudgetExhausted, DraftFailed, ModelUnavailable, NoSlot
from precis.makers import Item, Request, Summarizer
from precis.memory import EXTRACTED, Memory
from precis.models.rendering import prompt_tokens
from precis.prompts import load
from precis.store.facts import NewFact, Reading, Unread, Waiting
from precis.summary import assemble
from precis.trust import least

_log = structlog.get_logger(__name__)
#: Under this name the ledger keeps what facts took.
ACCOUNT = "facts"
#: Messages of one batch, tokens of their texts, and tokens of one of them.
_MESSAGES, _TOKENS, _MESSAGE_TOKENS = 40, 4000, 1000
#: Tokens of an answer, as a share of what is read; at least, and of a summary.
_SHARE, _LEAST, _SUMMARY = 0.6, 150, 200
#: After so many answers that could not be used the messages count as read: they stay in recall as they are.
_TRIES = 3
#: So long after the death of a process that reads messages another one does.
_LASTS = timedelta(minutes=3)
_PROMPTS = {"discrete": "facts", "preferences": "facts_preferences", "summary": "facts_summary"}
_NOTHING_TOLD = ("smalltalk", "question")


@dataclass(frozen=True, kw_only=True, slots=True)
class FactsRead:
    """What reading did."""

    conversations: int = 0
    messages: int = 0
    facts: int = 0
    #: Conversations whose messages could not be read now; they are read again later.
    failed: int = 0

    def __add__(self, other: FactsRead) -> FactsRead:
        """Both together."""
        return FactsRead(
            conversations=self.conversations + other.conversations, messages=self.messages + other.messages,
            facts=self.facts + other.facts, failed=self.failed + other.failed,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class FactsPlan:
    """What reading the waiting messages would take at most."""

    conversations: int = 0
    messages: int = 0
    #: Model calls and their input; none where rules find the facts.
    calls: int = 0
    tokens_in: int = 0


class Facts(Verbs):
    """Verbs over the facts in what is said."""

    async def read(self, *, at_once: bool = False) -> FactsRead:
        """Read what has waited long enough, or ``at_once`` all that waits, batch by batch.

        A failure of the model leaves messages for later.
        """
        store, engine = self._store.facts, self._engine
        if at_once:
            await store.hurry(self._tenant_id, now=engine.clock())
        done = FactsRead()
        while due := await store.due(self._tenant_id, now=engine.clock()):
            before = done
            for conversation_id in due:
                done += await self._read_one(conversation_id)
            if done == before:
                break
        return done

    async def plan(self, *, user_id: str | None = None) -> FactsPlan:
        """What waits, and what reading it would take at most; input counted with the prompts."""
        waiting = await self._store.facts.waiting(self._tenant_id, user_id=user_id)
        asking = [of for of in waiting if self._extraction(of.remembering) == "model"]
        batches = [max(-(-of.messages // _MESSAGES), -(-of.tokens // _TOKENS)) for of in asking]
        count = self._engine.count
        framing = [prompt_tokens(self._request((), _strategy(of), of.remembering), count) for of in asking]
        return FactsPlan(
            conversations=len(waiting), messages=sum(of.messages for of in waiting), calls=sum(batches),
            tokens_in=sum(map(int.__mul__, batches, framing), sum(of.tokens for of in asking)),
        )  # fmt: skip

    async def _read_one(self, conversation_id: str) -> FactsRead:
        """One batch of one conversation."""
        store, engine, tenant_id = self._store.facts, self._engine, self._tenant_id
        now = engine.clock()
        reading = await store.claim(tenant_id, conversation_id, now=now, until=now + _LASTS, limit=_MESSAGES)
        if reading is None:
            return FactsRead()
        reading = replace(reading, messages=_batch(reading.messages))
        telling, repeated = _telling(reading.messages)
        try:
            drafts = await self._drafts(reading, telling)
        except (DraftFailed, NoSlot) as error:
            absent = isinstance(error, BudgetExhausted | ModelUnavailable | NoSlot)
            if absent or reading.attempts + 1 < _TRIES:
                retry_at = engine.clock() + engine.retry_after(reading.attempts)
                await store.failed(tenant_id, conversation_id, retry_at=retry_at, counted=True)
                _log.info("facts_wait", conversation_id=conversation_id, error=type(error).__name__)
                return FactsRead(failed=1)
            drafts = []
        facts = await self._new_facts(reading, drafts)
        written = await store.put(
            tenant_id, reading, facts, repeated=repeated, policy=engine.policies["clusters"], now=engine.clock()
        )
        return FactsRead(conversations=1, messages=len(reading.messages), facts=len(written))

    def _extraction(self, remembering: Remembering) -> Extraction:
        extraction: Extraction = remembering.extraction or self._settings.conversation_extraction
        return "rules" if extraction == "model" and self._engine.offline else extraction

    async def _drafts(self, reading: Reading, telling: Sequence[Unread]) -> list[FactDraft]:
        extraction, strategy = self._extraction(reading.remembering), _strategy(reading)
        engine = self._engine
        by_nobody = extraction == "off" or not (telling or reading.before)
        if by_nobody or (not telling and (extraction == "model" or strategy == "summary")):
            return []
        if extraction == "model":
            return await self._written(engine.summarizer, telling, strategy, reading.remembering)
        if strategy == "summary":
            return await self._written(engine.fallback, telling, strategy, reading.remembering)
        drafts = by_rules(reading.before, reading.messages, telling)
        # Beside the others of its subject a fact has their type, as any memory whose type a rule found.
        preferring = strategy == "preferences"
        return [replace(draft, type=None) for draft in drafts if not preferring or draft.type == "preference"]

    async def _written(
        self, summarizer: Summarizer, telling: Sequence[Unread], strategy: Strategy, remembering: Remembering
    ) -> list[FactDraft]:
        """By a model, or for a summary without one by whoever makes summaries. The checks refuse what nobody said."""
        engine = self._engine
        fitted = budget.fit(
            repeating.as_meant([node.item_of(message.memory) for message in telling]),
            prompt_tokens=_TOKENS, item_tokens=_MESSAGE_TOKENS, count=engine.count,
        )  # fmt: skip
        request = self._request(fitted.items, strategy, remembering)
        answer = await summarizer.summarize(request)
        judge = None if summarizer is engine.fallback else engine.judge
        checked, _ = await node.judged(answer, request, judge, thresholds=engine.policies["conversations"].checks)
        standing = [statement for statement in checked.statements if statement.superseded_by is None]
        if strategy == "summary" and standing:
            sources = dict.fromkeys(id_ for statement in standing for id_ in statement.source_ids)
            return [FactDraft(text=assemble(tuple(standing)), sources=tuple(sources))]
        preference = "preference" if strategy == "preferences" else None
        return [
            FactDraft(text=s.text, sources=s.source_ids, importance=s.importance, type=preference) for s in standing
        ]

    def _request(self, items: Sequence[Item], strategy: Strategy, remembering: Remembering) -> Request:
        count = self._engine.count
        tokens = sum(count(item.text) for item in items)
        own = remembering.prompt if strategy == "custom" else None
        return Request(
            items=tuple(items), max_tokens=_SUMMARY if strategy == "summary" else max(_LEAST, int(tokens * _SHARE)),
            prompt=own or load(_PROMPTS.get(strategy, "facts")), tenant_id=self._tenant_id, policy=ACCOUNT,
            kind=strategy, tokens_read=tokens,
        )  # fmt: skip

    async def _new_facts(self, reading: Reading, drafts: Sequence[FactDraft]) -> list[NewFact]:
        """The facts as memories of whoever the conversation is of, labeled by the rules."""
        by_id = {message.memory.id: message for message in (*reading.before, *reading.messages)}
        inputs, by_fact, alike = {}, {}, Counter[datetime]()
        for draft in drafts:
            fact_id = self._store.facts.id_of(self._tenant_id, draft.text, draft.sources)
            sources = [by_id[id_] for id_ in draft.sources]
            latest = max((message.memory for message in sources), key=lambda memory: memory.created_at)
            # Facts of one moment keep the order in which they were told: an id says nothing of it.
            moment = latest.created_at + alike[latest.created_at] * timedelta.resolution
            alike[latest.created_at] += fact_id not in inputs
            inputs[fact_id] = self._input(fact_id, draft, sources, reading, latest, moment)
            by_fact[fact_id] = draft
        rows = await prepare(self._labeling(reading), list(inputs.values()))
        older = await self._in_place_of(by_fact) if "strategy" not in reading.properties else {}
        return [
            NewFact(row=replace(row, supersedes=older.get(fact_id)), sources=draft.sources)
            for row, (fact_id, draft) in zip(rows, by_fact.items(), strict=True)
        ]

    async def _in_place_of(self, drafts: Mapping[str, FactDraft]) -> Mapping[str, tuple[str, ...]]:
        """Of each fact that puts right what was found before the facts of that which are there, by id."""
        store, tenant_id = self._store, self._tenant_id
        older = {
            fact_id: [store.facts.id_of(tenant_id, text, sources) for text, sources in draft.in_place_of]
            for fact_id, draft in drafts.items()
        }
        there = await store.memories.get(tenant_id, [id_ for ids in older.values() for id_ in ids])
        kept = {fact_id: tuple(id_ for id_ in ids if id_ in there) for fact_id, ids in older.items()}
        return {fact_id: ids for fact_id, ids in kept.items() if ids}

    def _labeling(self, reading: Reading) -> Parts:
        """To clients of the wire every memory stands by itself; and no fact costs a second call."""
        parts = replace(self._parts, engine=replace(self._engine, extractor=None))
        if "strategy" in reading.properties:
            parts = replace(parts, settings=parts.settings.model_copy(update={"supersede_by_rule": False}))
        return parts

    def _input(
        self, fact_id: str, draft: FactDraft, sources: Sequence[Unread], reading: Reading, latest: Memory,
        moment: datetime,
    ) -> UnownedInput:  # fmt: skip
        wire = {
            "extraction_strategy": _strategy(reading),
            "extracted_from": [message.message_id for message in sources],
            "persisted_at": self._now().isoformat(),
        }
        said_by = {"speaker": draft.speaker} if draft.speaker else {}
        fields: dict[str, Any] = {
            "id": fact_id, "text": draft.text, "project_id": latest.scope.project_id,
            "environment": latest.scope.environment, "namespace": latest.namespace, "session_id": latest.session_id,
            "created_at": moment, "type": draft.type, "importance": draft.importance,
            "source_class": least(message.memory.source_class for message in sources),
            "metadata": {"kind": EXTRACTED, **said_by, "wire": wire},
        }  # fmt: skip
        # Whose it is was checked where the message came from.
        return UnownedInput.model_validate(fields).model_copy(update={"user_id": latest.scope.user_id})


def _strategy(of: Reading | Waiting) -> Strategy:
    return of.remembering.strategy or "discrete"


def _batch(messages: Sequence[Unread]) -> list[Unread]:
    """The first of them that fit one prompt."""
    batch: list[Unread] = []
    room = _TOKENS
    for message in messages:
        room -= min(message.memory.tokens, _MESSAGE_TOKENS)
        if batch and room < 0:
            break
        batch.append(message)
    return batch


def _telling(messages: Sequence[Unread]) -> tuple[list[Unread], list[str]]:
    """Those that may hold a fact, and the ids of those that say what was read before."""
    telling: dict[tuple[str | None, str], Unread] = {}
    repeated = []
    for message in messages:
        key = (message.memory.speaker, _plain(message.memory))
        if message.repeated or key in telling:
            repeated.append(message.memory.id)
        elif message.memory.extracted_type not in _NOTHING_TOLD:
            telling[key] = message
    return list(telling.values()), repeated


def _plain(memory: Memory) -> str:
    return " ".join((memory.text or "").casefold().split())
