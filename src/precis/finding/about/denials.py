"""What a request denies and a memory does not, or the contrary: "that I'm not religious", and "I sing in a choir"."""

import re
from collections.abc import Sequence

from precis.finding.parts import Subject
from precis.finding.reading import Word, read_words, word_from, words_before
from precis.finding.tables import name_words
from precis.finding.values import Span

#: So many words, or characters where no space sets words apart, a denial stands from what it denies.
_DENY_FROM, _DENY_WITHIN = 2, 3
#: Why a row is in doubt that denies what was asked for.
DENIED = "it says that it is not so"
#: Words in quotation marks, no apostrophe among them: "remove 'not available on Mondays'".
_QUOTED = re.compile(
    r"(?<![^\s(:])(?:[\"\u201c\u201e\u00ab](?P<words>[^\"\u201c\u201d\u00ab\u00bb]+)[\"\u201d\u201c\u00bb]"
    r"|['\u2018\u2019](?P<single>\w.*?\w[.!]?)['\u2019])(?!\w)"
)
_DENYING = re.compile(
    r"(?:my|our) .*?(?:n['\u2019]t\b|\b(?:is|are|was|were|does|did|do|has|have) (?:not|no|never)\b)", re.IGNORECASE
)


def denials(words: Sequence[Word]) -> bool:
    """Whether any of the words denies."""
    return any(word.text.lower() in name_words("denials") or word.low in name_words("denials") for word in words)


def quoted_denial(text: str) -> tuple[str, str] | None:
    """What a request quotes that denies something, and the rest of it; what is quoted excepts nothing."""
    match = _QUOTED.search(text)
    quoted = (match["words"] or match["single"]).strip(" .!") if match else ""
    words = read_words(quoted)
    if match is None or len(words) < 2 or not denials(words):
        return None
    return quoted, f"{text[: match.start()]} {text[match.end() :]}"


def denied_there(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether a memory denies right there what a request in another language than English tells: "No fumo"."""
    if not subject.foreign or subject.names or denials(read_words(subject.text)):
        return False
    words, low = read_words(text), text.lower()
    return any(_denied(words, low, start, end) for start, end in spans)


def _denied(words: Sequence[Word], low: str, start: int, end: int) -> bool:
    ended, begins = words_before(words, start), word_from(words, end)
    before = words[max(0, ended - _DENY_FROM) : ended]
    behind = [word.low for word in words[begins : begins + 1]]
    opening, ending = low[max(0, start - _DENY_WITHIN) : end], low[start : end + _DENY_WITHIN]
    by_signs = any(sign in opening for sign in name_words("denying"))
    by_signs = by_signs or any(sign in ending for sign in name_words("denied"))
    return by_signs or denials(before) or not name_words("denied_before").isdisjoint(behind)


def denies_more(subject: Subject, words: Sequence[Word], spans: Sequence[Span]) -> bool:
    """Whether a memory denies what a clause tells, beside words that mean the same: "I never flunked an exam".

    What such words deny themselves is none: "didn't pass", where it was "failed".
    """
    end = max(last for _, last in spans)
    inside = {at for first, last in spans for at in range(word_from(words, first), word_from(words, last))}
    before = [word for at, word in enumerate(words) if word.start < end and at not in inside]
    called = {piece for part in subject.parts for piece in part.word.split()}
    others = [word for word in read_words(subject.text) if word.text.lower() not in called]
    return denials(before) and not denials(others)


def only_denied(subject: Subject, text: str) -> bool:
    """Whether a request denies what a memory tells: "that I'm not religious", and "I sing in a gospel choir"."""
    called = {piece for part in subject.parts for piece in part.word.split()}
    others = [word for word in read_words(subject.text) if word.text.lower() not in called]
    states = subject.clause or subject.foreign or _DENYING.match(subject.text) is not None
    return states and denials(others) and not denials(read_words(text))
