"""What was said in a month, as other languages ask for it: the order of year and month, and clauses of speaking."""

from __future__ import annotations

from datetime import date

import pytest

from finding_levels import NOW
from precis.finding.request import read_request


@pytest.mark.parametrize(
    ("ask", "first", "last"),
    [
        ("删除2024年7月", date(2024, 7, 1), date(2024, 7, 31)),
        ("忘掉24年5月的事", date(2024, 5, 1), date(2024, 5, 31)),
        ("去年3月的事全部删掉", date(NOW.year - 1, 3, 1), date(NOW.year - 1, 3, 31)),
        ("删除2024年7月10日说的话", date(2024, 7, 10), date(2024, 7, 10)),
        ("2024年2月に話したことを忘れて", date(2024, 2, 1), date(2024, 2, 29)),
        ("令和6年2月に話したことを忘れて", date(2024, 2, 1), date(2024, 2, 29)),
        ("2024年6月から8月までの話を忘れて", date(2024, 6, 1), date(2024, 8, 31)),
        ("2024년 8월에 한 말 잊어줘", date(2024, 8, 1), date(2024, 8, 31)),
        ("2024년 7월 전부 지워줘", date(2024, 7, 1), date(2024, 7, 31)),
        ("재작년 7월에 한 말 잊어줘", date(NOW.year - 2, 7, 1), date(NOW.year - 2, 7, 31)),
        ("2024 yılının Temmuz ayında söylediklerimi unut", date(2024, 7, 1), date(2024, 7, 31)),
        ("2024 Temmuz'unda söylediklerimi unut", date(2024, 7, 1), date(2024, 7, 31)),
        ("Xóa mọi thứ của tháng 7 năm 2024", date(2024, 7, 1), date(2024, 7, 31)),
        ("साल 2024 के जुलाई का सब कुछ मिटा दो", date(2024, 7, 1), date(2024, 7, 31)),
        ("احذف كل شيء من يوليو عام 2024", date(2024, 7, 1), date(2024, 7, 31)),
        ("Удали всё до июля 2024 года", date.min, date(2024, 6, 30)),
        ("Oublie tout de juillet de l'année 2024", date(2024, 7, 1), date(2024, 7, 31)),
        ("Dimentica tutto di luglio dell'anno scorso", date(NOW.year - 1, 7, 1), date(NOW.year - 1, 7, 31)),
        ("Glöm allt från juli 2024", date(2024, 7, 1), date(2024, 7, 31)),
        ("Forget what I said in July last year", date(NOW.year - 1, 7, 1), date(NOW.year - 1, 7, 31)),
        ("Forget what I said in 2024 July", date(2024, 7, 1), date(2024, 7, 31)),
    ],
)
def test_a_month_is_of_the_year_beside_it(ask: str, first: date, last: date) -> None:
    """Before it or behind it, in figures or as "last year": another year's memories are never proposed."""
    period = read_request(ask, NOW.date()).period
    assert period is not None
    assert (period.first, period.last) == (first, last)
