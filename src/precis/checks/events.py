"""Whether a sentence tells what changes somebody's life: a birth, an illness, a move, a job, a change of plans."""

from precis import patterns as re
from precis.language import tables
from precis.language.newest.taken_back import jokes_in
from precis.language.sentences import is_question, sentences
from precis.language.words import MARKS, kept

_ANY, _UNSPACED = tables.in_every_language("events.changes"), tables.in_every_language("events.changes_unspaced")
_CHANGES = re.compile(rf"(?<![\w{MARKS}])(?:{_ANY})(?![\w{MARKS}])|{_UNSPACED}", re.IGNORECASE)


@kept
def changes_a_life(text: str) -> bool:
    """Whether one of its sentences does, and neither asks nor jokes."""
    parts = sentences(text)
    return any(
        _CHANGES.search(part) is not None and not is_question(part) and not joke
        for part, joke in zip(parts, jokes_in(parts), strict=True)
    )
