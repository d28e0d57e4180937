"""app.context: what an agent reads before it answers, within a token budget."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, NamedTuple

from precis.app.parts import Parts, days_in, rows_looked_at
from precis.app.recall import Recall, Recalled, is_unsure, is_users, relevant_enough, told_by
from precis.errors import InvalidInput
from precis.language.newest.instructed import holds_of_every_answer, standing_in
from precis.language.words import content
from precis.memory import Memory, RetentionState, Tier
from precis.recall.assembly import Context, Piece, Quotas, Section, assemble
from precis.recall.headings import Headings
from precis.recall.newer.likely import likely_newer
from precis.recall.newer.signs import asks_how_it_was
from precis.recall.persons import AGENTS, ASSISTANTS
from precis.recall.question import Question, as_asked, read_question
from precis.recall.sought.evidence import NOTHING
from precis.recall.speakers import not_looked_for
from precis.store.filtering import Filter
from precis.summary import Statement, Summary
from precis.trust import RELAYED

#: Rows that recall is asked for.
_ROWS = 100
#: Weeks and months that insights are taken from, the newest ones.
_PERIODS = 6
#: The share of its summary's score that a statement has if recall found none of its sources, and the statement holds no
#: word of the question.
_ALONE = 0.25
#: Where the caller sets no ``min_relevance``: rows below this are left out, here and in what agents are answered;
#: and where the best row is below the next, the context is empty. Measured in docs/why/relevance.md.
LEAST_RELEVANCE = 0.03
_LEAST_OF_BEST = 0.05
#: Beside a row of this relevance the other turns that were recalled of that day of its conversation stay: who is
#: answered there seldom repeats the words of the question.
_LEAST_BESIDE = 0.1
#: The first rows of an answer stay whatever their relevance, and count as if they had so much at least: what puts them
#: first may be what relevance does not look at.
_FIRST, _OF_FIRST = 3, 0.03
#: A note, or a turn of a talk with an agent, that has less has nothing in common with the question; and such a turn is
#: not taken below this relevance where the best has twice as much, and twice its score.
_ABOVE_NOTHING, _HARDLY = NOTHING + 1e-6, 0.07
#: What is likely to give the newer value of such a row has so much at least.
_LEAST_RENEWED = 0.03
#: Of so many of the best rows newer values are looked for, which need not be relevant by themselves.
_RENEWED = 10
#: Where so many rows were recalled there may be more: so many are looked at that are like so many of the first, by so
#: many characters of the text of each.
_MANY, _BEYOND, _ALIKE, _LOOKED_FOR = 60, 20, 2, 300
#: A key insight stands before all else, so it is about as relevant as the best row; where recall has none of its
#: sources, it holds this share of the words of the question.
_NEAR_BEST, _MOST_WORDS = 0.5, 0.5
#: By this what holds of every answer is looked for; so many such lines stand first, with a score above that of any row.
_ASKS_STANDING = "Which rules? What shall I always do from now on, and what never again?"
_STANDING, _STANDS = 3, 9.0
#: What else was told for good has the room that is left, behind all else.
_LAST = -1.0
#: They take this share of the budget at most, by the tokens of what stands above them and of their numbers as well.
_OF_STANDING, _ABOVE, _NUMBERED = 0.08, 10, 5
#: Behind a turn that asks the same only so many stay: the others have no part in it.
_ANSWERING = 2
#: The months at the end of a title.
_MONTHS = re.compile(r", [^,]*\b\d{4}$")
_SCOPE = ("user_id", "project_id", "environment")
#: A token budget.
FEWEST_TOKENS, MOST_TOKENS = 50, 200_000
#: Where the caller names none: of the API and the command line, and of an agent's context.
TOKENS, TOKENS_OF_AGENTS = 1_000, 800


class Contexts:
    """The verb that assembles a context."""

    def __init__(self, parts: Parts, recall: Recall) -> None:
        self._parts = parts
        self._recall = recall

    async def assemble(
        self,
        query: str,
        *,
        token_budget: int,
        quotas: Quotas | None = None,
        min_relevance: float | None = None,
        known: Collection[str] = (),
        **fields: Any,
    ) -> Context:
        """The best lines that fit, counted by the tokenizer of the model in use; ``fields`` are those of Filter.

        It holds nothing whose relevance, 0..1, is below ``min_relevance``: where nothing is relevant it is empty. None
        stands for a low bound that keeps what may matter; 0 for no bound. Where nothing is surely relevant, it is
        ``unsure`` and says so. Of the memories ``known`` by their ids the reader has the text already. Raises
        InvalidInput.
        """
        context, _ = await self.explain(
            query, token_budget=token_budget, quotas=quotas, min_relevance=min_relevance, known=known, **fields
        )
        return context

    async def explain(
        self,
        query: str,
        *,
        token_budget: int,
        quotas: Quotas | None = None,
        min_relevance: float | None = None,
        known: Collection[str] = (),
        **fields: Any,
    ) -> tuple[Context, Sequence[Recalled]]:
        """The same, and the rows that recall found for it, best first. Raises InvalidInput."""
        if not FEWEST_TOKENS <= token_budget <= MOST_TOKENS:
            message = f"token_budget: {token_budget} is not within {FEWEST_TOKENS} to {MOST_TOKENS}"
            raise InvalidInput(message, field="token_budget")
        asked = await self._recalled(query, min_relevance, fields, known, of_standing=_OF_STANDING * token_budget)
        count = self._parts.engine.count
        headings = Headings.of(query, [piece.text for piece in asked.pieces])
        above = f"{headings.unsure}\n" if asked.unsure else ""
        bounds: dict[str, Any] = {"budget": token_budget - (count(above) if above else 0), "quotas": quotas}
        # It takes longer than others may wait who are answered beside it.
        context = await asyncio.to_thread(
            assemble, asked.pieces, count=count, query=query, own=asked.own, headings=headings, **bounds
        )
        if asked.unsure:
            text = f"{above}{context.text}" if context.text else ""
            context = replace(context, unsure=True, text=text, tokens=count(text) if text else 0)
        below, results = asked.below, asked.results
        left_out = {**context.left_out, Section.MEMORIES: context.left_out[Section.MEMORIES] + below}
        return replace(context, left_out=left_out), results

    async def pieces(self, query: str, *, min_relevance: float | None = None, **fields: Any) -> list[Piece]:
        """Every line that a context for this question could have."""
        return (await self._recalled(query, min_relevance, fields)).pieces

    async def _recalled(
        self, query: str, min_relevance: float | None, fields: Mapping[str, Any], known: Collection[str] = (), *,
        of_standing: float = math.inf,
    ) -> _Gathered:  # fmt: skip
        """What was found for a question; what holds of every answer takes so many tokens."""
        filter_ = rows_looked_at(self._parts.settings, **fields)
        hits = await self._recall.search(query, limit=_ROWS, filter_=filter_)
        results = [hit for hit in hits if hit.memory.id not in known]
        relevant = _relevant(results, min_relevance)
        is_over = asks_how_it_was(query)
        looks_on = min_relevance is None and len(hits) >= _MANY and not is_over
        beyond = await self._beyond(relevant, filter_, known) if looks_on else []
        renewing = _renewing([*results, *beyond] if min_relevance is None else relevant, relevant)
        kept = {hit.memory.id for hit in relevant} | renewing.keys()
        relevant = [hit for hit in results if hit.memory.id in kept]
        question = read_question(query, user_id=filter_.user_id)
        own = not_looked_for(question, [content(row.text) for row in _memories(hits)])
        question = replace(question, terms=tuple(term for term in question.terms if term not in own))
        pieces = await self._lines(question, relevant, filter_, bounded=bool(min_relevance))
        if min_relevance is None and relevant and any(_is_users(hit.memory) for hit in results):
            pieces += await self._standing(filter_, of_standing)
        there = {piece.id for piece in pieces}
        pieces += [
            replace(piece, score=0.0, relevance=0.0)
            for piece in _memories(beyond)
            if piece.id in renewing and piece.id not in there
        ]
        by_agent = _with_agent(results)
        pieces = [replace(piece, renews=_renewed_by(piece, renewing, by_agent)) for piece in pieces]
        below = len(_memories(results)) - len(_memories(relevant))
        return _Gathered(pieces, results, below, own, is_unsure(hits))

    async def _beyond(self, relevant: Sequence[Recalled], filter_: Filter, known: Collection[str]) -> list[Recalled]:
        """Rows like the best of these, which may have no word of the question and give a newer value."""
        texts = [hit.memory.text[:_LOOKED_FOR] for hit in relevant if hit.memory.text and not hit.memory.is_summary]
        if not texts:
            return []
        like = "\n".join(texts[:_ALIKE])
        hits = await self._recall.search(like, limit=_BEYOND, summaries="without", filter_=filter_)
        return [hit for hit in hits if hit.memory.id not in known]

    async def _standing(self, filter_: Filter, tokens: float) -> list[Piece]:
        """What the user told an assistant for good.

        What holds whatever is asked stands first: the newest in so many tokens, as the answer has the room first. The
        rest has what the answer leaves.
        """
        left, count = tokens - _ABOVE, self._parts.engine.count
        hits = await self._recall.search(_ASKS_STANDING, limit=_BEYOND, summaries="without", filter_=filter_)
        told = sorted(_memories([hit for hit in hits if _is_users(hit.memory)]), key=lambda piece: piece.created_at)
        standing: list[Piece] = []
        every = 0
        for at, text in reversed(standing_in([row.text for row in told])):
            holds_always = every < _STANDING and holds_of_every_answer(text)
            every += holds_always
            left -= count(text) + _NUMBERED if holds_always else 0
            is_first = holds_always and left >= 0
            score, relevance = (_STANDS, 1.0) if is_first else (_LAST, LEAST_RELEVANCE)
            piece = replace(told[at], section=Section.INSIGHTS, text=text, score=score, relevance=relevance)
            standing.insert(0, piece)
        return standing

    async def _lines(
        self, question: Question, results: Sequence[Recalled], filter_: Filter, *, bounded: bool
    ) -> list[Piece]:
        """The lines over these rows. Insights stand for themselves, unless the caller set a bound: then not either."""
        insights = await self._insights(question, results, filter_) if results else []
        if bounded:
            relevant = {id_ for result in results for id_ in (result.memory.id, *result.source_ids)}
            insights = [scored for scored in insights if not relevant.isdisjoint(scored.statement.source_ids)]
        statements = [*insights, *await self._statements(question, results, filter_)]
        return [*await self._pieces(statements, results, filter_), *_memories(results)]

    async def _statements(self, question: Question, results: Sequence[Recalled], filter_: Filter) -> list[_Scored]:
        """Statements of summaries over the recalled rows, and of summaries that were recalled themselves.

        A statement scores as the best recalled row that it rests on, if its summary is current. Where recall has none
        of its sources, it gets a share of its summary's score by the words of the question that it holds. Its sources
        may have expired, so that nothing else says it: then its summary need not be current.
        """
        scores = {result.memory.id: result.score.total for result in results}
        relevance = {result.memory.id: result.relevance.value for result in results}
        over = await self._parts.store.search.over(
            self._parts.tenant_id, [result.memory.id for result in results if not result.memory.is_summary]
        )
        hits = [result.memory.id for result in results if result.memory.is_summary]
        summaries = await self._parts.store.summaries.get(self._parts.tenant_id, list(dict.fromkeys([*over, *hits])))
        standing = list(summaries.values())
        if filter_.as_of is not None:
            history, tenant_id = self._parts.store.history, self._parts.tenant_id
            standing = list(await history.stood(tenant_id, standing, filter_.as_of, since=True))
        resting, alone = [], []
        for summary in standing:
            for statement in _served(summary, filter_):
                best = [scores[source] for source in statement.source_ids if source in scores]
                if best and not summary.stale:
                    resting.append(_Scored(Section.SUMMARIES, summary, statement, max(best)))
                elif not best and summary.id in scores:
                    share = _ALONE + (1 - _ALONE) * _share(question, statement)
                    score = scores[summary.id] * share
                    alone.append(_Scored(Section.SUMMARIES, summary, statement, score, relevance[summary.id]))
        return [*resting, *sorted(alone, key=lambda scored: -scored.score)[:_ROWS]]

    async def _insights(self, question: Question, results: Sequence[Recalled], filter_: Filter) -> list[_Scored]:
        """Important statements of the newest weeks and months that have to do with the question, the closest first.

        One does that rests on a recalled row that is about as relevant as the best; where recall has none of its
        sources, one that holds most words of the question.
        """
        tenant_id, store = self._parts.tenant_id, self._parts.store
        pages = [
            await store.rollups.list(tenant_id, tier.value, user_id=filter_.user_id, limit=_PERIODS, cursor=None)
            for tier in (Tier.WEEK, Tier.MONTH)
        ]
        ids = [row.summary_id for page in pages for row in page.rows if row.summary_id is not None]
        least = self._parts.settings.rollups_min_importance
        hits = {id_: hit for hit in reversed(results) for id_ in (*hit.memory.parent_id, hit.memory.id)}
        best = max(hit.relevance.value for hit in results)
        scored = []
        for summary in (await store.summaries.get(tenant_id, ids)).values():
            for statement in _served(summary, filter_):
                sources = [hits[id_] for id_ in statement.source_ids if id_ in hits]
                score = max((hit.score.total for hit in sources), default=_share(question, statement))
                relevance = max((hit.relevance.value for hit in sources), default=None)
                is_near = score >= _MOST_WORDS if relevance is None else relevance >= _NEAR_BEST * best
                if statement.importance >= least and is_near:
                    scored.append(_Scored(Section.INSIGHTS, summary, statement, score, relevance))
        return scored

    async def _pieces(self, statements: Sequence[_Scored], results: Sequence[Recalled], filter_: Filter) -> list[Piece]:
        """The statements all of whose sources are in scope, expired or not; each is dated as its newest source.

        A statement without a recalled source is taken only where one of its sources has
        expired or is of a kind that recall does not look at: of all others recall has judged that they do not matter.
        """
        tenant_id, store = self._parts.tenant_id, self._parts.store
        memories = store.memories
        recalled = {result.memory.id: result.memory for result in results}
        others = {result.memory.id for result in results if result.of_another}
        ids = {id_ for scored in statements for id_ in scored.statement.source_ids} - recalled.keys()
        inside = await memories.among(tenant_id, replace(filter_, is_summary=None, turns=True, recalled=None), ids)
        looked_at = await memories.among(tenant_id, filter_, inside)
        beyond = await memories.get(tenant_id, sorted(inside))
        zones = await store.zones.of_memories(tenant_id, list(beyond)) if beyond else {}
        said_at = {hit.memory.id: hit.said_at or hit.memory.created_at for hit in results}
        said_at |= days_in(zones, beyond.values())
        rows = {**recalled, **beyond}

        def belongs(scored: _Scored) -> bool:
            if not rows.keys() >= set(scored.statement.source_ids):
                return False
            if all(_is_replaced(rows[id_], filter_.as_of) for id_ in scored.statement.source_ids):
                return False
            if not recalled.keys().isdisjoint(scored.statement.source_ids):
                return True
            sources = [rows[id_] for id_ in scored.statement.source_ids]
            return any(row.id not in looked_at or row.retention_state is RetentionState.EXPIRED for row in sources)

        return [
            Piece(
                section=scored.section,
                id=scored.summary.id,
                text=scored.statement.text,
                created_at=max(rows[id_].event_date or said_at[id_] for id_ in scored.statement.source_ids),
                source_ids=_flat(scored.statement.source_ids, rows),
                score=scored.score,
                relevance=scored.relevance,
                tier=scored.summary.tier,
                subject=_subject(scored.summary),
                place=scored.place,
                of_another=others.issuperset(scored.statement.source_ids),
                said_on=_one_day([said_at[id_] for id_ in scored.statement.source_ids]),
                source_class=scored.statement.source_class,
            )
            for scored in statements
            if belongs(scored)
        ]


class _Gathered(NamedTuple):
    """The lines that a context could have, what recall found, and how many memories of that are not relevant enough."""

    pieces: list[Piece]
    results: Sequence[Recalled]
    below: int
    #: Stems of the question that name whose memory it is and are not looked for.
    own: frozenset[str]
    #: None of what recall found is surely relevant.
    unsure: bool


class _Scored(NamedTuple):
    """A statement that a context could have, and where it is from."""

    section: Section
    summary: Summary
    statement: Statement
    score: float
    #: Of its summary, where recall found it; None where it did not.
    relevance: float | None = None

    @property
    def place(self) -> int:
        """Among the statements of its summary, which say first what is so now."""
        return self.summary.statements.index(self.statement)


def _relevant(results: Sequence[Recalled], min_relevance: float | None) -> list[Recalled]:
    """Those that are relevant enough for a context; none where the best of them says nothing on the question."""
    if min_relevance is not None:
        return relevant_enough(results, min_relevance)
    best = max((result.relevance.value for result in results), default=0.0)
    if best < _LEAST_OF_BEST:
        return []
    near = [hit for hit in results if hit.relevance.value >= _LEAST_BESIDE]
    beside = {_conversation(hit) for hit in near if not hit.asks_again}
    beside.discard(None)
    behind = {turn.memory.id for hit in near if hit.asks_again for turn in _behind(hit, results)}
    first = _first(results)
    by_agent = _with_agent(results)
    best_score = max(hit.score.total for hit in results)

    def is_near(hit: Recalled) -> bool:
        is_of_people = hit.memory.session_id is not None and _by(hit) not in AGENTS and hit.memory.id not in by_agent
        # Who answers in a talk of people need not have anything in common with the question.
        if hit.relevance.value < (LEAST_RELEVANCE if is_of_people else _ABOVE_NOTHING):
            return False
        return (
            hit.memory.id not in by_agent
            or hit.relevance.value >= min(_HARDLY, _NEAR_BEST * best)
            or hit.score.total >= _NEAR_BEST * best_score
        )

    return [hit for hit in results if is_near(hit) or hit.memory.id in first | behind or _conversation(hit) in beside]


def _by(result: Recalled) -> str:
    return str(result.memory.speaker or result.memory.metadata.get("role") or "").casefold()


def _with_agent(results: Sequence[Recalled]) -> frozenset[str]:
    """The turns of talks with an agent, whose user may have a name, and facts of them."""
    scopes = {hit.memory.scope for hit in results if _by(hit) in ASSISTANTS}
    return frozenset(
        hit.memory.id
        for hit in results
        if hit.memory.scope in scopes
        and not hit.memory.is_summary
        and (
            bool(hit.memory.parent_id)
            or (hit.memory.session_id is not None and (_by(hit) in AGENTS or _is_users(hit.memory) or _is_tools(hit)))
        )
    )


def _is_tools(result: Recalled) -> bool:
    return result.memory.source_class in RELAYED


def _renewing(results: Sequence[Recalled], relevant: Sequence[Recalled]) -> Mapping[str, Mapping[str, float]]:
    """The memories that may give the newer value of one of the best of the relevant, of which, and how likely.

    Where one user alone tells, that the same tells both is no sign: only what is nearly as relevant as the best has a
    newer value then, the likeliest, with a rare word in common.
    """
    told = told_by(results)
    older = [hit for hit in relevant if hit.memory.id in told and not hit.asks_again][:_RENEWED]
    best = max((hit.relevance.value for hit in older), default=0.0)
    near = {hit.memory.id for hit in older if hit.relevance.value >= _NEAR_BEST * best}
    by_agent = _with_agent(results)
    newer = likely_newer([hit.memory.id for hit in older], told, by_agent)
    likeliest: dict[str, float] = {}
    for of_older in newer.values():
        for old, chance in of_older.items():
            likeliest[old] = max(likeliest.get(old, 0.0), chance)
    kept = {
        new: of_older if new not in by_agent else {
            old: chance for old, chance in of_older.items()
            if old in near and chance >= max(_LEAST_RENEWED, _NEAR_BEST * likeliest[old])
        }
        for new, of_older in newer.items()
    }  # fmt: skip
    return {new: of_older for new, of_older in kept.items() if of_older}


def _renewed_by(
    piece: Piece, renewing: Mapping[str, Mapping[str, float]], by_agent: Collection[str]
) -> Mapping[str, float]:
    """Of which memories a line may give the newer value: a statement, for what it rests on of a talk with an agent.

    Notes that give newer values have no more in common with the older ones than others have, and a statement of one
    would stand above every older key insight.
    """
    ids = (piece.id,) if piece.section is Section.MEMORIES else piece.source_ids
    return {
        old: chance
        for id_ in ids
        if piece.section is Section.MEMORIES or id_ in by_agent
        for old, chance in renewing.get(id_, {}).items()
        if old not in ids
    }


def _first(results: Sequence[Recalled]) -> frozenset[str]:
    """The memories that recall put first."""
    memories = [hit.memory.id for hit in results if not hit.memory.is_summary and not hit.asks_again]
    return frozenset(memories[:_FIRST])


def _behind(asking: Recalled, results: Sequence[Recalled]) -> list[Recalled]:
    """The next turns that were recalled of the conversation in which the same was asked: they may answer it."""
    later = [
        result
        for result in results
        if _conversation(result) == _conversation(asking) and result.memory.created_at > asking.memory.created_at
    ]
    return sorted(later, key=lambda result: (result.memory.created_at, result.memory.id))[:_ANSWERING]


def _conversation(result: Recalled) -> Hashable | None:
    """The conversation that a row is a turn of, and its day: a talk with an agent may go on for months."""
    memory = result.memory
    is_turn = memory.session_id is not None and not memory.is_summary
    return (memory.scope, memory.namespace, memory.session_id, result.day) if is_turn else None


def _share(question: Question, statement: Statement) -> float:
    """The share of the question's words that a statement holds, in whatever form."""
    held = frozenset(as_asked(content(statement.text), question.forms))
    return len(held.intersection(question.terms)) / max(1, len(question.terms))


def _subject(summary: Summary) -> str | None:
    """What a summary is about. The months of its title are left out: each line has its day."""
    return _MONTHS.sub("", summary.title) if summary.title else summary.extracted_key


def _flat(ids: Sequence[str], rows: Mapping[str, Memory]) -> tuple[str, ...]:
    """The memories with the messages that facts among them rest on."""
    return tuple(dict.fromkeys([*ids, *(parent for id_ in ids for parent in rows[id_].parent_id)]))


def _one_day(moments: Sequence[datetime]) -> date | None:
    """The day on which all of them are, if it is one."""
    days = {moment.date() for moment in moments}
    return days.pop() if len(days) == 1 else None


def _served(summary: Summary, filter_: Filter) -> Iterable[Statement]:
    """What a summary says, if it is of the scope asked for: a view may be of many users."""
    inside = all(getattr(filter_, name) in (None, getattr(summary.scope, name)) for name in _SCOPE)
    inside = inside and (filter_.as_of is None or summary.updated_at <= filter_.as_of)
    return [statement for statement in summary.statements if statement.superseded_by is None] if inside else []


def _is_replaced(memory: Memory, as_of: datetime | None) -> bool:
    """Whether a newer memory stood in its place, by now or by then."""
    return memory.superseded_at is not None and (as_of is None or memory.superseded_at <= as_of)


def _is_users(memory: Memory) -> bool:
    """Whether it is what a user wrote to an assistant."""
    return is_users(memory) and not memory.is_summary


def _memories(results: Sequence[Recalled]) -> list[Piece]:
    first = _first(results)
    return [
        Piece(
            section=Section.MEMORIES,
            id=result.memory.id,
            text=result.memory.text,
            created_at=result.memory.event_date or result.said_at or result.memory.created_at,
            source_ids=(result.memory.id, *result.memory.parent_id),
            score=result.score.total,
            relevance=max(result.relevance.value, _OF_FIRST if result.memory.id in first else 0.0),
            said_on=result.day,
            speaker=result.memory.speaker,
            source_class=result.memory.source_class,
            asks_again=result.asks_again,
            later=result.later,
            overruled=result.overruled,
        )
        for result in results
        if not result.memory.is_summary and result.memory.text
    ]
