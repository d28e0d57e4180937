"""Of a sentence with two people's clauses, of halves, old values, kinds, jokes and spans, in several languages."""

from __future__ import annotations

from datetime import date

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.grounded.requests import grounded
from precis.finding.grounded.versions import versions
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level, Row


def kept(ask: str, text: str) -> tuple[str, str]:
    """How sure it is of one memory, and what is left of it."""
    finding = find(read_request(ask, NOW.date()), [Row(id="m", text=text, created_at=NOW)]).rows[0]
    return finding.level.name.lower(), written(text, finding.keeps)


@pytest.mark.parametrize(
    ("ask", "theirs", "own"),
    [
        ("Forget everything about my health", "Ingrid has epilepsy, I drive her to the doctor.", "I have asthma."),
        ("Vergiss alles über meine Gesundheit", "Ulf hat Epilepsie, ich fahre ihn zum Arzt.", "Ich habe Asthma."),
        ("Vergiss meine Allergie", "Maike ist gegen Nüsse allergisch, das muss ich mir merken.", "Ich bin allergisch."),
        ("Vergiss alles über meine Gesundheit", "Ulf hat Epilepsie, ich habe frei.", "Ich habe Asthma."),
        ("Olvida todo lo de mi salud", "Nuria tiene migraña, yo le compro las pastillas.", "Tengo asma."),
        ("Esqueça tudo sobre a minha saúde", "O Rui tem epilepsia, eu levo ele ao médico.", "Tenho asma."),
        ("Oublie tout sur ma santé", "Paul a de l'épilepsie, je l'emmène chez le médecin.", "J'ai de l'asthme."),
        ("Dimentica tutto sulla mia salute", "Gino ha l'epilessia, lo porto io dal medico.", "Ho l'asma."),
        ("Sağlığımla ilgili her şeyi unut", "Selin'in astımı var, ilacını ben alıyorum.", "Benim migrenim var."),
    ],
)
def test_what_is_the_users_is_so_by_its_own_clause(ask: str, theirs: str, own: str) -> None:
    """An "I" in another clause makes somebody's illness nobody else's."""
    first, last = levels(ask, theirs, own)
    assert (first == "sure", last) == (False, "sure")


@pytest.mark.parametrize(
    ("ask", "text", "left"),
    [
        (
            "Olvida mi alergia",
            "Soy alérgica al polen, y Nuria es intolerante al gluten.",
            "Nuria es intolerante al gluten.",
        ),
        (
            "Forget everything about Olaf",
            "I'm Mia, 31, a nurse in Leeds, married to Olaf.",
            "I'm Mia, 31, a nurse in Leeds.",
        ),
        ("Vergiss alles über Olaf", "Ich bin Mia, Köchin in Ulm, verheiratet mit Olaf.", "Ich bin Mia, Köchin in Ulm."),
        (
            "Olvida todo sobre Hugo",
            "Soy Lola, 38, contadora en Lugo, casada con Hugo.",
            "Soy Lola, 38, contadora en Lugo.",
        ),
        (
            "Esqueça tudo sobre o Rui",
            "Me chamo Ana, 29, médica em Faro, casada com o Rui.",
            "Me chamo Ana, 29, médica em Faro.",
        ),
        (
            "Oublie tout sur Paul",
            "Je suis Anne, infirmière à Brest, mariée avec Paul.",
            "Je suis Anne, infirmière à Brest.",
        ),
        ("Dimentica tutto su Gino", "Sono Anna, infermiera a Bari, sposata con Gino.", "Sono Anna, infermiera a Bari."),
    ],
)
def test_of_two_only_the_half_of_who_was_meant_goes(ask: str, text: str, left: str) -> None:
    """Whatever is said between commas before a husband is not his."""
    assert ("sure", left) == kept(ask, text)


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Forget everything about Owen", "Maren, 36, a nurse in Leeds, is a friend of Owen."),
        ("Vergiss, dass ich Köchin bin", "Ich bin Mia, 31, Köchin in Ulm, verheiratet mit Olaf."),
        ("Vergiss alles über Olaf", "Mia arbeitet bei der Post und wohnt mit Olaf in Ulm."),
        ("Olvida todo sobre Hugo", "Vivo en Lugo con Hugo y trabajo como contadora."),
        ("Vergiss alles über Rügen", "Der Ausflug für Timo kostet 90 Euro, er fährt nun doch nicht nach Rügen."),
        ("Forget where Angus lives", "The user has a brother named Angus who lives in Perth."),
        ("Vergiss alle Termine", "Ich muss drei Wochen Spritzen nehmen, jeden Abend um 20 Uhr."),
        ("Lösche alles über Ottos Arbeit", "Otto ist Veganer, das ist im Job oft schwierig."),
        ("Borra todo sobre la casa", "Me ofrecen 24,500 pesos y dos días desde casa."),
        ("Olvida mi dirección", "Si Nuria me vuelve a pedir un gato, me mudo a Marte."),
        ("Vergiss, wo ich wohne", "Wenn Olaf das macht, ziehe ich auf den Mond."),
        ("Forget everything about the user's family", "The user joked that she would marry her espresso machine."),
        ("Forget everything about the user's family", "The user is married to the sea, he says."),
        ("Forget everything about the user's family", "The user's partner company is called Velto."),
        ("Forget my old mobile number", "My new mobile number is 07700 900222, the old one is dead."),
        ("Vergiss meine alte Handynummer", "Meine neue Handynummer ist 0151 2288730, die alte 0160 gilt nicht mehr."),
    ],
)
def test_what_takes_more_along_or_may_not_tell_it_is_in_doubt(ask: str, text: str) -> None:
    """In doubt it stays: a second fact, another sense, a joke, a condition, the new value."""
    assert levels(ask, text)[0] != "sure"


@pytest.mark.parametrize(
    ("ask", "texts"),
    [
        ("Olvida mi peso", ("La natación cuesta 850 pesos al mes.", "Peso 72 kilos.")),
        (
            "Forget the user's hobbies except the cello",
            ("The user joins an orchestra as a cellist.", "The user plays the cello."),
        ),
    ],
)
def test_a_unit_is_no_thing_and_who_plays_it_may_be_kept(ask: str, texts: tuple[str, str]) -> None:
    """A price in pesos tells no weight, and a cellist may be meant by an exception."""
    assert levels(ask, *texts)[0] != "sure"


@pytest.mark.parametrize(
    ("ask", "texts", "sure"),
    [
        ("Vergiss meine alte Hutgröße", ("Meine Schuhgröße ist 39.", "Meine neue Hutgröße ist 57."), []),
        ("Vergiss mein altes Auto", ("Meine Schuhgröße ist 39.", "Meine neue Handynummer ist 0151 2288730."), []),
        (
            "Olvida mi número anterior",
            (
                "Mi celular es 222 314 8890.",
                "El celular de Nuria es 222 590 1127.",
                "Cambié de celular, mi número nuevo es 221 7760.",
            ),
            [0],
        ),
        (
            "Oublie mon ancien numéro",
            (
                "Mon numéro est le 06 99 88 77 66.",
                "Le numéro de Paule est le 06 12 34 56 78.",
                "Mon nouveau numéro est le 06 55 44 33 22.",
            ),
            [0],
        ),
        (
            "Apaga meu celular antigo",
            ("Meu celular é 11 97777 3344.", "O celular da Rute é 11 98888 1122.", "Meu celular novo é 11 96666 5566."),
            [0],
        ),
    ],
)
def test_a_newer_value_says_nothing_of_another_thing_or_of_anothers(
    ask: str, texts: tuple[str, ...], sure: list[int]
) -> None:
    """A shoe size is no hat size, and a sister's number not the old one."""
    rows = [Row(id=str(at), text=text, created_at=NOW.replace(day=1 + at)) for at, text in enumerate(texts)]
    found_rows = versions(ask, read_request(ask, NOW.date()), rows, ()).of(Level.SURE)
    assert sure == [int(finding.id) for finding in found_rows]


@pytest.mark.parametrize(
    ("ask", "texts"),
    [
        (
            "Lösche die Nummer vom Vermieter",
            ("Ida hat die Nummer 0176 4430921.", "Der Laden hat die Nummer 0441 22119."),
        ),
        ("Vergiss die Nummer von meinem Chef", ("Ida hat die Nummer 0176 4430921.", "Mein Zug fährt um neun.")),
        ("Olvida lo que gano", ("Me ganó Nuria.", "La carrera la ganó Hugo.")),
    ],
)
def test_what_memories_say_makes_nobody_elses_sure(ask: str, texts: tuple[str, ...]) -> None:
    """A noun is no name where somebody's is asked for, and an accent makes another verb."""
    rows = [Row(id=str(at), text=text, created_at=NOW) for at, text in enumerate(texts)]
    grounds = grounded(ask, read_request(ask, NOW.date()), rows)
    assert grounds is None or not find(grounds[0], rows).of(Level.SURE)


@pytest.mark.parametrize(
    ("ask", "first", "last"),
    [
        ("Vergiss alles seit dem 20. Juli 2025", date(2025, 7, 20), date.max),
        ("Vergiss alles vor dem 20. Juli 2025", date.min, date(2025, 7, 19)),
        ("Vergiss alles, was älter als Juli 2025 ist", date.min, date(2025, 6, 30)),
        ("Vergiss alles vom Juli 2025", date(2025, 7, 1), date(2025, 7, 31)),
        ("Olvida todo lo de julio de 2025", date(2025, 7, 1), date(2025, 7, 31)),
        ("Borra lo que dije en julio de 2025", date(2025, 7, 1), date(2025, 7, 31)),
        ("Olvida todo desde el 20 de julio de 2025", date(2025, 7, 20), date.max),
        ("Olvida todo lo anterior a julio de 2025", date.min, date(2025, 6, 30)),
        ("Esqueça tudo desde 20 de julho de 2025", date(2025, 7, 20), date.max),
        ("Esqueça tudo de julho de 2025", date(2025, 7, 1), date(2025, 7, 31)),
        ("Oublie tout depuis le 20 juillet 2025", date(2025, 7, 20), date.max),
        ("Oublie tout ce qui date de juillet 2025", date(2025, 7, 1), date(2025, 7, 31)),
        ("Dimentica tutto dal 20 luglio 2025", date(2025, 7, 20), date.max),
        ("Forget what was said in May 2025", date(2025, 5, 1), date(2025, 5, 31)),
        ("Forget everything older than 10 May 2025", date.min, date(2025, 5, 9)),
        ("Forget everything newer than 10 May 2025", date(2025, 5, 11), date.max),
    ],
)
def test_spans_are_read_with_what_stands_before_them(ask: str, first: date, last: date) -> None:
    """Since, before and of a day or a month, and nothing else is asked for."""
    request = read_request(ask, date(2026, 3, 18))
    assert request.period is not None
    assert (first, last, ()) == (request.period.first, request.period.last, request.subjects)
    assert (False, False, None) == (request.unclear, request.unsure, request.by)
