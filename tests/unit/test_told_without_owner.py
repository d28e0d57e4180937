"""What only says what something is by a figure is the user's; what is told by a verb, and how surely."""

from __future__ import annotations

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level, Row


@pytest.mark.parametrize(
    ("ask", "value", "theirs"),
    [
        ("Oublie mon loyer", "Le nouveau loyer est de 745 euros.", "Le loyer de Capucine est de 500 euros."),
        ("Dimentica il mio affitto", "Adesso l'affitto è di 780 euro.", "L'affitto di Saverio è di 500 euro."),
        ("Esqueça o meu aluguel", "Mudou, agora o aluguel é R$ 1.700.", "O aluguel da Bianca é R$ 900."),
        ("Забудь мою аренду", "Теперь аренда 31 000 рублей.", "Аренда Даши 18 000 рублей."),
        ("私の家賃を忘れて", "今の家賃は8万5千円です。", "直樹の家賃は6万円です。"),
        ("मेरा किराया भूल जाओ", "अब किराया 15,500 रुपये है।", "पूजा का किराया 9,000 रुपये है।"),
        ("लॉकर का पिन मिटा दो", "लॉकर का पिन 6481 है।", "पूजा के लॉकर का पिन 1147 है।"),
        ("私の体重を消して", "今朝の体重は60キロ。", "健太の体重は85キロ。"),
        ("Cancella il mio peso", "Stamattina pesavo 82 chili.", "Ginevra pesa 59 chili."),
        ("Oublie mon poids", "Je me suis pesée : 67 kilos.", "Bastien pèse 94 kilos."),
    ],
)
def test_a_figure_of_nobody_is_the_users(ask: str, value: str, theirs: str) -> None:
    """That of somebody who is named is in doubt at most."""
    assert levels(ask, value)[0] == "sure"
    assert "sure" not in levels(ask, theirs)


@pytest.mark.parametrize(
    ("ask", "told", "other"),
    [
        ("Esqueça o salário do Murilo", "O Murilo ganha R$ 3.900 por mês.", "O Murilo ganha quase sempre."),
        ("Забудь зарплату Артура", "Артур получает 85 000 рублей.", "Артур получает много писем."),
        ("Удали лекарство мамы", "Мама пьёт лозартан от давления.", "Мама пьёт чай от скуки."),
        ("Esqueça a viagem para Ubatuba", "No feriado vamos para Ubatuba.", "A Bianca nasceu em Ubatuba."),
        ("Dimentica la vacanza in Sardegna", "A Pasqua andiamo in Sardegna.", "Ada vive in Sardegna."),
        ("Forget my work", "I work as a welder.", "I ran out of flour."),
    ],
)
def test_what_is_told_by_a_verb_is_found_by_the_noun(ask: str, told: str, other: str) -> None:
    """And nothing else that somebody does."""
    assert levels(ask, told, other)[0] == "sure"
    assert levels(ask, told, other)[1] != "sure"


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Cancella il medicinale di Ludovica", "Ludovica prende il treno da anni."),
        ("Dimentica la vacanza di Saverio", "Andiamo in palestra con Saverio."),
        ("Dimentica i miei viaggi", "Andiamo in palestra il martedì."),
        ("Esqueça o remédio do Ivo", "O Ivo toma café para acordar."),
        ("Забудь о моих поездках", "Мы едем в магазин."),
        ("Olvida mis viajes", "Vamos a comprar un sofá."),
    ],
)
def test_a_verb_that_may_tell_anything_is_in_doubt(ask: str, text: str) -> None:
    """Where nothing beside it says what it tells."""
    assert levels(ask, text) == ["doubtful"]


@pytest.mark.parametrize(
    ("ask", "text", "rest"),
    [
        ("Забудь всё о моём здоровье", "Врач увеличил дозу, теперь я пью эутирокс 75.", ""),
        ("मेरी सेहत के बारे में सब कुछ मिटा दो", "डॉक्टर ने दवा बदल दी, अब मैं ग्लिमेपिराइड लेती हूँ।", ""),
        ("私の健康のことは全部忘れて", "薬が変わって、今はロサルタンを飲んでいる。", ""),
        ("Забудь всё о моём здоровье", "Врач переехал, теперь я живу в Перми.", "Теперь я живу в Перми."),
        ("मेरी तनख्वाह भूल जाओ", "आज से मैं भोपाल में काम करती हूँ, तनख्वाह 41,000 रुपये।", "आज से मैं भोपाल में काम करती हूँ।"),
    ],
)
def test_what_stays_is_not_the_medicine_itself(ask: str, text: str, rest: str) -> None:
    """And what else is told stays."""
    row = Row(id="r", text=text, created_at=NOW)
    (finding,) = find(read_request(ask, NOW.date()), [row]).of(Level.SURE)
    assert written(text, finding.keeps) == rest
