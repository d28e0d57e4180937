"""Requests of other languages as people put them: days in colloquial words, illness, money, and Vietnamese."""

from __future__ import annotations

from datetime import date

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.request import read_request
from precis.finding.tables import languages, patterns
from precis.finding.values import Row


@pytest.mark.parametrize(
    ("ask", "month", "day"),
    [
        ("Vergiss mal bitte, was ich dir am 12. Februar gesagt hab", 2, 12),
        ("Könntest du bitte vergessen was ich am 5. Januar erzählt hab?", 1, 5),
        ("Oublie stp ce que je t'ai raconté le 8 janvier", 1, 8),
        ("Supprime tout ce que j'avais écrit le 14 février", 2, 14),
        ("Olvida porfa lo que te dije el 3 de marzo", 3, 3),
        ("Borra lo que te había dicho el 3 de febrero", 2, 3),
        ("Dimentica per favore quello che t'ho detto il 9 gennaio", 1, 9),
        ("Cancella tutto ciò che ti avevo scritto il 2 febbraio", 2, 2),
        ("Esquece o que te contei no dia 7 de janeiro, tá?", 1, 7),
        ("6 Mart'ta anlattıklarımı unut lütfen", 3, 6),
        ("2월 19일에 말한 거 다 잊어 줘", 2, 19),
        ("1월 2일에 한 얘기 다 지워 줘", 1, 2),
        ("제가 3월 1일에 말씀드린 거 다 지워 주세요", 3, 1),
        ("2月3日に話したことは全部忘れて", 2, 3),
        ("忘掉我3月6号说的话", 3, 6),
        ("Quên những gì tôi nói ngày 12 tháng 3 đi", 3, 12),
        ("Hãy quên những gì em đã nói ngày 4 tháng 1", 1, 4),
    ],
)
def test_what_was_said_on_a_day_is_all_that_is_meant(ask: str, month: int, day: int) -> None:
    """A polite word, a dropped letter and the order of the words lose neither the day nor the request."""
    request = read_request(ask, NOW.date())
    assert request.said
    assert not request.empty
    assert request.subjects == ()
    assert request.period is not None
    assert (request.period.first, request.period.last) == (date(2026, month, day),) * 2


@pytest.mark.parametrize(
    ("ask", "sure", "other"),
    [
        ("Vergiss alles über die Gesundheit meines Vaters", "Mein Vater hatte einen Schlaganfall.", "Ich habe Asthma."),
        ("Lösch die Gesundheit meiner Oma", "Oma hatte einen Schlaganfall.", "Meine Oma spielt Skat."),
        ("Efface la santé de ma mère", "Ma mère a fait un AVC.", "Ma mère adore les mots croisés."),
        ("Borra lo de la salud de mi madre", "Mi madre lleva muletas.", "Vivo en la calle Madre Sacramento 8."),
        ("Olvida la salud de mi abuela", "Mi abuela se rompió la cadera.", "Mi abuela hace croquetas."),
        ("Dimentica la salute di mio padre", "Mio padre ha avuto un ictus.", "Mio padre tifa per il Toro."),
        ("Apaga tudo sobre a saúde da minha mãe", "A minha mãe anda de muletas.", "A minha mãe canta no coro."),
        ("아빠 건강 얘기는 다 잊어 줘", "아버지는 재활병원에 계신다.", "나는 비염이 있다."),
        ("Babamın sağlığıyla ilgili her şeyi sil", "Babam felç geçirdi.", "Babam balık tutar."),
        ("Quên chuyện sức khỏe của mẹ tớ đi", "Mẹ tớ nằm viện Bạch Mai.", "Tớ bị ngã xe, trẹo cổ chân."),
        ("Efface tout ce qui parle d'argent", "Je gagne 2 100 net.", "Je cours 10 kilomètres le dimanche."),
        ("Alles rund ums Geld soll weg", "Jule schuldet mir 50 Euro.", "Ich laufe jeden Tag 8000 Schritte."),
        ("Vergiss alles, was mit Geld zu tun hat", "Ich verdiene 2800 netto.", "Ich habe 40 Bücher."),
        ("Xóa hết những gì liên quan đến tiền", "Lương của tôi là 18 triệu.", "Tôi chạy 5 cây số mỗi sáng."),
        ("Quên hết mọi thứ về Linh đi", "Linh sắp cưới vào tháng 8.", "Mẹ tôi là giáo viên."),
        ("Quên con chó Vàng đi nhé", "Con chó Vàng bị gãy chân.", "Tôi thích màu vàng."),
        ("Xóa lịch khám mắt của tôi", "Tôi có lịch khám mắt ngày 3 tháng 6.", "Tôi có lớp vẽ lúc 8 giờ."),
    ],
)
def test_what_is_told_in_other_words_goes_and_its_neighbor_stays(ask: str, sure: str, other: str) -> None:
    """Illness of a relative and sums of money are known by what people tell of them; another's illness is not meant."""
    first, last = levels(ask, sure, other)
    assert first == "sure"
    assert last in {"no", "near"}


@pytest.mark.parametrize(
    ("ask", "first", "second"),
    [
        ("Forget everything about Ettore", "Ettore viene a cena.", "Sì lui. Il coro adesso è il giovedì alle 21."),
        ("Forget everything about Ines", "Ines me llamó ayer.", "¿Te ha mandado algo el médico?"),
        ("Forget everything about Tilo", "Tilo kommt morgen.", "Ja, er. Der Kurs ist jetzt am Freitag um 18 Uhr."),
    ],
)
def test_what_only_confirms_who_was_meant_does_not_go_surely(ask: str, first: str, second: str) -> None:
    """A turn that says "Yes, him." and then something new tells that; an article is no pronoun."""
    named, behind = levels(ask, first, second, session_id="s")
    assert named == "sure"
    assert behind != "sure"


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Efface la grossesse de Lucie", "Lucie est enceinte. C'est prévu pour le 12 octobre."),
        ("Olvida lo del embarazo de Nuria", "Nuria está embarazada. Nace el 4 de junio."),
        ("Forget about Lucy's pregnancy", "Lucy is pregnant. It's due on 12 October."),
    ],
)
def test_no_half_stays_that_says_when_what_goes_is_due(ask: str, text: str) -> None:
    """What only points back at what goes does not stay alone as if it were another thing."""
    request = read_request(ask, NOW.date())
    (finding,) = find(request, [Row(id="0", text=text, created_at=NOW)]).rows
    assert finding.keeps == ()


def test_vietnamese_is_a_language_of_requests() -> None:
    """It is read as itself, and what asks to keep something is none to forget."""
    assert "vi" in languages()
    assert patterns("vi", "begin")
    assert read_request("Xóa hết thông tin về Hùng", NOW.date()).language == "vi"
    assert read_request("Đừng quên Hùng nhé", NOW.date()).refuses
