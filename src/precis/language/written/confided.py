"""What somebody tells in confidence: "Please keep it quiet." is of the sentence before it, "Between us:" of its own."""

import re

from precis.language import tables
from precis.language.sentences import sentences
from precis.language.words import content, kept_where_short, normal

_CONFIDES = re.compile(
    "|".join(tables.whole(tables.choices(f"confided.spaced.{name}")) for name in tables.section("confided.spaced"))
    + "|"
    + tables.in_every_language("confided.unspaced"),
    re.IGNORECASE,
)
#: Whoever asks it of others, or was asked, confides nothing here.
_DENIED = re.compile(rf"(?:{tables.choices('confided.denied')})\W*$", re.IGNORECASE)
_END = re.compile(r"[.!\u3002\uff01:]+\s*$")


@kept_where_short
def confides(text: str) -> bool:
    """Whether it says that what it tells is told in confidence."""
    plain = normal(text)
    return any(not _DENIED.search(plain[: match.start()]) for match in _CONFIDES.finditer(plain))


def with_confidences(text: str) -> str:
    """The text, each sentence that only asks for silence in brackets behind the one of which it asks that.

    Where it opens the text, it is of the sentence behind it. So neither is told without the other.
    """
    if not confides(text):
        return text
    parts: list[str] = []
    opening = ""
    for sentence in sentences(text):
        only_asks = confides(sentence) and not content(_CONFIDES.sub(" ", sentence))
        if only_asks and parts:
            parts[-1] = _behind(parts[-1], sentence)
        elif only_asks:
            opening = sentence
        else:
            parts.append(_behind(sentence, opening) if opening else sentence)
            opening = ""
    # Of scripts that put no space between sentences nothing is joined.
    return text if not parts or len(parts) == len(sentences(text)) else " ".join(parts)


def _behind(sentence: str, asks: str) -> str:
    """The sentence with the other in brackets before its closing mark."""
    bare = _END.sub("", sentence)
    mark = sentence[len(bare) :].strip() or "."
    asks = _END.sub("", asks).strip()
    return f"{bare} ({asks[:1].lower()}{asks[1:]}){mark}"
