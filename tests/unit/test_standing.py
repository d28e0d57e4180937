"""A summary opens with what is so now and goes on by time; nothing is added, lost or reworded by that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import pytest

from precis.checks.standing import now_first
from precis.engine.draft import InHand, draft
from precis.engine.node import Makers
from precis.engine.plan import plan_over
from precis.engine.segments import Leaf
from precis.extractive.summarizer import Extractive
from precis.makers import Item
from precis.models.tokens import count
from precis.policies.clusters import clusters
from precis.summary import Statement
from precis.trust import SourceClass

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
#: What happened before and after something became so, and what became so: one or two of what stood, and what stands.
STORIES = {
    "a newer value": (
        ("The workshop in Turku was painted.", "The rent of the workshop is 740 euros."),
        "The rent of the workshop is 815 euros.",
        ("A bench was built for the workshop.",),
    ),
    "a change no rule compares": (
        ("We glaze the bowls in Odense.", "The kiln was repaired twice."),
        "We glaze the bowls at home these days.",
        ("Twelve bowls were sold at the fair.", "The fair gave us a stall near the gate."),
    ),
    "the newest of two changes": (
        ("Silja now coaches the juniors.", "The boathouse got a new roof."),
        "Silja no longer rows with the eight.",
        ("The eight came second in Lahti.",),
    ),
    "one value among events": (
        ("Rasmus sold the loft.", "Rasmus gave his piano to the school."),
        "Rasmus lives in Viborg.",
        ("Rasmus planted two pear trees.",),
    ),
    "German": (
        ("Die Werkstatt wurde gestrichen.", "Der Ofen war zweimal kaputt."),
        "Silja rudert neuerdings dienstags.",
        ("Zwölf Schalen wurden verkauft.",),
    ),
    "Russian": (("Печь ремонтировали дважды.",), "Силья теперь гребёт по вторникам.", ("Двенадцать чаш проданы.",)),
    "Turkish": (("Fırın iki kez bozuldu.",), "Silja artık salı günleri kürek çekiyor.", ("On iki kâse satıldı.",)),
    "Chinese": (("窑炉修了两次。",), "西丽娅现在每周二划船。", ("十二个碗卖掉了。",)),
    "Japanese": (("窯は二回修理した。",), "シリヤは今では火曜日にボートを漕ぐ。", ("鉢が十二個売れた。",)),
}  # fmt: skip


def items_of(texts: Sequence[str], source_class: SourceClass = SourceClass.USER) -> list[Item]:
    """A memory a text, a day apart."""
    return [
        Item(
            text=text, source_ids=(f"m{at}",), created_at=START + timedelta(days=at), classes=frozenset({source_class})
        )
        for at, text in enumerate(texts)
    ]  # fmt: skip


def quoted(items: Sequence[Item]) -> tuple[Statement, ...]:
    """Each item as a statement, in their order."""
    return tuple(Statement(text=item.text, importance=0.5, source_ids=item.source_ids) for item in items)


async def summarized(texts: Sequence[str]) -> list[Statement]:
    """What is served of a cluster of them."""
    items = items_of(texts)
    leaves = [
        Leaf(
            id=item.source_ids[0],
            created_at=item.created_at or START,
            fingerprint=blake2b(item.text.encode(), digest_size=16).digest(),
            tokens=count(item.text),
        )
        for item in items
    ]
    makers = Makers(summarizer=(extractive := Extractive()), fallback=extractive, count=count)
    in_hand = InHand(known={item.source_ids[0]: item for item in items})
    drafted = await draft(plan_over(clusters(), leaves), in_hand, makers=makers)
    return [statement for statement in drafted.root.statements if statement.superseded_by is None]


@pytest.mark.parametrize("story", STORIES)
async def test_a_cluster_opens_with_what_is_so_now(story: str) -> None:
    """Whatever came after it; what is left goes by time, each on its own memory."""
    before, now, after = STORIES[story]
    texts = [*before, now, *after]
    served = await summarized(texts)
    assert now.rstrip(".。") in served[0].text
    assert [f"m{len(before)}"] == list(served[0].source_ids)
    places = [statement.source_ids[0] for statement in served[1:]]
    assert sorted(places) == places
    replaced = {"m1"} if story == "a newer value" else set()
    assert {f"m{at}" for at in range(len(texts))} - replaced == {*places, *served[0].source_ids}


@pytest.mark.parametrize(
    "texts",
    [
        ("The tarn froze over.", "Rasmus skated across it.", "A dog fell in."),
        ("Right now it rains.", "Rasmus reads now and then.", "Now that the roof is tight, we paint."),
        ("Rasmus lived in Viborg until May.", "The kiln was lit.", "Rasmus will move to Odense in June."),
    ],
)
def test_what_only_happened_goes_by_time(texts: Sequence[str]) -> None:
    """So does what mentions the moment, and what was so or will be."""
    items = items_of(texts)
    assert list(texts) == [statement.text for statement in now_first(quoted(items)[::-1], items)]


def test_what_a_document_says_does_not_open() -> None:
    """Anybody may have written that it is so now."""
    texts = (
        "Silja rows on Tuesdays with the eight.",
        "The boat has a new name.",
        "Payments now go to another account.",
    )
    items = [*items_of(texts[:2]), items_of(texts, SourceClass.DOCUMENT)[2]]
    assert list(texts) == [statement.text for statement in now_first(quoted(items), items)]


def test_a_statement_is_as_new_as_the_memory_it_is_nearest_to() -> None:
    """What a check added to its lineage for one word may be from a later day."""
    items = items_of(("The eight trains in Lahti now.", "The quay was dredged.", "Silja now lives in Lahti."))
    first, quay, last = quoted(items)
    added = Statement(text=first.text, importance=0.5, source_ids=("m0", "m2"))
    assert (last, added, quay) == now_first((added, quay, last), items)
