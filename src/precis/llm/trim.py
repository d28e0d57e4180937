"""Take from a sentence what carries nothing: interjections, names called out, tags, fillers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_INTERJECTION = (
    r"wow|whoa|woah|oh(?: my (?:gosh|god|goodness)| wow| no| man)?|ah+|aw+|hey(?: there)?|hi(?: there)?|hello|ha(?:ha)+"
    r"|he(?:he)+|lol|omg|ya|yeah|yea|yep|yup|yes|well|so|thanks(?: so much| a lot| a ton| again| a bunch)?"
    r"|thank you(?: so much| very much)?|cool|awesome|great|nice|amazing|sure(?: thing)?|ok|okay|alright|absolutely"
    r"|definitely|totally(?: agree)?|for sure|by the way|btw|you know|i mean|honestly|anyways?"
    r"|also|and|but|plus|of course"
    r"|exactly|luckily|yay|hmm+|um+|uh+|right|agreed|i agree|good|congrats|sounds good|no worries|no problem|oh well"
    r"|you're right|you got it|got it|i see|gotcha|true|indeed|sorry|please|glad to hear it|good point|great question"
)
_OPENER = re.compile(
    rf"^(?:(?:{_INTERJECTION})(?=[\s,!.\u2026-])(?:\s*[,!.\u2026]+(?!\s*for\s)\s*|\s+[-\u2013\u2014]+\s+"
    r"|\s+(?=(?:i|we|my|it|the|he|she|they|our)\b)))+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,\s*(?:you know|right|too|as well|if you ask me|i guess|so far)"
    r"|[,\s]+(?:lol|haha+|huh|though|tho))(?=[.!\u2026]*$)",
    re.IGNORECASE,
)
#: "just 2 left" and "not really" mean something; "I just really like it" does not lose by it.
_FILLER = re.compile(
    r"(?<!\bat )(?<!\bin )(?<!called )(?<!named )(?<!not )(?<!n't )(?<!n\u2019t )"
    r"\b(?:really|just|actually|totally|definitely|literally|honestly|basically|super"
    r"|truly|absolutely|certainly|simply|very|quite|pretty(?= \w+(?:ing|ed|ful|ous|ive|able)?\b)) "
    r"(?!\d|one\b|two\b|a few\b|like\b|as\b|the\b|for\b|much\b|enough\b)",
    re.IGNORECASE,
)
_SO = re.compile(
    r"(\b(?:is|was|are|were|been|be|feel|feels|felt|it's|I'm|they're|we're)) so "
    r"(?!that\b|far\b|much\b|many\b|long\b)(?=[a-z])"
)
#: Who is greeted or thanked by name is called elsewhere too: "Hey Mel!", "Thanks, Nate."
_GREETED = re.compile(
    r"(?:^|[.!?]\s+)(?:hey(?: there)?|hi(?: there)?|hello|thanks(?: so much| a lot| again)?|thank you(?: so much)?"
    r"|congrats|congratulations|wow|woah|cheers|good (?:morning|evening|night)|welcome(?: back)?|bye|happy birthday"
    r"|no worries|no problem|sorry|way to go|absolutely|definitely|appreciate (?:it|you)"
    r"|(?:yeah|yep|yup|yes|true|totally|exactly|sure|go|remember|oh|right)(?![,!]))"
    r"[,!]? (?P<name>(?-i:[A-Z][^\W\d_]+))(?=[,.!?]| -|$)",
    re.IGNORECASE,
)
#: What opens a message and tells nothing of it.
_LEAD_IN = re.compile(
    r"^(?:(?:(?:on|in) (?:a|another) (?:different |other |side )?note|speaking of (?:which|that)|as for me"
    r"|for the (?:record|log|file)|guess what|check (?:it|this) out|long time no (?:see|talk)|unrelated|fun fact"
    r"|(?:a )?(?:quick|small|second|first|last|one more|another) (?:one|thing|update|note|question)(?: for \w+)?"
    r"|by the way|to be honest|in the meantime|meanwhile|(?:(?:some )?good|great|big) news(?: here)?)"
    r"(?:\s*[,:!.]+\s*|\s+[-\u2013\u2014]+\s+))+(?=\S)",
    re.IGNORECASE,
)
_EMOJI = re.compile(r"[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d]+")
_MARKS = re.compile(r"(?<=[!?])[!?]+|(?<=\.{3})\.+")


def trimmed(sentence: str, people: Collection[str]) -> str:
    """The sentence with its fillers gone, beginning with a capital if it lost its beginning."""
    text = _without_names(_EMOJI.sub("", sentence).strip(), people)
    text = _TAIL.sub("", _OPENER.sub("", text))
    text = _LEAD_IN.sub("", _OPENER.sub("", _without_names(text, people)))
    text = _SO.sub(r"\1 ", _FILLER.sub(_unless_a_name, text))
    return capital(_MARKS.sub("", text).strip())


def called(texts: Iterable[str]) -> frozenset[str]:
    """Names by which somebody is greeted or thanked in these texts."""
    return frozenset(match["name"] for text in texts for match in _GREETED.finditer(text))


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _unless_a_name(filler: re.Match[str]) -> str:
    """Nothing, or the filler itself where it is part of a name: "Super Mario"."""
    opens, follows = filler.start() == 0, filler.string[filler.end() : filler.end() + 1]
    return filler.group() if filler.group()[0].isupper() and (not opens or follows.isupper()) else ""


def _without_names(text: str, people: Collection[str]) -> str:
    """Names of those present taken out where they are only called: ``Thanks, Max!``."""
    if not people:
        return text
    called = "|".join(sorted(map(re.escape, people), key=len, reverse=True))
    text = re.sub(rf"^(?:{called})(?:[,!.]|\s-)\s+", "", text)
    text = re.sub(rf"^((?:hey|hi|hello|thanks|thank you|wow|yeah|oh)) (?:{called})\b", r"\1", text, flags=re.IGNORECASE)
    return re.sub(rf",\s+(?:{called})(?=\s*(?:[,.!?\u2026]|$))", "", text)
