"""Whether a memory has another thing of that name: of "my address" one of mail, of passwords "la clave del éxito"."""

import re
from collections.abc import Sequence

from precis.finding.about.clauses import is_compound
from precis.finding.identifiers import identifiers_in
from precis.finding.parts import Subject
from precis.finding.reading import folded, places_of, read_words
from precis.finding.tables import any_group, name_words, phrases_of
from precis.finding.values import Span
from precis.finding.written.languages import language_of

_HOME, _SECRET = "home", "secret"
#: Kinds of identifiers that are the address of a machine or of a mailbox.
_OF_MACHINES = frozenset({"address", "link", "hardware", "host"})
#: Words for one password, "all passwords" may be meant more widely, and for a secret number.
_PASSWORD = re.compile(
    r"\b(?:pass ?word|pass ?phrase|passwort|mot de passe|contrasena|senha|wachtwoord|losenord\w*|haslo)\b"
)
_PINS = frozenset({"pin", "pins"})
#: What is paid, and what is earned.
_OUT, _IN = frozenset("rent price debt insurance tax".split()), frozenset({"salary", "job"})
_EARNS = re.compile(
    r"\b(?:earn|make|get paid|get|bring home|take home|verdiene|gagne|gano|guadagno|ganho|tjanar)\b", re.IGNORECASE
)
_JOINING = frozenset({"de", "nl", "sv"})
_HOW_MUCH = re.compile(
    r"(?:how (?:much|many|often)|wie ?(?:viele?|oft)|combien|cu[áa]nt[oa]s?|quant[oaie]s?|hoe ?(?:veel|vaak))\b",
    re.IGNORECASE,
)
#: A figure, or a word for how much or how often.
_AMOUNT = re.compile(
    r"\d|\b(?:half|twice|once|every|each|daily|weekly|monthly|times|per|dozens?|hundreds?|thousands?|lots?"
    r"|too (?:much|many)|(?:a|an|two|three|four|five|six|seven|eight|nine|ten) \w+ (?:a|an|per|each|every)\b)",
    re.IGNORECASE,
)
#: What only says which one it is, or when: "invoice 2025-014", "#77", "03/2025".
_WHICH = re.compile(r"#\d+|\b(?:19|20)\d\d[-/]\d[\d/-]*|\b\d+[-/](?:0\d+|(?:19|20)\d\d)\b")
#: Shorter letters behind a word are an ending of it.
_MORE = 4
_SIGN = re.compile(r"\d|_|[^\W\d_][A-Z]")


def is_other_address(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether where somebody lives was asked for, and the address there is one of mail, a page or a computer."""
    if not any(part.roots == {_HOME} for part in subject.parts) or subject.names or not spans:
        return False
    marks = [mark for mark in identifiers_in(text) if mark.kind in _OF_MACHINES]
    return bool(marks) and not any(mark.kind in _OF_MACHINES for mark in subject.identifiers)


def is_no_secret(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether passwords were asked for, and what has the word for them there is no password.

    That is a thing for them, "a password manager", and a key that no sign of a secret stands beside.
    """
    if not spans or not subject.parts or not all(_SECRET in part.roots for part in subject.parts):
        return False
    low, words = folded(text), read_words(text)
    starts = {start for start, _ in spans}
    exact = {span for part in subject.parts for span in places_of(part.word, low, subject.language)}
    if _SIGN.search(text):
        return False
    return all(
        is_compound(words, span, starts)
        or _goes_on(low, span, subject)
        or (span not in exact and _is_of_more(text, span))
        for span in spans
    )


def is_no_amount(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether it was asked how much or how often somebody does something, and nothing there says that."""
    return _HOW_MUCH.match(subject.text) is not None and bool(spans) and not _AMOUNT.search(_WHICH.sub(" ", text))


def is_paid_out(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether it was asked how much somebody earns, and a memory only says what something costs: "The rent is 700"."""
    if _HOW_MUCH.match(subject.text) is None or not spans or _EARNS.search(subject.text) is None:
        return False
    low = folded(text)
    return any_group(_OUT, plain=low.isascii()).search(low) is not None and not any_group(
        _IN, plain=low.isascii()
    ).search(low)


def is_other_secret(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether a password was asked for, and what is told is only a PIN."""
    if not spans or not all(part.roots == {_SECRET} for part in subject.parts) or not subject.parts:
        return False
    password = _PASSWORD.search(folded(subject.text)) is not None and not _PASSWORD.search(folded(text))
    return password and any(word.low in _PINS for word in read_words(text))


def _goes_on(low: str, span: Span, subject: Subject) -> bool:
    """Whether it is the beginning of another word, in a language that joins two: "Passwortmanager"."""
    if language_of([word.low for word in read_words(low)], low, subject.language) not in _JOINING:
        return False
    word = low[span[0] :]
    bases = [phrase.strip("?*") for phrase in phrases_of(_SECRET) if phrase.endswith("*")]
    begun = max((base for base in bases if word.startswith(base)), key=len, default="")
    behind = re.match(r"[^\W\d_]*", word[len(begun) :])
    return bool(begun) and behind is not None and len(behind.group()) >= _MORE


def _is_of_more(text: str, span: Span) -> bool:
    """Whether "of" stands right behind it, as before what a key is to: "la clave del éxito"."""
    behind = next((word for word in read_words(text) if word.start >= span[1]), None)
    return behind is not None and behind.low in name_words("whence") | {"to"}
