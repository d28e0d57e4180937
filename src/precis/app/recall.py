"""app.recall: find what matters for a question."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from itertools import chain, pairwise
from typing import Any, Literal, get_args

import numpy as np

from precis.app.inputs import checked_limit, checked_query, checked_share
from precis.app.parts import Parts, days_in, rows_looked_at
from precis.errors import InvalidInput
from precis.language.dating.resolving import resolved
from precis.language.words import PASSAGE, content, led_by, stem, words
from precis.makers import READABLE, Clock, share_known
from precis.memory import Memory
from precis.models.embeddings.nearness import WordByWord
from precis.recall.asking.orders import both_first, both_of
from precis.recall.asking.unspaced import bare
from precis.recall.echoes import asks_again, behind, may_echo, without
from precis.recall.newer.former import former_first
from precis.recall.newer.likely import brought_along, may_be_brief, newest_of
from precis.recall.newer.notes import Became
from precis.recall.newer.overruled import Overruled, overruled, told_in
from precis.recall.newer.signs import asks_how_it_is, asks_how_it_was
from precis.recall.newer.successors import Successors, asked_end_first
from precis.recall.newer.turns import newer_turn_first, put_right, right_first, summary_first
from precis.recall.persons import AGENTS, ASSISTANTS
from precis.recall.question import Pool, Question, names_held, narrowed, read_question, with_light
from precis.recall.ranking import Score, Weights, rank
from precis.recall.relevance import COMPARED, USER, Spoken, relevances
from precis.recall.sought.evidence import Relevance
from precis.recall.sought.order import thing_first
from precis.recall.sought.replies import agents_first, asks_of_agent, following, kind_of, replies_first
from precis.recall.sought.sessions import of_more_sessions
from precis.recall.sought.signs import exchanges
from precis.recall.telling import Told, Wanted, by_what_they_tell, raised
from precis.recall.theirs import Resting, Theirs, before_these
from precis.recall.whose import OfWhom
from precis.recall.wishes import marks_asked
from precis.store.filtering import Filter
from precis.store.search import Asked, Unknown
from precis.trust import RELAYED, USER_ROLES

SummariesMode = Literal["with", "only", "without"]
#: Candidates each arm brings, at least, and where more than _TOLD rows are asked for: among more that stand around them
#: the rows behind the first are in a better order. So many rows are the same whatever the limit, as far as it goes.
_BREADTH, _FURTHER, _STEADY = 40, 80, 20
#: So many of them are put in order by their texts too, and so many where the question asks for a day, a number, a place
#: or what a task is to keep to: a row further down may have it.
_TOLD, _TOLD_OF_KIND = COMPARED, 15
#: Among so many a newer value is looked for, of what so many of the first rows tell.
_RENEWING, _RENEWED = 40, 3
#: In a text of more terms something became of something nearly always: it is no note that gives the newer value.
_NOTED = 2 * PASSAGE
#: What somebody by name said this long ago or longer is told, and no request that is put now.
_JUST_SAID = timedelta(hours=1)


#: Where the best row has less, nothing of what is asked is surely known: docs/why/relevance.md.
_SURELY = 0.07


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """One row of an answer, best first."""

    memory: Memory
    score: Score
    #: How likely it is to be evidence, 0..1, which means the same in every answer; and why.
    relevance: Relevance
    #: For a summary: its direct sources, to expand.
    source_ids: tuple[str, ...] = ()
    #: Those rows, when the caller asked to expand.
    sources: tuple[Memory, ...] = ()
    #: Whether the caller asked so.
    expanded: bool = False
    #: It is a turn that asks what is asked, and answers nothing.
    asks_again: bool = False
    #: The newest row of the answer that says what became of this one, likely: it was moved, or canceled.
    later: str | None = None
    #: Which of its sentences these are, and which of the newer one say so; None where that is not known.
    overruled: Overruled | None = None
    #: It is of somebody else than of whom is asked, beside rows of theirs.
    of_another: bool = False
    #: Rows of the answer that are shown under this one, when the caller asked to fold: a summary's sources, or the
    #: summary of a source that answers a question for a detail.
    folded: tuple[Recalled, ...] = ()
    #: When it was written, in the zone of its user; None is the same in UTC.
    said_at: datetime | None = None

    @property
    def at_home(self) -> Memory:
        """The row as written where its user lives: of another day there than in UTC, it may be."""
        return self.memory if self.said_at is None else replace(self.memory, created_at=self.said_at)

    @property
    def day(self) -> date:
        """The day on which it was written, where its user lives."""
        return (self.said_at or self.memory.created_at).date()

    @property
    def dated_text(self) -> str | None:
        """The text with the days that its words mean added to it; None where it names none. No day is a summary's."""
        memory = self.memory
        text = None if memory.is_summary else resolved(memory.text or "", self.day)
        return None if text == (memory.text or "") else text

    @property
    def expansion(self) -> tuple[Memory, ...] | None:
        """``sources``; None where nobody asked for them."""
        return self.sources if self.expanded else None


def is_unsure(results: Sequence[Recalled]) -> bool:
    """Whether none of the first rows of an answer is surely relevant; turns that ask the same are no answer.

    Of a hundred rows one is easily just above the bound: a longer answer is as unsure as one of COMPARED rows.
    """
    return all(result.relevance.value < _SURELY or result.asks_again for result in results[:COMPARED])


def relevant_enough(results: Sequence[Recalled], least: float) -> list[Recalled]:
    """Those rows of an answer that are so relevant, and what gives the newer value of one of them.

    That is what recall put before it for that, what says what became of it, and what likely does: it seldom has a word
    of the question, and without it the old value would stand alone.
    """
    kept = {result.memory.id for result in results if result.relevance.value >= least}
    if not kept or len(kept) == len(results):
        return [result for result in results if result.memory.id in kept]
    told = told_by(results)
    newer = newest_of(kept & told.keys(), told).union(hit.later or "" for hit in results if hit.memory.id in kept)
    put_before = {
        above.memory.id
        for above, below in pairwise(results)
        if above.score.newest and below.memory.id in kept and above.day > below.day
    }
    return [result for result in results if result.memory.id in kept | newer | put_before]


def told_by(results: Sequence[Recalled]) -> dict[str, Told]:
    """What those rows tell that may give a newer value, or an older one: no summary, and nothing that is of another."""
    return {
        hit.memory.id: Told(hit.memory.text or "", hit.said_at or hit.memory.created_at, hit.memory.speaker)
        for hit in results
        if not (hit.memory.is_summary or hit.of_another or hit.memory.source_class in RELAYED)
    }


class Recall:
    """Verbs over everything a tenant remembers."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        expand: bool = False,
        folded: bool = False,
        summaries: SummariesMode = "with",
        min_relevance: float = 0.0,
        filter_: Filter | None = None,
        **fields: Any,
    ) -> list[Recalled]:
        """The best rows for a query in the scope the fields of Filter give.

        ``summaries``: ``with`` mixes them in, ``without`` leaves them out, ``only`` answers summaries, and raw rows
        that none of their user has read. A summary never lowers its sources' score. ``folded`` shows a summary and
        those of its sources that were found as one; ``limit`` counts all of them. Rows below ``min_relevance``, 0..1,
        are left out, but what likely gives the newer value of one that stays: where nothing is relevant, nothing is
        answered. Raises InvalidInput.
        """
        checked_share(min_relevance, "min_relevance")
        if summaries not in get_args(SummariesMode):
            raise InvalidInput(f"summaries: {summaries!r} is not with, only or without", field="summaries")
        looked_at = rows_looked_at(self._parts.settings, filter_, **fields)
        looked_at = replace(looked_at, current=looked_at.as_of is None, searched=True)
        asking = await self._ask(checked_query(query), summaries, checked_limit(limit, 100), looked_at)
        memories, zones = await self._parts.store.search.read(
            self._parts.tenant_id,
            asking.filter_,
            asking.request,
            lambda pool: asking.choose(pool, limit, expand=expand),
        )
        if looked_at.as_of is not None:
            memories = await self._as_they_stood(memories, looked_at.as_of)
        said_at = days_in(zones, memories.values())
        results = relevant_enough(asking.results(memories, said_at, expand=expand), min_relevance)
        return _folded(results, asking.request.question) if folded else results

    async def _as_they_stood(self, memories: Mapping[str, Memory], as_of: datetime) -> Mapping[str, Memory]:
        """The same rows; of a summary that says something else since what it said then, as far as that is kept."""
        store, tenant_id = self._parts.store, self._parts.tenant_id
        changed = [row.id for row in memories.values() if row.is_summary and row.updated_at > as_of]
        if not changed:
            return memories
        summaries = list((await store.summaries.get(tenant_id, changed)).values())
        stood = {
            summary.id: replace(
                memories[summary.id],
                text=summary.text,
                parent_id=summary.parent_id,
                updated_at=summary.updated_at,
                created_at=min(summary.created_at, memories[summary.id].created_at),
            )
            for summary in await store.history.stood(tenant_id, summaries, as_of, since=True)
        }
        return {id_: row for id_, row in memories.items() if id_ not in changed} | stood

    async def unknown(self, **fields: Any) -> Unknown | None:
        """What an answer with ``as_of`` cannot know of the scope that the fields of Filter give; None without it."""
        filter_ = rows_looked_at(self._parts.settings, **fields)
        if filter_.as_of is None:
            return None
        return await self._parts.store.search.unknown(self._parts.tenant_id, filter_, filter_.as_of)

    async def _ask(self, query: str, mode: SummariesMode, limit: int, filter_: Filter) -> _Asking:
        engine, settings = self._parts.engine, self._parts.settings
        # What a question is put with in a script without spaces is in any sentence.
        about = bare(query)
        vector = np.asarray((await engine.embedder.embed([about]))[0], dtype=np.float32)
        question = read_question(query, user_id=filter_.user_id)
        return _Asking(
            request=Asked(
                question=question,
                vector=vector,
                embedding_version=engine.embedder.version,
                breadth=max(_FURTHER if limit > _TOLD else _BREADTH, 2 * limit),
                only=mode == "only",
            ),
            filter_=replace(filter_, is_summary=False) if mode == "without" else filter_,
            mode=mode,
            trust=_trust(share_known(engine.embedder, about, foreign=question.foreign)),
            weights=Weights(raw_days=settings.recall_raw_days, summary_days=settings.recall_summary_days),
            clock=engine.clock if filter_.as_of is None else lambda: filter_.as_of or engine.clock(),
        )


def _role_of(row: Memory) -> str | None:
    """Who said a row of a talk of two: a fact is what the user said."""
    role: str = row.speaker or row.metadata.get("role") or ""
    return role.casefold() or ("user" if row.parent_id else None)


def _trust(known: float) -> float:
    """How much the likeness of vectors says, given the share of a question that the embedder can read."""
    return known if known >= READABLE else 0.0


class _Asking:
    """One search: ranks the candidates, and keeps their scores until their rows have been read."""

    def __init__(
        self, *, request: Asked, filter_: Filter, mode: SummariesMode, trust: float, weights: Weights, clock: Clock
    ) -> None:
        self.request, self.filter_ = request, filter_
        self._mode, self._trust, self._weights, self._clock = mode, trust, weights, clock
        self._scores: list[Score] = []
        self._limit = 0
        self._wanted = Wanted(request.question.text)
        self._told = _TOLD_OF_KIND if self._wanted.is_kind else _TOLD
        if both_of(request.question):
            self._told = _STEADY
        #: The candidates; those that the rows behind the first are chosen from, up to _STEADY; and those of the first.
        self._pool = self._between = self._narrow = Pool(rows={})
        self._wide = False
        self._may_echo: frozenset[str] = frozenset()
        #: Turns that ask the same, which stand behind all others; and the candidates with them.
        self._again: list[Score] = []
        self._whole = self._pool
        #: Turns that are read beside the best for what these leave out.
        self._beside: frozenset[str] = frozenset()
        #: Rows of others than of whom is asked.
        self._of_others: frozenset[str] = frozenset()
        #: Notes of which a later one says what became of them, each with that one.
        self._later: Mapping[str, str] = {}
        self._put_right: Mapping[str, str] = {}
        query = request.question.text
        #: It asks how things are; and for what is so now, and for nothing that was.
        self._is_present = request.question.present or asks_how_it_is(query)
        self._renews = self._is_present and not asks_how_it_was(query)
        #: The best of the candidates that are the same whatever the limit, as far as one may give a newer value.
        self._renewing: list[Score] = []

    def choose(self, pool: Pool, limit: int, *, expand: bool) -> list[str]:
        """The ids of the best rows, and of the sources of the summaries among them.

        Where turns may ask the same, those are read as well, and what is best without them.
        """
        pool = with_light(pool, self.request.question)
        self._limit = limit
        self._wide = self.request.breadth > _BREADTH
        self._may_echo = may_echo(self.request.question, pool)
        others = self._chosen(without(pool, self._may_echo)) if self._may_echo else []
        best = self._chosen(pool)
        ids = [*best, *self._may_echo, *others, *self._followed(best), *self._followed(others)]
        sources = [id_ for best in ids for id_ in pool.rows[best].sources] if expand else []
        ids = list(dict.fromkeys([*ids, *sources]))
        # What is only read for what a turn leaves out changes no order.
        around = exchanges(self.request.question, pool, ids)
        self._beside = frozenset(chain.from_iterable(around.values())).difference(ids)
        return [*ids, *self._beside]

    def _chosen(self, pool: Pool) -> list[str]:
        """Rank these candidates; answers the ids of the best."""
        self._pool = pool
        self._narrow = narrowed(pool, _BREADTH) if self._wide else pool
        self._between = narrowed(pool, _FURTHER) if self.request.breadth > _FURTHER else pool
        # They are put in order by what their texts tell, and relevance is found beside others: whatever the limit.
        best = self._ranked(self._narrow, max(self._told, _RENEWING) if self._renews else self._told, ())
        self._scores = best[: self._told]
        if self._wide:
            further = self._ranked(self._between, None, [score.id for score in self._scores])
            steady = _STEADY - len(self._scores)
            self._scores, further = [*self._scores, *further[:steady]], further[steady:]
            if self._between is not pool:
                further = self._ranked(pool, None, [score.id for score in self._scores])
            room = max(0, self._limit - len(self._scores))
            self._scores += of_more_sessions(self._scores, further, pool.rows, room)
        rows, query = self._narrow.rows, self.request.question.text
        self._renewing = [
            score
            for place, score in enumerate(best[: _RENEWING if self._renews else 0])
            if not (rows[score.id].is_summary or rows[score.id].relayed)
            and (place < self._told or may_be_brief(query, rows[score.id].length))
        ]
        return list(dict.fromkeys(score.id for score in [*self._scores, *self._renewing]))

    def _followed(self, ids: Sequence[str]) -> list[str]:
        """The turns behind the best rows that may answer; none where nothing is asked for to which a turn replies."""
        query = self.request.question.text
        return following(self._narrow, ids) if kind_of(query) or asks_of_agent(query) else []

    def _without_echoes(self, memories: Mapping[str, Memory]) -> None:
        """Rank anew as if the turns of a talk with an agent that ask the same had not been said."""
        echoes = {
            id_ for id_ in self._may_echo
            if (turn := memories.get(id_)) and (not turn.speaker or "role" in turn.metadata)
            and asks_again(self.request.question.text, turn.text or "", is_request=self._may_be_a_request(turn))
        }  # fmt: skip
        if echoes:
            again, self._whole = [score for score in self._scores if score.id in echoes], self._pool
            self._chosen(without(self._pool, echoes))
            self._again = again

    def _may_be_a_request(self, turn: Memory) -> bool:
        """Whether a turn may be what is asked now: nobody by name said it, or a moment ago."""
        by = (turn.speaker or USER).casefold()
        return by == USER or by in AGENTS or self._clock() - turn.created_at < _JUST_SAID

    def _ranked(self, pool: Pool, limit: int | None, before: Sequence[str]) -> list[Score]:
        """The best of what was asked for, after those that come before; without a limit all."""
        only = self._mode == "only"
        left_out = {row.id for row in pool.rows.values() if only and row.summarized and not row.is_summary}
        return rank(
            self.request.question, pool, now=self._clock(), trust=self._trust, weights=self._weights,
            limit=limit, besides=left_out.union(before),
        )  # fmt: skip

    def _by_their_texts(self, memories: Mapping[str, Memory], said_at: Mapping[str, datetime]) -> list[Score]:
        """The scores with what the texts of the first rows tell; the others stay."""
        question, first = self.request.question, self._scores[: self._told]
        read = [memories[score.id] for score in first if score.id in memories]
        told = {row.id: Told(row.text or "", said_at[row.id], row.speaker) for row in read if not row.is_summary}
        of_whom = OfWhom(question, told)
        # Where the embedder reads nothing of the question, its words alone say what a row is about.
        near = None if self._trust else self._wanted.on_subject(question, self._narrow, told)
        first = of_whom.first(by_what_they_tell(self._wanted, first, told, self._nearness(read), near))
        resting = [Resting(row.id, row.text or "", row.parent_id) for row in read if row.is_summary]
        theirs = Theirs(question, told, resting)
        first = theirs.first(first)
        self._of_others = theirs.behind | of_whom.behind
        rows = self._narrow.rows
        # What a tool or a document says is no newer value of what somebody said.
        notes = {
            id_: of_note
            for id_, of_note in told.items()
            if id_ in rows
            and id_ not in self._of_others
            and not rows[id_].relayed
            and rows[id_].length <= _NOTED
            and (rows[id_].session is None or memories[id_].metadata.get("role") == "user")
        }
        if self._is_present:
            turns = {
                id_: of_turn for id_, of_turn in told.items()
                if id_ in rows and rows[id_].session is not None and not rows[id_].relayed
            }  # fmt: skip
            became, after = Became(question, notes), Successors(question, notes)
            first = became.newer_first(became.values_first(first))
            self._later = {**became.followed(), **after.followed()}
            first = after.first(newer_turn_first(question, turns, first))
            if question.present:
                first = summary_first(first, rows)
            first = before_these(first, became.newest_of(first), told, resting)
        first = former_first(question, notes, first)
        first = thing_first(question, rows, notes, asked_end_first(question, notes, first))
        first = both_first(question, self._narrow, told, first)
        rows = self._pool.rows
        better = put_right(
            {id_: turn for id_, turn in told.items() if not (memories[id_].parent_id or rows[id_].relayed)}
        )
        first, self._later, self._put_right = right_first(first, better), {**self._later, **better}, better
        first = self._with_newest(first, memories, said_at)
        # Only what is read whatever the limit: a longer answer begins as a shorter one does.
        best = [score.id for score in [*self._scores[: self._told], *self._renewing]]
        said = {
            id_: Told(row.text or "", said_at[id_], row.speaker or row.metadata.get("role"))
            for id_ in dict.fromkeys([*best, *self._followed(best)])
            if id_ in self._narrow.rows and (row := memories.get(id_)) and not row.is_summary
        }
        first = replies_first(question, self._narrow, said, first)
        first = agents_first(question, self._narrow, said, first)
        before = {score.id for score in first}
        return [*first, *(score for score in self._scores[self._told :] if score.id not in before)]

    def _with_newest(
        self, first: Sequence[Score], memories: Mapping[str, Memory], said_at: Mapping[str, datetime]
    ) -> list[Score]:
        """The first rows, with what likely gives the newer value of one of them before it; it may be from further down.

        It is behind it where it has none of the names of the question that the older one has.
        """
        query, by_id = self.request.question.text, {score.id: score for score in [*self._renewing, *first]}
        kept = {score.id for score in self._renewing} - self._of_others
        order = [score.id for score in [*first, *self._renewing] if score.id in kept and score.id in memories]
        told = {
            row.id: Told(text := row.text or "", said_at[row.id], row.speaker or led_by(text) or _role_of(row))
            for row in (memories[id_] for id_ in dict.fromkeys(order))
            if may_be_brief(query, self._narrow.rows[row.id].length) or _role_of(row) not in ASSISTANTS
        }
        best = max((score.total for score in first), default=0.0) or 1.0
        # What became of a note by itself is known better (``Became``): of notes that tell of two things one may stay.
        turns = {id_ for id_ in told if self._narrow.rows[id_].session is not None or memories[id_].parent_id}
        older = {score.id: max(0.0, score.total / best) for score in first if score.id in turns}
        pair = brought_along(query, dict(list(older.items())[:_RENEWED]), told)
        if pair is None:
            return list(first)
        newer, before = (by_id[id_] for id_ in pair)
        others = [score for score in first if score is not newer]
        named = [names_held(self.request.question, self._pool.rows[id_]) for id_ in pair]
        is_of_same = not named[1] or not named[0].isdisjoint(named[1])
        # Nothing else changes its place: a longer answer has more rows here. A fact goes with its message.
        of_before = {before.id, *memories[before.id].parent_id}
        same = {id_ for id_ in told if not of_before.isdisjoint((id_, *memories[id_].parent_id))}
        place = next(at for at, score in enumerate(others) if score.id in same) + (not is_of_same)
        return [*others[:place], raised(newer, "newest", others[place : place + 1]), *others[place:]]

    def _nearness(self, read: Sequence[Memory]) -> Mapping[str, float]:
        """How much nearer than others of them the words of each turn come to those of the question.

        Names of whom it asks do not count.
        """
        question, rows = self.request.question, self._pool.rows
        if marks_asked(question.text):
            # What has the mark that is asked for ("Which rules ...?") need not have a word near to one of these.
            return {}
        turns = [memory for memory in read if memory.id in rows and rows[memory.id].session is not None]
        if not turns:
            return {}
        names = {name for turn in turns for name in words(turn.speaker or "")}
        names |= {word for word in words(question.text) if stem(word) in question.named}
        near = WordByWord(question.text, besides=names).nearness([turn.text or "" for turn in turns])
        mean = sum(near) / len(near) if near else 0.0
        return {turn.id: value - mean for turn, value in zip(turns, near, strict=True)}

    def results(
        self, memories: Mapping[str, Memory], said_at: Mapping[str, datetime], *, expand: bool
    ) -> list[Recalled]:
        """The rows with their scores, best first; ``said_at`` is when each was written, where its user lives."""
        self._without_echoes(memories)
        self._scores = behind(self._by_their_texts(memories, said_at), self._again)[: max(self._limit, COMPARED)]
        read = [memories[score.id] for score in self._scores if score.id in memories]
        spoken = {
            memory.id: Spoken(text=memory.text or "", speaker=by, is_users=memory.speaker is None and is_users(memory))
            for memory, by in _said_by(read)
        }
        again = {score.id: spoken.pop(score.id) for score in self._again if score.id in spoken}
        relevant_in = partial(
            relevances, self.request.question, trust=self._trust,
            beside={row.id: row.text or "" for row in memories.values()},
        )  # fmt: skip
        relevant = relevant_in(self._pool, spoken, steady=self._narrow)
        relevant |= relevant_in(self._whole, again) if again else {}
        for pool, number in ((self._between, _STEADY), (self._narrow, self._told)):
            if pool is not self._pool:
                # Of fewer rows that any arm found, what has neither words nor a vector comes next ("...").
                steady = spoken.keys() & pool.rows.keys()
                first = {score.id: spoken[score.id] for score in self._scores[:number] if score.id in steady}
                relevant |= relevant_in(pool, first)
        return [
            Recalled(
                memory=memories[score.id],
                score=score,
                relevance=relevant[score.id],
                source_ids=memories[score.id].parent_id,
                sources=tuple(memories[i] for i in memories[score.id].parent_id if i in memories) if expand else (),
                expanded=expand,
                asks_again=score.id in again,
                later=self._later.get(score.id),
                overruled=self._overruled(score.id, memories),
                of_another=score.id in self._of_others,
                said_at=said_at[score.id],
            )
            for score in _once([score for score in self._scores if score.id in memories], memories)[: self._limit]
        ]

    def _overruled(self, id_: str, memories: Mapping[str, Memory]) -> Overruled | None:
        """Which sentences of a note are so no longer, since a newer one that puts no turn right."""
        newer = self._later.get(id_)
        if newer is None or id_ in self._put_right:
            return None
        texts, question = (memories[id_].text or "", memories[newer].text or ""), self.request.question
        return overruled(*texts, question) or told_in(*texts, question)


def _said_by(read: Sequence[Memory]) -> Iterator[tuple[Memory, str | None]]:
    """Each of these rows, and who says it: who is named before it, where nobody knows more than that a user wrote it.

    Of what a user wrote that is a name where two rows or more begin so, and perhaps a heading where one does.
    """
    leads = [led_by(memory.text or "") for memory in read]
    often = {lead for lead, number in Counter(leads).items() if number > 1}
    for memory, lead in zip(read, leads, strict=True):
        is_of_user = memory.speaker is not None and memory.speaker.casefold() == USER and lead in often
        yield memory, (lead if is_of_user else None) or memory.speaker or lead


def is_users(memory: Memory) -> bool:
    """Whether the role of a message says that a user wrote it."""
    return str(memory.metadata.get("role")).casefold() in USER_ROLES


def _once(scores: Sequence[Score], memories: Mapping[str, Memory]) -> list[Score]:
    """Without a fact all of which a message it rests on says before it, or a message all of which such facts say."""
    if not any(memories[score.id].parent_id and not memories[score.id].is_summary for score in scores):
        return list(scores)
    kept: list[Score] = []
    #: What the rows before say: each by itself, and the facts that rest on one message together.
    alone: dict[str, frozenset[str]] = {}
    of_facts: dict[str, frozenset[str]] = defaultdict(frozenset)
    for score in scores:
        memory = memories[score.id]
        if not memory.is_summary:
            stems = content(memory.text or "")
            covered = of_facts[memory.id].union(*(alone.get(id_, ()) for id_ in memory.parent_id))
            if covered and stems <= covered:
                continue
            alone[memory.id] = stems | content(memory.speaker or "")
            for id_ in memory.parent_id:
                of_facts[id_] |= alone[memory.id]
        kept.append(score)
    return kept


@dataclass(frozen=True, kw_only=True, slots=True)
class Fold:
    """A row of an answer as folding sees it."""

    id: str
    #: Of a summary: the rows it was made from.
    sources: tuple[str, ...] = ()


def fold(rows: Sequence[Fold], *, detail: bool) -> list[tuple[str, list[str]]]:
    """(row, the rows under it) in the order of the answer; each row once.

    A summary is shown with its sources under it, where the better of them stood. A question for a ``detail`` is
    answered by a source: the best one is shown with the summary, and the other sources, under it.
    """
    ids = [row.id for row in rows]
    taken: set[str] = set()
    shown: dict[str, list[str]] = {}
    for row in rows:
        kin = [id_ for id_ in ids if id_ in row.sources and id_ not in taken]
        if kin and row.id not in taken:
            top = kin[0] if detail else row.id
            under = [row.id, *kin[1:]] if detail else kin
            shown[top] = under
            taken.update([top, *under])
    place = {id_: at for at, id_ in enumerate(ids)}
    shown |= {id_: [] for id_ in ids if id_ not in taken}
    return sorted(shown.items(), key=lambda entry: min(place[id_] for id_ in (entry[0], *entry[1])))


def _folded(results: Sequence[Recalled], question: Question) -> list[Recalled]:
    """The same rows, each once, some under others."""
    by_id = {result.memory.id: result for result in results}
    folds = fold([Fold(id=result.memory.id, sources=result.source_ids) for result in results], detail=question.detail)
    return [replace(by_id[top], folded=tuple(by_id[id_] for id_ in under)) for top, under in folds]
