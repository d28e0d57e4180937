"""What was said in a month, as other languages ask for it: the order of year and month, and clauses of speaking."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from finding_levels import NOW
from precis.finding.finder import find
from precis.finding.request import read_request
from precis.finding.values import Level, Row


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


_ROWS = [
    Row(id=f"{month} {who}", text=text, created_at=datetime(2026, month, 4, tzinfo=UTC), session_id="s", speaker=who)
    for month in (5, 7)
    for who, text in (("Ana", f"Si dorme. 1{month}"), ("Ben", f"7 kg. 2{month}"))
]
_BOTH = {"7 Ana": Level.SURE, "7 Ben": Level.SURE}


def _found(ask: str) -> dict[str, Level]:
    rows = find(read_request(ask, date(2026, 11, 30)), _ROWS, own_names={"ana"}).rows
    return {row.id: row.level for row in rows if row.level > Level.NEAR}


@pytest.mark.parametrize(
    "ask",
    [
        "Dimentica quello che ci siamo detti a luglio 2026",
        "Cancella le nostre conversazioni di luglio",
        "Olvida lo que hablamos en julio de 2026",
        "Esquece o que a gente falou em julho de 2026",
        "Oublie ce dont on a parlé en juillet 2026",
        "Vergiss, worüber wir im Juli 2026 gesprochen haben",
        "Vergeet waar we het in juli 2026 over hadden",
        "Glöm vad vi pratade om i juli 2026",
        "Забудь, о чём мы говорили в июле 2026 года",
        "Zapomnij, o czym rozmawialiśmy w lipcu 2026",
        "Temmuz 2026'da konuştuklarımızı unut",
        "انسى اللي اتكلمنا فيه في يوليو 2026",
        "احذف كل ما قلناه في يوليو 2026",
        "जुलाई 2026 में हमने जो बातें कीं वो भूल जाओ",
        "Quên những gì chúng ta đã nói tháng 7 năm 2026",
        "忘掉2026年7月我们聊的内容",
        "2026年7月に私たちが話したことを忘れて",
        "2026년 7월에 우리가 나눈 얘기 잊어줘",
        "Forget what we said in July 2026",
    ],
)
def test_what_we_said_in_a_month_is_what_both_said(ask: str) -> None:
    """A verb of speaking in whatever person is no topic, and "we" are both of two who speak."""
    assert _found(ask) == _BOTH


@pytest.mark.parametrize(
    "ask",
    [
        "Dimentica quello che ti ho confidato a luglio",
        "Zapomnij, co ci opowiadałam w lipcu",
        "जुलाई में मैंने जो बताया वो मिटा दो",
        "احذف كل شيء قلته في يوليو 2026",
        "7月に私が言ったことを消して",
    ],
)
def test_what_the_user_said_in_a_month_leaves_what_the_other_said(ask: str) -> None:
    """Whoever says "I" asks for their own messages."""
    assert _found(ask) == {"7 Ana": Level.SURE}


@pytest.mark.parametrize(
    "ask", ["2026년 7월에 한 얘기 잊어줘", "7月に話したことを忘れて", "जुलाई 2026 में जो कहा वो मिटा दो"]
)
def test_whoever_is_left_out_may_be_the_other(ask: str) -> None:
    """Where nobody is named who spoke, what another said is in doubt."""
    assert _found(ask) == {"7 Ana": Level.SURE, "7 Ben": Level.DOUBTFUL}


@pytest.mark.parametrize(
    "ask",
    ["امسح كل حاجة من يوليو 2026", "Usuń wszystko z lipca", "Cancella tutto il mese di luglio", "7월 거 다 지워줘"],
)
def test_all_of_a_month_names_something(ask: str) -> None:
    """What only says "everything" and "the month of" beside a time is no topic, and no request for nothing."""
    assert _found(ask) == _BOTH


def test_what_nobody_reads_beside_a_month_puts_it_in_doubt() -> None:
    """Never nothing, where the words besides are in no table and no memory; of a known thing nothing is."""
    ask = "Dimentica quel che sproloquiammo a luglio"
    assert _found(ask) == dict.fromkeys(_BOTH, Level.DOUBTFUL)
    found = find(read_request(ask, date(2026, 11, 30)), _ROWS, own_names={"ana"})
    assert found.missing == ("quel che sproloquiammo",)
    assert _found("Dimentica il mio stipendio di luglio") == {}


@pytest.mark.parametrize(
    "ask",
    [
        "Dimentica quello che mio fratello ha detto a luglio",
        "Olvida lo que dijo mi madre en julio",
        "엄마가 7월에 한 말 잊어줘",
        "माँ ने जुलाई में जो कहा वो भूल जाओ",
        "Забудь, что говорила мама в июле 2026",
    ],
)
def test_what_somebody_else_said_is_not_what_we_said(ask: str) -> None:
    """A verb of speaking of another person takes nothing surely."""
    assert Level.SURE not in _found(ask).values()


@pytest.mark.parametrize(
    ("ask", "who", "topic"),
    [
        ("忘掉子涵跟我说的关于辞职的事", "子涵", "辞职"),
        ("健太さんが転職について話したことを忘れて", "健太", "転職"),
        ("수진이가 나한테 임신에 대해 얘기한 것 지워줘", "수진", "임신"),
        ("नेहा ने मुझे शादी के बारे में जो बताया वो मिटा दो", "नेहा", "शादी"),
        ("انسى ما قالته لي سارة عن الزواج", "سارة", "الزواج"),
        ("Ayşe'nin bana boşanma hakkında anlattıklarını unut", "Ayşe", "boşanma"),
        ("Esquece o que a Camila me contou sobre a gravidez", "Camila", "gravidez"),
        ("Dimentica quello che Marco mi disse del trasloco", "Marco", "trasloco"),
        ("Vergiss, was Anna mir über die Scheidung erzählt hat", "Anna", "Scheidung"),
        ("Vergeet wat Anna me over de scheiding verteld heeft", "Anna", "scheiding"),
        ("Забудь, что Анна рассказала мне о разводе", "Анна", "разводе"),
        ("Zapomnij, co Anna mi powiedziała o rozwodzie", "Anna", "rozwodzie"),
        ("Glöm vad Anna berättade för mig om skilsmässan", "Anna", "skilsmässan"),
        ("Quên những gì Lan nói với tôi về đám cưới", "Lan", "đám cưới"),
    ],
)
def test_who_told_of_something_is_no_part_of_what(ask: str, who: str, topic: str) -> None:
    """Whoever spoke, the verb and whom they told it are read by what they are, and what is left is the topic."""
    request = read_request(ask, NOW.date())
    assert (request.by, [subject.text for subject in request.subjects]) == (who, [topic])


@pytest.mark.parametrize(
    "ask",
    [
        "Забудь, что я сказал Анне",
        "Olvida lo que hablé con Ana",
        "忘掉我跟小明说的事",
        "Vergiss, was ich Anna gesagt habe",
    ],
)
def test_whom_the_user_told_is_not_who_spoke(ask: str) -> None:
    """A name behind "to" and "with", and beside the user's own verb, is nobody who spoke."""
    assert read_request(ask, NOW.date()).by is None
