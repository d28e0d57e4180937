"""What is said for the moment and is no fact: how somebody is right now."""

import re

from precis.language import tables
from precis.language.dating.tense import cues_of
from precis.language.grammar import FORMS
from precis.language.vocabulary import SPOKEN_LEAD
from precis.language.words import words

_STATE = re.compile(
    rf"{SPOKEN_LEAD}(?:(?:I|[Ww]e)(?:['\u2019](?:m|re)| am| are| was| were)|(?:[A-Z][^\W\d_]+)(?:['\u2019]s| is| was))"
    r"(?: (?:still|just|so|really|very|already|all|too|quite|totally|completely|almost|now|never|\w+ly))*"
    r" (?P<state>[a-z]+)(?: (?:now|again|today|then|too|already))?\W*"
)
_SUBJECTLESS = frozenset(tables.words("told_of.subjectless"))
_MOMENTS, _STANDING = (frozenset(tables.words(f"told_of.{name}")) for name in ("moments", "standing"))
_CHOSEN = {name: tables.choices(f"told_of.{name}") for name in ("figures", "stuffs", "blamed", "roles", "trifles")}
#: What ends a sentence beside what it tells.
_END = r"(?:,? (?:I know|me|lol|really|today|now|again|tonight|first|then))*\W*"
#: "I am a ghost", "I'm such a bad daughter", "my arms are lead".
_FIGURE = re.compile(
    rf"(?:.*\W)?I(?:['\u2019]m| am| was)(?: \w+){{0,2}}? (?:an?|the) (?:(?:\w+ )?(?:{_CHOSEN['figures']})"
    rf"|(?:{_CHOSEN['blamed']}) (?:{_CHOSEN['roles']})){_END}"
    rf"|(?:.*\W)?[Mm]y \w+ (?:is|are|feels?|was|were) (?:\w+ )?(?:{_CHOSEN['stuffs']}){_END}",
    re.IGNORECASE,
)
#: "I had a sandwich", "my mum got a text", "I'll do the dishes": over with the hour.
_TRIFLE = re.compile(
    rf"\W*(?:I|[Mm]y \w+) (?:just )?(?:had|got) (?:an?|my|some|the)(?: \w+){{0,3}}? (?:{_CHOSEN['trifles']})\b[^\d]*"
    rf"|\W*I(?:['\u2019]ll| will) do (?:the|that|my) \w+\W*",
    re.IGNORECASE,
)
#: Where somebody or something is, without a verb: "in my laundry basket", "home, on the sofa".
_PLACED = re.compile(
    r"\W*(?:(?:home|back|still|just|here)\W+)*(?:in|on|at|under|behind|inside|by|near|between)\b", re.IGNORECASE
)


def is_figure_or_trifle(sentence: str) -> bool:
    """Whether it only says what somebody is like, had for an hour or may do at once, or where, without a verb."""
    if _FIGURE.fullmatch(sentence) or _TRIFLE.fullmatch(sentence):
        return True
    return _PLACED.match(sentence) is not None and not any(cues_of(sentence)) and not any(map(str.isdigit, sentence))


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
