"""A new value of what several people have together counts, whoever tells it; what is somebody's own stays theirs."""

from __future__ import annotations

import pytest

from precis.extractive.summarizer import summarize
from precis.language.newest.timeline import leaves_nothing_of, overruled
from precis.language.reading import Line, read
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.trust import Voice

REPLACED = [
    ("The garage code is 4471.", "The code of the garage is 1212 now."),
    ("The garage code is 4471.", "The new garage code is 9026."),
    ("The wifi password is otter-88.", "The wifi password was changed to badger-12."),
    ("The rent of our flat is 900 euros.", "The rent of our flat went up to 950 euros."),
    ("Our release date is May 4.", "The release date was moved to May 18."),
]
STAND = [
    ("My rent is 900 euros.", "My rent is now 950 euros."),
    ("Our rent is 900 euros.", "My rent is now 950 euros."),
    ("The garage code is 4471.", "The garage code is 1212."),
    ("The garage code is 4471.", "The cellar code is 1212 now."),
    ("Nilo's salary is 3,000 euros.", "The salary is now 3,400 euros."),
    ("The phone number is 555-2231.", "The phone number is now 555-9084."),
    ("The password is otter.", "The password is badger now."),
    ("The test result is 5 points.", "The test result is 3 points now."),
    ("The front door code is 1234.", "The back door code is 4321 now."),
    ("Our dog is called Rex.", "Our new dog is called Max."),
    ("Our appointment is on Monday.", "Our appointment was moved to Friday."),
]


def _line(speaker: str | None, text: str, voice: Voice = Voice.VOUCHED) -> Line:
    return Line(text=text, speaker=speaker, voice=voice)


@pytest.mark.parametrize(("older", "newer"), REPLACED)
@pytest.mark.parametrize("speakers", [("Liz", "Tom"), ("Liz", None), (None, "Tom")])
def test_anybody_tells_of_the_new_value(older: str, newer: str, speakers: tuple[str | None, str | None]) -> None:
    """It replaces the older one, and not the other way around."""
    old, new = (read(_line(who, text)) for who, text in zip(speakers, (older, newer), strict=True))
    assert leaves_nothing_of(old, new)


@pytest.mark.parametrize(("older", "newer"), STAND)
def test_what_may_be_somebodys_own_stands(older: str, newer: str) -> None:
    """So does what nobody calls new."""
    assert not overruled([_line("Liz", older), _line("Tom", newer)])


def test_what_a_tool_says_replaces_nobodys_word() -> None:
    """A person's new value replaces what a document said."""
    said, now = "The alarm code is 7788.", "The alarm code is 9900 now."
    assert not overruled([_line("Liz", said), _line("tool", now, Voice.RELAYED)])
    assert overruled([_line("tool", said, Voice.RELAYED), _line("Liz", now)])


def test_a_summary_of_several_who_speak_tells_the_new_value_alone() -> None:
    """Three codes of three people are one."""
    texts = [("Liz", "The garage code is 4471."), ("Juno", "The new garage code is 9026."), ("Tom", REPLACED[0][1])]
    items = tuple(Item(text=text, source_ids=(who,), created_at=None, speaker=who) for who, text in texts)
    draft = summarize(Request(items=items, max_tokens=200, prompt=""), count)
    assert "1212" in draft.statements[0].text
    assert not any(code in statement.text for statement in draft.statements for code in ("4471", "9026"))
