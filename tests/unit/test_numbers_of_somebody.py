"""The number of somebody, and what they are called, are not all that is known of them."""

from __future__ import annotations

import pytest

from finding_levels import levels


@pytest.mark.parametrize(
    ("ask", "number", "beside"),
    [
        ("Forget Odile's number", "Odile can be reached at 07700 900111.", "Odile likes tea."),
        ("Forget the number of Odile", "Odile's number is 07700 900111.", "Odile likes tea."),
        ("Forget my landlord's phone number", "The landlord can be reached at 07700 900333.", "My landlord is rude."),
        ("Lösche die Nummer vom Vermieter", "Der Vermieter ist unter 0441 557812 zu erreichen.", "Nele mag Tee."),
        ("Vergiss Neles Nummer", "Neles Nummer ist 0176 4430921.", "Nele mag Tee."),
        ("Olvida el número del casero", "El casero está en el 222 118 4471.", "El casero vive lejos."),
        ("Oublie le numéro du propriétaire", "Le propriétaire est joignable au 06 44 55 66 77.", "Maud aime le thé."),
        (
            "Dimentica il numero del padrone di casa",
            "Il padrone di casa si trova allo 06 5544332.",
            "Tullio ama il tè.",
        ),
        ("Hülya'nın numarasını unut", "Hülya'nın numarası 0544 780 1163.", "Hülya çay sever."),
        ("Забудь номер арендодателя", "Арендодатель доступен по 8 495 111 22 33.", "Глеб любит чай."),
        ("Vergeet het nummer van de huisbaas", "De huisbaas is te bereiken op 020 5544332.", "Joris houdt van thee."),
        ("Zapomnij numer szefa", "Do szefa można dzwonić pod 22 5544332.", "Szef lubi herbatę."),
        ("忘记小雨的号码", "小雨的号码是13900139000。", "小雨喜欢猫。"),
        ("大家さんの番号を忘れて", "大家さんは03-5544-3321で連絡がつく。", "大家さんはうるさい。"),
        ("민지 번호 잊어줘", "민지 번호는 010-1234-5678이야.", "민지는 고양이를 좋아해."),
    ],
)
def test_a_number_of_somebody_is_theirs_alone(ask: str, number: str, beside: str) -> None:
    """Where they can be reached is that number, and nothing else of them goes."""
    assert levels(ask, number, beside)[0] == "sure"
    assert levels(ask, number, beside)[1] in {"near", "no"}


@pytest.mark.parametrize(
    ("ask", "others"),
    [
        ("Vergiss die Nummer vom Klempner", "Nele hat die Nummer 0176 4430921."),
        ("Lösche die Nummer vom Vermieter", "Nele hat die Nummer 0176 4430921."),
        ("Olvida el número del plomero", "Yadira tiene el número 222 590 1127."),
        ("Oublie le numéro du plombier", "Le numéro de Maud est le 06 12 34 56 78."),
        ("忘记房东的号码", "小雨的号码是13900139000。"),
    ],
)
def test_a_number_of_somebody_else_is_not_meant(ask: str, others: str) -> None:
    """A plumber of whom no memory tells has none of the numbers that are there."""
    assert levels(ask, others, by_memories=True)[0] in {"near", "no"}


@pytest.mark.parametrize(
    ("ask", "name", "beside", "another"),
    [
        ("Vergiss den Namen meines Bruders", "Mein Bruder heißt Volker.", "Mein Bruder mag Tee.",
         "Der Bruder meiner Frau heißt Anton."),
        ("Olvida el nombre de mi jefe", "Mi jefe se llama Lucio.", "Mi jefe llega tarde.",
         "El jefe de mi esposa se llama Bruno."),
        ("Oublie le nom de mon frère", "Mon frère s'appelle Noé.", "Mon frère arrive tard.",
         "Le frère de ma femme s'appelle Luc."),
        ("Dimentica il nome di mio fratello", "Mio fratello si chiama Tullio.", "Mio fratello arriva tardi.",
         "Il fratello di mia moglie si chiama Elio."),
    ],
)  # fmt: skip
def test_a_name_of_somebody_is_what_says_it(ask: str, name: str, beside: str, another: str) -> None:
    """And not that of somebody's of another."""
    sure, *others = levels(ask, name, beside, another)
    assert sure == "sure"
    assert "sure" not in others
