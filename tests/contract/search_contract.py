"""The port Search: two arms over one scope."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from store_contract import EVERYTHING, POLICY, TEXTS, StoreContract, make, notes, unit, write

from precis.engine.pipeline import Engine
from precis.store.ports import Filter, Hit, Store
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder, hash_vector

VERSION = HashEmbedder.version


class SearchContract(StoreContract):
    """What a store must find."""

    async def test_the_keyword_arm(self, store: Store, tenant: str, clock: FrozenClock) -> None:
        """BM25 with k1 1.5 and b 0.75 over the scope, by stems."""
        await write(store, tenant, notes(tenant, clock, ["green teas", "green apples daily", "old trains"]), clock())
        hits = {h.memory.id: h for h in await self.find(store, tenant, "a green tea")}
        assert {"n0", "n1"} == set(hits)
        mean = 7 / 3
        damping = 1.5 * (0.25 + 0.75 * 2 / mean)
        green, tea = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
        assert hits["n0"].bm25 == pytest.approx((green + tea) * 2.5 / (1 + damping), rel=1e-4)
        assert hits["n0"].bm25 > hits["n1"].bm25
        assert hits["n0"].similarity is None

    async def test_the_vector_arm(self, store: Store, tenant: str, clock: FrozenClock) -> None:
        """Cosine similarity, nearest first within the limit; another embedder's vectors are never compared."""
        rows = notes(tenant, clock, TEXTS[:3])
        vectors = [unit(1, 0), unit(1, 1), unit(0, 1)]
        rows = [replace(row, vector=vector) for row, vector in zip(rows, vectors, strict=True)]
        foreign = notes(tenant, clock, ["elsewhere"], first=9)[0]
        rows.append(replace(foreign, memory=replace(foreign.memory, embedding_version="other@1")))
        await store.memories.add(tenant, rows, policy=POLICY, now=clock())
        hits = await store.search.search(
            tenant, EVERYTHING, query="", vector=unit(1, 0), embedding_version=VERSION, limit=2
        )
        found = {hit.memory.id: hit.similarity for hit in hits}
        assert {"n0", "n1"} == set(found)
        assert found["n0"] == pytest.approx(1.0, abs=1e-3)
        assert found["n1"] == pytest.approx(math.sqrt(0.5), abs=1e-3)

    async def test_both_figures_of_the_union(self, store: Store, tenant: str, clock: FrozenClock) -> None:
        """A row that one arm found carries the figure of the other as well."""
        rows = notes(tenant, clock, ["green tea", "black tea", "old trains"])
        rows[2] = replace(rows[2], vector=unit(0, 1))
        await write(store, tenant, rows, clock())
        hits = await store.search.search(
            tenant, EVERYTHING, query="green tea", vector=unit(0, 1), embedding_version=VERSION, limit=1
        )
        found = {hit.memory.id: hit for hit in hits}
        assert {"n0", "n2"} == set(found)
        assert found["n2"].bm25 == 0
        assert found["n0"].similarity is not None

    async def test_one_scope(self, store: Store, tenant: str, clock: FrozenClock) -> None:
        """The filter bounds what is found and what is rare."""
        await write(store, tenant, notes(tenant, clock, ["green tea"]), clock())
        await write(store, tenant, notes(tenant, clock, ["green tea"], user="ben", first=5), clock())
        hits = await self.find(store, tenant, "green", Filter(user_id="ada"))
        assert ["n0"] == [hit.memory.id for hit in hits]
        assert [] == list(await self.find(store, f"{tenant}x", "green"))

    async def test_summaries_are_found_with_their_sources(
        self, store: Store, tenant: str, clock: FrozenClock, engine: Engine
    ) -> None:
        """SPEC S0.10: a summary is a hit like any row, and says what it was made from."""
        made = await make(engine, tenant, await write(store, tenant, notes(tenant, clock, TEXTS), clock()))
        chosen = Filter(is_summary=True)
        hits = await store.search.search(
            tenant, chosen, query="honey", vector=hash_vector("oolong honey"), embedding_version=VERSION, limit=5
        )
        assert [made.summary_id] == [hit.memory.id for hit in hits]
        assert ("n0", "n1", "n2", "n3", "n4") == hits[0].source_ids
        assert hits[0].similarity is not None
        assert hits[0].bm25 > 0

    async def test_a_redacted_summary_is_found_by_what_is_left(
        self, store: Store, tenant: str, clock: FrozenClock, engine: Engine
    ) -> None:
        """Law 4: neither the word nor the old vector of what was forgotten finds anything."""
        await make(engine, tenant, await write(store, tenant, notes(tenant, clock, TEXTS), clock()))
        await store.memories.forget(tenant, ["n2"], policy=POLICY, now=clock())
        assert [] == list(await self.find(store, tenant, "matcha Kyoto"))
        chosen = Filter(is_summary=True)
        hits = await store.search.search(
            tenant, chosen, query="honey", vector=hash_vector("matcha"), embedding_version=VERSION, limit=5
        )
        assert [None] == [hit.similarity for hit in hits]
        assert hits[0].bm25 > 0

    async def find(self, store: Store, tenant: str, query: str, chosen: Filter = EVERYTHING) -> list[Hit]:
        """By words alone."""
        return list(
            await store.search.search(tenant, chosen, query=query, vector=None, embedding_version=VERSION, limit=5)
        )
