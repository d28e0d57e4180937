"""What titles name besides what comes back: codes, compounds, ties, and what one statement tells."""

from __future__ import annotations

import pytest

from precis.engine.titles.title import title_of
from precis.summary import Statement


def title(*texts: str) -> str | None:
    """The title of these statements."""
    return title_of([Statement(text=text, importance=0.5, source_ids=("m",)) for text in texts])


@pytest.mark.parametrize(
    ("named", "texts"),
    [
        ("Batch B-17", ("We opened batch B-17.", "Batch B-17 is bad.", "They threw out batch B-17.")),
        ("Ola: swimming lessons", (
            "Ola: My kids start swimming lessons.", "Ola: We drove to swimming lessons.", "Ola: My kids dive.",
        )),
        ("Node 7", ("It fails on node 7.", "Node 7 has a bad disk and I ordered it.", "I replaced it on Monday.")),
        ("Quay switch", ("The quay switch is late.", "They will switch to it.", "The quay switch broke.")),
        ("Recall", ("Recall is too low.", "We try again.", "Retrained: Recall 0.90, and it is good.")),
        ("Ola's roof", ("Ola: The crew sign it.", "Ola: The crew sign it, my roof is old.", "Ola: My roof!")),
        ("Harlow plan", ("I quoted the Harlow plan at 41.", "She signed for the Harlow plan.", "Then it rained.")),
        ("Ola: cask", ("Ola: The new cask/tub thing leaks.", "Ola: I sold the cask.", "Ola: Another cask!")),
    ],
)  # fmt: skip
def test_a_title_has_whole_codes_and_compounds(named: str, texts: tuple[str, ...]) -> None:
    """No part of a code or of words with a stroke, and with a noun what says of what kind it is."""
    assert title(*texts) == named


def test_no_code_of_a_secret_is_a_title() -> None:
    """Beside "code" or "password" a code names nothing, and neither does the number of a PIN."""
    secret = title("The gate code is GX-44 now.", "I told her that the code GX-44 is new.", "She wrote GX-44 down.")
    assert "GX" not in (secret or "")
    assert "4417" not in (title("My pin 4417 is new.", "The pin 4417 works.", "The pin is in use.") or "")


@pytest.mark.parametrize(
    ("named", "texts"),
    [
        ("Plumber Mr Oduya", ("Our plumber, Mr Oduya, came.", "Mr Oduya fixed it.", "I paid Mr Oduya.")),
        ("Guest sign-in with Kestrel", (
            "She asked for a guest sign-in with Kestrel.", "He cannot sign up for Kestrel.", "Kestrel has no sign.",
        )),
        ("Kestrel Garden Supplies", (
            "She left Kestrel.", "It is at Kestrel that he is.", "She is at Kestrel Garden Supplies.",
        )),
    ],
)  # fmt: skip
def test_a_name_stands_with_who_that_is_and_what_is_tied_to_it(named: str, texts: tuple[str, ...]) -> None:
    """One person is no two, and what stands with or for a name is what it is about."""
    assert title(*texts) == named


@pytest.mark.parametrize(
    ("named", "texts"),
    [
        ("Ola's boat: harbor fee", ("Ola: I paint my boat.", "Ola: I paid the harbor fee.", "Ola: My boat sank.")),
        ("Ola's boat and garden", ("Ola: I love my boat and my garden.", "Ola: My garden grows.", "Ola: My boat.")),
        (
            "Ola: camping",
            ("Ola: My kids went camping.", "Ola: The kids are tired.", "Ola: We go camping with them."),
        ),
        ("Ola: Lisbon and more", ("Ola: I'd rather be in Lisbon.", "Ola: I was late.", "Ola: It rained.")),
        ("Ola", ("Ola: I like Mrs Roe.", "Ola: And Mrs Lund came.", "Ola: It rained.")),
        ("Ola: trial week and more", ("Ola: I began my trial week.", "Ola: I was late.", "Ola: It rained.")),
        (
            "Ola: Silent Orchard and more",
            ('Ola: I read "Silent Orchard" twice.', "Ola: I was late.", "Ola: It rained."),
        ),
        ("Ola", ("Ola: I was away once.", "Ola: Rome wasn't built in a day so go on!", "Ola: It rained.")),
        (
            "Ola: vegetarian, married and more",
            ("Ola: I'm 34.", "Ola: I'm vegetarian since May.", "Ola: I am married."),
        ),
        ("Ola: Greek and more", ("Ola: I speak Greek.", "Ola: I run every morning.", "Ola: Hey Kit, no!")),
        ("Ola: Blue Heron and more", ('Ola: I watched "Blue Heron"', "Ola: I was late.", "Ola: It rained.")),
        ("Ola: ice cream and more", ("Ola: No ice cream for me.", "Ola: I was late.", "Ola: We shape it.")),
        ("Ola", ("Ola: Aww Kit, bummer.", "Ola: Sorry, Kit!", "Ola: I'm sure of it.")),
        ("Ola: glazing kiln", ("Ola: I sold the glazing kiln.", "Ola: A glazing kiln is hot.", "Pia: Nice!")),
    ],
)
def test_what_is_somebodys_own_stands_beside_what_is_told(named: str, texts: tuple[str, ...]) -> None:
    """So that several titles of one user differ; kin, proverbs and who says next to nothing are no subject."""
    assert title(*texts) == named
