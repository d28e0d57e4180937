"""A week of another language has its days in a summary, and a day that a word is the end of is read all the same."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from precis.checks import check
from precis.extractive.summarizer import summarize
from precis.language.dating.abroad import names_a_day
from precis.language.dating.resolving import dated
from precis.makers import Item, Request
from precis.models.tokens import count

TUESDAY = date(2025, 5, 20)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("La semaine dernière je me suis pesée : 71 kilos.", "2025-05-12\u20132025-05-18"),
        ("На прошлой неделе врач выписал мне таблетки.", "2025-05-12\u20132025-05-18"),
        ("A Mel foi castrada na semana passada, custou R$ 280.", "2025-05-12\u20132025-05-18"),
        ("El banco me contesta la semana que viene.", "2025-05-26\u20132025-06-01"),
        ("Letzte Woche war ich in Ulm.", "2025-05-12\u20132025-05-18"),
        ("Mon chien a été vacciné hier chez la vétérinaire, cela a coûté 62 euros.", "2025-05-19"),
        ("J'ai vu Capucine hier.", "2025-05-19"),
        ("С сегодняшнего дня я работаю в порту.", "2025-05-20"),
        ("कल मेरा वज़न 72 किलो निकला।", "2025-05-19"),
    ],
)
def test_a_relative_time_has_its_days_behind_it(text: str, days: str) -> None:
    """Read in July "last week" would be another one."""
    assert f"({days})" in dated(text, TUESDAY)


@pytest.mark.parametrize(
    "text",
    [
        "Je ne suis pas né hier.",
        "Ich war hier bei Mon Ami.",
        "Die AI ist hier gut.",
        "Hier ist es warm.",
        "Am Wochenende fahre ich nach Ulm.",
    ],
)
def test_in_doubt_there_is_none(text: str) -> None:
    """A saying, a German word for another, and a weekend of which it is not said which."""
    assert dated(text, TUESDAY) == text


def test_the_checks_bear_out_a_week_that_was_added() -> None:
    """It stands in the item, as what it was said on means it."""
    noon = datetime(2025, 5, 20, 12, tzinfo=UTC)
    texts = ("La semaine dernière je me suis pesée : 71 kilos.", "Mon dentiste est le docteur Roy.")
    items = tuple(Item(text=text, source_ids=(f"m{at}",), created_at=noon) for at, text in enumerate(texts))
    drafted = summarize(Request(items=items, max_tokens=300, prompt="", picked=True), count)
    served = [statement.text for statement in check(drafted, items).statements]
    assert any("(2025-05-12\u20132025-05-18)" in text for text in served), served


@pytest.mark.parametrize(
    "text",
    [
        "下个月15号交房租", "来月15日に引っ越す", "다음 달 15일에 이사해요", "अगले महीने की 15 तारीख को शादी है",
        "الشهر القادم يوم 15", "15 числа следующего месяца", "no dia 15 do mês que vem", "gelecek ayın 15'inde",
        "am 15. nächsten Monats ziehe ich um", "le 15 du mois prochain je pars", "ngày 15 tháng sau tôi đi",
    ],
)  # fmt: skip
def test_a_month_with_a_day_beside_it_is_that_day(text: str) -> None:
    """Before it or behind it, as the language has it."""
    assert "(2025-06-15)" in dated(text, TUESDAY)


def test_a_number_of_days_is_no_day_of_a_month() -> None:
    """Nor is another number behind a month."""
    assert all("-15" not in dated(text, TUESDAY) for text in ("来月15日間休む", "下个月去15家店"))


@pytest.mark.parametrize(
    "text",
    ["ameliyat 20 Ağustos'ta", "手術は8月25日", "ऑपरेशन 28 अगस्त को है", "с 1 сентября не курю", "수술은 8월 25일"],
)
def test_a_day_of_its_own_is_known(text: str) -> None:
    """Behind it no day of saying stands, which would be taken for it."""
    assert names_a_day(text)
