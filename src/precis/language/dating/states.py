"""Whether a clause says what holds, so that it may be said "as of" a day; of what happened the day is when. Pure."""

import re
from collections.abc import Sequence

from precis.language import tables
from precis.language.chitchat import MOODS
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS
from precis.language.words import stem

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
#: Words of what was, or will be: neither holds on the day on which it is said.
_OTHER_TIMES = frozenset(tables.words("tenses.past_aids")) - {"got"} | frozenset(tables.words("tenses.other_aids"))
_IS, _HAS, _HELPS = (frozenset(tables.words(f"tenses.{name}")) for name in ("is_now", "has_now", "helps_now"))
_SUBJECTS = frozenset("i we you they who".split())
_ADVERBS = frozenset(tables.words("tenses.adverbs")) | {"no", "longer"}
_NOW = re.compile(
    r"\b(?:now|nowadays|these days|currently|from now on|no longer|any ?more|at present|as of now)\b", re.IGNORECASE
)
#: "I get to ...", "is going to", "is to be".
_TO = frozenset({"get", "gets", "going", "about", "due"})


def is_state(clause: str) -> bool:
    """Whether its first verb is present and no step of something: "We live in Oslo now", "the office is closed".

    For English; in doubt it is none.
    """
    tokens = [word.lower().replace("\u2019", "'") for word in _WORD.findall(clause)]
    for at, token in enumerate(tokens):
        behind = [word for word in tokens[at + 1 :] if word not in _ADVERBS and not word.endswith("ly")]
        holds = _holds(token, tokens[:at], behind, now=_NOW.search(clause) is not None)
        if holds is not None:
            return holds
    return _NOW.search(clause) is not None


def _holds(token: str, before: Sequence[str], behind: Sequence[str], *, now: bool) -> bool | None:
    """Whether a verb says what holds; None for any other word."""
    follows = behind[0] if behind else ""
    holds: bool | None = None
    if token in _OTHER_TIMES or token.endswith(("'ll", "'d")):
        holds = False
    elif token in _HAS:
        holds = not _kinds(follows) & {"past", "participle"}
    elif token in _IS:
        goes_on = _kinds(follows) == {"ing"}
        holds = follows not in _TO and (now if goes_on else stem(follows) not in MOODS)
    elif token in _HELPS:
        holds = True
    elif before and before[-1] in _ADVERBS and token not in _ADVERBS:
        holds = _holds(token, before[:-1], behind, now=now)
    else:
        holds = _verb(token, before[-1] if before else "", follows)
    return holds


def _verb(token: str, before: str, follows: str) -> bool | None:
    kinds = _kinds(token)
    if "past" in kinds and "base" not in kinds:
        return False
    if token in _TO and follows == "to":
        return False
    if kinds == {"third"} and before and before not in _SUBJECTS:
        return True
    if "base" in kinds and before in _SUBJECTS:
        return "past" not in kinds
    return None


def _kinds(word: str) -> frozenset[str]:
    form = FORMS.get(word) or AMBIGUOUS_FORMS.get(word)
    return form.kinds if form is not None else frozenset()
