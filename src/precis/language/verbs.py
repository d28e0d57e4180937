"""Where the verb of a clause is, and what it says besides: denied, past, only possible."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from precis import patterns as re
from precis.language import grammar
from precis.language.tokens import Token, phrase_at
from precis.language.words import stem

_AIDS = grammar.BE | grammar.HAVE | grammar.DO
_OPENS, _FOLLOWS = _AIDS | grammar.UNREAL | {"will", "used"}, grammar.BE | grammar.HAVE | {"will"}
#: Words of a subject at most.
_FURTHEST = 10
#: Subjects after which a verb has no ending: "I live", "they work".
_PLAIN = frozenset("i we you they who".split())
_SUBJECTS = _PLAIN | {"he", "she", "it"}
_SAME = {"own": "have", "attend": "go"}
_RESUMES = frozenset("start begin resume".split())
_STOPS = frozenset("stop quit".split())


@dataclass(frozen=True, kw_only=True, slots=True)
class VerbGroup:
    """A verb with its auxiliaries."""

    lemma: str
    #: What stands behind it.
    rest: tuple[Token, ...]
    denied: bool = False
    #: Wanted, possible or reported: nothing that is so.
    unreal: bool = False
    #: Was so, and is not said to be so now.
    past: bool = False
    will: bool = False
    #: Tells what happened, and not what is so or is to come.
    event: bool = False
    #: Says itself that something ended or began again: "stopped smoking".
    turns: bool = False
    #: Tells what was done to somebody or something: "was fined", "has been sold".
    undergone: bool = False
    #: Stands behind "was" or "had": "was married to" tells of then, "was moved to" of now.
    was: bool = False


def form_of(word: Token) -> grammar.Form | None:
    """What a word is as a verb; one in -ed that no table has is the past of a verb all the same."""
    form = grammar.FORMS.get(word.low)
    if form is None and word.small and len(word.low) > 4 and word.low.endswith("ed"):
        return grammar.Form(stem(word.low), frozenset({"past", "participle"}))
    return form


def verb_place(words: Sequence[Token]) -> int | None:
    """Index of the first word of the verb group; the words before it are the subject."""
    for place in range(1, min(len(words), _FURTHEST)):
        word = words[place]
        if phrase_at(words, place, grammar.DENIES) and word.small:
            return place
        if not word.small:
            continue
        if word.low in _OPENS:
            return None if word.low in grammar.BREAKS else place
        if _is_verb(words, place):
            return place
        if word.low in grammar.BREAKS:
            return None
    return None


def opens_with_verb(words: Sequence[Token]) -> bool:
    """Whether a clause goes on with a verb, its subject being that of the clause before."""
    if not words or not words[0].small:
        return False
    low = words[0].low
    form = form_of(words[0])
    return low in _AIDS or (form is not None and not form.kinds <= {"base", "ing", "participle"})


def _is_verb(words: Sequence[Token], place: int) -> bool:
    form = form_of(words[place])
    before = words[place - 1]
    if words[place].low not in grammar.FORMS and before.small and before.low not in _SUBJECTS:
        return False  # "the packed bus"
    if form is None or before.low.endswith(("'s", "'")) or form.kinds <= {"ing"}:
        return False
    follows = words[place + 1].low if place + 1 < len(words) else ""
    if follows in _FOLLOWS:
        return False  # "my work is", "the moves were"
    if form.kinds <= {"base", "ing"}:
        return before.low in _PLAIN or (place > 1 and before.low.endswith("s")) or words[place - 2].low == "and"
    return before.low not in {"the", "a", "an", "my", "our", "your", "his", "her", "their", "its", "of"}


def verb_group(words: Sequence[Token]) -> VerbGroup | None:
    """The verb with what stands before it, or nothing where it is none that is known."""
    marks, place = _auxiliaries(words)
    rest = words[place:]
    form = form_of(rest[0]) if rest else None
    if "used" in marks:
        return None
    if "be" in marks:
        was = any(word.low in grammar.PAST_BE or word.low == "had" for word in words[:place])
        return replace(_after_be(rest, form, marks), was=was)
    if "have" in marks:
        joined = form is not None and "participle" in form.kinds
        return _group(form.lemma if joined and form else "have", rest[1:] if joined else rest, marks)
    if form is None or form.kinds <= {"ing"}:
        return None
    past = {"past"} if not {"base", "third"} & form.kinds else set()
    event = {"event"} if "past" in form.kinds else set()  # "quit" and "put" are both
    return _group(form.lemma, rest[1:], marks | past | event)


def _auxiliaries(words: Sequence[Token]) -> tuple[set[str], int]:
    """What stands before the verb, and where the verb is."""
    marks: set[str] = set()
    place = 0
    while place < len(words):
        size = phrase_at(words, place, grammar.DENIES)
        if size:
            marks.add("denied")
            place += size
            continue
        marked = _mark(words, place)
        if marked is None:
            break
        marks |= marked
        place += 1
        if "main" in marked:
            break
    return marks, place


def _mark(words: Sequence[Token], place: int) -> set[str] | None:
    """What an auxiliary says, or nothing where this is none; "main" where it is the verb itself."""
    low = words[place].low
    after = words[place + 1] if place + 1 < len(words) else None
    kinds = (form_of(after) or grammar.Form("", frozenset())).kinds if after else frozenset()
    if low in grammar.BE or (low in {"get", "gets", "got"} and "participle" in kinds):
        return {"be", "past"} if low == "got" or low in grammar.PAST_BE else {"be"}
    if low in grammar.HAVE and low != "having":
        helps = {"have"} if _next_not(words, place) or "participle" in kinds else {"have", "main"}
        return helps | ({"past"} if low == "had" else set())
    if low in grammar.DO and (_next_not(words, place) or "base" in kinds):
        return {"past"} if low == "did" else set()
    if low == "used" and after and after.low == "to":
        return {"used"}
    unreal = low in grammar.UNREAL and words[place].small
    return {"unreal"} if unreal else {"will"} if low == "will" else None


def _next_not(words: Sequence[Token], place: int) -> bool:
    return place + 1 < len(words) and words[place + 1].low in {"not", "never"}


def _after_be(rest: Sequence[Token], form: object, marks: set[str]) -> VerbGroup:
    known = form_of(rest[0]) if rest else None
    if form is not None and known is not None and known.kinds <= {"ing"}:
        return _group(known.lemma, rest[1:], marks)
    # "has been moved to" is so now, "was in" was; "was moved to" tells of a change
    passive = known is not None and "participle" in known.kinds
    undergone = passive and not marks.isdisjoint({"past", "have"})
    group = _group("be", rest, marks - ({"past"} if passive or "have" in marks else set()))
    return replace(group, undergone=undergone)


def _group(lemma: str, rest: Sequence[Token], marks: set[str]) -> VerbGroup:
    perfect = "have" in marks and "main" not in marks
    denied, past, turns = "denied" in marks, "past" in marks, False
    if rest and rest[0].low == "no":
        denied, rest = not denied, rest[1:]
    inner = _inner(lemma, rest)
    if inner is not None:
        denied, turns = denied != (lemma in _STOPS or lemma == "give"), True
        lemma, rest = inner
        past = False
    return VerbGroup(
        lemma=_SAME.get(lemma, lemma), rest=tuple(rest), denied=denied, unreal="unreal" in marks, past=past,
        will="will" in marks, turns=turns, event=lemma == "be" or perfect or not marks.isdisjoint({"past", "event"}),
    )  # fmt: skip


def _inner(lemma: str, rest: Sequence[Token]) -> tuple[str, Sequence[Token]] | None:
    """The verb that ended or began: "smoking" of "stopped smoking", "went back to smoking", "gave up smoking"."""
    lows = [word.low for word in rest[:3]]
    if lemma in _STOPS or lemma in _RESUMES:
        skip = 0
    elif (lemma == "give" and lows[:1] == ["up"]) or (lemma == "take" and lows[:1] == ["up"]):
        skip = 1
    elif lemma in {"go", "be", "return"} and lows[:2] == ["back", "to"]:
        skip = 2
    elif lemma == "return" and lows[:1] == ["to"]:
        skip = 1
    else:
        return None
    if lemma in _RESUMES and lows[:1] == ["to"]:
        skip = 1
    form = grammar.FORMS.get(rest[skip].low) if len(rest) > skip else None
    infinitive = lemma in _RESUMES and skip == 1
    if form is None or not (form.kinds >= {"ing"} or (infinitive and "base" in form.kinds)):
        return None
    return form.lemma, rest[skip + 1 :]


# --- whether a few words have a verb at all ---

_PEOPLE = frozenset(map(stem, grammar.PEOPLE))
#: Behind whom or what something is said of it, but behind a word that points at something; and where it may be.
_STATES = grammar.BE - {"am", "be", "been", "being"}
_POINTING = frozenset("it that this there here what who which where how so they these those as if than".split())
_WHERE = frozenset("in out on off up down back over home here there away".split())
#: A verb may hang on the word before: "My sister's ill."
_HUNG = re.compile(r"['\u2019]s$")
#: What follows one of these is no verb, unless in the past: "the park", "big bullies".
_BEFORE_NOUNS = (
    grammar.DEGREES | grammar.ARTICLES | frozenset("a an my your our his her its their no some any every each".split())
)


def has_verb(wording: Sequence[str]) -> bool:
    """Whether a word of it may be what somebody does or did.

    At the beginning only an order is: "presents" is none. Nor is "park" behind "the", or "done" without "is".
    """
    if any(_HUNG.search(word) and stem(_HUNG.sub("", word)) in _PEOPLE for word in wording[:-1]):
        return True
    if any(map(_is_said_of, wording, wording[1:])):
        return True
    return any(
        not _kinds(word) <= ({"ing", "participle", "third"} if at == 0 else {"ing", "participle"})
        and not (at > 0 and wording[at - 1] in _BEFORE_NOUNS and "past" not in _kinds(word))
        for at, word in enumerate(wording)
    )


def _is_said_of(before: str, word: str) -> bool:
    """Whether something is, was or has done what follows: "landlord is", "knee's gone", "bar's in"; not of "it"."""
    if word in _STATES:
        return before not in _POINTING
    hung = _HUNG.search(before)
    if not hung or before[: hung.start()] in _POINTING:
        return False
    return word in _WHERE or (word in grammar.FORMS and not grammar.FORMS[word].kinds.isdisjoint({"ing", "participle"}))


def _kinds(word: str) -> frozenset[str]:
    """What the word may be of a verb; of one that is mostly a noun, only the past: "called"."""
    if word in grammar.FORMS:
        return grammar.FORMS[word].kinds
    kinds = grammar.AMBIGUOUS_FORMS[word].kinds if word in grammar.AMBIGUOUS_FORMS else frozenset()
    return kinds if "past" in kinds else frozenset()
