"""Passwords and keys that stand in addresses, assignments and tokens, which no word beside them calls so."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from precis.finding.asked.asking import Request
from precis.finding.beyond.tables import any_language
from precis.finding.halves import Places, parted
from precis.finding.values import LEFT_ALONE, Finding, Level, Row, Span
from precis.language import tables

#: The names and tokens of ``language.written.secrets``, which is to be sure; here more names and shorter tokens do.
_CALLED = f"{tables.choices('secrets.keys')}|passcode|auth"
_TOKEN = re.sub(r"\{\d\d,\}", "{8,}", tables.choices("secrets.tokens"))
#: A name and a password before the host of an address; what is assigned to a name that says so; keys as services give
#: them out.
_CREDENTIAL = re.compile(
    r"(?P<address>\b[a-z][a-z0-9+.-]*://[^\s/:@]*:[^\s/@]+@\S*)"
    rf"|(?P<assigned>\b(?:[\w.-]*[_.-])?(?:{_CALLED})s?(?:[_.-]\w+)*[\"']?\s*(?:=|:(?!//))\s*[\"']?[^\s\"',;]{{4,}})"
    r"|(?P<named>(?-i:\b[A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASS(?:WORD)?|PWD|DSN)\s*=\s*\S{4,}))"
    rf"|(?P<token>(?<![\w-])(?:{_TOKEN}|eyJ[\w-]{{8,}}\.eyJ|[rp]k[-_](?=[\w-]*\d)[\w-]{{12,}}|bearer [\w.~+/-]{{12,}}))"
    r"|(?P<block>-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----)?)",
    re.IGNORECASE | re.DOTALL,
)
#: A word of a request that may be a secret: a figure and a letter, and no few of them.
_STRING = re.compile(
    r"(?<!\S)[\"'\u201c\u00ab(]*(?P<string>(?=\S*\d)(?=\S*[^\W\d_])[\w\-+/=~$%&#!.*]{6,}?)[\"'\u201d\u00bb).,!?]*(?!\S)"
)
#: What stands around one within an address or an assignment; and what goes on with a longer name.
_AROUND, _LONGER = frozenset("/:@=&?#~"), frozenset("-_+.")
#: What a memory has that may say the value of a secret.
_VALUE = re.compile(r"[\d=:\"\u00ab\u201e\u201c`]|\b(?:is|lautet|ist|est|es|\u00e9|\u00e8|jest|\u00e4r)\b")
_WHY, _HAS_IT = "it has a password or a key", "it has this code"
_ONLY_SPEAKS = "it has the words, and another memory a password or a key"


def credentials_in(text: str) -> list[Span]:
    """Where a text has a password, a token or a private key."""
    return [match.span() for match in _CREDENTIAL.finditer(text)]


def with_secrets(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Put in doubt what has a secret, where secrets are asked for; find one by its own string within an address."""
    strings = [match["string"] for match in _STRING.finditer(request.text)]
    asks = any(any_language("secrets").search(subject.text) for subject in request.subjects)
    having = set()
    for row in rows:
        if row.id in known and known[row.id].why in LEFT_ALONE:
            continue
        places = credentials_in(row.text) if asks else []
        own = [span for string in strings for span in _places(string, row.text)]
        if places:
            having.add(row.id)
        if own and not request.keeps and (row.id not in known or known[row.id].level is Level.NEAR):
            level = Level.DOUBTFUL if request.bounded or request.unsure else Level.SURE
            known[row.id] = _found(row, [_run(row.text, span) for span in own], level, _HAS_IT)
        elif places and row.id in known and any(map(Places(places).touch, known[row.id].keeps)):
            known[row.id] = replace(known[row.id], level=Level.DOUBTFUL, why=_WHY, keeps=())
        elif places and (row.id not in known or known[row.id].level is Level.NEAR):
            known[row.id] = _found(row, places, Level.DOUBTFUL, _WHY)
    for row in rows:
        finding = known.get(row.id)
        if having - {row.id} and finding and finding.level is Level.SURE and not _VALUE.search(row.text):
            known[row.id] = replace(finding, level=Level.DOUBTFUL, why=_ONLY_SPEAKS)


def _found(row: Row, places: Sequence[Span], level: Level, why: str) -> Finding:
    keeps, most = parted(row.text, places, facts=True)
    return Finding(id=row.id, level=min(level, most), why=why, keeps=keeps)


def _places(string: str, text: str) -> Iterator[Span]:
    """Where a string stands within something longer, with signs of an address or an assignment around it."""
    start = text.find(string)
    while start >= 0:
        end = start + len(string)
        before, behind = text[start - 1 : start], text[end : end + 1]
        longer = any(sign.isalnum() or sign in _LONGER for sign in (before, behind) if sign)
        if not longer and not _AROUND.isdisjoint((before, behind)):
            yield start, end
        start = text.find(string, end)


def _run(text: str, span: Span) -> Span:
    """All that is written together around it."""
    start, end = span
    while start and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end
