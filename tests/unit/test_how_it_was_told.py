"""By what something was told is none of what it tells, and who told it or who is called so twice is read as meant."""

from __future__ import annotations

import pytest

from finding_levels import NOW, levels
from precis.finding.request import read_request


@pytest.mark.parametrize(
    ("ask", "goes", "stays"),
    [
        (
            "Bitte vergiss die PIN von meinem Handy.", "Die PIN von meinem Handy ist 4471.",
            "Das Gartentor hat einen neuen Code, 7306, hat Frau Nowak mir am Telefon durchgegeben.",
        ),
        (
            "Forget the PIN of my phone.", "The PIN of my phone is 4471.",
            "The code of the gate is 7306, Ms Nowak told me over the phone.",
        ),
        (
            "Oublie le code PIN de mon téléphone.", "Le code PIN de mon téléphone est 4471.",
            "Le code du portail est 7306, la voisine me l'a donné par téléphone.",
        ),
        (
            "Olvida el PIN de mi teléfono.", "El PIN de mi teléfono es 4471.",
            "El código de la verja es 7306, me lo dio la vecina por teléfono.",
        ),
        (
            "Dimentica il PIN del mio telefono.", "Il PIN del mio telefono è 4471.",
            "Il codice del cancello è 7306, me lo ha dato la vicina al telefono.",
        ),
    ],
)  # fmt: skip
def test_a_call_is_no_telephone(ask: str, goes: str, stays: str) -> None:
    """The gate's code was only told over the phone: it never surely goes with the PIN of the phone."""
    first, last = levels(ask, goes, stays)
    assert first == "sure"
    assert last != "sure"


@pytest.mark.parametrize(
    ("ask", "goes", "stays"),
    [
        (
            "Vergiss den Code von meinem Handy.", "Die PIN von meinem Handy ist 4471.",
            "Die Garage hat den Code 5512, hat Frau Lenz mir am Telefon gesagt.",
        ),
        (
            "Olvida el código de mi móvil.", "El PIN de mi móvil es 4471.",
            "La verja tiene un código nuevo, 7306, me lo dio la vecina por teléfono.",
        ),
        (
            "Forget the code of my cell phone.", "The PIN of my cell phone is 4471.",
            "The gate has a new code, 7306, Ms Nowak gave it to me by telephone.",
        ),
    ],
)  # fmt: skip
def test_another_word_for_it_of_the_very_thing_is_in_doubt(ask: str, goes: str, stays: str) -> None:
    """A code may be a PIN: of the thing that was named it is shown, and another thing's is no better."""
    assert levels(ask, goes, stays) == ["doubtful", "near"]


def test_what_was_told_on_the_phone_can_be_asked_for() -> None:
    """Then the call is what it is about; of the phone itself it is in doubt."""
    told = "Ana told me on the phone that she wants a divorce."
    assert levels("Forget what Ana told me on the phone about her divorce.", told)[0] == "doubtful"
    assert levels("Forget my phone.", "My phone is a Pixel.", told)[1] != "sure"


@pytest.mark.parametrize(
    ("ask", "goes", "stays"),
    [
        (
            "Vergiss den Skatspieler aus der Reha, Herrn Oelze.", "Ein Herr Oelze aus Celle spielt Skat.",
            "Die Reha fängt am 18. Mai an.",
        ),
        (
            "Oublie le joueur d'échecs de la cure, Ollier.", "Ollier joue bien aux échecs.",
            "La cure commence le 18 mai.",
        ),
        (
            "Olvida al jugador de mus del balneario, Olmedo.", "Olmedo ronca.", "El jardín está bonito.",
        ),
        (
            "Olvida la factura y el presupuesto del horno.", "La factura del horno fue de 900 euros.",
            "El horno es de gas.",
        ),
        (
            "Oublie la facture et le devis de la toiture.", "Le devis de la toiture est de 2400 euros.",
            "Le chat dort.",
        ),
        (
            "Olvida el código de la alarma, el viejo y el nuevo.", "El código de la alarma es 4410.",
            "La boda es el 13 de junio.",
        ),
    ],
)  # fmt: skip
def test_what_stands_behind_a_comma_or_an_and_belongs_to_it(ask: str, goes: str, stays: str) -> None:
    """A name in apposition, the thing that two are of, and each of the old and the new one."""
    first, last = levels(ask, goes, stays)
    assert first == "sure"
    assert last in {"no", "near"}


@pytest.mark.parametrize(
    ("ask", "about"),
    [
        ("Oublie que M. Garrigue voudrait vendre l'immeuble.", "Garrigue voudrait vendre l'immeuble"),
        ("Vergiss alles über Hr. Oelze.", "Oelze"),
        ("Olvida todo sobre D. Julián.", "Julián"),
        ("Supprime le cours de poterie.", "cours de poterie"),
    ],
)
def test_a_request_is_read_past_the_stop_of_a_title(ask: str, about: str) -> None:
    """And without its verb."""
    (subject,) = read_request(ask, NOW.date()).subjects
    assert subject.text.endswith(about)
    assert not ask.startswith(subject.text)


@pytest.mark.parametrize(
    ("ask", "told", "stays"),
    [
        (
            "Vergiss, was Frau Nowak über die Pacht erzählt hat.",
            "Die Frau Nowak meint, der Vorstand will die Pacht auf 410 Euro erhöhen.", "Frau Nowak hat Rosen.",
        ),
        (
            "Vergiss, was meine Nachbarin über die Pacht erzählt hat.",
            "Die Frau Nowak meint, der Vorstand will die Pacht auf 410 Euro erhöhen.", "Die Pumpe ist kaputt.",
        ),
        (
            "Efface tout ce qui concerne le vol de mon vélo.", "J'ai porté plainte pour le vélo.",
            "Le loyer est de 780 euros.",
        ),
        ("Supprime le cours de poterie.", "La poterie passe au jeudi.", "Mon cours de yoga est le lundi."),
        (
            "Forget everything about the theft of my bike.", "My bike was nicked, the green one.",
            "The rent is 780 euros.",
        ),
    ],
)  # fmt: skip
def test_what_tells_it_in_part_is_in_doubt(ask: str, told: str, stays: str) -> None:
    """Who says something, what happened to a thing, and a lesson of something: shown, and never sure."""
    first, last = levels(ask, told, stays)
    assert first == "doubtful"
    assert last in {"no", "near"}


def test_a_name_with_what_it_is_finds_the_name() -> None:
    """What tells of "el Marqués" may tell of the hotel Marqués; of other people's names nothing follows."""
    ask = "Olvida todo lo del hotel Marqués."
    texts = ("El hotel Marqués me encarga sesenta barras.", "El del Marqués quiere cuarenta.", "El hotel Sol abre hoy.")
    assert levels(ask, *texts) == ["sure", "doubtful", "near"]
