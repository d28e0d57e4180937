"""What stays of everything that a request asks for, wherever it is said and in whichever language."""

from __future__ import annotations

import pytest

from finding_levels import levels


@pytest.mark.parametrize(
    ("ask", "kept", "other"),
    [
        ("Other than Petra's e-mail, forget everything.", "Petra's e-mail is p@fen.org.", "I live in Leeds."),
        ("Delete all of it, barring Petra's e-mail.", "Petra's e-mail is p@fen.org.", "I live in Leeds."),
        ("Mit Ausnahme von Petras E-Mail kann alles weg.", "Petras E-Mail ist p@fen.org.", "Ich wohne in Ulm."),
        ("Cancella tutto, la mail di Petra esclusa.", "La mail di Petra è p@fen.org.", "Abito a Pisa."),
        ("Tirando o e-mail da Petra, apaga tudo.", "O e-mail da Petra é p@fen.org.", "Moro em Braga."),
        ("Op de e-mail van Petra na mag alles weg.", "De e-mail van Petra is p@fen.org.", "Ik woon in Breda."),
        ("Glöm allt undantaget Petras e-post.", "Petras e-post är p@fen.org.", "Jag bor i Lund."),
        ("除了李雷的邮箱，全部忘掉。", "李雷的邮箱是p@fen.org。", "我住在杭州。"),
        ("중기 이메일만 남기고 다 지워줘.", "중기의 이메일은 p@fen.org이다.", "나는 부산에 산다."),
        ("Ngoài email của Petra ra thì xóa hết.", "Email của Petra là p@fen.org.", "Tôi sống ở Huế."),
        ("Glem alt undtagen Petras e-mail.", "Petras e-mail er p@fen.org.", "Jeg bor i Odense."),
        ("Uită totul în afară de e-mailul Petrei.", "E-mailul Petrei este p@fen.org.", "Locuiesc în Cluj."),
    ],
)
def test_all_but_something_takes_the_rest(ask: str, kept: str, other: str) -> None:
    """Once the exception alone went of some of these: it is the only thing that they name."""
    kept_level, other_level = levels(ask, kept, other, by_memories=True)
    assert kept_level in {"near", "doubtful", "no"}
    assert other_level == "sure"


@pytest.mark.parametrize(
    ("ask", "kept", "gone", "other"),
    [
        ("Except for her number, forget everything about Petra.", "Petra's number is 0171 55 300.", "Petra is a nurse.",
         "I live in Leeds."),
        ("Sauf son numéro, oublie tout sur Petra.", "Le numéro de Petra est le 0171 55 300.", "Petra est infirmière.",
         "J'habite à Lyon."),
        ("Salvo su número, borra todo sobre Petra.", "El número de Petra es 0171 55 300.", "Petra es enfermera.",
         "Vivo en Cádiz."),
        ("Кроме её телефона, удали всё о Петре.", "Телефон Петры 0171 55 300.", "Петра работает медсестрой.",
         "Я живу в Туле."),
        ("Behalve haar nummer mag alles over Petra weg.", "Het nummer van Petra is 0171 55 300.",
         "Petra is verpleegster.", "Ik woon in Breda."),
    ],
)  # fmt: skip
def test_an_exception_that_stands_first_stays(ask: str, kept: str, gone: str, other: str) -> None:
    """It is of whom everything is asked for, and nobody else's memories are touched."""
    found = levels(ask, kept, gone, other, by_memories=True)
    assert found[0] in {"near", "doubtful"}
    assert found[1:] == ["sure", "no"]


@pytest.mark.parametrize(
    "ask",
    [
        "Don't forget everything except Petra's e-mail.",
        "Forget everything except her e-mail.",
        "Should I delete everything except Petra's e-mail?",
        "Delete everything in this chat except Petra's e-mail.",
        "Remember everything except Petra's e-mail.",
    ],
)
def test_what_may_not_ask_for_everything_is_not_sure(ask: str) -> None:
    """Whose it is, whether it is asked at all and of which talk nobody can say."""
    assert "sure" not in levels(ask, "Petra's e-mail is p@fen.org.", "I live in Leeds.", by_memories=True)
