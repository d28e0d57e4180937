"""The first day of a month in every language, however it is written; and no date for times that were told of before."""

from __future__ import annotations

from datetime import date

import pytest

from precis.language.dating.resolving import dated, resolved

#: A Wednesday.
TODAY = date(2026, 6, 10)
FIRSTS = """
We move on July 1st*.
We move on the first of July*.
We move on the 1st of July*.
Wir ziehen am 1. Juli* um.
Wir ziehen am 1.Juli* um.
Wir ziehen am ersten Juli* um.
Nous déménageons le 1er juillet*.
Le loyer est de 700 euros à partir du 1ER JUILLET*.
Nous déménageons le premier juillet*.
Nous déménageons le 1\u1d49\u02b3 juillet*.
Nos mudamos el 1 de julio*.
Nos mudamos el 1º de julio*.
Nos mudamos el 1.º de julio*.
Nos mudamos el primero de julio*.
Mudamos no dia 1 de julho*.
Mudamos em 1º de julho*.
Mudamos no dia primeiro de julho*.
Ci trasferiamo il 1 luglio*.
Ci trasferiamo il 1º luglio*.
Ci trasferiamo il 1\u00b0 luglio*.
Ci trasferiamo il primo luglio*.
We verhuizen op 1 juli*.
We verhuizen op de 1e juli*.
We verhuizen op de eerste juli*.
Мы переезжаем 1 июля*.
Мы переезжаем 1-го июля*.
Мы переезжаем первого июля*.
Mamy się przeprowadzić 1 lipca*.
Mamy się przeprowadzić 1. lipca*.
Mamy się przeprowadzić pierwszego lipca*.
Bu yaz 1 Temmuz'da* geri geliyoruz, yarın.
Vi flyttar den 1 juli*.
Vi flyttar den 1:a juli*.
Vi flyttar den första juli*.
Ми переїжджаємо 1 липня*.
Ми переїжджаємо першого липня*.
My se stěhujeme 1. července*.
My se stěhujeme prvního července*.
7월 1일*에 이사해요.
हम 1 जुलाई* को जाएँगे।
हम १ जुलाई* को जाएँगे।
"""
OWN_YEAR = """
Nous déménageons le 1er juillet 2027.
Nos mudamos el 1.º de julio de 2027.
Wir ziehen am 1. Juli 2027 um.
हम १ जुलाई २०२७ को जाएँगे।
Nous déménageons le 31 février.
13월 45일에 이사해요.
Mein erster Juli in Ulm war heiß.
Il mio primo luglio a Roma era bello.
"""
BACK = """
We were in Bath that week.
That year, on 8 May, we moved to Leeds.
We moved to Leeds on 8 May that year.
That week we met on Friday.
I was ill last week-end.
The heute-show was on.
An diesem Wochenende damals war ich krank.
Damals an diesem Wochenende war ich krank.
Diese Woche damals war schlimm.
In dieser Woche damals hatte ich kein Telefon.
An jenem Wochenende war mein Bruder krank.
Damals, am 8. Mai, sind wir umgezogen.
Am 8. Mai jenes Jahres sind wir umgezogen.
Ma sœur garde Noé ce week-end-là, elle habite à Tarbes.
Mon frère était malade cette semaine-là.
Cette semaine là, nous étions à Pau.
Ce week-end\u2011là nous étions à Pau.
Il est parti ce matin-là, en été.
Cette année-là, le 8 mai, nous avons déménagé.
Le 8 mai de cette année-là nous avons déménagé.
Ese fin de semana estuve en Jaén.
Aquella semana no trabajé.
El 8 de mayo de aquel año nos mudamos.
Quel fine settimana mio fratello era malato.
Quell'anno, l'8 maggio, ci siamo trasferiti.
Naquele fim de semana o meu irmão estava doente.
Naquele ano, em 8 de maio, mudamos de casa.
Dat weekend was mijn broer ziek.
We verhuisden op 8 mei van dat jaar, en we waren blij.
W tamten weekend mój brat był chory.
В те выходные мой брат болел.
В том году 8 мая мы переехали.
Den veckan regnade det.
O hafta sonu kardeşim hastaydı.
その週末、弟は病気だった。
那个周末我弟弟病了。
"""
AHEAD = [
    ("An diesem Wochenende* bin ich in Ulm.", "2026-06-13\u20132026-06-14"),
    ("Ma sœur garde Noé ce week-end*.", "2026-06-13\u20132026-06-14"),
    ("Cette semaine-ci* je travaille de nuit.", "2026-06-08\u20132026-06-14"),
    ("Esta semana* trabajo de noche.", "2026-06-08\u20132026-06-14"),
    ("Questa settimana* lavoro di notte.", "2026-06-08\u20132026-06-14"),
    ("Este fim de semana* vou ao Porto.", "2026-06-13\u20132026-06-14"),
    ("Dit weekend* ga ik naar Utrecht.", "2026-06-13\u20132026-06-14"),
    ("На этой неделе* я работаю.", "2026-06-08\u20132026-06-14"),
    ("어제*는 비가 왔어요.", "2026-06-09"),
    ("Jutro* mamy czas, 31 lutego nie ma.", "2026-06-11"),
    ("Tomorrow'll* be fine.", "11 June 2026"),
    ("She was here last week*\u2014we talked.", "1\u20137 June 2026"),
    ("On 8 May* I was ill, and that day I slept.", "2026"),
    ("I was away that week. On Friday* I will be back.", "12 June 2026"),
    ("Le 8 mai* j'ai été opéré, ce jour-là il pleuvait.", "2026"),
    ("Am 8. Mai* war ich in Ulm, an jenem Tag hat es geregnet.", "2026"),
]  # fmt: skip


def lines(listed: str) -> list[str]:
    """One text a line."""
    return listed.strip().split("\n")


@pytest.mark.parametrize("text", lines(FIRSTS))
def test_the_first_of_a_month_is_the_next(text: str) -> None:
    """With an ending, with a dot, in a word, in figures of another script."""
    assert resolved(text.replace("*", ""), TODAY) == text.replace("*", " [2026]").replace(
        "yarın.", "yarın [2026-06-11]."
    )


@pytest.mark.parametrize("text", lines(OWN_YEAR))
def test_a_day_with_its_year_and_a_day_that_is_none_have_nothing_added(text: str) -> None:
    """Nor has somebody's own first July."""
    assert resolved(text, TODAY) == text


@pytest.mark.parametrize("text", lines(BACK))
def test_a_time_that_was_told_of_before_has_no_date(text: str) -> None:
    """On no day of a week, in what is served and in what a summary says."""
    for day in range(8, 15):
        assert resolved(text, date(2026, 6, day)) == text
        assert dated(text, date(2026, 6, day)) == text


@pytest.mark.parametrize(("text", "days"), AHEAD)
def test_a_time_that_counts_from_today_has_its_date(text: str, days: str) -> None:
    """Behind its word, and never within."""
    assert resolved(text.replace("*", ""), TODAY) == text.replace("*", f" [{days}]")
