"""What is looked for after a forget is found in every case, and an identifier however it is set apart."""

from __future__ import annotations

import pytest

from precis.store.forgotten.needles import Needle, folded


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("izmir", "Umut lives in \u0130zmir."),
        ("\u0130ZM\u0130R", "we met in izmir"),
        ("Diyarbak\u0131r", "DIYARBAKIR by night"),
        ("stra\u00dfe", "HAUPTSTRASSE 4"),
        ("+447700900456", "Call me on +44 7700 900456 after six."),
        ("07700 900 456", "Call me on +44 (0)7700-900456."),
        ("GB29NWBK60161331926819", "The account is GB29 NWBK 6016 1331 9268 19."),
        ("qq123456c", "Number QQ 12 34 56 C"),
        ("QXB417", "Das Kennzeichen: Q-XB 417."),
        ("q-xb 417", "plate QXB417"),
        ("plate GHT 204", "plate: G-HT/204"),
        ("A50623", "\u8ba2\u5355A-506 23\u3002"),
        ("VL:22:AB", "vl22ab"),
        ("\u041f\u0410441", "\u043f\u0430-441"),
        ("OKE\u2011219", "OKE219"),
        ("ABCDEFGH", "key ABCD-EFGH is"),
        ("Jean-Luc", "Jean Luc came"),
        ("4471", "ticket IMP 44 71"),
    ],
)
def test_what_stands_there_is_found(word: str, text: str) -> None:
    """Nobody may take a search for a proof that missed another spelling."""
    assert Needle(word).stands_in(folded(text))


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("+447700900456", "Call me on +44 7700 900457."),
        ("4471", "ticket IMP 144 71"),
        ("AB12", "lab 12"),
        ("A1", "index a 100"),
        ("118", "it is 11.8 degrees"),
        ("QXB417", "Q-XB 4170"),
        ("izmir", "Izmit is not far."),
        ("Anna 12345 likes", "Annabel: 1234 5 likes it"),
    ],
)
def test_what_does_not_stand_there_is_not(word: str, text: str) -> None:
    """A code ends where its signs end."""
    assert not Needle(word).stands_in(folded(text))
