"""What somebody pastes into a message: who signed or sent it says what stands in it, and not who pasted it. Pure."""

from typing import NamedTuple

from precis import patterns as re
from precis.language import tables

_CAPITAL = r"(?-i:[A-Z\u00c0-\u00de\u0400-\u042f][^\W\d_][\w'\u2019-]*)"
_NAME = rf"{_CAPITAL}(?: (?:(?:de|van|der|den|von|di|da|la|le|el|ter|dos|do) )*{_CAPITAL}){{0,2}}"
#: What closes a mail, and behind it who signs.
_SIGNED = re.compile(
    rf"^[ \t]*(?:{tables.in_every_language('pasted.signs')})[ \t]*[,.!]?(?:[ \t]*\n+|[ \t]+)"
    rf"[ \t]*(?P<name>{_NAME})[ \t]*(?=[,\n]|$)"
    r"(?P<behind>[^\n]*(?:\n(?!\s*\n)[^\n]{1,60}){0,3})",
    re.IGNORECASE | re.MULTILINE,
)
_GREETED = re.compile(
    rf"^[ \t>]*(?:{tables.in_every_language('pasted.greets')})\b[^\n]{{0,60}}[,!:]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
#: Who pastes it opens so, in a line before it: "Here's what Saskia sent today:".
_LED = re.compile(r"^[^\n]{1,120}:[ \t]*\n", re.MULTILINE)
#: Who sent what follows: "Here is what Julia wrote:", with the name, or in scripts without capitals what stands there.
_SENT = [
    re.compile(rf"(?<!\w){pattern.replace('{name}', f'(?P<name>{sender})')}(?!\w)", re.IGNORECASE)
    for sender in (_NAME, f"(?:{tables.choices('pasted.whose.all')})")
    for language in tables.section("pasted.sent")
    for pattern in tables.phrases(f"pasted.sent.{language}")
]
_SENT_UNSPACED = [re.compile(pattern) for pattern in tables.section("pasted.sent_unspaced").values()]
#: A line that announces, and what it announces: between quotation marks, or on the next lines.
_OPENING, _CLOSING = '"\u201c\u201e\u00ab\u300c\u300e', '"\u201d\u201c\u00bb\u300d\u300f'
_ANNOUNCED = re.compile(
    rf"(?:(?<![^\n])|(?<=[.!?] )|(?<=[\u3002\uff01]))(?P<announces>[^\n{_OPENING}]{{2,120}}?)"
    r"\s*(?:[:\uff1a]\s*|[,.\uff0c\u3002]?[ \t]*\n\s*)"
    rf"(?:[{_OPENING}]\s*(?P<quoted>[^{_OPENING}]+?)\s*[{_CLOSING}]|\n\s*(?P<lines>\S.*))",
    re.DOTALL,
)
_MAY_QUOTE = re.compile(rf"[{_OPENING}]|[:\uff1a,.\uff0c\u3002]?[ \t]*\n")
#: A line of more words tells something of its own.
_ANNOUNCES = 12


class Part(NamedTuple):
    """A part of a message, and who says it."""

    speaker: str | None
    text: str
    #: Whether it says no more than who sent what follows.
    announces: bool = False


def parts_of_mail(text: str, speaker: str | None) -> tuple[Part, ...]:
    """The parts of a message: before a pasted mail, the mail without greeting and signature, and behind it.

    So of a message that a line before it says another sent. One part where nothing is pasted, or by whoever signed it.
    """
    return signed_parts(text, speaker) or _parts_of_message(text, speaker) or (Part(speaker, text),)


def signed_parts(text: str, speaker: str | None) -> tuple[Part, ...]:
    """The same where somebody signed a mail; nothing where nobody did."""
    whole = (Part(speaker, text),)
    signed = _SIGNED.search(text) if "\n" in text else None
    if signed is None:
        return ()
    if _is_own(signed["name"], speaker):
        return whole
    greeted = _GREETED.search(text, 0, signed.start())
    led = _LED.match(text)
    start = greeted.start() if greeted else led.end() if led else 0
    mail = text[greeted.end() if greeted else start : signed.start()].strip()
    if not mail:
        return whole
    name = " ".join(signed["name"].split())
    around = (
        Part(speaker, text[:start].strip()),
        Part(_label(name, speaker), mail),
        Part(speaker, text[signed.end() :].strip()),
    )
    return tuple(part for part in around if part.text)


def _parts_of_message(text: str, speaker: str | None) -> tuple[Part, ...]:
    """The parts of a message in which another is quoted whom the line before names: "Here is what Julia wrote:"."""
    announced = _ANNOUNCED.search(text) if _MAY_QUOTE.search(text) else None
    if announced is None:
        return ()
    line = announced["announces"].strip()
    name = _sender_in(line)
    quoted = announced["quoted"] or announced["lines"]
    if name is None or _is_own(name, speaker):
        return ()
    before = text[: announced.start()].strip()
    around = (
        Part(speaker, before),
        Part(speaker, line, announces=len(line.split()) <= _ANNOUNCES),
        Part(_label(name, speaker), quoted.strip(f" \t\n{_OPENING}{_CLOSING}")),
        Part(speaker, text[announced.end() :].strip().lstrip(".\u3002 ")),
    )
    return tuple(part for part in around if part.text)


def _sender_in(line: str) -> str | None:
    """Who is said to have sent what follows; None where a line announces no message."""
    matches = (pattern.search(line) for pattern in (*_SENT, *_SENT_UNSPACED))
    match = next((each for each in matches if each), None)
    return " ".join(match["name"].split()) if match else None


def labels_in(text: str, speaker: str | None) -> tuple[str, ...]:
    """Who else is told to say a part of a message: a name may stand in that in another form."""
    return tuple(part.speaker for part in parts_of_mail(text, speaker) if part.speaker and part.speaker != speaker)


def _label(name: str, speaker: str | None) -> str:
    return f"{speaker}, quoting {name}" if speaker else name


def _is_own(name: str, speaker: str | None) -> bool:
    return speaker is not None and not set(name.casefold().split()).isdisjoint(speaker.casefold().split())
