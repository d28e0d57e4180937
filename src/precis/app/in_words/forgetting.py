"""Forgetting in words: what a request means is shown, and forgotten once it is confirmed; ``app/memories`` calls it.

What cannot be edited goes whole or is in doubt. A model sees only rows that are listed anyhow. It may put what is near
in doubt; it makes nothing sure and takes nothing off the list, so one that is wrong, or lies, makes doubt at most.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from typing import Any

import numpy as np

from precis.app.in_words import answers
from precis.app.inputs import MAX_REQUEST_CHARS, checked_query, with_fields
from precis.app.parts import Parts, zone_of
from precis.engine.forgetting import Receipt
from precis.errors import Conflict, InvalidInput, NotFound
from precis.finding.about.old_values import without_age
from precis.finding.asked.asking import Request
from precis.finding.doubts.chances import with_chances
from precis.finding.finder import find
from precis.finding.grounded.findings import in_doubt, joined, leaves_to_memories, with_versions
from precis.finding.grounded.requests import grounded, leaves_open
from precis.finding.grounded.versions import versions
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.spelling import corrected
from precis.finding.values import Finding, Findings, Level, Row
from precis.ids import checked_name
from precis.makers import Proposal
from precis.memory import Memory, Moments
from precis.models.embeddings import StaticEmbedder
from precis.models.embeddings.nearness import kin_by
from precis.recall.naming import LISTED, Named
from precis.store.filtering import Filter
from precis.store.forgotten.previews import Candidate, Choice, Listed

Reading = Callable[[str], Awaitable[Memory]]
Editing = Callable[..., Awaitable[tuple[Memory, Receipt]]]
#: How long a preview may be confirmed.
_LASTS = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True)
class _Looked:
    """What the finder says of the memories of a scope."""

    request: Request
    candidates: Mapping[str, Candidate]
    findings: Findings = field(default_factory=Findings)
    proposals: Mapping[str, Proposal] = field(default_factory=dict)
    lifted: frozenset[str] = frozenset()  # what the model put in doubt
    as_put: Request | None = None  # how rules read what the memories explain, where those make something of it

    @property
    def rows(self) -> list[Row]:
        """What was looked through."""
        return [candidate.row for candidate in self.candidates.values()]


class ForgettingInWords:
    """Finds what a request means, and forgets what was shown."""

    def __init__(self, parts: Parts, read: Reading, edit: Editing) -> None:
        self._parts = parts
        self._read = read
        self._edit = edit

    async def find(
        self,
        what: str,
        *,
        user_id: str,
        since: datetime | None = None,
        until: datetime | None = None,
        propose: bool = True,
        most_doubtful: int = answers.MOST_DOUBTFUL,
        **scope: Any,
    ) -> answers.Preview:
        """What would go, what may, and what stays although it is near; of what may the ``most_doubtful`` likeliest.

        A model, where there is one, is asked about what may or is near, unless ``propose`` says otherwise.
        ``scope`` narrows it by the fields of Filter; ``since`` and ``until`` by when a memory was written. Raises
        InvalidInput for a request that names nothing or asks to keep something; NotFound where nothing matches and
        nothing is near, and then nothing is written.
        """
        checked_query(what, field="what", most=MAX_REQUEST_CHARS)
        filter_ = with_fields(Filter(turns=True, user_id=checked_name(user_id, "user_id")), scope)
        if since is not None or until is not None:
            filter_ = replace(filter_, times={"created_at": Moments(gte=since, lt=until)})
        looked = await self._look(what, filter_, scoped=bool(scope) or since is not None or until is not None)
        work = partial(with_chances, what, looked.as_put or looked.request, looked.rows, looked.findings)
        looked = replace(looked, findings=await asyncio.to_thread(work, kin_by(StaticEmbedder())))
        looked = await self._proposed(what, looked) if propose else looked
        sure, doubtful = (looked.findings.of(level) for level in (Level.SURE, Level.DOUBTFUL))
        meant = [self._listed(finding, looked) for finding in (*sure, *doubtful[:most_doubtful])]
        if not meant and not looked.findings.of(Level.NEAR):
            raise NotFound(f"nothing of user {user_id!r} is meant by that: nothing was forgotten")
        now, store = self._parts.engine.clock(), self._parts.store.previews
        preview_id = await store.keep(self._parts.tenant_id, user_id, meant, now=now, until=now + _LASTS)
        going = [row.id for row in meant if row.sure]
        leaving = await store.statements_on(self._parts.tenant_id, going) if going else {}
        return answers.Preview(
            preview_id=preview_id,
            expires_at=now + _LASTS,
            user_id=user_id,
            understood=answers.understood(looked.as_put or looked.request, looked.findings),
            forget=tuple(_meant(finding, looked) for finding in sure),
            doubtful=tuple(_meant(finding, looked) for finding in doubtful[:most_doubtful]),
            near=tuple(_meant(finding, looked) for finding in looked.findings.of(Level.NEAR)),
            summaries=tuple(
                answers.Leaving(summary_id=id_, statements=tuple(statements)) for id_, statements in leaving.items()
            ),
            more_doubtful=max(0, len(doubtful) - most_doubtful),
        )

    async def named(self, words: str, filter_: Filter) -> Named:
        """The one memory of which the words name all, for sure; else those that may be meant.

        What is to be replaced is old by now, so "my old car" may be the only one that is known.
        """
        doubtful = dict[str, None]()
        for text in (words, *await asyncio.to_thread(without_age, words)):
            try:
                findings = (await self._look(text, filter_, scoped=False)).findings
            except InvalidInput:
                continue
            sure = findings.of(Level.SURE)
            if len(sure) == 1 and not sure[0].keeps:
                return Named(ids=(sure[0].id,))
            doubtful |= dict.fromkeys(finding.id for finding in (*sure, *findings.of(Level.DOUBTFUL)))
        return Named(doubtful=tuple(doubtful)[:LISTED])

    async def confirm(
        self, preview: answers.Preview | str, choice: Choice, *, user_id: str | None = None
    ) -> answers.Confirmed:
        """Forget what a preview showed, and what was chosen of what it showed in doubt.

        What a model alone put in doubt goes only by the id of the preview, which somebody has who was shown it. What
        was edited since is left alone and named. Raises NotFound for a preview that is not there any more, or of which
        nothing is left to forget; InvalidInput where the choice names what it did not show.
        """
        preview_id = preview.preview_id if isinstance(preview, answers.Preview) else checked_name(preview, "preview_id")
        tenant_id, previews, now = self._parts.tenant_id, self._parts.store.previews, self._parts.engine.clock()
        if isinstance(preview, answers.Preview):
            choice = replace(choice, spared=frozenset(row.id for row in preview.doubtful if row.lifted))
        ready = await previews.confirmable(tenant_id, preview_id, choice, user_id=user_id, now=now)
        edits = {id_: await self._part(id_, spans) for id_, spans in ready.parts.items()}
        # The edits have receipts of their own, and those come first.
        receipt = await previews.forget(tenant_id, preview_id, ready.whole, choice, now=self._parts.engine.clock())
        receipts = [each for each in (receipt, *edits.values()) if each is not None]
        if not receipts:
            doubt = f"; {len(ready.doubtful)} in doubt were not chosen" if ready.doubtful else ""
            since = f"; {len(ready.changed) + len(edits)} were edited since" if ready.changed or edits else ""
            gone = "" if doubt or since else ": nothing of what it showed is left"
            raise NotFound(f"nothing was forgotten of preview {preview_id!r}{gone}{doubt}{since}")
        forgotten = receipt.forgotten if receipt else ()
        left = [id_ for id_ in ready.whole if id_ not in forgotten]
        # Facts go with what they rest on as soon as that says something else.
        forgotten += tuple([id_ for id_ in left if edits and not await self._is_there(id_)])
        late = [id_ for id_ in (*edits, *left) if edits.get(id_) is None and id_ not in forgotten]
        return answers.joined_receipts(
            receipts, forgotten=forgotten, edited=tuple(id_ for id_, each in edits.items() if each is not None),
            changed=(*ready.changed, *late), gone=ready.gone, doubtful=ready.doubtful,
        )  # fmt: skip

    async def _is_there(self, memory_id: str) -> bool:
        try:
            return await self._read(memory_id) is not None
        except NotFound:
            return False

    async def _part(self, memory_id: str, spans: Sequence[tuple[int, int]]) -> Receipt | None:
        """Leave only these parts of a memory's text; None where it was edited meanwhile."""
        try:
            memory = await self._read(memory_id)
            rest = written(memory.text or "", spans)
            _, receipt = await self._edit(memory_id, {"text": rest}, expected=memory, stays=spans)
        except (Conflict, NotFound):
            return None
        return receipt

    async def _look(self, what: str, filter_: Filter, *, scoped: bool) -> _Looked:
        today, zone = await self._today(filter_.user_id or "")
        # The first one of a process reads the tables of words, which takes seconds.
        request, other, again, clear = await asyncio.to_thread(_read_twice, what, today)
        plain = again if clear else what
        if request.refuses or request.unclear or request.empty:
            nothing = _Looked(request=request, candidates=await self._candidates(request, filter_))
            explained = await self._explained(plain, nothing, filter_, zone)
            looked = await self._with_versions(what, explained or nothing, filter_, zone)
            if explained or looked.findings.rows:
                return looked
            if request.refuses or request.unclear or not scoped:
                raise _unread(request)
        looked = await self._looked(request, filter_, zone)
        if other != request and not looked.findings.of(Level.SURE):
            with_slips = await self._looked(other, filter_, zone)
            looked = replace(with_slips, findings=joined(looked.findings, with_slips.findings, clear=clear))
        if leaves_open(what, request):
            looked = replace(looked, findings=in_doubt(looked.findings))
        if leaves_to_memories(looked.findings):
            looked = await self._explained(plain, replace(looked, request=request), filter_, zone) or looked
        return await self._with_versions(what, looked, filter_, zone)

    async def _explained(self, what: str, looked: _Looked, filter_: Filter, zone: tzinfo) -> _Looked | None:
        """What it finds as the memories explain it, beside what rules find; None where they explain nothing."""
        explained = await asyncio.to_thread(grounded, what, looked.request, looked.rows)
        if explained is None:
            return None
        reading, clear = explained
        again = await self._looked(reading, filter_, zone)
        plain = not (looked.request.refuses or looked.request.unclear or looked.request.empty)
        as_put = looked.request if plain else None
        return replace(again, findings=joined(looked.findings, again.findings, clear=clear), as_put=as_put)

    async def _with_versions(self, what: str, looked: _Looked, filter_: Filter, zone: tzinfo) -> _Looked:
        """The same with what newer memories say anew, where the old ones of something are asked for."""
        anew = await asyncio.to_thread(versions, what, looked.request, looked.rows, _own_names(filter_), zone)
        return replace(looked, findings=with_versions(looked.findings, answers.with_sealed(anew, looked.candidates)))

    async def _candidates(self, request: Request, filter_: Filter) -> dict[str, Candidate]:
        """The memories that it may mean, by id."""
        vectors = await self._parts.engine.embedder.embed(list(request.phrases)) if request.phrases else []
        candidates = await self._parts.store.previews.candidates(
            self._parts.tenant_id, filter_, [np.asarray(vector, dtype=np.float32) for vector in vectors],
            embedding_version=self._parts.engine.embedder.version,
        )  # fmt: skip
        candidates = await answers.likened(candidates, vectors, self._parts.engine.embedder)
        return {candidate.row.id: candidate for candidate in candidates}

    async def _looked(self, request: Request, filter_: Filter, zone: tzinfo) -> _Looked:
        looked = _Looked(request=request, candidates=await self._candidates(request, filter_))
        kin = kin_by(StaticEmbedder())
        work = partial(find, request, looked.rows, own_names=_own_names(filter_), zone=zone, kin=kin)
        return replace(looked, findings=answers.with_sealed(await asyncio.to_thread(work), looked.candidates))

    async def _proposed(self, what: str, looked: _Looked) -> _Looked:
        findings, proposals = await answers.with_proposals(
            looked.findings, looked.candidates, self._parts.engine.proposer, what, tenant_id=self._parts.tenant_id
        )
        near = {finding.id for finding in looked.findings.of(Level.NEAR)}
        lifted = frozenset(near.intersection(finding.id for finding in findings.of(Level.DOUBTFUL)))
        return replace(looked, findings=findings, proposals=proposals, lifted=lifted)

    async def _today(self, user_id: str) -> tuple[date, tzinfo]:
        zone = await zone_of(self._parts, user_id)
        return self._parts.engine.clock().astimezone(zone).date(), zone

    @staticmethod
    def _listed(finding: Finding, looked: _Looked) -> Listed:
        return Listed(
            id=finding.id, fingerprint=looked.candidates[finding.id].fingerprint, sure=finding.level is Level.SURE,
            keeps=finding.keeps,
        )  # fmt: skip


def _read_twice(what: str, today: date) -> tuple[Request, Request, str, bool]:
    """A request as it is written, and with its slips corrected; the corrected words, and whether they are clear.

    Where the first says nothing, the other is taken for it.
    """
    request = read_request(what, today)
    again, clear = corrected(what, StaticEmbedder().is_word)
    other = read_request(again, today) if again != what else request
    return other if not request.refuses and (request.unclear or request.empty) else request, other, again, clear


def _own_names(filter_: Filter) -> set[str]:
    return {filter_.user_id} if filter_.user_id else set()


def _unread(request: Request) -> InvalidInput:
    if request.refuses:
        return InvalidInput("what: it asks to keep something; say what is to be forgotten", field="what")
    if request.bounded:
        return InvalidInput("what: it names a time or who spoke, and not whom or what of that: name them", field="what")
    message = (
        "what: it names nobody and nothing. Everything of a user, and the user's key, is forgotten by "
        "DELETE /v1/users/{user_id} or `precis forget --user-id USER`"
    )
    return InvalidInput(message, field="what")


def _meant(finding: Finding, looked: _Looked) -> answers.Meant:
    row, lifted = looked.candidates[finding.id].row, finding.id in looked.lifted
    return answers.Meant(
        id=row.id, text=row.text, created_at=row.created_at, why=finding.why, how_sure=finding.level.name.lower(),
        keeps=written(row.text, finding.keeps) if finding.keeps else None, shared=finding.shared,
        proposed=looked.proposals.get(finding.id), lifted=lifted,
        event_date=row.event_date,
        chance=round(finding.likelihood, 2) if finding.level is Level.DOUBTFUL and not lifted else None,
    )  # fmt: skip
