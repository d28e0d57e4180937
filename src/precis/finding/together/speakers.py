"""Which of those who speak in the memories is the user, whom no field names."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence

from precis.finding.reading import folded
from precis.finding.together.pronouns import MACHINES
from precis.finding.values import Level, Match, Row
from precis.finding.written.forms import same_word

#: What a name is followed by in an identifier of a user: "polina_7".
_BEHIND = re.compile(r"[\W_]*\d*$")


def users_among(rows: Sequence[Row], own_names: Collection[str]) -> frozenset[str]:
    """The speakers, folded, who are the user; none where that may be several.

    It is who has the name of the user, perhaps in another script; else who alone speaks with a machine; else who alone
    speaks in each of several talks with several others.
    """
    talks: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.speaker and row.session_id:
            talks[row.session_id].add(folded(row.speaker))
    speakers = {folded(row.speaker) for row in rows if row.speaker} - MACHINES
    own = {_BEHIND.sub("", name) for name in own_names} - {""}
    named = {who for who in speakers if who in own_names or any(_is_same(name, who) for name in own)}
    if named or len(speakers) < 2:
        return frozenset(named)
    asking = [frozenset(talk - MACHINES) for talk in talks.values() if talk & MACHINES and talk - MACHINES]
    if asking:
        return asking[0] if len(set(asking)) == 1 and len(asking[0]) == 1 else frozenset()
    people = [frozenset(talk) for talk in talks.values()]
    always = frozenset.intersection(*people) if len(set(people)) > 1 else frozenset[str]()
    return always if len(always) == 1 else frozenset()


def _is_same(name: str, speaker: str) -> bool:
    return name == speaker or (name.isascii() != speaker.isascii() and same_word(name, speaker))


def said_by_user(row: Row, own: Collection[str], *, several: bool) -> Match:
    """Whether the user said it: in doubt where another may be the user, of whom ``own`` has the known names."""
    who = folded(row.speaker) if row.speaker else ""
    if not who or who in own or (not several and who not in MACHINES):
        return Match(level=Level.SURE, why="the user said it")
    if who in MACHINES or own:
        return Match(level=Level.NO, why="somebody else said it")
    return Match(level=Level.DOUBTFUL, why="somebody else may have said it")
