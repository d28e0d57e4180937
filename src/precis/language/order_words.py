"""The words by which an order to a language model is known, by what they do in it; they lie in ``orders.toml``.

Hardly any of them is an order by itself: people forget everything else, answer only by mail and send passwords. Which
two together are one stands in ``orders.py``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from enum import StrEnum
from importlib.resources import files

#: What a language model is called.
MACHINE = (
    r"(?:ais?|a\.i\.|llms?|gpt|chatgpt|(?:(?:large |ai )?language )?models?|(?:ai )?assistants?|chat ?bots?|bots?|"
    r"(?:ai )?agents?|summari[sz]ers?|compactors?|condensers?|machine"
    r"|summar(?:y|i[sz]ation|i[sz]ing) (?:ai|bot|engine|model|tool))"
)
_MODAL = r"(?:must|should|shall|will|needs? to|ha(?:ve|s) to|is to|are to|is required to|are required to)"
#: What stands before an English verb in its plain form where it is an order: the beginning of a clause, or a subject.
_BEFORE = re.compile(
    r"(?:^|[^\w\s]\s*|\b(?:please|kindly|now|just|simply|then|also|so|instead|and|but|first|immediately)\s+"
    rf"|\b(?:you\s+|{MACHINE}\b[^.!?]{{0,30}}\s|(?:summary|output|statement|answer|reply|response|line)s?\b[^.!?]{{0,20}}\s)"
    rf"{_MODAL}\s+)(?:(?:now|always|just|please|simply|immediately|also|then)\s+)*$"
)
#: As much of a text as that can be, in characters.
_BEFORE_CHARS = 80
_IMPERATIVE = "{IMPERATIVE}"
#: Of the letters and marks; more letters, and punctuation, follow far behind.
_LAST_LATIN = "\u036f"


class Cue(StrEnum):
    """What a phrase does in an order."""

    #: Is an order by itself.
    ALONE = "alone"
    #: Sets aside what else there is: "drop everything else".
    OVERRIDE = "override"
    #: Names words to be written: "reply with".
    WRITE = "write"
    #: Tells to say or write, with nothing that marks the words.
    SAY = "say"
    #: Speaks to a machine: "model," or "every agent must".
    ADDRESS = "address"
    #: Speaks of the machine's work: "in your summary".
    WORK = "work"
    #: Hands over what is secret or dear: "send the passwords".
    HAND_OVER = "hand_over"
    #: Speaks of whom the machine works for as somebody else: "the user's".
    USER = "user"
    #: Says where to: an address.
    TARGET = "target"
    #: Gives the machine another part to play.
    ROLE = "role"
    #: Runs or loads something where it is shown.
    MARKUP = "markup"


class Phrases:
    """The phrases of one cue. Imperatives are looked for first, and then what stands before them."""

    def __init__(self, patterns: Sequence[str]) -> None:
        imperatives = [one.removeprefix(_IMPERATIVE) for one in patterns if one.startswith(_IMPERATIVE)]
        others = [one for one in patterns if not one.startswith(_IMPERATIVE)]
        self._imperatives = re.compile(rf"(?<!\w)(?:{'|'.join(imperatives)})") if imperatives else None
        self._plain = _either([one for one in others if is_latin(one)])
        self._others = _either([one for one in others if not is_latin(one)])

    def is_in(self, text: str) -> bool:
        """Whether one of them is in a text, which is case-folded."""
        return self.end_in(text) is not None

    def end_in(self, text: str) -> int | None:
        """Where the first of them ends; None where there is none."""
        found = [self._ordered(text), self._plain.search(text) if self._plain else None]
        if self._others and not text.isascii():
            found.append(self._others.search(text))
        return min((one.end() for one in found if one is not None), default=None)

    def _ordered(self, text: str) -> re.Match[str] | None:
        phrase = self._imperatives.search(text) if self._imperatives else None
        while phrase is not None and self._imperatives is not None:
            if _BEFORE.search(text[max(0, phrase.start() - _BEFORE_CHARS) : phrase.start()]):
                return phrase
            phrase = self._imperatives.search(text, phrase.start() + 1)
        return None


def is_latin(pattern: str) -> bool:
    """Whether text in Latin letters may fit a pattern."""
    return all(character <= _LAST_LATIN or "\u1e00" <= character <= "\u206f" for character in pattern)


def _either(patterns: Sequence[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(patterns)) if patterns else None


def _read() -> dict[Cue, Phrases]:
    table = tomllib.loads((files("precis.language") / "en" / "orders.toml").read_text(encoding="utf-8"))
    names = {"{MACHINE}": MACHINE, "{MODAL}": _MODAL}
    for pattern, meaning in names.items():
        for cue in table.values():
            cue["patterns"] = [one.replace(pattern, meaning) for one in cue["patterns"]]
    return {cue: Phrases(table[cue]["patterns"]) for cue in Cue}


_CUES = _read()
#: One of these is in every order; of the others, that is not looked for before.
FIRST = {
    cue: _CUES[cue] for cue in (Cue.ALONE, Cue.OVERRIDE, Cue.ADDRESS, Cue.WORK, Cue.HAND_OVER, Cue.ROLE, Cue.MARKUP)
}
SECOND = {cue: phrases for cue, phrases in _CUES.items() if cue not in FIRST}
