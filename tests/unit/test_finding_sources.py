"""Where a request says that something comes from, what is called exactly, what was moved, and what is quoted."""

from __future__ import annotations

from datetime import timedelta

import pytest

from finding_levels import NOW
from precis.finding.finder import find
from precis.finding.grounded.requests import grounded
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level, Row


def _row(text: str, session: str | None = None, origin: str = "", speaker: str | None = None) -> Row:
    origins = frozenset({origin}) if origin else frozenset[str]()
    return Row(
        id=text, text=text, created_at=NOW - timedelta(days=3), session_id=session, origins=origins, speaker=speaker
    )


def _sure(ask: str, *rows: Row) -> list[str]:
    """What surely goes."""
    request = read_request(ask, NOW.date())
    if request.empty:
        read = grounded(ask, request, rows)
        request = read[0] if read else request
    return [finding.id for finding in find(request, rows).of(Level.SURE)]


@pytest.mark.parametrize(
    ("ask", "session", "origin", "speaker"),
    [
        ("Forget everything that came from the ERP.", None, "erp", None),
        ("Delete what you read in my e-mails.", None, "email", None),
        ("Forget the contents of file plan.docx.", None, "plan.docx", None),
        ("Forget everything the agent billing-bot told you.", None, "billing-bot", None),
        ("Forget what the thermostat sent.", None, "thermostat", None),
        ("Forget everything that was imported.", None, "imported", None),
        ("Delete what my husband told you about me.", None, "", "husband"),
        ("Forget everything Lotte told you.", None, "", "Lotte"),
        ("Erase the chat session welcome", "welcome", "", None),
        ('Delete the conversation "holiday plans".', "holiday-plans", "", None),
        ("Vergiss alles, was aus dem CRM kam.", None, "crm", None),
    ],
)
def test_a_source_is_what_a_memory_has_as_one(ask: str, session: str | None, origin: str, speaker: str | None) -> None:
    """Its words find nothing else then."""
    meant = _row("User's tier is silver.", session, origin, speaker)
    others = [
        _row("User answers e-mails at night.", "work"),
        _row("User's husband imports wine for Lotte.", None, "chat"),
    ]
    assert [meant.id] == _sure(ask, meant, *others)


def test_what_is_excepted_is_no_source() -> None:
    """Nor is what is asked for of a session all of it."""
    kept, other = _row("User ships on Friday.", "work"), _row("User plays darts.", "fun")
    assert [] == _sure("Forget every session but session work.", kept, other)
    assert [] == _sure("Remove what I said in session work about the will.", kept, other)


@pytest.mark.parametrize(
    ("ask", "meant", "beside"),
    [
        ("Forget MAC address aa:bb:cc:dd:ee:ff.", "The list has aa-bb-cc-dd-ee-ff.", "The list has aa-bb-cc-dd-ee-fe."),
        ("Forget the MAC 0011.2233.aabb", "Port 4: 00:11:22:33:AA:BB", "Port 5: 00:11:22:33:AA:BC"),
        ("Delete the domain a.kolbe.test", "Docs lie on A.kolbe.test/wiki.", "The shop is at b.kolbe.test."),
        ("Please forget my user name mrossi.", "User's login is mrossi at the portal.", "The bot runs as svc-mrossi."),
        ("Forget server ap-3.", "Server ap-3 has the IP 10.9.0.3.", "Server ap-3-spare has the IP 10.9.0.33."),
        ("Remove 'not available on Mondays' for this user.", "User is not available on Mondays.", "User has yoga."),
    ],
)
def test_what_is_called_exactly_is_sure_and_nothing_beside_it(ask: str, meant: str, beside: str) -> None:
    """In every spelling, and never by a shared beginning."""
    assert [meant] == _sure(ask, _row(meant), _row(beside))


def test_what_was_moved_is_the_value_of_now() -> None:
    """It has the words, and the older one has not."""
    rows = [
        Row(id=text, text=text, created_at=NOW - timedelta(days=9 - at))
        for at, text in enumerate(
            ("The proposal is due on 4 March.", "The deadline of the proposal was extended to 9 April.")
        )
    ]
    assert rows[1].id not in [
        it.id for it in find(read_request("Forget my old deadline of the proposal.", NOW.date()), rows).of(Level.SURE)
    ]


@pytest.mark.parametrize(
    ("ask", "text", "rest"),
    [
        ("Forget the code of the safe.", "The safe is from Burton and its code is 4471.", "The safe is from Burton."),
        ("Forget my son's school.", "User's son Emil attends Rosenberg and paints.", "User's son Emil paints."),
    ],
)  # fmt: skip
def test_a_second_fact_stays(ask: str, text: str, rest: str) -> None:
    """What was asked for goes without it."""
    found = find(read_request(ask, NOW.date()), [_row(text)]).of(Level.SURE)
    assert [rest] == [written(text, finding.keeps) for finding in found]


def test_years_in_a_text_are_read() -> None:
    """What was from one year to another is of a time that has both."""
    early, late = _row("User lived in Genoa from 2003 to 2009."), _row("User lived in Turin from 2012 to 2015.")
    assert [late.id] == _sure("Forget where I lived after 2010.", early, late)
    assert [early.id] == _sure("Forget where I lived before 2010.", early, late)


def test_a_quarter_is_no_name() -> None:
    """What has nothing else of what was asked for does not go by it."""
    assert [] == _sure("Forget which branch I was at in Q3.", _row("The Q3 budget was 9000 euros."))
