"""A sentence behind one that goes whose subject is left out: it tells of whoever that one told of.

"Meu pai topou vir morar com a gente. Vai trazer o Louro.": the second would be read of nobody, or of the user.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from precis.finding.asked.asking import Request
from precis.finding.capitals import calendar
from precis.finding.kinds import is_person
from precis.finding.parts import Subject
from precis.finding.reading import read_words, sentence_spans
from precis.finding.tables import all_words, name_words, words_of
from precis.finding.values import Finding, Level, Row, Span
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import RELATIONS, is_being

#: How a verb of the third person ends that may stand without its subject.
_ENDINGS = {
    "pt": r"\w+(?:[aeiu]|ou|eu|iu|em|am)|vai|é|está|tem|foi",
    "es": r"\w+(?:[aeoóé]|ió)|va|es|está|tiene|fue",
    "it": r"\w+(?:[aeòì])|va|è|ha|fa|sta|viene",
    "ru": r"\w+(?:[её]т|ит|[уюая]т|[аяиеёуы]ла?|[её]тся|ится|лся|лась)",
    "pl": r"\w+(?:[aeiy]|[aiy]ł[a]?)",
    "de": r"\w{2,}t|will|kann|muss|soll|war|wird|hatte|wurde",
}
#: Of these the verb opens the sentence; of the others it may stand anywhere.
_WHY = "what would stay tells on of whom all is to go"
_PRONOUNS = frozenset("ela ele elas eles ella él ellos ellas lui lei он она они ona on er sie".split())
_DID = re.compile(r"\w+(?:ł|ła|л|ла|лся|лась)")
_OPENS = frozenset({"pt", "es", "it", "pl", "de"})


def without_dropped(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Put in doubt what would keep such a sentence, where everything of somebody is to be forgotten."""
    if not all(map(_is_somebody, request.subjects)):
        return
    for row in rows:
        finding = known.get(row.id)
        telling = _telling_on(row.text, finding.keeps) if finding and finding.keeps else []
        if finding and telling:
            alone = all(
                any(start <= first and last <= end + 1 for start, end in telling) for first, last in finding.keeps
            )
            surely = alone and all(_is_theirs(row.text[slice(*it)]) for it in telling)
            level = finding.level if surely else min(finding.level, Level.DOUBTFUL)
            known[row.id] = replace(finding, level=level, keeps=(), why=finding.why if surely else _WHY)


def _is_theirs(sentence: str) -> bool:
    """Whether it opens with a pronoun for somebody, or with what a man or a woman did; not with the weather."""
    opening = read_words(sentence)[:1]
    pronouns = name_words("opening_persons") | _PRONOUNS
    return any(word.text.lower() in pronouns or _DID.fullmatch(word.text.lower()) for word in opening)


def _is_somebody(subject: Subject) -> bool:
    people = all(is_person(part.word) or not RELATIONS.isdisjoint(part.roots) for part in subject.parts)
    return people and bool(subject.names or subject.parts)


def _telling_on(text: str, keeps: Sequence[Span]) -> list[Span]:
    """The sentences that stay, right behind one that goes, and have no subject of their own."""
    language = language_of([word.low for word in read_words(text)], text)
    if language not in _ENDINGS:
        return []
    telling = []
    for before, behind in pairwise(sentence_spans(text)):
        stays, stayed = (_lies_in(span, keeps) for span in (behind, before))
        if stays and not stayed and _has_none(text[slice(*behind)], language):
            telling.append(behind)
    return telling


def _lies_in(span: Span, keeps: Sequence[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end + 1 for start, end in keeps)


def _has_none(sentence: str, language: str) -> bool:
    words = read_words(sentence)
    if len(words) < 2 or any(word.low in all_words("first") for word in words):
        return False
    aside = {*words_of(language, "articles")} | name_words("articles") | name_words("prepositions")
    opening = words[0]
    if language == "de" and opening.text.lower() in _PRONOUNS:
        return True
    if opening.low in aside | name_words("given") | name_words("opening_times") or calendar(opening.low):
        return False
    verb = re.compile(_ENDINGS[language], re.IGNORECASE)
    if language in _OPENS:
        led = words[1].low in (name_words("behind_verb_de") if language == "de" else aside)
        behind = led or language == "pl" or (language != "de" and words[1].low.endswith(("r", "re", "c")))
        return behind and not is_being(opening.low) and verb.fullmatch(opening.text) is not None
    # What opens it is in another case than a subject, or a verb.
    oblique = opening.low.endswith(("а", "у", "я", "ю")) and words[1].capital
    return verb.fullmatch(opening.text) is not None or (
        oblique and any(verb.fullmatch(word.text) for word in words[2:])
    )
