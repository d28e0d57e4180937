"""What would stay of a memory and says nothing alone: "I sold it." of a car that goes, or "I work as a nurse in"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from precis.finding.asked.asking import Request
from precis.finding.halves import Places, written
from precis.finding.reading import Word, read_words, sentence_spans, word_from
from precis.finding.tables import all_words, name_words
from precis.finding.values import Finding, Level, Row, Span
from precis.finding.written.languages import language_of
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

#: Why something is in doubt of which no part can be taken.
INSEPARABLE = "it also tells something else, which cannot be parted from it"
#: Verbs that no table of forms has.
_DEEDS = frozenset("is has was born".split())
#: They take up what was named before them.
_TAKES_UP = frozenset("it them this that these those one ones".split())


def without_rubble(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Put in doubt, whole, what would leave a sentence that says nothing without what goes.

    Where no more would stay than words of the request, it goes as surely as it is meant.
    """
    meant = {word.low for subject in request.subjects for word in read_words(subject.text)}
    for row in rows:
        finding = known.get(row.id)
        rest = written(row.text, finding.keeps) if finding is not None and finding.keeps else ""
        if finding is None or not rest:
            continue
        alone = not (_is_rubble(rest, row.text) or any(map(_lost_thing, _cut(row.text, finding.keeps))))
        if alone and not _goes_on(row.text, finding.keeps):
            continue
        own = {word.low for word in read_words(rest)} <= meant | all_words("articles")
        known[row.id] = replace(finding, keeps=()) if own else replace(
            finding, level=min(finding.level, Level.DOUBTFUL), keeps=(), why=INSEPARABLE, shared=True
        )  # fmt: skip


def _cut(text: str, keeps: Sequence[Span]) -> list[tuple[str, str]]:
    """What stands before each cut, and what is cut there."""
    ends = [end for _, end in keeps]
    starts = [*(start for start, _ in keeps[1:]), len(text)]
    return [(text[:end].rstrip(), text[end:start]) for end, start in zip(ends, starts, strict=True)]


def _lost_thing(cut: tuple[str, str]) -> bool:
    """Whether an owner is left without what is owned: "At Lena's" of her party."""
    before, gone = cut
    return before.endswith(("'s", "\u2019s")) and any(char.isalnum() for char in gone.partition(".")[0])


def _is_rubble(rest: str, text: str) -> bool:
    """Whether a sentence of it ends where something stood behind, or all of it only points at what is gone."""
    words = read_words(rest)
    told = _sentences(words, rest)
    if any(sentence and _breaks_off(sentence[-1], text) for sentence in told):
        return True
    english = language_of([word.low for word in words], rest) == "en"
    return english and all(map(_only_points, told))


def _sentences(words: Sequence[Word], text: str) -> list[Sequence[Word]]:
    """The words of a text by its sentences."""
    return [words[word_from(words, start) : word_from(words, end)] for start, end in sentence_spans(text)]


def _goes_on(text: str, keeps: Sequence[Span]) -> bool:
    """Whether a sentence that stays has its subject in the one before, which goes: "Odile moved. Lives in Ghent."."""
    words, kept = read_words(text), Places(keeps)
    told = _sentences(words, text)
    stays = [[kept.touch((word.start, word.end)) for word in sentence] for sentence in told]
    return language_of([word.low for word in words], text) == "en" and any(
        not any(stays[at]) and all(stays[at + 1]) and _opens_with_deed(behind) and not _opens_with_deed(before)
        for at, (before, behind) in enumerate(pairwise(told))
        if before and behind and not any(word.low in all_words("first") for word in (*before, *behind))
    )


def _opens_with_deed(sentence: Sequence[Word]) -> bool:
    """Whether a verb comes first, that of somebody who was named before: "Works", "Crushed"; no command."""
    form = form_of(token(sentence[0].low))
    return sentence[0].low in _DEEDS or (form is not None and not form.kinds.isdisjoint({"third", "past"}))


def _breaks_off(last: Word, text: str) -> bool:
    """Whether a word leads to another and did not end a sentence before: "I work as a nurse in"."""
    if last.text.casefold() not in name_words("leads_on"):
        return False
    return re.search(rf"(?<!\w){re.escape(last.text)}\s*(?:[.,!?;]|$)", text) is None


def _only_points(sentence: Sequence[Word]) -> bool:
    """Whether it says of the user and of what is not named there no more than a verb: "I sold it"."""
    plain = [word for word in sentence if word.low not in STOP_WORDS | all_words("first")]
    points = any(word.low in _TAKES_UP for word in sentence)
    return points and len(plain) <= 1 and all(form_of(token(word.low)) is not None for word in plain)
