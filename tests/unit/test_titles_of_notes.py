"""Titles of somebody's notes in other languages: what most hold, as the language has it, and no second trifle."""

from __future__ import annotations

import pytest

from precis.engine.titles.title import title_of
from precis.language.newest.followed import overtaken
from precis.language.newest.slots import Said, outlived, taken_up
from precis.summary import Statement


def title(*texts: str) -> str | None:
    """The title of a summary with these statements."""
    return title_of([Statement(text=text, importance=0.5, source_ids=(f"m{at}",)) for at, text in enumerate(texts)])


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("うちの犬はつぶと言います。", "つぶは散歩の途中で吠えました。", "つぶの薬は朝だけです。",
          "つぶが吐きました。"), "つぶ"),
        (("제빵을 배우기 시작했어요.", "제빵 수업이 목요일로 바뀌었어요.", "제빵에 오븐이 필요해요."), "제빵"),
        (("Kütüphanede işe başladım.", "Kütüphanede akşam çalışıyorum.", "Kütüphane pazartesi kapalı."), "Kütüphane"),
        (("Çamaşır makinesi su kaçırıyor.", "Usta çamaşır makinesi için geldi.", "Çamaşır makinesi çalışıyor."),
         "Çamaşır makinesi"),
        (("Stolarka jest teraz w piątki.", "W środy chodzę na stolarkę.", "Na stolarce zrobiłem krzywy stołek."),
         "Stolarka"),
        (("我办了游泳馆的年卡。", "游泳馆周一不开门。", "游泳馆的教练姓孙。"), "游泳馆"),
    ],
)  # fmt: skip
def test_a_title_has_the_plain_form_of_what_most_hold(texts: tuple[str, ...], named: str) -> None:
    """A particle or a case hung on it, a name in kana was none, and one word was two pieces."""
    assert title(*texts) == named


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("Voy a clases de acuarela los viernes.", "En acuarela hice un paisaje.", "La clase de acuarela es a las 6."),
         "Acuarela"),
        (("Il corso di tessitura è il martedì.", "Mi sono iscritta al corso di tessitura.",
          "La mostra di tessitura apre domani.", "Alla mostra di tessitura porto due sciarpe."), "Tessitura"),
        (("Unser Kater Rufus war beim Tierarzt.", "Rufus frisst kein Nassfutter.", "Rufus wiegt sechs Kilo.",
          "Rufus schläft im Regal."), "Rufus"),
        (("Papa will eine Frankfurter Kranztorte.", "Die Torte ist fertig.", "Ab Mai habe ich frei."), "Torte"),
        (("Die Garage in Fulda ist zu klein.", "Eine Garage in Fulda kostet viel.", "Die Garage haben wir nicht."),
         "Garage in Fulda"),
    ],
)  # fmt: skip
def test_a_second_word_is_in_half_of_the_notes(texts: tuple[str, ...], named: str) -> None:
    """It was a vet of one of four notes, an adjective of a place, or a vase; what all hold was left out."""
    assert title(*texts) == named


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("Nan's knee operation is on the 9th.", "Nan's in ward 4.", "Nan walked to the lift today."), "Nan"),
        (("Gramps's room is 7 now.", "Gramps is moving into Elm House.", "Gramps hates Elm House already."), "Gramps"),
    ],
)
def test_whom_all_notes_are_about_stands_first_in_english(texts: tuple[str, ...], named: str) -> None:
    """Where it was theirs in one note and they did something in another, the title had only the home or the knee."""
    assert (title(*texts) or "").startswith(named)


def _newer(*texts: str) -> dict[int, int]:
    return taken_up([Said(text, None, at) for at, text in enumerate(texts)])


@pytest.mark.parametrize(
    "texts",
    [
        ("Mi hija Lola empieza danza en octubre.", "A Lola ya no le gusta el agua, ha llorado con Bruno."),
        ("Ma cousine Maud se marie le 3 mai à Brest.", "J'ai fini mon rapport, ma chef est contente."),
        ("Il corso di cucina è il martedì alle 18.", "La festa di cucina è andata bene, ho venduto due torte."),
    ],
)
def test_what_is_told_of_the_same_person_takes_up_nothing_else(texts: tuple[str, str]) -> None:
    """A name, "my" or something else that was sold left what is so behind what opens a summary."""
    assert not _newer(*texts)


@pytest.mark.parametrize(
    "texts",
    [
        ("Mi sono iscritto al corso di canto, il venerdì alle 20.", "Il corso di canto è passato al lunedì alle 19."),
        ("Pilates kursuna yazıldım, salı günleri saat 18'de.", "Pilates kursu cuma saat 20'ye alındı."),
        ("La reunión del taller es el martes a las 9.", "La reunión del taller se ha aplazado, ya no es el martes."),
    ],
)
def test_what_is_set_for_another_hour_takes_up_the_first(texts: tuple[str, str]) -> None:
    """A change is read by its verb and the two words that both have, whatever the days are called."""
    assert _newer(*texts) == {0: 1}


def test_what_somebody_weighs_now_dates_nothing_else_of_them() -> None:
    """Two words of two later notes, or a name with some figure, put a day before what was not so long ago so."""
    adopted = Said("Je viens d'adopter un lapin de trois ans, il s'appelle Réglisse.", None, 0)
    weighs = Said("Réglisse pèse 2,4 kilos maintenant.", None, 3)
    assert not overtaken([adopted, weighs])
    assert overtaken([Said("Réglisse pesait 2,9 kilos en mai.", None, 1), weighs])
    begins = Said("Unser Sohn Emil beginnt im Herbst die Schule.", None, 0)
    others = [Said("Die Schule wurde verkauft.", None, 1), Said("Emil ist umgezogen.", None, 2)]
    assert not outlived([begins, *others])


def test_what_is_off_takes_up_what_stands_beside_it() -> None:
    """A trip that is off dated all that was told of the dog who cannot come."""
    tells = Said("Azor boi się burzy o 22.", None, 0)
    plans = Said("Planujemy wyjazd w Karkonosze na majówkę.", None, 1)
    trip = Said("Karkonosze odwołane, Azor nie może jechać.", None, 2)
    assert [older for older, _ in overtaken([tells, plans, trip]).items()] == [(1, 0)]
