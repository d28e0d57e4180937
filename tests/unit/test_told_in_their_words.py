"""What people tell of themselves in the verbs of their language is found by the noun, and nothing else is."""

from __future__ import annotations

import pytest

from finding_levels import levels

#: A request, what tells it of the user, and what is another's or something else.
TOLD = [
    ("Vergiss mein Gehalt", "Ich verdiene 3.110 Euro brutto.", "Runa verdient 4.000 Euro."),
    ("Vergiss meine Operation", "Ich werde am 3. Mai operiert.", "Runa wird am 4. Mai operiert."),
    ("Vergiss meine Allergie", "Ich habe eine Erdnussallergie.", "Runa hat eine Pollenallergie."),
    ("Vergiss mein Alter", "Ich bin 51 Jahre alt.", "Ich wohne in Emden."),
    ("Vergiss meine Kreditkarte", "Meine Mastercard endet auf 8812.", "Ich bin mit 900 Euro im Minus."),
    ("Vergiss meinen Reisepass", "Mein Pass läuft im Juni ab.", "Ich fliege im Juni nach Oslo."),
    ("Vergiss das Gehalt des Nutzers", "Der Nutzer verdient 3.110 Euro.", "Runa verdient 4.000 Euro."),
    ("Olvida mi sueldo", "En la panadería gano 9,300 pesos.", "Mi hermana gana 12,000 pesos."),
    ("Olvida mi operación", "Me operan el 3 de mayo.", "A Nicanor lo operan el 4 de mayo."),
    ("Olvida mi coche", "Manejo un Ford gris.", "Nicanor maneja un Toyota."),
    ("Olvida mi talla de zapato", "Calzo 27.", "Tengo 27 discos."),
    ("Olvida mi pasaporte", "Renové el pasaporte.", "Nicanor renovó el pasaporte."),
    ("Esqueça meu salário", "Eu ganho 6 mil por mês.", "Minha irmã Benta ganha 5 mil."),
    ("Esqueça minha cirurgia", "Vou ser operada em maio.", "Sofro de enxaqueca."),
    ("Oublie mon salaire", "Je touche 2 100 euros net.", "Maëlle touche 2 500 euros net."),
    ("Oublie mon opération", "Je me fais opérer le 3 mai.", "Maëlle se fait opérer le 4 mai."),
    ("Oublie ma pointure", "Je chausse du 41.", "J'ai 41 ans."),
    ("Dimentica il mio stipendio", "Guadagno 1.750 euro al mese.", "Ermes guadagna 2.000 euro."),
    ("Dimentica la mia operazione", "Mi operano il 3 maggio.", "Soffro di emicrania."),
    ("Maaşımı unut", "Ayda 38.000 lira kazanıyorum.", "Sevgi 40.000 lira kazanıyor."),
    ("Adresimi unut", "Bursa'da oturuyorum.", "Sevgi Bursa'da oturuyor."),
    ("Arabamın plakasını unut", "Plakam 16 KLM 88.", "Evin anahtarı çekmecede."),
    ("Забудь мою операцию", "Меня оперируют 3 мая.", "У меня мигрень."),
    ("Vergeet mijn salaris", "Ik krijg 2.650 euro netto.", "Joris verdient 3.000 euro."),
    ("Glöm min operation", "Jag ska opereras den 3 maj.", "Elsa ska opereras den 4 maj."),
    ("忘记我的手术", "我5月3日要开刀。", "小雨要做手术。"),
]


@pytest.mark.parametrize(("ask", "own", "other"), TOLD, ids=[case[0] for case in TOLD])
def test_what_is_told_by_a_verb_is_found_by_its_noun(ask: str, own: str, other: str) -> None:
    """A salary is what somebody earns, an operation what is done to them, and not what others earn."""
    first, second = levels(ask, own, other)
    assert first == "sure"
    assert second != "sure"


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Vergiss meine Telefonnummer", "Meine Kundennummer ist 0151228873."),
        ("Vergeet mijn operatie", "Ik ben op maandag jarig."),
        ("Olvida mi alergia", "No tolero a mi suegra."),
        ("Olvida mi teléfono", "Mi CLABE es 012345678901234567."),
        ("Vergiss mein Hotel", "Mein Flieger geht um sechs."),
        ("Vergiss meinen Flug", "Meine Visa endet auf 4471."),
        ("Olvida mi vuelo", "Nos hospedamos en Casa Azul."),
        ("Zapomnij moją wagę", "Dostaję 6000 na rękę."),
        ("Vergeet mijn baan", "Ik verdien 2.800 euro per maand."),
        ("Olvida dónde vivo", "Nicanor vive en Mérida."),
    ],
)
def test_what_only_looks_like_it_is_not_surely_meant(ask: str, text: str) -> None:
    """A word that has another sense, a wider group, and a number of something else."""
    assert levels(ask, text)[0] != "sure"


@pytest.mark.parametrize(
    ("ask", "named", "others"),
    [
        ("Vergiss alles über Herrn Kröger", "Herr Kröger ist mein Chef.", "Herr Wilken hat angerufen."),
        ("Rüstem Bey hakkında her şeyi unut", "Rüstem Bey ev sahibim.", "Kenan Bey aradı."),
        ("Olvida todo sobre el señor Ríos", "El señor Ríos es mi jefe.", "El señor Luna llamó."),
        ("Zapomnij wszystko o panu Kowalskim", "Pan Kowalski to mój szef.", "Pan Nowak dzwonił."),
        ("Vergiss, dass Tjark Elektriker ist", "Tjark arbeitet als Elektriker.", "Tjark mag keinen Kaffee."),
        ("Olvida todo sobre el ex del usuario", "Mi ex vive en Lugo.", "Tomo sertralina."),
        ("Oublie le rendez-vous d'Ida", "Le rendez-vous d'Ida est lundi.", "Ida aime le thé."),
    ],
)
def test_a_title_or_what_somebody_is_is_no_part_of_a_name(ask: str, named: str, others: str) -> None:
    """Herr, Bey and an electrician are no names, and the user as notes name them is none either."""
    first, second = levels(ask, named, others, by_memories=True)
    assert first == "sure"
    assert second in {"near", "no"}
