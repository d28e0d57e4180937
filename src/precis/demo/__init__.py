"""What `precis demo` shows itself on: the conversation beside this file, or a file of the caller's."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import islice
from pathlib import Path
from typing import Any

from precis.app import App
from precis.app.importing import read
from precis.app.in_words.answers import Preview
from precis.errors import InvalidInput, NotFound
from precis.language.words import stem, terms, words
from precis.memory import Memory
from precis.summary import Statement, Summary

#: Memories that are taken of a caller's file: enough to see, few enough to wait for.
MOST = 1500
_QUESTIONS = 3
#: Wishes that are tried until one surely means what it should.
_TRIED = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question, and what the file itself holds for its answer."""

    text: str
    expected: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What is to be forgotten, in words; and the memories that have to go with it, with a word that only they hold."""

    words: str
    ids: tuple[str, ...]
    word: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    """A conversation, and where the file has them, questions and a wish."""

    name: str
    rows: Sequence[Mapping[str, Any]]
    questions: Sequence[Question] = ()
    wish: Wish | None = None


def story_of(file: Path | None) -> Story:
    """The packaged conversation, or the first one of a file. Raises InvalidInput."""
    if file is None:
        return _packaged()
    rows = [row if row.get("user_id") else {**row, "user_id": "demo"} for row in islice(read(file), 20 * MOST)]
    questions = _questions(file)
    user = next((row["user_id"] for row in rows if row["user_id"] in questions), rows[0]["user_id"])
    own = [row for row in rows if row["user_id"] == user][:MOST]
    return Story(name=f"{file.name}, {user}", rows=own, questions=questions.get(user, ()))


def _packaged() -> Story:
    folder = files("precis.demo")
    script = json.loads(folder.joinpath("script.json").read_text(encoding="utf-8"))
    with as_file(folder.joinpath("conversation.jsonl")) as path:
        rows = list(read(path))
    return Story(
        name="A small studio builds a ferry app",
        rows=rows,
        questions=[Question(text=question["question"]) for question in script["questions"]],
        wish=Wish(words=script["forget"]["words"], ids=tuple(script["forget"]["ids"]), word=script["forget"]["canary"]),
    )


def _questions(file: Path) -> dict[str, Sequence[Question]]:
    """The questions a LoCoMo file asks of each conversation; those that have an answer in it."""
    if file.stat().st_size > 64 * 2**20:
        return {}
    try:
        document = json.loads(file.read_bytes())
    except ValueError:
        return {}  # JSON lines: memories only
    samples = document if isinstance(document, list) else [document]
    by_sample: dict[str, Sequence[Question]] = {}
    for sample in samples:
        if isinstance(sample, dict) and isinstance(sample.get("qa"), list):
            questions = list(islice(_answerable(sample["qa"]), _QUESTIONS))
            if questions:
                by_sample[str(sample.get("sample_id"))] = questions
    return by_sample


def _answerable(pairs: Sequence[Any]) -> Iterator[Question]:
    for pair in pairs:
        # Category 3 asks for guesses, category 5 for what was never said.
        sensible = isinstance(pair, dict) and pair.get("answer") is not None and pair.get("category") not in (3, 5)
        if sensible and isinstance(pair.get("question"), str):
            yield Question(text=pair["question"], expected=str(pair["answer"]))


def worth_showing(summaries: Sequence[Summary]) -> list[Summary]:
    """One summary a subject: those with four to eight memories first, since they are quickly read."""

    def rank(summary: Summary) -> tuple[bool, float, str]:
        return not 4 <= len(summary.parent_id) <= 8, -summary.importance * summary.quality, summary.id

    worst_first = sorted(summaries, key=rank, reverse=True)
    by_subject = {summary.title or (summary.extracted_type, summary.extracted_key): summary for summary in worst_first}
    return list(by_subject.values())[::-1]


def questions_about(summaries: Sequence[tuple[Summary, str | None]]) -> list[Question]:
    """For a file without questions: what is known of the subjects most is said about; (summary, who) pairs."""
    questions = [
        Question(text=f"What about {who + chr(39) + 's ' if who else ''}{summary.extracted_key}?")
        for summary, who in sorted(summaries, key=lambda pair: -len(pair[0].parent_id))
        if summary.extracted_key
    ]
    return list(dict.fromkeys(questions))[:_QUESTIONS]


async def first_meant(app: App, user_id: str, possible: Iterable[Wish]) -> tuple[Wish, Preview] | None:
    """The first wish that surely means its memories, one of them as a whole, with what it would forget."""
    for wish in islice(possible, _TRIED):
        with suppress(InvalidInput, NotFound):
            preview = await app.memories.find_to_forget(wish.words, user_id=user_id)
            going = {row.id for row in preview.forget}
            if going.issuperset(wish.ids) and any(row.keeps is None for row in preview.forget):
                return wish, preview
    return None


def wishes(
    rows: Sequence[Mapping[str, Any]], summaries: Sequence[Summary], memories: Mapping[str, Memory]
) -> Iterator[Wish]:
    """What may be forgotten: the one source of a statement, with a word of its own, in a summary that survives it."""
    holders = Counter(term for row in rows for term in set(terms(row["text"])))
    for summary in sorted(summaries, key=lambda summary: (-len(summary.parent_id), summary.id)):
        if len(summary.parent_id) > 4:
            for statement in summary.statements:
                word = _rare_word(statement, memories, holders)
                if word:
                    yield Wish(words=f"everything about {word}", ids=statement.source_ids, word=word)


def _rare_word(statement: Statement, memories: Mapping[str, Memory], holders: Mapping[str, int]) -> str | None:
    if len(statement.source_ids) != 1:
        return None
    text = memories[statement.source_ids[0]].text or ""
    summarized = set(words(statement.text))
    rare = [word for word in words(text) if word in summarized and word.isalpha() and holders[stem(word)] == 1]
    return max((word for word in rare if len(word) > 6), key=len, default=None)
