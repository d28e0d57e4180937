"""Whether a request asks for what is not the user's: "other people's illnesses", "la sant\u00e9 des autres"."""

import re

from precis.finding.tables import languages, patterns
from precis.finding.values import Level, Match


def asks_for_others(what: str) -> bool:
    """Whether it says that what it asks for is everybody's but the user's."""
    return any(
        re.search(rf"(?<!\w)(?:{pattern})(?!\w)", what, re.IGNORECASE)
        for language in languages()
        for pattern in patterns(language, "other_people")
    )


def of_another(owner: Match) -> Match:
    """Whether it is of somebody else, where ``owner`` says whether it is the user's."""
    if owner.level is Level.SURE:
        return Match(level=Level.NEAR, why="it is the user's own")
    if owner.level is Level.NEAR:
        return Match(level=Level.SURE, why="it is somebody else's")
    return owner
