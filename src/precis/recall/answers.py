"""In what words notes may tell what a question asks for in others: "Where does she live?", "She moved to Leeds". Pure.

They count as other forms of the question's word do: less than the word itself.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from precis.language import tables
from precis.language.words import STOP_WORDS, stem, words

_ENGLISH, _TURKISH, _ANY = "English", "Turkish", "any"
#: Stems that words of other languages share with English ones of another meaning.
_ENGLISH_TOO = frozenset(tables.words("replies.english.too"))
_APOSTROPHE = re.compile(r"['\u2019].*")


_MEASURES = {noun: tables.whole_words(f"questions.measures.{noun}") for noun in tables.section("questions.measures")}


def measured(question: str) -> str:
    """The question with "age" for "how old": who is eleven is so without the word "old", and an old price is no age."""
    for noun, asked in _MEASURES.items():
        question = asked.sub(noun, question)
    return question


def told_as(question: str, languages: Sequence[str], looked_for: Collection[str]) -> Mapping[str, str]:
    """Stems of the words that may tell it in these languages, or in English, each with the term that asks for it."""
    forms = _bare_names(question, looked_for) if _TURKISH in languages else {}
    for answers in [_answers(language) for language in languages] or [_answers(_ENGLISH), _elsewhere()]:
        for word in words(question):
            if (term := stem(word)) in looked_for:
                # What tells of two words of a question counts as the first: a make of cars tells no driving.
                forms = {
                    other: term for other in answers.get(word, answers.get(term, ())) if other not in looked_for
                } | forms
    return forms


def _bare_names(question: str, looked_for: Collection[str]) -> dict[str, str]:
    """A name without the ending behind its apostrophe, as Turkish writes it: "Bozcaada'ya"."""
    spoken = [word for word in words(question) if _APOSTROPHE.search(word) and stem(word) in looked_for]
    return {stem(_APOSTROPHE.sub("", word)): stem(word) for word in spoken}


@cache
def _answers(language: str) -> Mapping[str, tuple[str, ...]]:
    """The stems that tell of each word that asks."""
    answers: dict[str, tuple[str, ...]] = {}
    for topic in tables.entry("answers"):
        listed = tables.section(f"answers.{topic}")
        asking, _, telling = listed.get(language, "").partition("|")
        stems = tuple(dict.fromkeys(map(stem, f"{telling} {listed.get(_ANY, '')}".split())))
        for word in asking.split():
            answers[word] = (*answers.get(word, ()), *stems)
    return answers


@cache
def _elsewhere() -> Mapping[str, tuple[str, ...]]:
    """The stems that ask for the same in other languages, of each word that asks in English.

    Who asks in English of notes in another language has no word of them: "Where do I live?", "Ich wohne in Gent".
    """
    answers: dict[str, tuple[str, ...]] = {}
    english = {word for topic in tables.entry("answers") for word in _asking(topic, _ENGLISH)} | STOP_WORDS
    for topic in tables.entry("answers"):
        others = {
            stem(word)
            for language in tables.section(f"answers.{topic}")
            if language not in {_ENGLISH, _ANY}
            for word in _asking(topic, language)
            if word not in english and stem(word) not in _ENGLISH_TOO
        }
        for word in _asking(topic, _ENGLISH) or [topic, f"{topic}s"]:
            answers[word] = (*answers.get(word, ()), *sorted(others))
    return answers


def _asking(topic: str, language: str) -> list[str]:
    return tables.section(f"answers.{topic}").get(language, "").partition("|")[0].split()
