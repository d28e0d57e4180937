"""Whether a clause tells of what was or of what will be, as far as its verbs show it.

The verb that a phrase for a time hangs on is mostly the nearest one before it, in its clause: "Ben called on Friday
that he moves in June" has one for each. Where the verbs leave it open, nothing is known: a date that is not told is
better than a wrong one.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS, Form
from precis.language.words import kept_where_short


class Tense(StrEnum):
    """When something is that is told."""

    PAST = "past"
    FUTURE = "future"
    UNKNOWN = "unknown"


#: By those of the second something is set for a day to come, also where they are past.
_FUTURE, _SET, _DOUBT = (
    re.compile(rf"\b(?:{tables.choices(f'tenses.{name}')})\b", re.IGNORECASE) for name in ("future", "set", "doubt")
)
#: "Tickets for the game on Saturday": the day may be that of the game.
_THING = re.compile(rf"\b(?:for|about) (?:{tables.choices('tenses.pointing')})\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"[.!?\n\u2026]+(?:\s|$)")
_REACH = 400  #: Characters of a sentence to either side that are read.
CLAUSE_END = re.compile(
    r"[,:](?!\d)|(?<!\d)[,:]|[;\u2013\u2014()]| - |\b(?:and|but|so|because|while|which|then)\b", re.IGNORECASE
)
_BREAK = re.compile(r"[,;:\u2013\u2014(-] ?\Z")
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_COUNTED, _JOINED = re.compile(r"\d ?\Z"), re.compile(r"-[^\W\d_]")
#: "A guy called Theo" was not called then, nor is a meeting over that was noted: "Noted: dinner with Ida, Friday at 8".
_CALLED = re.compile(r"(?:called|named|nicknamed) [^\W\d_a-z]")
_NOTED = re.compile(r"^\W*[^\W\d_]+:\s")
_PAST_AIDS, _PRESENT_AIDS, _HAVE = (
    frozenset(tables.words(f"tenses.{name}")) for name in ("past_aids", "present_aids", "have")
)
_POINTING, _SUBJECTS, _THIRD_SUBJECTS, _ADVERBS, _LINKS, _REACHING, _TELLING, _PASSING, _MUSING, _NO_PAST = (
    frozenset(tables.words(f"tenses.{name}"))
    for name in "pointing_words subjects third_subjects adverbs links reaching telling passing musing no_past".split()
)
_ENTRIES, _BECOMING, _HAVE_AS_TYPED, _WANTING, _CAUSING, _ANYBODY, _OBJECTS = (
    frozenset(tables.words(f"tenses.{name}"))
    for name in "entries becoming have_as_typed wanting causing anybody objects".split()
)
_TENSED, _AIDS = _PAST_AIDS | _PRESENT_AIDS, _PAST_AIDS | _PRESENT_AIDS | _HAVE | {"getting"}


class _Cue(NamedTuple):
    """What a verb, or a phrase with one, says of the time."""

    start: int
    end: int
    tense: Tense
    #: Words that set a day outweigh verbs at the same place.
    weight: int = 0


def stretch(text: str, start: int, end: int, ending: re.Pattern[str]) -> tuple[int, int]:
    """From the mark before a place to the mark behind it, or as far as verbs may stand from it."""
    first, last = max(0, start - _REACH), min(len(text), end + _REACH)
    before = [match.end() for match in ending.finditer(text, first, start)]
    behind = ending.search(text, end, last)
    return (before[-1] if before else first, behind.start() if behind else last)


def tense_of(text: str, start: int, end: int) -> Tense:
    """The tense of the clause around a place, else that of its sentence: but no past of ", exam in June"."""
    first, last = stretch(text, start, end, SENTENCE_END)
    left, right = text[first:start], text[end:last]
    inner, outer = stretch(text[first:last], start - first, end - first, CLAUSE_END)
    clause = _nearest(left[inner:], text[end : first + outer], left)
    sentence, is_open = _NOTED.sub("", left), _is_of_either(left[inner:])
    tense = clause or (None if is_open else _nearest(sentence, right, sentence, is_clause=False)) or Tense.UNKNOWN
    return Tense.UNKNOWN if not clause and tense is Tense.PAST and _is_added(left, inner) else tense


def _is_added(left: str, inner: int) -> bool:
    """Whether a clause names something of its own behind a comma: "exam in June", and not "in June" alone."""
    if not _BREAK.search(left, 0, inner):
        return False
    return any(not (_is_adverb(word) or word in _LINKS | _POINTING) for word in WORD.findall(left[inner:].lower()))


def _nearest(left: str, right: str, before: str, *, is_clause: bool = True) -> Tense | None:
    """By the nearest verb before the phrase; a clause that has none there goes on behind it, as a sentence may."""
    cues = sorted(cues_of(left), key=lambda cue: (cue.end, cue.weight))
    if cues:
        return _weighed(left, cues, before)
    telling = [cue for cue in cues_of(right) if not _CALLED.match(right, cue.start)]
    behind = min(telling, key=lambda cue: (cue.start, -cue.weight), default=None)
    if behind is None:
        return None
    if not is_clause and behind.tense is Tense.PAST and WORD.search(right, behind.end) is None:
        return Tense.UNKNOWN  # "Thursday, noted."
    opens = _LINKS.issuperset(word.lower() for word in WORD.findall(left))
    # "Rome in June is lovely", "the contract from 20 April is void": such a day may be any.
    return behind.tense if opens or (is_clause and behind.tense is Tense.PAST) else Tense.UNKNOWN


def telling_verb(text: str, start: int, end: int) -> str:
    """The verb that tells when it is, in small letters: the nearest before a place in its clause, or the next."""
    first, last = stretch(text, start, end, CLAUSE_END)
    left = max(cues_of(text[first:start]), key=lambda cue: (cue.end, cue.weight), default=None)
    if left is not None:
        return text[first + left.start : first + left.end].lower()
    right = min(cues_of(text[end:last]), key=lambda cue: (cue.start, -cue.weight), default=None)
    return text[end + right.start : end + right.end].lower() if right is not None else ""


def is_past(word: str) -> bool:
    """Whether a word is a form of the past, of any verb."""
    return "past" in _kinds(word)


def _weighed(left: str, cues: Sequence[_Cue], before: str) -> Tense:
    nearest = cues[-1]
    if nearest.tense is Tense.PAST and (_DOUBT.search(before) or _THING.search(left, nearest.end)):
        return Tense.UNKNOWN
    if nearest.tense is Tense.UNKNOWN and nearest.weight:  # set for a day: told ahead where it is still to come
        return Tense.FUTURE if any(cue.tense is Tense.FUTURE for cue in cues) else Tense.UNKNOWN
    return nearest.tense


@kept_where_short
def cues_of(clause: str) -> tuple[_Cue, ...]:
    """All that tells a time in a clause."""
    days = (_Cue(match.start(), match.end(), Tense.UNKNOWN, 2) for match in _SET.finditer(clause))
    ahead = (_Cue(match.start(), match.end(), Tense.FUTURE, 1) for match in _FUTURE.finditer(clause))
    return (*days, *ahead, *_verbs(clause))


def _verbs(clause: str) -> Iterator[_Cue]:
    """The verbs that show a time, in order; those that stand before a noun as "the closed beta" are none."""
    spoken = [(match.start(), match.end(), match.group().lower().replace("\u2019", "'")) for match in
              WORD.finditer(clause)]  # fmt: skip
    spellings = [word for _, _, word in spoken]
    finite = False
    for place, (start, end, word) in enumerate(spoken):
        tense = _of_verb(spellings, place, finite=finite)
        if tense is not None and not _is_thing(clause, start, end):
            finite = word not in _TELLING  # "I was told the shop closes": another verb may follow
            yield _Cue(start, end, tense)


def _is_thing(clause: str, start: int, end: int) -> bool:
    """Whether what looks like a verb is a name, part of a word or counted: "a ground-floor flat", "Emrys, 4 kilos"."""
    is_name = (start > 0 and clause[start:end].istitle()) or _JOINED.match(clause, end) is not None
    return is_name or _COUNTED.search(clause, 0, start) is not None


def _of_verb(words: Sequence[str], place: int, *, finite: bool) -> Tense | None:
    """The tense of the word at a place, if it is a verb that shows one; an aid decides for what it helps."""
    word, kinds, helper = words[place], _kinds(words[place]), _helper(words, place)
    if word in _PAST_AIDS:
        return _of_got(words, place) if word == "got" else Tense.PAST
    owns = word.endswith("'ve") and not _POINTING.isdisjoint(words[place + 1 : place + 2])  # "I've an exam"
    is_last = word.endswith("'s") and place == len(words) - 1
    if (word in _PRESENT_AIDS and helper not in _PAST_AIDS) or is_last or owns:
        return Tense.FUTURE
    if word in _HAVE and helper not in _HAVE and helper != "to":
        return None if is_participle(words, place) else Tense.PAST if word.startswith("had") else Tense.FUTURE
    is_wanted = "participle" in kinds and _is_wanted(words[max(0, place - 5) : place])
    if helper in _PASSING or word in _MUSING or is_wanted:
        return None
    if helper == "to" or helper in _AIDS:
        return _helped(words, place, helper)
    return _bare(words, place, kinds, finite=finite)


def _is_wanted(before: Sequence[str]) -> bool:
    """Whether what was done is what somebody wants or has done: "I'm having it painted", not "I want what he did"."""
    at = max((place for place, word in enumerate(before) if word in _WANTING | _CAUSING), default=len(before))
    what = before[at + 1 :]
    causes = bool(what) and what[0] in _POINTING | _OBJECTS and "who" not in what
    if at == len(before) or (before[at] in _CAUSING and not causes):
        return False
    return (_SUBJECTS | _THIRD_SUBJECTS - {"it"}).isdisjoint(what)


def _of_got(words: Sequence[str], place: int) -> Tense:
    """Of "got": "I have got an exam" is so now; "got an exam" and "got to work" may be so, too, and are in doubt."""
    at = place - 1
    while at >= 0 and (_is_adverb(words[at]) or (words[at] in _SUBJECTS and at and words[at - 1] in _HAVE)):
        at -= 1
    before, behind = words[at] if at >= 0 else "", words[place + 1 :]
    becomes = bool(behind) and (behind[0] in _BECOMING or bool(_kinds(behind[0]) & {"past", "participle"}))
    if before in _HAVE or before in _HAVE_AS_TYPED or before.endswith(("'ve", "'s")):
        return Tense.PAST if before.startswith("had") else Tense.UNKNOWN if becomes else Tense.FUTURE
    if not behind or before.endswith("'d") or becomes:
        return Tense.PAST
    is_bare = not before and behind[0] not in _LINKS
    may_be_ahead = is_bare or behind[0] == "to" or any(word.removesuffix("s") in _ENTRIES for word in behind)
    return Tense.UNKNOWN if may_be_ahead else Tense.PAST


def _helped(words: Sequence[str], place: int, helper: str) -> Tense | None:
    """The tense of a verb behind an aid, or behind "to": what was asked or begun may still be to come."""
    kinds = _kinds(words[place])
    if helper == "to":
        before = words[: place - 1]
        is_base = "base" in kinds or "base" in _kinds(words[place], AMBIGUOUS_FORMS)
        begun = is_base and _REACHING.isdisjoint(before) and _after_past(before)
        return Tense.UNKNOWN if begun else None
    if helper == "getting":
        # "He's getting married": by the aid before it.
        aid = _helper(words, place - 1)
        return _helped(words, place, aid) if aid in _TENSED else Tense.UNKNOWN
    if helper == "got" and kinds == {"base"}:
        return None  # "got work"
    if helper in _HAVE:
        return Tense.UNKNOWN if kinds & {"past", "participle"} else _bare(words, place, kinds, finite=True)
    return (Tense.PAST if helper in _PAST_AIDS else Tense.FUTURE) if kinds - {"third"} else None


def _bare(words: Sequence[str], place: int, kinds: frozenset[str], *, finite: bool) -> Tense | None:
    """The tense of a verb without an aid."""
    at = place - 1
    while at > 0 and _is_adverb(words[at]):
        at -= 1
    before = words[at] if at >= 0 else ""
    if "past" in kinds and not _attributive(words, place):
        if "base" not in kinds:
            return Tense.PAST
        if at == 0 and before not in _SUBJECTS and (before in _THIRD_SUBJECTS or before in _ANYBODY):
            return Tense.PAST  # "somebody set it off": what goes on would be "sets"
        return Tense.UNKNOWN if not place or before in _SUBJECTS else None  # "read", "put"
    if "base" in kinds and (not place or before in _SUBJECTS):
        return Tense.FUTURE if place else Tense.UNKNOWN
    if before in _THIRD_SUBJECTS and words[place].endswith("s") and words[place] not in _POINTING:
        return Tense.FUTURE
    ends = all(word in _LINKS for word in words[place + 1 :])
    third = "third" in kinds or (ends and words[place].endswith("s"))
    named = place > 1 and any(word in _POINTING for word in words[max(0, place - 4) : place - 1])
    is_noun = before in _POINTING or before in _LINKS or not place
    return Tense.FUTURE if third and not finite and not is_noun and (named or "third" in kinds) else None


def _is_of_either(clause: str) -> bool:
    """Whether a clause has a verb of which nobody knows when it is: "Tom cut the hedge", "the boys put them out"."""
    words = [word.lower() for word in WORD.findall(clause)]
    return any(
        _kinds(word) >= {"past", "base"} and before not in _POINTING | _LINKS and behind in _POINTING | _OBJECTS
        for before, word, behind in zip(words, words[1:], words[2:], strict=False)
    )


def _kinds(word: str, forms: Mapping[str, Form] = FORMS) -> frozenset[str]:
    form = forms.get(word)
    if form is not None:
        return form.kinds
    regular = word.endswith("ed") and len(word) > 3 and word not in _NO_PAST and not word.endswith("eed")
    regular = regular and not word.startswith("un")
    return frozenset({"past", "participle"}) if regular else frozenset()


def _helper(words: Sequence[str], place: int) -> str:
    """The word before a verb, adverbs passed over: "has already", "did not"."""
    at = place - 1
    while at >= 0 and _is_adverb(words[at]):
        at -= 1
    if at > 0 and (words[at] in _SUBJECTS or words[at] in _THIRD_SUBJECTS) and words[at - 1] in _TENSED:
        at -= 1  # "Where did you go"
    word = words[at] if at >= 0 else ""
    if word.endswith(("'ve", "'d")):
        return "have"
    if word.endswith("'s") and word not in _PRESENT_AIDS:
        return ""
    return word


def is_participle(words: Sequence[str], place: int) -> bool:
    """Whether behind this place, adverbs passed over, stands what was done."""
    at = place + 1
    while at < len(words) - 1 and _is_adverb(words[at]):
        at += 1
    return at < len(words) and bool(_kinds(words[at]) & {"past", "participle"})


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or word.endswith("ly")


def _attributive(words: Sequence[str], place: int) -> bool:
    """Whether a participle stands before its noun: "the closed beta"."""
    if not place or place + 1 == len(words):
        return False
    return words[place - 1] in _POINTING and words[place + 1] not in _LINKS and words[place + 1] not in _POINTING


def _after_past(words: Sequence[str]) -> bool:
    return any("past" in _kinds(word) and "base" not in _kinds(word) for word in words) or bool(_PAST_AIDS & set(words))
