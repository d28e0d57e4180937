"""Facts in other languages that no pattern of them fits, by what lasts in them: an illness, a price, a home, a day.

"Снимаем двушку на Малышева" has no "I", and no list has all that people say of themselves. So a sentence is a fact too
where it has a word for what lasts (``language/facts/anchors.toml``), the figure, the name or the day that goes with it,
somebody it is of, and no word that is said for this minute or stands for another sentence. It is quoted as it stands.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from precis.checks.reactions import is_reaction
from precis.facts.elsewhere import HEADS, TONGUES, Telling, Tongue
from precis.language import tables
from precis.language.chitchat import is_small_talk
from precis.language.dating.tense import cues_of
from precis.language.grammar import FORMS
from precis.language.newest.taken_back import laughs
from precis.language.script import is_english, languages_of
from precis.language.sentences import asks, is_question
from precis.language.vocabulary import SPOKEN_LEAD
from precis.language.words import words

#: Characters of a sentence that is read: a shorter one is a scrap, a longer one tells too much at once.
_SHORTEST, _LONGEST = 5, 240
#: A figure; in Chinese and Japanese also a numeral in front of what it counts.
_NUMBER = re.compile(r"\d|[二两三四五六七八九十百千万]+(?=[点个岁年月号元块片次])")
_CAPITAL = "[A-Z\u00c0-\u00de\u0401\u0410-\u042f\u0130\u015e\u011e]"
#: A name in the middle of a sentence, in scripts that have capitals.
_NAME = re.compile(rf"(?<=[^\W\d_] ){_CAPITAL}[^\W\d_]+|(?<=[^\W\d_], ){_CAPITAL}[^\W\d_]+")
#: Who has something, in scripts that have none: what stands before its mark and is no time.
_BEFORE_MARK = re.compile(r"^(?!.?[今来去每昨毎先])[\u4e00-\u9fff\u30a0-\u30ff]{2,4}(?=[对は])")
_OPENS_QUOTED = re.compile(r"\W*[\"\u201c\u201e\u00ab\u300c]")
#: What somebody else may say; the name of a firm stands in such marks as well.
_QUOTED = re.compile(r"[\"\u201c\u201e\u00ab\u300c][^\"\u201d\u00bb\u300d]{24,}(?:[\"\u201d\u00bb\u300d]|\Z)|\[")
_CLAUSE = re.compile(r"[^,;\uff0c\u3001\uff1b]{5,}(?=[,;\uff0c\u3001\uff1b] ?\D)")
_NAMES = {
    "de": "German", "fr": "French", "es": "Spanish", "pt": "Portuguese", "it": "Italian", "ru": "Russian",
    "tr": "Turkish", "zh": "Chinese", "ja": "Japanese",
}  # fmt: skip


@dataclass(frozen=True)
class _Anchors:
    """The words of one language for what lasts."""

    tongue: Tongue

    @cached_property
    def _kinds(self) -> Mapping[str, re.Pattern[str]]:
        place = f"facts/anchors.{self.tongue.code}"
        return {kind: self.tongue.any_of(tables.choices(f"{place}.{kind}")) for kind in tables.section(place)}

    @cached_property
    def _framed(self) -> re.Pattern[str]:
        return self.tongue.any_of(tables.choices(f"facts/{self.tongue.code}.framed"))

    def may_be_in(self, sentence: str) -> bool:
        """Whether a sentence may be in this language: by its letters, and by its small words where it has any."""
        if not self.tongue.reads(sentence):
            return False
        names, is_plain = languages_of(sentence)
        return _NAMES[self.tongue.code] in names or not (is_plain or sentence.isascii())

    def kinds_in(self, sentence: str) -> set[str]:
        """The kinds of words that a sentence has."""
        return {kind for kind, pattern in self._kinds.items() if pattern.search(sentence)}

    def type_of(self, sentence: str) -> str | None:
        """The type of what a sentence tells that lasts, or its first clause: what is behind may point to that."""
        opening = None if self._kinds["hedges"].search(sentence) else _CLAUSE.match(sentence)
        return self._type_of(sentence) or (self._type_of(opening[0]) if opening else None)

    def _type_of(self, sentence: str) -> str | None:
        has = self.kinds_in(sentence)
        if not has.isdisjoint({"bars", "hedges", "jokes"}) or self._framed.search(sentence):
            return None
        if HEADS.search(sentence) and "codes" not in has:
            return None
        number = _NUMBER.search(sentence) is not None
        name = _NAME.search(sentence) or (not self.tongue.is_spaced and _BEFORE_MARK.match(sentence))
        return _type(has, number=number, name=bool(name))


def _type(has: set[str], *, number: bool, name: bool) -> str | None:
    """The type of a fact that has words of these kinds; None where nothing in them lasts."""
    of_us = not has.isdisjoint({"own", "kin"})
    if number and "months" in has and not has.isdisjoint({"appointments", "times"}):
        return "event"
    is_told = "health" in has and (of_us or name)
    is_told |= number and ("codes" in has or ("values" in has and (of_us or name)))
    if "denials" not in has:
        is_told |= of_us and ("work" in has or ("homes" in has and (number or name)))
        is_told |= "habits" in has and "own" in has and (number or name)
        if not is_told and {"kin", "ages"} <= has and ("own" in has or number or name):
            return "relationship"
    return "fact" if is_told else None


_ANCHORS = tuple(_Anchors(tongue) for tongue in TONGUES)


def anchored(sentence: str) -> Telling | None:
    """What a sentence tells that lasts, in the language whose words it has most of; None in doubt."""
    if not _SHORTEST <= len(sentence) <= _LONGEST or _OPENS_QUOTED.match(sentence) or is_english(sentence):
        return None
    if laughs(sentence) or is_question(sentence) or asks(sentence) or is_small_talk(sentence) or is_reaction(sentence):
        return None
    hits = {anchors: len(anchors.kinds_in(sentence)) for anchors in _ANCHORS if anchors.may_be_in(sentence)}
    best = [anchors for anchors, number in hits.items() if number and number == max(hits.values())]
    texts = {anchors: anchors.tongue.opened(sentence) for anchors in best}
    types = {anchors.type_of(text) for anchors, text in texts.items()}
    kind = types.pop() if len(types) == 1 else None
    return None if kind is None else Telling(text=min(texts.values(), key=len), type=kind, tongues=())


def without_quoted(text: str) -> str:
    """A message without what it quotes at length: that is somebody else's to tell."""
    return _QUOTED.sub(" ", text)


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
    rf"|\W*I(?:['\u2019]ll| will) do (?:the|that|my) \w+\W*"
    r"|\W*I(?:['\u2019]ll| will) (?:just (?-i:[a-z ]+)|(?-i:[a-z ]+) (?:later|in a moment|in a minute))\W*",
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
