"""A turn of a conversation as one transaction writes it: messages, their places, the summary over them, the row."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

import orjson

from precis.conversation import POLICY, place_of
from precis.database.connections import Tx
from precis.engine.lease import Lease
from precis.engine.policy import Placing
from precis.errors import Conflict, Forgotten, LeaseLost, SourceChanged
from precis.ids import new_id
from precis.keys.cipher import Cipher
from precis.keys.vault import Vault
from precis.memory import Scope
from precis.store.changes.posting import insert_memories
from precis.store.changes.sent_again import fresh_rows
from precis.store.changes.writing import Writing
from precis.store.commits import Commits
from precis.store.conversation_rows import Computed, NewTurn, Persisted, Properties, message_row
from precis.store.forgetting import Forgetting
from precis.store.groups import read_snapshot
from precis.store.membership import Membership, Pair, hold_groups, make_places, share_placing
from precis.store.rows import row_of

#: How long a turn holds the group while it commits: one transaction.
_TURN = timedelta(seconds=30)


@contextmanager
def _by_given_ids(turn: NewTurn) -> Iterator[None]:
    """What is refused is named as its writer names it: by the id that the message was given."""
    given = {message.row.memory.id: message.message.given for message in turn.messages}
    try:
        yield
    except Forgotten as error:
        names = ", ".join(repr(given.get(id_, id_)) for id_ in error.ids)
        told, it = (f"message {names} was", "it") if len(error.ids) == 1 else (f"messages {names} were", "them")
        raise Forgotten(f"{told} forgotten; leave {it} out", ids=error.ids) from error
    except Conflict as error:
        words = str(error)
        for id_ in error.ids:
            name = repr(given.get(id_, id_))
            words = words.replace(f"memory {id_!r}", f"message {name}").replace(repr(id_), name)
        raise Conflict(words, ids=error.ids) from error


class Turns:
    """Writes turns, each in the caller's transaction."""

    def __init__(
        self, vault: Vault, membership: Membership, writing: Writing, forgetting: Forgetting, commits: Commits
    ) -> None:
        self._vault = vault
        self._membership = membership
        self._writing = writing
        self._forgetting = forgetting
        self._commits = commits
        #: Those of the calendar, where they read conversations.
        self._calendar = tuple(policy for policy in membership.placing.values() if policy.reads_turns)

    async def write(self, tx: Tx, turn: NewTurn, *, now: datetime) -> Persisted:
        """All that a turn says, or nothing, as ``PostgresConversations.persist`` does."""
        address = turn.address
        scope, conversation_id = address.scope(tx.tenant_id), address.conversation_id
        place = place_of(conversation_id, scope, due_at=turn.due_at)
        if self._calendar and turn.messages:
            await share_placing(tx)
        ciphers = await self._vault.ciphers(tx, {scope.user_id}, hold=True, create=True)
        row = await self._locked(tx, turn, scope, place.group_id, now)
        created = await self._insert(tx, turn, conversation_id, row["last_seq"], ciphers)
        last = await self._arrange(tx, turn, row["last_seq"], created)
        if turn.removed:
            # From here on nothing is refused any more.
            await self._forgetting.forget_within(tx, turn.removed, now=now, renewable=True)
        periods = await self._periods(tx, turn, scope, created, now)
        summary_id, discarded = await self._hand_over(tx, turn, scope, periods, now)
        version = await self._advance(tx, turn, conversation_id, last, ciphers[scope.user_id], now)
        return Persisted(
            conversation_id=conversation_id, version=version, created=tuple(created), summary_id=summary_id,
            discarded=discarded, places=_places(turn, created, row["last_seq"], last),
        )  # fmt: skip

    async def _locked(self, tx: Tx, turn: NewTurn, scope: Scope, group_id: str, now: datetime) -> Mapping[str, Any]:
        """The row of the conversation, made if it is the first turn, and locked."""
        names = {"conversation_id": turn.address.conversation_id}
        await tx.run(
            "open_conversation", **names, session_id=turn.address.session_id,
            namespace=turn.address.namespace or None, user_id=scope.user_id, project_id=scope.project_id,
            environment=scope.environment, group_id=group_id, now=now,
        )  # fmt: skip
        row = await tx.one("lock_conversation", **names)
        if row is None:
            raise Conflict("the conversation was deleted at this moment; write it again")
        if turn.expected_version is not None and turn.expected_version != row["version"]:
            message = f"the conversation has version {row['version']}, not {turn.expected_version}: read it again"
            raise Conflict(message)
        return row

    async def _insert(
        self, tx: Tx, turn: NewTurn, conversation_id: str, last: int,
        ciphers: Mapping[str, Cipher],
    ) -> list[str]:  # fmt: skip
        """Those messages that are not there yet, in order; answers their ids."""
        rows = [message.row for message in turn.messages]
        keys = self._vault.keys(tx.tenant_id)
        with _by_given_ids(turn):
            await self._writing.refuse_forgotten(tx, rows)
            fresh = await fresh_rows(tx, rows, None, ciphers, keys)
        known = [row.memory.id for row in rows if row.memory.id not in fresh]
        foreign = await tx.all("foreign_messages", conversation_id=conversation_id, ids=known)
        if foreign:
            raise Conflict(f"memory {foreign[0]['memory_id']!r} is no message of this conversation")
        ordered = list({new.message.id: new for new in turn.messages if new.message.id in fresh}.values())
        cipher = ciphers[turn.address.scope(tx.tenant_id).user_id]
        await insert_memories(tx, [row_of(message.row, cipher, keys) for message in ordered])
        await tx.many(
            "insert_message",
            [
                message_row(new, conversation_id, last + place, cipher, keys)
                for place, new in enumerate(ordered, start=1)
            ],
        )
        return [message.message.id for message in ordered]

    async def _arrange(self, tx: Tx, turn: NewTurn, last: int, created: Sequence[str]) -> int:
        """The places behind ``last``, where the new messages are; answers the last one that is taken."""
        names = {"conversation_id": turn.address.conversation_id}
        end = last + len(created)
        if not set(turn.order) > set(created):
            return end
        moves = [{**names, "memory_id": id_, "seq": end + place} for place, id_ in enumerate(turn.order, start=1)]
        await tx.many("move_message", moves)
        return end + len(moves)

    async def _periods(
        self, tx: Tx, turn: NewTurn, scope: Scope, created: Sequence[str], now: datetime
    ) -> Sequence[Pair]:
        """The weeks and months that the new messages belong to, where these read conversations."""
        if not self._calendar or not created:
            return ()
        rules = await self._membership.rules(tx, {scope.user_id})
        placing = Placing(now=now, zones=rules["zones"])
        memories = {new.message.id: new.row.memory for new in turn.messages}
        return [
            (id_, place) for id_ in created for policy in self._calendar
            for place in policy.places_of(memories[id_], placing)
        ]  # fmt: skip

    async def _hand_over(
        self, tx: Tx, turn: NewTurn, scope: Scope, periods: Sequence[Pair], now: datetime
    ) -> tuple[str | None, str | None]:
        """Messages become members of the conversation's group, and of their periods in any case.

        The summary over the conversation's members stands, unless a race outdated it.
        """
        of_periods = [place for _, place in periods]
        if not turn.hand_over and turn.computed is None:
            await make_places(tx, of_periods, now)
            if periods:
                await hold_groups(tx, {place.group_id for place in of_periods})
            await self._membership.to_places(tx, periods, now)
            return None, None
        conversation_id = turn.address.conversation_id
        # A summary that is written with its members leaves nothing to do.
        place = place_of(conversation_id, scope, due_at=turn.due_at or now)
        covered = await tx.all("hold_covered", conversation_id=conversation_id, ids=list(turn.hand_over))
        await make_places(tx, [place, *of_periods], now)
        await hold_groups(tx, {each.group_id for each in (place, *of_periods)})
        seqs = [row["seq"] for row in covered]
        passed = await self._passed_over(tx, turn, place.group_id, seqs)
        await self._membership.to_places(tx, [*((row["memory_id"], place) for row in covered), *periods], now)
        if turn.computed is None:
            return None, None
        if passed:
            return None, "a message came in between"
        try:
            async with tx.connection.transaction():
                return await self._commit(tx, turn.computed, place.group_id, now), None
        except (LeaseLost, SourceChanged) as error:
            return None, str(error)

    async def _passed_over(self, tx: Tx, turn: NewTurn, group_id: str, seqs: Sequence[int]) -> bool:
        """Whether somebody wrote a message between those that the summary speaks for: it must not be overtaken."""
        if not seqs:
            return False
        row = await tx.one(
            "passed_over", conversation_id=turn.address.conversation_id,
            group_id=group_id, ids=list(turn.hand_over), after=turn.after, last=max(seqs),
        )  # fmt: skip
        return bool(row and row["passed_over"])

    async def _commit(self, tx: Tx, computed: Computed, group_id: str, now: datetime) -> str:
        """Put the summary in place inside this transaction. Raises LeaseLost, SourceChanged."""
        token = new_id()
        row = await tx.one("lease_for_turn", group_id=group_id, token=token, until=now + _TURN, now=now)
        if row is None:
            raise LeaseLost
        lease = Lease(
            tenant_id=tx.tenant_id, group_id=group_id, policy=POLICY, user_id=row["user_id"], token=token,
            until=now + _TURN, lasts=_TURN, attempts=row["attempts"], lost=row["lost"],
        )  # fmt: skip
        for node in computed.nodes:
            await self._commits.keep_node(tx, lease, node, now=now)
        snapshot = await read_snapshot(tx, self._vault.keys(tx.tenant_id), group_id)
        read = {leaf.id for leaf in computed.root.node.leaves()}
        is_current = read == {leaf.id for leaf in snapshot.leaves}
        plan = computed.plan_at(snapshot.version if is_current else snapshot.version - 1)
        return await self._commits.put_summary(
            tx, lease, plan, computed.root, vector=computed.vector,
            embedding_version=computed.embedding_version, counts=computed.counts, now=now,
            retry_at=now if computed.root.fallback else None,
        )  # fmt: skip

    async def _advance(
        self, tx: Tx, turn: NewTurn, conversation_id: str, last: int, cipher: Cipher,
        now: datetime,
    ) -> int:  # fmt: skip
        kept = turn.properties or Properties()
        sealed = cipher.seal(
            orjson.dumps(dict(kept.values)), tenant_id=tx.tenant_id, row_id=conversation_id, column="properties"
        )
        remembering = None
        if turn.remembering is not None:
            remembering = cipher.seal(
                orjson.dumps(asdict(turn.remembering)), tenant_id=tx.tenant_id, row_id=conversation_id,
                column="remembering",
            )  # fmt: skip
        row = await tx.one(
            "advance_conversation", conversation_id=conversation_id, last_seq=last,
            now=now, now_seconds=now.timestamp(), keeps=turn.properties is None, ttl_seconds=kept.ttl_seconds,
            properties_ciphertext=sealed if kept.values else None, remembering_ciphertext=remembering,
            facts_due_at=turn.facts_due_at if any(new.tells for new in turn.messages) else None,
        )  # fmt: skip
        return int(row["version"]) if row else 0


def _places(turn: NewTurn, created: Sequence[str], before: int, last: int) -> dict[str, int]:
    """The places of what a turn wrote behind ``before``; where messages were moved, those end at ``last``."""
    places = {id_: place for place, id_ in enumerate(created, start=before + 1)}
    moved = last > before + len(created)
    return places | (
        {id_: place for place, id_ in enumerate(turn.order, start=last - len(turn.order) + 1)} if moved else {}
    )
