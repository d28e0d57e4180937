"""What somebody takes back, or may: by a laugh, as a joke or hearsay, or by another value. Pure.

"Quatsch, am Mittwoch." after two days that were named: whoever reads one of them without that reads something false. So
where it is not plain what counts instead, both are told, or neither. What is told with a laugh may be no plain fact.
"""

from collections.abc import Iterator, Sequence

from precis import patterns as re
from precis.language import tables
from precis.language.newest.corrections import Settled, Turn, own_before
from precis.language.newest.signs import Sign, has_a_value_for, is_of_the_same, only_opens, says_mistaken, sign_of
from precis.language.sentences import is_question, sentences
from precis.language.words import kept, kept_where_short


@kept
def taking_back(parts: tuple[str, ...]) -> frozenset[int]:
    """The places of those sentences of a text that take back the one before them, and are told with it or not at all.

    Where one only excuses, the next belongs to it: "Sorry. Not the 13th, the 20th.".
    """
    places = set[int]()
    for at in range(1, len(parts)):
        if _takes_back(parts[at - 1], parts[at : at + 2]):
            places |= {at, at + 1} if only_opens(parts[at]) and at + 1 < len(parts) else {at}
        elif at - 1 in places and says_mistaken(parts[at]):
            places.add(at)
    return frozenset(places)


def _takes_back(before: str, parts: Sequence[str]) -> bool:
    """Whether a sentence, right behind another of its speaker, takes that back; the next of its text may help."""
    if is_question(before):
        return False
    bare = only_opens(parts[0])
    sentence = " ".join(parts) if bare else parts[0]
    sign = sign_of(sentence, before)
    # Behind "No." or "Wait." anything may follow.
    same = has_a_value_for if bare and sign is Sign.OPENS else is_of_the_same
    return sign >= Sign.SURE or (sign > Sign.NONE and same(sentence, before))


def bound(turns: Sequence[Turn], *, surely: bool = False) -> list[Settled]:
    """The turns, each with what takes back some of it right behind that; of a turn that does so nothing is left.

    Where turns may be missing, what takes back is to say ``surely`` that it does.
    """
    talk = _Bound(turns, surely=surely)
    for at, turn in enumerate(turns):
        if turn.speaker is not None and turn.text:
            talk.bind(at)
    return [
        Settled(turn.text if len(of) == 1 and parts else " ".join(parts), tuple(of))
        for turn, parts, of in zip(turns, talk.parts, talk.of, strict=True)
    ]


def beyond_doubt(turns: Sequence[Turn], meant: Sequence[Settled]) -> list[Settled]:
    """The turns as they are meant; nothing is left of what is taken back and of what takes it back, where that is all.

    So nothing certain is read in either.
    """
    talk = [turn._replace(text=settled.text) for turn, settled in zip(turns, meant, strict=True)]
    results = []
    for settled, joined in zip(meant, bound(talk), strict=True):
        if len(joined.of) == 1 and joined.text:
            results.append(settled)
            continue
        parts = sentences(joined.text)
        back = taking_back(tuple(parts))
        text = " ".join(part for at, part in enumerate(parts) if at not in back and at + 1 not in back)
        results.append(Settled(text, tuple(dict.fromkeys(of for at in joined.of for of in meant[at].of))))
    return results


class _Bound:
    """The turns of a talk as far as they are bound to each other."""

    def __init__(self, turns: Sequence[Turn], *, surely: bool) -> None:
        self._turns, self._surely = turns, surely
        self.parts = [sentences(turn.text) for turn in turns]
        self.of = [[at] for at in range(len(turns))]
        #: Where a turn went, and behind which of the sentences there.
        self._into: dict[int, tuple[int, int]] = {}

    def bind(self, at: int) -> None:
        """Put a turn behind what it takes back, where it does."""
        before = own_before(self._turns, at, self._turns[at].speaker)
        if before is None or not (self.parts[before] or before in self._into):
            return
        target, places = before, list(range(len(self.parts[before])))
        if before in self._into:
            target, last = self._into[before]
            places = [last]
        place = self._taken_back(target, places, at, between=range(before + 1, at))
        if place is None:
            return
        self.parts[target][place + 1 : place + 1] = self.parts[at]
        self._into[at] = (target, place + len(self.parts[at]))
        self.of[target].append(at)
        self.parts[at] = []

    def _taken_back(self, target: int, places: Sequence[int], at: int, *, between: range) -> int | None:
        """The place of the last sentence that a turn takes back, or, where it surely takes back something, of the last.

        What others said in between is perhaps what it answers.
        """
        bare = only_opens(self.parts[at][0])
        sentence = " ".join(self.parts[at][:2] if bare else self.parts[at][:1])
        telling = [place for place in places if not is_question(self.parts[target][place])]
        asked = any(is_question(part) for other in between for part in self.parts[other])
        is_next = not (between or self._surely or self._turns[at].speaker == "")
        for place in reversed(telling):
            before = self.parts[target][place]
            sign = sign_of(sentence, before)
            if sign is Sign.DENIES:
                return place
            if sign > Sign.NONE and (is_next or sign >= Sign.SURE) and is_of_the_same(sentence, before):
                return place
            if sign is Sign.EXCUSES and not asked and has_a_value_for(sentence, before):
                return place
        return telling[-1] if telling and is_next and sign_of(sentence, "") is Sign.SURE else None


# What takes back or puts right the sentence before it: "Only a rumor, she admitted.", "Well, her boss did."
#: A word of a name, and a name with what may stand before it, in a pattern that else counts no case.
_CAPITAL = "[A-Z\u00c0-\u00de](?![A-Z])[\\w'\u2019-]+"
_NAME = rf"(?-i:(?:(?:the|der|die|das|le|la|el|il|o|a) |l['\u2019])?{_CAPITAL}(?: {_CAPITAL})?)"
#: What may stand behind a comma.
_TAIL = r"(?:,? (?:though|anyway|of course)|[,;:\u2013\u2014-]+ ?[^.!?]{1,60})?"
#: Letters: what is longer tells something of its own.
_LONGEST = 120
#: Parts of the patterns, each filled in before those that hold it.
_PARTS = ("kin", "day", "number", "other", "who", "open", "no")


def _patterns(kind: str) -> Iterator[str]:
    for language in tables.section(f"taken_back.{kind}"):
        known = {"name": _NAME, "tail": _TAIL}
        for part in _PARTS:
            if language in tables.section(f"taken_back.{part}"):
                known[part] = _filled(tables.choices(f"taken_back.{part}.{language}"), known)
        yield _filled(tables.choices(f"taken_back.{kind}.{language}"), known)


def _filled(pattern: str, known: dict[str, str]) -> str:
    for name, meaning in known.items():
        pattern = pattern.replace(f"{{{name}}}", f"(?:{meaning})")
    return pattern


def _of(kind: str) -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{'|'.join(_patterns(kind))})\W*", re.IGNORECASE)


_DISOWNS, _PUTS_RIGHT = _of("disowns"), _of("puts_right")


def disowns(sentence: str) -> bool:
    """Whether it says that what stands before it is not so, or only what people say: "He made it up."."""
    return len(sentence) <= _LONGEST and _DISOWNS.fullmatch(sentence) is not None


def puts_right(sentence: str) -> bool:
    """Whether it says who, what or when it was instead: "Or rather the Ibis.", "No, it was his cousin."."""
    return len(sentence) <= _LONGEST and _PUTS_RIGHT.fullmatch(sentence) is not None


#: "Haha", "jajaja", "kkk", "rsrs", "lol", "mdr", "xd" and their like, in letters of seven scripts.
_LETTERS = (
    r"ha(?:[ -]ha)+"
    r"|(?:h+[aeio\u00e9\u00e0]+){2,}h?|(?:j+[aei\u00e1]+){2,}j?|(?:\u0445+[\u0430\u0435\u0438]+){2,}\u0445?"
    r"|a+(?:ha)+(?:ha|h+)|\u0430+(?:\u0445\u0430)+(?:\u0445\u0430|\u0445+)|k{3,}|(?:rs){2,}|(?:wk){2,}w?|lo+l|lmf?ao+|rofl|mdr+|ptdr+"
    r"|(?-i:xd+|xD+|XDD+)|(?:\u03c7+[\u03b1\u03b5]+){2,}\u03c7?|\u0647{4,}|\u062e{3,}|\u05d7{3,}|(?<!the )(?-i:w{3,})"
)
#: In Japanese, Chinese, Korean and Thai a laugh hangs on the word before it.
_HANGING = (
    r"(?<=[\u3001\u3002\u3040-\u30ff\u3400-\u9fff\uff01])(?:w|\sww)w*(?!\w|\.\w)|[(\uff08]\u7b11[)\uff09]"
    r"|(?<=[\u3040-\u30ff])\u7b11(?=$|[\u3002\uff01!\s])|\u54c8{2,}|\u5475{2,}|\u563f{2,}|\u563b{2,}"
    r"|[\u314b\u314e]{2,}|(?<=[\u0e00-\u0e7f])(?:555|\s5555)5*(?![\d.,])|555+\+"
)
_FACES = r"[\U0001f602\U0001f606\U0001f609\U0001f61c\U0001f61d\U0001f639\U0001f923\U0001f92a]"
_LAUGH = re.compile(rf"(?<![\w.])(?:{_LETTERS})(?!\w|[.'\u2019]\w)|{_HANGING}|{_FACES}", re.IGNORECASE)
#: A laugh in ASCII has one of these in it: few texts do, and the others need not be looked through.
_MAY_LAUGH = re.compile(r"h[aeio]+h|ha[ -]ha|j[aei]+j|kkk|rsrs|wkw|lo+l|lmf?a|rofl|mdr|xd|www|555")
_SIGNS = re.compile(r"[\W_]+")


_TAKES_BACK = re.compile(rf"\W*(?:{tables.in_every_language('outcomes.takes_back')})\W*", re.IGNORECASE)
#: What denies behind a laugh: "Lol no."
_NO = re.compile(r"\W*(?:no|not|nope|nah|nein|nö|non|não|nee|nej|nie|hayır|yok|нет)\W*", re.IGNORECASE)


@kept_where_short
def laughs(text: str) -> bool:
    """Whether somebody laughs in it: "allergic to Mondays lol"."""
    if text.isascii() and _MAY_LAUGH.search(text.lower()) is None:
        return False
    return _LAUGH.search(text) is not None


def only_laughs(sentence: str) -> bool:
    """Whether it is a laugh and nothing else: "Hahaha!"."""
    rest, times = _LAUGH.subn(" ", sentence)
    return times > 0 and not _SIGNS.sub("", rest)


@kept_where_short
def takes_back(sentence: str) -> bool:
    """Whether it laughs, or says that what stands before it was a joke, a wish, hearsay, or of somebody else."""
    rest, times = _LAUGH.subn(" ", sentence)
    if _TAKES_BACK.fullmatch(rest.replace("\u2019", "'")):
        return True
    if times > 0 and (not _SIGNS.sub("", rest) or _NO.fullmatch(rest) is not None):
        return True
    return disowns(sentence) or puts_right(sentence)


def jokes_in(parts: Sequence[str]) -> list[bool]:
    """For each sentence whether it may not be meant: there is a laugh in it, or what stands behind it takes it back."""
    behind = [*parts[1:], ""]
    return [laughs(part) or takes_back(after) for part, after in zip(parts, behind, strict=False)]
