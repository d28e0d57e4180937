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


@pytest.mark.parametrize("language", UNRELATED)
def test_unrelated_sentences_stay_apart_when_the_worker_looks(language: str) -> None:
    """150 of ten people who did twenty-five things: hardly more than one person's fifteen are in one cluster."""
    row = UNRELATED[language]
    who, what = (" ".join(row[name].split()).split("; ") for name in ("who", "what"))
    texts = [who[at * 7 % 10] + row.get("joint", " ") + what[at // 6] for at in range(150)]
    clusters = SUBJECTS.grouped(SUBJECTS.Told(texts=texts, speakers=["Ana"] * 150, labels=texts), again=True)
    assert max(Counter(clusters.values()).values()) <= 15
