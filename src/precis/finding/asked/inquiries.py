"""A question that asks for nothing to be forgotten: "What did I say about Tomasz?"."""

import re

from precis.finding.framing import sorts_of
from precis.finding.tables import framed_languages
from precis.finding.wording import FORGETS

_ASKED = re.compile(r"[?\uff1f\u061f]\s*[\"'\u201d\u00bb)]*\s*$")
#: Words that ask for something to be forgotten, or kept from being known.
_FORGETTING = frozenset({"forgets", "denies", "judges", "stores", "keeps"})


def only_inquires(text: str, language: str) -> bool:
    """Whether a text is a question that has no word by which anything is forgotten, in its language or in English."""
    if _ASKED.search(text) is None or FORGETS.search(text):
        return False
    spoken = {language, "en"} & {*framed_languages()}
    return not any(_FORGETTING.intersection(sorts_of(text, each)) for each in spoken)
