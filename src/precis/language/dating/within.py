"""What the phrases of a part of a text mean: what they mean in the whole."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from difflib import SequenceMatcher

from precis.language.dating.spans import Span, Unit

#: (where the phrase ends, the days it means)
Meaning = tuple[int, Sequence[Span]]
_TOKEN = re.compile(r"\w+(?:['\u2019]\w+)*")
#: Characters of a text that is read whole, and of a longer one to either side of the part.
READ_WHOLE, _BESIDE = 2000, 500
#: A part that has less of its words in the whole is none of it.
_SHARED = 0.5


def meant_within(read: Callable[[str, date], Sequence[Meaning]], text: str, day: date, whole: str) -> Sequence[Meaning]:
    """The meanings of the phrases of a text, which is a part of the whole or what is left of one."""
    if not whole or text == whole or (len(whole) > READ_WHOLE and not read(text, day)):
        return read(text, day)
    at = whole.find(text)
    if len(whole) > READ_WHOLE:
        if at < 0:
            return read(text, day)
        start = max(0, at - _BESIDE)
        whole, at = whole[start : at + len(text) + _BESIDE], at - start
    meanings = read(whole, day)
    if at < 0:
        return _aligned(text, whole, meanings) if _is_part(text, whole) else read(text, day)
    own = {end for end, _ in read(text, day)}
    within = [(end - at, spans) for end, spans in meanings if at < end <= at + len(text)]
    # "Between the 3rd / and the 7th" began before the part.
    return [
        (end, spans)
        for end, spans in within
        if end in own or spans[0].first == spans[0].last or spans[0].unit is not Unit.DAYS
    ]


def _tokens(text: str) -> list[tuple[str, int]]:
    return [(match.group().casefold(), match.end()) for match in _TOKEN.finditer(text)]


def _is_part(text: str, whole: str) -> bool:
    own, others = [word for word, _ in _tokens(text)], {word for word, _ in _tokens(whole)}
    return sum(word in others for word in own) >= _SHARED * len(own)


def _aligned(text: str, whole: str, meanings: Sequence[Meaning]) -> list[Meaning]:
    """The meanings of the words that both have, in the same order, where these end in the text."""
    own, others = _tokens(text), _tokens(whole)
    matcher = SequenceMatcher(None, [word for word, _ in others], [word for word, _ in own], autojunk=False)
    places = {
        others[block.a + step][1]: own[block.b + step][1]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }
    return [(places[end], spans) for end, spans in meanings if end in places]
