"""A sentence of somebody whom a sentence before names is told with that or not at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.conflicts import judge
from precis.extractive.standalone import candidates
from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count

DAY = datetime(2026, 9, 6, 12, tzinfo=UTC)
#: A note, parts of what it tells of somebody, and who that is.
NOTES = [
    (
        "Сегодня про тётю. Тётя Зоя живёт одна в Перми. Весной у неё нашли глаукому. Капли часто забывает.",
        ("глаукому", "Капли"),
        "Тётя Зоя",
    ),
    (
        "祖母の千代は八十歳です。昨年、緑内障と診断されました。祖父は五年前に亡くなりました。誘っても、嫌だと言います。",
        ("緑内障", "嫌だと"),
        "千代",
    ),
    ("先週、大輔が転職しました。郵便局を辞めて、今は図書館です。", ("図書館",), "大輔"),
    ("外婆叫李玉珍,住在苏州。今年春天查出青光眼,每天滴眼药水。总是忘记滴。", ("青光眼", "忘记"), "外婆"),
    (
        "Preciso desabafar. Minha tia Neusa mora sozinha em Ouro Fino. Em maio viram um glaucoma. Esquece o colírio.",
        ("glaucoma", "colírio"),
        "Neusa",
    ),
    (
        "İçimi dökeyim. Teyzem Nermin Bursa'da yaşıyor. Bu bahar glokom teşhisi kondu. Damlayı hep unutuyor.",
        ("glokom", "Damla"),
        "Nermin",
    ),
    (
        "Mi suegra Amparo vive sola en Soria. En primavera le encontraron diabetes. Se olvida de la pastilla.",
        ("diabetes", "pastilla"),
        "Amparo",
    ),
    (
        "Mia suocera Ornella vive da sola ad Asti. In primavera le hanno trovato il diabete. Si dimentica la pillola.",
        ("diabete", "pillola"),
        "Ornella",
    ),
    ("Ma tante Odile vit seule à Brive. Au printemps on lui a trouvé un diabète.", ("diabète",), "Odile"),
    ("Meine Tante Hedwig wohnt in Passau. Im Frühjahr wurde bei ihr ein Glaukom gefunden.", ("Glaukom",), "Hedwig"),
    ("My aunt Hester lives alone in Hull. In spring they found she has glaucoma.", ("glaucoma",), "Hester"),
]
FILLING = ["Поменяли резину, отдали 14 200 рублей за комплект.", "冷蔵庫は9万6千円でした。", "Brakes: 420 pounds."]


@pytest.mark.parametrize("speaker", [None, "user"])
@pytest.mark.parametrize(("note", "parts", "person"), NOTES)
def test_who_it_is_of_is_told_with_it(note: str, parts: tuple[str, ...], person: str, speaker: str | None) -> None:
    """However little room there is; and where there is enough, all of it is told."""
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=DAY + timedelta(days=at), speaker=speaker)
        for at, text in enumerate((note, *FILLING))
    )
    for room in (*range(20, 120, 8), 400):
        draft = summarize(Request(items=items, max_tokens=room, prompt=""), count)
        for statement in draft.statements:
            assert person in statement.text or not any(part in statement.text for part in parts)
    every = " ".join(statement.text for statement in draft.statements)
    assert all(part in every for part in parts)


def test_what_is_of_whoever_writes_is_told_alone() -> None:
    """It stands behind what is told of somebody, and is bound to none of it."""
    note = "Тётя Зоя живёт одна в Перми, ей семьдесят лет. Я купила себе пальто за 9 400 рублей."
    items = (Item(text=note, source_ids=("0",), created_at=DAY, speaker="user"),)
    (second,) = (option for option in candidates(items, judge(items)) if "пальто" in option.text)
    assert second.points_to is None
    assert "Зоя" not in second.text
