"""In no language do unrelated sentences fall into one cluster, and related ones can meet."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from precis.engine.grouping import Candidate, Grouping, assign
from precis.language.labels import extract
from precis.language.script import is_foreign
from precis.makers import about
from precis.models.embeddings import StaticEmbedder

SENTENCES: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[2] / "benchmarks" / "unrelated.toml").read_text("utf-8")
)


def sentences(language: str) -> list[tuple[str, int]]:
    """150 sentences with the number of what they tell; six people each do the same."""
    row = SENTENCES[language]
    who, what = (" ".join(row[name].split()).split("; ") for name in ("who", "what"))
    assert (len(who), len(what)) == (10, 25)
    rows = [(who[number * 7 % 10] + row.get("joint", " ") + what[number // 6], number // 6) for number in range(150)]
    Random(3).shuffle(rows)  # noqa: S311 - any order that is the same each time
    return [(text[0].upper() + text[1:] + row.get("end", "."), told) for text, told in rows]


def clustered(texts: list[str]) -> list[str]:
    """The cluster of each, as a write would place it."""
    embedder, numbers = StaticEmbedder(), count()
    kinds: dict[str, list[tuple[int, Candidate]]] = defaultdict(list)
    rows = zip(texts, embedder.vectors(texts), about(embedder, texts), strict=True)
    for place, (text, vector, known) in enumerate(rows):
        labels = extract(text, speaker=None)
        candidate = Candidate(
            key=labels.key, person=labels.person, vector=vector, lettered=known.lettered, topic=known.topic
        )
        kinds[labels.type].append((place, candidate))
    placed: dict[int, str] = {}
    for kind in kinds.values():
        ids, _ = assign([each for _, each in kind], [], grouping=Grouping(), new_id=lambda: str(next(numbers)))
        placed.update(zip((place for place, _ in kind), ids, strict=True))
    return [placed[place] for place in range(len(texts))]


@pytest.mark.parametrize("language", SENTENCES)
def test_unrelated_sentences_stay_apart(language: str) -> None:
    """150 of them: no cluster of more than 20, which is hardly more than one person's fifteen."""
    clusters = clustered([text for text, _ in sentences(language)])
    assert max(Counter(clusters).values()) <= 20


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences_that_tell_the_same_meet(language: str) -> None:
    """Whoever it is that did it: most pairs of the same are in one cluster."""
    rows = sentences(language)
    clusters = clustered([text for text, _ in rows])
    pairs = [(a, b) for a in range(150) for b in range(a) if rows[a][1] == rows[b][1]]
    assert sum(clusters[a] == clusters[b] for a, b in pairs) / len(pairs) > 0.6


#: Plain sentences that share when they are so, or how somebody speaks, and nothing else.
GENERAL = {
    "English": ("Twice last month the cellar flooded.", "Twice last month my tooth hurt."),
    "English courtesy": ("Thank you, I really appreciate the ladder.", "Thank you, I really appreciate the soup."),
    "German": ("Vor drei Wochen kam der Klempner.", "Vor drei Wochen starb der Hamster."),
    "French": ("Il y a trois semaines le toit fuyait.", "Il y a trois semaines Paul chantait."),
    "Spanish": ("Hace tres semanas vendí la guitarra.", "Hace tres semanas nació mi sobrino."),
    "Italian": ("Tre settimane fa ho venduto il violino.", "Tre settimane fa pioveva in cantina."),
    "Portuguese": ("Há três semanas vendi o barco.", "Há três semanas nasceu o Tiago."),
    "Turkish": ("Üç hafta önce arabayı sattık.", "Üç hafta önce yeğenim doğdu."),
    "Arabic": ("بعت الدراجة قبل ثلاثة أسابيع.", "ولد ابن أخي قبل ثلاثة أسابيع."),
    "Russian": ("Три недели назад сломался лифт.", "Три недели назад родился племянник."),
}


@pytest.mark.parametrize("language", GENERAL)
def test_what_says_only_when_or_how_is_no_subject(language: str) -> None:
    """Memories that share a time, a number or a courtesy are about two things."""
    assert len(set(clustered(list(GENERAL[language])))) == 2


def test_accents_of_names_make_no_other_language() -> None:
    """An English sentence about Bod\u00f8 is English, and a Hungarian one with "a" and "is" is not."""
    assert not is_foreign("The brother of the user moved from Bod\u00f8 to Troms\u00f8, to be near Kval\u00f8ysletta.")
    assert is_foreign("A kutya is a kertben \u00e1sott, \u00e9s a macska a h\u00e1zban aludt.")
