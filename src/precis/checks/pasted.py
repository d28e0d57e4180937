"""A mail that somebody pastes into a message: who signed it says what stands in it, and not who pasted it. Pure."""

import re
from typing import NamedTuple

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


class Part(NamedTuple):
    """A part of a message, and who says it."""

    speaker: str | None
    text: str


def parts_of_mail(text: str, speaker: str | None) -> tuple[Part, ...]:
    """The parts of a message: before a pasted mail, the mail without greeting and signature, and behind it.

    One part where no mail is pasted, or whoever speaks signed it.
    """
    whole = (Part(speaker, text),)
    signed = _SIGNED.search(text) if "\n" in text else None
    if signed is None or _is_own(signed["name"], speaker):
        return whole
    greeted = _GREETED.search(text, 0, signed.start())
    led = _LED.match(text)
    start = greeted.start() if greeted else led.end() if led else 0
    mail = text[greeted.end() if greeted else start : signed.start()].strip()
    if not mail:
        return whole
    name = " ".join(signed["name"].split())
    label = f"{speaker}, quoting {name}" if speaker else name
    around = (Part(speaker, text[:start].strip()), Part(label, mail), Part(speaker, text[signed.end() :].strip()))
    return tuple(part for part in around if part.text)


def _is_own(name: str, speaker: str | None) -> bool:
    return speaker is not None and not set(name.casefold().split()).isdisjoint(speaker.casefold().split())
