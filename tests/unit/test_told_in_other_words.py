"""Common things that people are asked for are found in the words in which notes tell them."""

from __future__ import annotations

import pytest

from precis.language.languages import forms_of
from precis.language.script import without_small
from precis.language.words import index_terms
from precis.recall.question import as_asked, read_question


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("What vehicle does Ole have?", "Ole bought a Mazda."),
        ("What is Ole's profession?", "Ole works as a nurse."),
        ("What is Ole allergic to?", "Ole reacts to nuts, an intolerance."),
        ("What can't I eat?", "I'm coeliac so no wheat, barley or rye."),
        ("Any dietary restrictions?", "I've been vegan since March."),
        ("Was darf ich nicht essen?", "Ich vertrage keine Laktose."),
        ("Qu'est-ce que je ne peux pas manger ?", "Je suis intolérante au lactose."),
        ("¿Qué no puedo comer?", "Soy celíaca."),
        ("Cosa non posso mangiare?", "Sono celiaco."),
        ("Tenho alguma alergia?", "Sou intolerante à lactose."),
        ("Ne yiyemem?", "Laktoz bana dokunuyor."),
        ("Wat mag ik niet eten?", "Ik heb coeliakie."),
        ("Czego nie mogę jeść?", "Mam celiakię."),
        ("Vad får jag inte äta?", "Jag tål inte laktos."),
        ("Что мне нельзя есть?", "У меня целиакия."),
        ("アレルギーはありますか？", "乳糖不耐症です。"),
        ("Have I had any operations?", "I had my gallbladder out in 2019."),
        ("Hatte ich Operationen?", "2019 wurde mir die Galle rausgenommen."),
        ("Wie komme ich ins Internet?", "Unser WLAN heißt GrüneTür."),
        ("Quelle est ma religion ?", "Je suis catholique."),
        ("Czy jestem mężatką?", "Pobraliśmy się w 2012."),
        ("¿Con qué mano escribo?", "Soy zurda."),
        ("Was mache ich beruflich?", "Ich arbeite in einer Gärtnerei."),
        ("Habe ich ein Haustier?", "Unser Kater heißt Fips."),
        ("Welche Krankheit hat Ole?", "Ole hat Migräne."),
        ("Worauf bin ich allergisch?", "Ich vertrage keine Nüsse."),
        ("Quel est mon régime ?", "Je suis végétarienne."),
        ("Quelle voiture ai-je ?", "J'ai une Renault."),
        ("Est-ce que j'ai des enfants ?", "Mon fils entre en maternelle."),
        ("¿A qué me dedico?", "Trabajo como enfermera."),
        ("¿Qué medicamento tomo?", "Me recetó insulina."),
        ("¿Cuándo es mi cumpleaños?", "Nací el 4 de mayo."),
        ("Qual é o meu salário?", "Ganho 3.200 reais."),
        ("Qual é o meu passatempo?", "Toco violão no coral."),
        ("Che malattia ho?", "Soffro di emicrania."),
        ("Dove va a scuola mio figlio?", "Frequenta il liceo."),
        ("Mesleğim ne?", "Bir eczanede çalışıyorum."),
        ("Waar ben ik allergisch voor?", "Noten verdraag ik niet."),
        ("Jaki mam zawód?", "Pracuję w szpitalu."),
        ("Vad har jag för yrke?", "Jag jobbar på ett sjukhus."),
        ("Какая у меня машина?", "Купили тойоту."),
    ],
)
def test_what_is_asked_for_is_found_in_other_words(question: str, note: str) -> None:
    """The note holds a term of the question, as another form of it."""
    asked = read_question(question, user_id="nobody")
    own = frozenset(index_terms(note)) - {"ole"}
    assert own.isdisjoint(asked.terms)
    assert not frozenset(asked.terms).isdisjoint(as_asked(own, asked.forms)), asked.forms


def test_what_tells_of_two_words_counts_as_the_first() -> None:
    """A make of cars tells of a car, and of driving where only that is asked."""
    both = read_question("What car does Ole drive?").forms
    assert (both["mazda"], read_question("What does Ole drive?").forms["mazda"]) == ("car", "drive")


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("kiramız", "kirası"), ("numarası", "numaram"), ("ablamın", "ablam"), ("arabamız", "arabası"),
        ("taşınıyoruz", "taşınma"), ("boşanıyor", "boşanmaktan"), ("telefon", "telefonum"), ("kedisi", "kediler"),
    ],
)  # fmt: skip
def test_turkish_endings_go_by_their_vowels(word: str, form: str) -> None:
    """Of whoever it is, and of verbs."""
    assert form in forms_of([word], ["Turkish"])


def test_small_words_that_are_elided_are_small() -> None:
    """Either apostrophe; a noun behind an article is none."""
    assert without_small("Est-ce que j'ai l’école ?", "French").split() == ["-", "l’école", "?"]
    assert without_small("Qu’ai-je dit ?", "French").split() == ["-", "dit", "?"]
