"""By which words memories of other languages find each other, and that they do."""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from precis.language.sharing import keywords

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

#: The benchmark groups as writes and the worker do.
SUBJECTS, ABROAD = import_module("subjects"), import_module("subjects_abroad")

UNRELATED = tomllib.loads((BENCHMARKS / "unrelated.toml").read_text("utf-8"))
WEEKS = tomllib.loads((BENCHMARKS / "subjects_abroad_second.toml").read_text("utf-8"))
HALVES = tomllib.loads((BENCHMARKS / "subjects_abroad.toml").read_text("utf-8"))


def shared(*texts: str) -> frozenset[str]:
    """The words that all of these texts have."""
    read = keywords(texts, people=[None] * len(texts), speakers=["Ana"])
    return frozenset.intersection(*(each.words for each in read))


@pytest.mark.parametrize(
    "texts",
    [
        ("Die Miete beträgt 780 Euro.", "Wegen der Mieterhöhung habe ich dem Verein geschrieben."),
        ("Die Rechnung vom Tierarzt war hoch.", "Die Tierarztrechnung war 95 Euro."),
        ("L'affitto è di 780 euro.", "Ho scritto per l'aumento dell'affitto."),
        ("Le loyer de l'appartement est cher.", "J'ai écrit à cause du loyer."),
        ("Lizbon'da bir otel ayırttım.", "Pasaportum doluyor, Lizbon'dan önce yenisi lazım."),
        ("Dairemizin kirası 780 avro.", "Ev sahibi kirayı artırmak istiyor."),
        ("Я забронировала гостиницу в Лиссабоне.", "Перед Лиссабоном нужен новый паспорт."),
        ("房东想在五月涨房租。", "投诉以后房租降到了795欧元。"),
        ("膝の手術は三月です。", "ブラント先生によると膝は治っています。"),
        ("修理工場によるとオペルのバッテリーがだめです。", "オペルは夏に売りたいです。"),
        ("名前はきなこです。", "きなこが餌を食べません。", "獣医さんによると、きなこは元気です。"),
        ("うちの猫はことはです。", "ことはが太りました。", "ことはの予防接種は三日です。"),
        ("우리 고양이 이름은 호두이고 세 살이에요.", "호두가 밥을 안 먹어요.", "호두 약은 하루에 두 번이에요."),
        ("동생 지훈이는 부산에 살아요.", "지훈이가 놀러 와요.", "지훈이랑 곱창을 먹었어요."),
        ("Nursery says Tilly is settling in.", "Tilly bit a boy called Rufus."),
    ],
)
def test_a_noun_is_shared_in_whatever_form_it_stands(texts: tuple[str, str]) -> None:
    """Behind an article, with an ending, in a compound, or where nothing parts words."""
    assert shared(*texts)


@pytest.mark.parametrize(
    "texts",
    [
        ("Früher hing der Schlüssel bei Jens.", "Der Fernseher war früher auf der Drei."),
        ("Buenos días, tengo una panadería.", "Bueno, eso cuenta la frutera."),
        ("Ahora la traen los martes.", "La alarma ahora es nueva."),
        ("Jamais de noisettes dans le gâteau.", "Le code de la carte, si jamais je le perds."),
        ("Tre settimane fa ho preso il gatto.", "Il treno è in ritardo da tre settimane."),
        ("今天我想去看电影。", "今天我想去看外婆。"),
        ("これは新しい傘です。", "これが昨日の写真です。"),
        ("Ab Oktober arbeite ich Vollzeit.", "Die Torte hat drei Stunden Arbeit gemacht."),
        ("Lato było bardzo gorące.", "Mama bardzo się ucieszyła z szalika."),
        ("El lunes tenemos reunión.", "Inés va a tener una niña."),
        ("Bins are Tuesdays.", "Choir meets on Tuesdays."),
        ("Sadly the roof leaks.", "The cat, sadly, ran off."),
    ],
)
def test_what_is_said_of_anything_is_no_subject(texts: tuple[str, str]) -> None:
    """Adverbs, times, numbers, courtesy."""
    assert not shared(*texts)


def test_who_speaks_is_no_subject() -> None:
    """Whoever is called by name in each message is what none of them is about."""
    assert not shared("Ana, die Heizung ist kaputt.", "Ana, der Hund hinkt.")


@pytest.mark.parametrize("half", ["read", "unread"])
@pytest.mark.parametrize("language", HALVES)
def test_subjects_of_three_months_have_summaries_in_each_language(language: str, half: str) -> None:
    """Most memories of a subject are in a cluster that is large enough for a summary, and of it alone."""
    about = ABROAD.memories_of(HALVES[language][half])
    covered, pure, _, largest = ABROAD.figures(about, SUBJECTS.grouped(about, again=True))
    assert covered > 0.65
    assert pure > 0.95
    assert largest <= 6


def test_what_may_be_of_several_languages_is_english_beside_english() -> None:
    """A "different man" is of no German, where nothing else is."""
    boiler = "Boiler still leaking, different man coming Thursday."
    assert "boiler" in shared(boiler, "I spent the evening arguing with the boiler.")


@pytest.mark.parametrize(("language", "half"), [(name, half) for name, halves in WEEKS.items() for half in halves])
def test_what_has_only_a_name_in_common_has_a_summary(language: str, half: str) -> None:
    """A cat's, a brother's, a course: most notes of six weeks are in a cluster that is of them alone."""
    about = ABROAD.memories_of(WEEKS[language][half])
    covered, pure, *_ = ABROAD.figures(about, SUBJECTS.grouped(about, again=True))
    assert covered > (0.5 if (language, half) == ("English", "read") else 0.8)
    assert pure > 0.9


@pytest.mark.parametrize("language", UNRELATED)
def test_unrelated_sentences_stay_apart_when_the_worker_looks(language: str) -> None:
    """150 of ten people who did twenty-five things: hardly more than one person's fifteen are in one cluster."""
    row = UNRELATED[language]
    who, what = (" ".join(row[name].split()).split("; ") for name in ("who", "what"))
    texts = [who[at * 7 % 10] + row.get("joint", " ") + what[at // 6] for at in range(150)]
    clusters = SUBJECTS.grouped(SUBJECTS.Told(texts=texts, speakers=["Ana"] * 150, labels=texts), again=True)
    assert max(Counter(clusters.values()).values()) <= 15
