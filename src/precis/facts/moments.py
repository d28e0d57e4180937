"""What is said for the moment and is no fact: how somebody is right now."""

import re

from precis.language import tables
from precis.language.grammar import FORMS
from precis.language.words import words

_LEAD = r"\W*(?:(?:and|but|so|ok|okay|hey|oh|wow|well|also|no|yes|fine|right)\b\W*)*"
_STATE = re.compile(
    rf"{_LEAD}(?:(?:I|[Ww]e)(?:['\u2019](?:m|re)| am| are| was| were)|(?:[A-Z][^\W\d_]+)(?:['\u2019]s| is| was))"
    r"(?: (?:still|just|so|really|very|already|all|too|quite|totally|completely|almost|now|never|\w+ly))*"
    r" (?P<state>[a-z]+)(?: (?:now|again|today|then|too|already))?\W*"
)
_SUBJECTLESS = frozenset(tables.words("told_of.subjectless"))
_MOMENTS, _STANDING = (frozenset(tables.words(f"told_of.{name}")) for name in ("moments", "standing"))


def is_of_a_moment(sentence: str) -> bool:
    """Whether all it says is how somebody is right now: "I'm still speechless", "fine, I'm outvoted"."""
    match = _STATE.fullmatch(sentence)
    if match is None:
        return False
    state = match["state"]
    return state in _MOMENTS or (state.endswith("ed") and state not in _STANDING)


def leaves_subject_out(sentence: str) -> bool:
    """Whether it opens on what somebody or something does that stands elsewhere: "Depends on my back."."""
    opening, *behind = list(words(sentence))[:2] or [""]
    form = FORMS.get(opening)
    if form is None or form.kinds != {"third"} or not behind:
        return opening in _SUBJECTLESS and bool(behind)
    return behind[0] not in {"is", "are", "was", "were", "for", "of", "and", "or"}
