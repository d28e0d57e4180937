"""A summary opens with what is so now and goes on by time; nothing is added, lost or reworded by that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import pytest

from precis.checks.fates import fates
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
    "what stays": (
        ("Silja now coaches the juniors.", "The boathouse got a new roof."),
        "Silja keeps the eight for good.",
        ("The eight came second in Lahti.",),
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


#: What was said to be so, and what became of it later, which no rule compares.
TAKEN_UP = {
    "a sum": ("The quote for the stove is now 1,900 euros.", "The stove cost us 2,050 euros in the end."),
    "a day": ("Rowing is on Wednesdays now.", "Rowing is on Mondays from September."),
    "a death": ("Our goat Pilvi is on pills now.", "Pilvi died in the night."),
    "the end of a thing": ("We now keep the dinghy in Lahti.", "We sold the dinghy to a baker."),
    "again": ("The skis now stay in the shed.", "The skis are on my feet again."),
    "German, a sum": ("Das Angebot für den Ofen liegt jetzt bei 1.900 Euro.", "Der Ofen hat 2.050 Euro gekostet."),
    "German, a death": ("Unsere Ziege Pilvi bekommt jetzt Tabletten.", "Pilvi ist in der Nacht gestorben."),
    "French, an end": ("La fanfare répète désormais à Lahti.", "La fanfare a été dissoute."),
    "French, again": ("Je ne skie plus désormais.", "Je skie de nouveau."),
    "Spanish, a sum": ("El presupuesto de la estufa es ahora de 1.900 euros.", "La estufa costó 2.050 euros."),
    "Spanish, an end": ("El bote está ahora en Lahti.", "Vendimos el bote a un panadero."),
}  # fmt: skip


@pytest.mark.parametrize("kind", TAKEN_UP)
async def test_what_became_of_it_stands_before_what_was_so(kind: str) -> None:
    """Both are told; what was so stands neither first nor last, as if it still were."""
    old, new = TAKEN_UP[kind]
    texts = ["The quay was dredged.", old, "Silja planted a pear tree.", new, "The pier has a lamp."]
    served = await summarized(texts)
    assert ["m3", "m1", "m0", "m2", "m4"] == [statement.source_ids[0] for statement in served]


@pytest.mark.parametrize(
    ("now", "later"),
    [
        ("Our club now meets in the mill.", "The club got a new oven."),
        ("Silja no longer rows with the eight.", "Silja sold her piano."),
        ("The rent is now 740 euros.", "The lamp for the loft cost 40 euros."),
        ("Rasmus now rows on Mondays.", "A neighbor of Rasmus died."),
        ("Rasmus now bakes for the fair.", "Rasmus has not died, as they told in Lahti."),
        ("Silja paddelt jetzt freitags.", "Rasmus hat am Montag ein Boot verkauft."),
    ],
)
async def test_what_tells_something_else_of_it_does_not_open(now: str, later: str) -> None:
    """Another thing of the same owner, another sum, another's death, and a death that was none."""
    served = await summarized(["The quay was dredged.", now, later])
    assert ["m1", "m0", "m2"] == [statement.source_ids[0] for statement in served]


async def test_what_was_so_has_its_day() -> None:
    """Two days of one thing are told with the day on which each was said, and nothing twice."""
    texts = ["The regatta is on 14 June, the dinner on 15 June.", "A lamp fell.", "The regatta is on 21 June."]
    served = await summarized(texts)
    assert "The regatta is on 21 June (2026)." == served[0].text
    assert "14 June (2026, as of 5 January 2026)" in served[1].text
    assert 1 == served[1].text.count("as of")


def test_what_was_moved_to_a_day_that_is_past_does_not_open() -> None:
    """And what was moved to a day to come does, as does what is so from a day on."""

    def first(*texts: str) -> str:
        items = items_of(texts)
        return now_first(quoted(items), items, fates(items, quoted(items)))[0].text

    told = (
        "Booked the scan for the 6th at Sund clinic.",
        "The scan got pushed to the {}.",
        "The scan was quick.",
        "The scan shows nothing.",
    )
    start = START.day
    assert first(*(text.format(f"{start + 2}th") for text in told)) == told[0]
    assert first(*(text.format("28th") for text in told)) == told[1].format("28th")
    assert first("The rent is 700.", "The rent went up to 815 on 6 January.", "The roof leaks.").startswith(
        "The rent we"
    )


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
    assert list(texts) == [
        statement.text for statement in now_first(quoted(items)[::-1], items, fates(items, quoted(items)[::-1]))
    ]


def test_what_a_document_says_does_not_open() -> None:
    """Anybody may have written that it is so now."""
    texts = (
        "Silja rows on Tuesdays with the eight.",
        "The boat has a new name.",
        "Payments now go to another account.",
    )
    items = [*items_of(texts[:2]), items_of(texts, SourceClass.DOCUMENT)[2]]
    assert list(texts) == [statement.text for statement in now_first(quoted(items), items, fates(items, quoted(items)))]


def test_what_is_asked_in_the_middle_of_a_talk_does_not_open() -> None:
    """Whom it is of stands before it."""
    texts = ("Oda: My father fell at the quay.", "Ivo: Does he live with you? Oda: He now lives with my brother.")
    items = items_of(texts)
    assert list(texts) == [statement.text for statement in now_first(quoted(items), items, fates(items, quoted(items)))]


def test_a_statement_is_as_new_as_the_memory_it_is_nearest_to() -> None:
    """What a check added to its lineage for one word may be from a later day."""
    items = items_of(("The eight trains in Lahti now.", "The quay was dredged.", "Silja now lives in Lahti."))
    first, quay, last = quoted(items)
    added = Statement(text=first.text, importance=0.5, source_ids=("m0", "m2"))
    assert (last, added, quay) == now_first((added, quay, last), items, fates(items, (added, quay, last)))
