"""What stays in a shorter summary: somebody's health before what passes, and a pasted list with its own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.summarizer import summarize
from precis.language.sentences import sentences
from precis.makers import Item, Request
from precis.models.tokens import count

NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)
PASSING = [
    "Somebody ate my oat yogurt from the second shelf in the fridge again.",
    "The dishwasher salt is nearly finished, and the filter wants cleaning.",
    "I'm still speechless about the applause after the orchestra rehearsal.",
    "Marta forgot the umbrella with the wooden handle on the tram to Gresham.",
    "The neighbors painted their fence in a green nobody had ever seen.",
    "Dr Okafor handed out shark stickers to everybody in the waiting room.",
]


def summary(texts: Sequence[str], limit: int, *, derived: bool = False) -> str:
    """What is told of texts, a minute apart."""
    items = tuple(
        Item(
            text=f"Liz: {text}" if derived else text, source_ids=(f"m{at}",), created_at=NOON + timedelta(minutes=at),
            speaker=None if derived else "Liz", derived=derived,
        )
        for at, text in enumerate(texts)
    )  # fmt: skip
    return " ".join(s.text for s in summarize(Request(items=items, max_tokens=limit, prompt=""), count).statements)


@pytest.mark.parametrize("derived", [False, True])
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Theo is allergic to peanuts, badly.", "peanuts"),
        ("The EpiPen lives in the drawer under the microwave.", "EpiPen"),
        ("I can't have shellfish.", "shellfish"),
        ("Nora takes 50 mg of sertraline in the morning.", "sertraline"),
        ("Our emergency contact is Aunt Wren.", "Wren"),
        ("Tess is a vegetarian.", "vegetarian"),
        ("Meine Schwester Ida ist Veganerin.", "Veganerin"),
        ("Theo hat eine Nussallergie.", "Nussallergie"),
        ("Mi hijo es alérgico a los cacahuetes.", "cacahuetes"),
        ("Mon fils Luc est diabétique depuis deux ans.", "diabétique"),
        ("У сына аллергия на орехи.", "аллергия"),
        ("儿子对花生过敏。", "过敏"),
    ],
)
def test_health_stays_before_what_passes(text: str, word: str, *, derived: bool) -> None:
    """In a summary of a sixth of the words, and when that is made shorter once more."""
    texts = [*PASSING[:3], text, *PASSING[3:]]
    assert word in summary(texts, 32, derived=derived)


@pytest.mark.parametrize(
    "text", ["I'm allergic to Mondays lol.", "Is anybody allergic to nuts?", "Allergies can be hard for people."]
)
def test_what_only_sounds_like_it_does_not(text: str) -> None:
    """A joke, a question and what holds of everybody weigh no more than other words."""
    assert "allergic" not in summary([*PASSING[:3], text, *PASSING[3:]], 20).casefold()


def test_what_harms_goes_before_what_is_only_kept_to() -> None:
    """In the fewest words, too: a diet has room only beside it."""
    told = summary(
        [
            "Most important: Theo is allergic to peanuts, badly. The EpiPen lives in the drawer under the microwave.",
            "And I can't have shellfish. Not deadly, just a very bad night for everybody.",
            "I'm vegetarian since January, nobody ever remembers.",
        ],
        40,
    )
    assert all(word in told for word in ("peanuts", "EpiPen", "shellfish"))


def test_a_diet_displaces_what_passes_and_no_fact_with_a_figure() -> None:
    """Where there is room for two of four, the budget is told beside it; what is near to a diet is none."""
    budget = "I do, and the marketing budget for the launch is 6,000 pounds until somebody gives us more."
    diet = "Jonah is a vegetarian and sings about the wolves at every campfire."
    told = summary([PASSING[0], budget, diet, PASSING[3]], 40)
    assert "6,000" in told
    assert "vegetarian" in told
    near = "I've been vegetarian-adjacent, and I feel like a wolf."
    assert "vegetarian" not in summary([*PASSING[:3], near, *PASSING[3:]], 32)


ENTRIES = [
    "1. Remove old shower tray and tiles: 380.00", "2. New waterproof membrane: 290.00",
    "3. New tray, 90 x 90 cm, supply and fit: 640.00", "4. Tiling 6 sqm: 720.00",
    "5. Repair ceiling below and paint: 310.00",
]  # fmt: skip
HEAD = ["OFFER No. 2026-117", "Kowalczyk Home Repair", "For: T. Brandt, 14 Larch Lane"]
TAIL = ["Total: 2,340.00", "Start: May 25", "Duration: 6 working days", "Valid until May 20"]


@pytest.mark.parametrize("parting", [" / ", "\n", " | "])
def test_a_pasted_list_keeps_its_numbers_or_is_left_out(parting: str) -> None:
    """Whatever room there is: each entry has its own number, the total goes first, and no number stands alone."""
    offer = parting.join([*HEAD, *ENTRIES, *TAIL])
    for limit in range(12, 200, 8):
        told = summary([offer], limit)
        listed = [entry for entry in ENTRIES if entry.partition(" ")[2] in told]
        assert listed in ([], ENTRIES) or told.endswith("…"), told
        assert all(entry in told for entry in listed)
        assert not told.rstrip(".").endswith(("1", "2", "3", "4", " 5"))
        assert limit < 20 or "2,340.00" in told, told


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("To buy: 1. Milk 2. Eggs 3. Bread", ["To buy:", "1. Milk", "2. Eggs", "3. Bread"]),
        ("Steps: 1) boil 2) stir. Then wait. 3) serve", ["Steps:", "1) boil", "2) stir.", "Then wait.", "3) serve"]),
        ("A / 1. Tray: 380.00 / 2. Film: 9 / Total: 389",
         ["A /", "1. Tray: 380.00 /", "2. Film: 9 /", "Total: 389"]),
        ("1. We met Ana. She is 2. Then we left.", ["1. We met Ana.", "She is 2.", "Then we left."]),
        ("Am 1. Mai sind wir da. Am 2. Juni auch.", ["Am 1. Mai sind wir da.", "Am 2. Juni auch."]),
        ("I am 34. Mom is 60.", ["I am 34.", "Mom is 60."]),
    ],
)  # fmt: skip
def test_a_list_in_one_line_is_cut_before_its_numbers(line: str, expected: list[str]) -> None:
    """A number stays with its own entry; a year of age and an ordinal are none."""
    assert expected == sentences(line)


@pytest.mark.parametrize(
    ("passing", "kept", "word"),
    [
        (["Komşu balkonu boyadı, rengi çok garip.", "Pazarda enginar ucuzlamış.", "Eski radyo yine cızırdıyor."],
         "Yeni numaram 0541 226 90 17.", "0541"),
        (["Сосед покрасил забор в странный цвет.", "На рынке подешевели артишоки.", "Радио опять трещит."],
         "Врач назначил эналаприл 10 мг.", "эналаприл"),
        (["الجيران دهنوا السور بلون غريب.", "الخرشوف رخص بالسوق هالأسبوع.", "الراديو القديم عم يشوش."],
         "سميرة وقعت العقد مع البنك.", "العقد"),
        (["पड़ोसी ने बाड़ अजीब रंग में रंगी।", "मंडी में भिंडी सस्ती मिल रही थी।", "पुराना रेडियो खरखरा रहा था।"],
         "जीजाजी का देहांत हो गया।", "देहांत"),
        (["邻居把围栏刷成了奇怪的颜色。", "菜市场的洋蓟这周便宜了。", "旧收音机又在沙沙响。"],
         "表哥收到了博世的录用通知。", "录用"),
        (["隣の人が塀を変な色に塗った。", "市場のゴーヤが安かった。", "古いラジオがまた雑音だらけ。"],
         "兄が楽天に内定しました。", "内定"),
        (["옆집이 담장을 이상한 색으로 칠했어요.", "시장에서 호박이 싸졌어요.", "낡은 라디오가 또 지직거려요."],
         "이모가 갑상선암 진단을 받았어요.", "진단"),
    ],
)  # fmt: skip
def test_what_people_keep_stays_in_other_languages(passing: Sequence[str], kept: str, word: str) -> None:
    """Of these no rank says which words are rare, so that the shortest sentence was told."""
    size = count(kept) + 12
    assert word in summary([*passing[:2], kept, *passing[2:]], size)
