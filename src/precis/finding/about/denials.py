"""What a request denies and a memory does not, or the contrary, and whether it asks for what is not the user's.

"that I'm not religious", and "I sing in a choir"; "other people's illnesses", "all numbers except mine".
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from precis.finding.parts import Subject
from precis.finding.reading import UNSPACED, Word, read_words, word_from, words_before
from precis.finding.tables import languages, name_words, patterns
from precis.finding.values import Level, Match, Span

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


def with_denial(subjects: tuple[Subject, ...], text: str) -> tuple[Subject, ...]:
    """The subjects, each clause of the user with the denial that a request has and its frame took: "I don't smoke"."""
    return tuple(replace(it, text=_denying(it.text, text)) if it.clause else it for it in subjects)


def _denying(clause: str, text: str) -> str:
    first, _, rest = clause.partition(" ")
    again = re.search(
        rf"\b{re.escape(first)} (?:(?:do|did)(?:n['\u2019]t| not)|never) {re.escape(rest)}\b", text, re.IGNORECASE
    )
    return again.group() if again and rest else clause


def only_denied(subject: Subject, text: str) -> bool:
    """Whether a request denies what a memory tells: "that I'm not religious", and "I sing in a gospel choir"."""
    called = {piece for part in subject.parts for piece in part.word.split()}
    others = [word for word in read_words(subject.text) if word.text.lower() not in called]
    states = subject.clause or subject.foreign or _DENYING.match(subject.text) is not None
    return states and denials(others) and not denials(read_words(text))


def asks_for_others(what: str) -> bool:
    """Whether it says that what it asks for is everybody's but the user's."""
    return any(
        re.search(rf"(?<!\w)(?:{pattern})(?!\w)", what, re.IGNORECASE)
        for language in languages()
        for pattern in patterns(language, "other_people")
    )


def of_another(owner: Match, *, called: bool) -> Match:
    """Whether it is of somebody else, where ``owner`` says whether it is the user's; ``called`` somebody else's."""
    if owner.level is Level.SURE:
        return Match(level=Level.NEAR, why="it is the user's own")
    if owner.level is Level.NEAR or called:
        return Match(level=Level.SURE, why="it is somebody else's")
    return owner


def without_mine(text: str) -> tuple[str, bool]:
    """The text without "except mine", and whether it had that."""
    for language in languages():
        for pattern in patterns(language, "but_mine"):
            begins = "" if UNSPACED.search(pattern) else r"(?<!\w)"
            match = re.search(f"{begins}(?:{pattern})", text, re.IGNORECASE)
            if match is not None and (match.start() > 0 or match.end() < len(text)):
                return f"{text[: match.start()]} {text[match.end() :]}".strip(), True
    return text, False


def spares_own(subjects: Sequence[Subject], keeps: Sequence[Subject]) -> bool:
    """Whether what is to be left alone is the user's of all that is asked for: "all salaries except my salary"."""
    if len(subjects) != 1 or not keeps or subjects[0].mine or subjects[0].names or not subjects[0].parts:
        return False
    words = {part.word for part in subjects[0].parts}
    roots = frozenset[str]().union(*(part.roots for part in subjects[0].parts))
    return all(_is_own(kept, words, roots) for kept in keeps)


def _is_own(kept: Subject, words: set[str], roots: frozenset[str]) -> bool:
    aside = kept.names or kept.identifiers or kept.quotes or kept.clause or kept.old or kept.current
    same = all(part.word in words or (part.groups and part.roots <= roots) for part in kept.parts)
    return kept.mine and not aside and same
