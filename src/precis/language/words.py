"""Words of a text: what counts as a word, a content word, a number, a name. Every step that compares texts uses it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

import Stemmer


def _marks() -> str:
    """The marks that stand on letters, as ranges of a regular expression."""
    found = (code for code in range(0x300, 0x20000) if unicodedata.category(chr(code)) in {"Mn", "Mc"})
    runs = (list(run) for _, run in groupby(enumerate(found), lambda placed: placed[1] - placed[0]))
    return "".join(f"\\U{run[0][1]:08x}-\\U{run[-1][1]:08x}" for run in runs)


_IDEOGRAPHS = r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
#: Runs of scripts that write without spaces; each is cut into character bigrams.
_UNSPACED = rf"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff{_IDEOGRAPHS}"
#: What a word goes on with and does not begin with: the vowel signs of Indic scripts, accents without a letter of their
#: own.
MARKS = _marks()
_LETTERS = rf"[^\W_{_UNSPACED}]+(?:[{MARKS}]+[^\W_{_UNSPACED}]*)*"
_ENDING = rf"[^\W\d_{_UNSPACED}]+(?:[{MARKS}]+[^\W\d_{_UNSPACED}]*)*"
_WORD = re.compile(rf"[{_UNSPACED}]+|{_LETTERS}(?:'{_ENDING})?")
_IS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
#: Signs that two spellings of one word differ by: the points of Arabic and Hebrew, joiners and soft hyphens, and which
#: form, color or sex of an emoji is meant.
_OPTIONAL = re.compile(
    "[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08ca-\u08e1\u08e3-\u08ff]"
    "|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|\u200d[\u2640\u2642]|[\u00ad\u034f\u200c\u200d]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
#: A flag, any other sign however often it is repeated, and an ideograph that has a neighbor: one without is a word.
#: Lines and blocks are drawn with, not written.
_SINGLE = re.compile(
    r"(?P<flag>[\U0001f1e6-\U0001f1ff]{2})|(?P<sign>[^\w\s\x00-\u20ff\u2500-\u259f\ufffc\ufffd])(?P=sign)*"
    rf"|(?P<ideograph>(?<=[{_UNSPACED}])[{_IDEOGRAPHS}]|[{_IDEOGRAPHS}](?=[{_UNSPACED}]))"
)
#: Ideographs that any text is full of, and nobody asks for by themselves.
_FREQUENT = frozenset(
    "々的一是不了在有我他这个们中来上大为和地到以说要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然种事成方多经么去法"
    "如都同现当没动起看定分还进好小部其些主样理她本前开但因只从想实者意无它与长把第公此已使情明知全三又关点正外将两高间由问很最重"
    "并应向体相见被利什等或新制身加代内表化给位次度任常先通提及比员解论处走各入几认条平系题更别变四总何数安少才结反受太量再感建务"
    "做接必场件计管直至形便治展则却界达即像且难完式记住求该交取觉共确今切让带导运您咱吗呢吧啊呀嘛哪谁每时們這個來為說時會對過後經"
    "麼當沒動還進從實著無與問將兩間現點開給讓誰嗎發関対発私思言合业义产传保候决原司听告品基尔己强性指据放望期活特真科程立类统观"
    "规许设识象边非二五十人国物"
)
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
#: By the script that a word begins in, as its first and last character.
_STEMMERS = tuple(
    (first, last, Stemmer.Stemmer(language))
    for first, last, language in (
        ("\0", "\u036f", "english"),
        ("\u0370", "\u03ff", "greek"),
        ("\u0400", "\u052f", "russian"),
        ("\u0530", "\u058f", "armenian"),
        ("\u0600", "\u06ff", "arabic"),
        ("\u0900", "\u097f", "hindi"),
        ("\u0b80", "\u0bff", "tamil"),
        ("\u1e00", "\u1eff", "english"),
    )
)

STOP_WORDS = frozenset(
    """a about above after again against all also am an and any are aren't as at be because been before being
    below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during
    each few for from further had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers
    herself him himself his how how's i i'd i'll i'm i've if in into is isn't it it's its itself just let's me
    more most mustn't my myself no nor not of off on once only or other ought our ours ourselves out over own
    same shan't she she'd she'll she's should shouldn't so some such than that that's the their theirs them
    themselves then there there's these they they'd they'll they're they've this those through to too under
    until up us very was wasn't we we'd we'll we're we've were weren't what what's when when's where where's
    which while who who's whom why why's will with won't would wouldn't you you'd you'll you're you've your
    yours yourself yourselves""".split()
)


def normal(text: str) -> str:
    """The form every comparison starts from: NFKC with straight apostrophes, without signs that may be left out."""
    if text.isascii():
        return text
    return _OPTIONAL.sub("", unicodedata.normalize("NFKC", text).replace("\u2019", "'"))


def words(text: str) -> Iterator[str]:
    """Lower-cased words in order; scripts without spaces as character bigrams."""
    for match in _WORD.finditer(normal(text)):
        run = match.group().casefold()
        if not _IS_UNSPACED.match(run) or len(run) == 1:
            yield run
        else:
            yield from (run[i : i + 2] for i in range(len(run) - 1))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The Snowball stem of the language most written in the script of a word; of most scripts the word itself."""
    bare = word.removesuffix("'s")
    stems = (stemmer.stemWord(bare) for first, last, stemmer in _STEMMERS if first <= word[:1] <= last)
    return str(next(stems, bare)) or word


def terms(text: str) -> list[str]:
    """Stemmed content words in order, repeats kept: what recall indexes and checks compare."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


def index_terms(text: str) -> list[str]:
    """What recall files a row under and looks for: the terms, and what can be asked for besides, repeats kept.

    That is symbols, and ideographs one by one: a question of one is among no bigrams. What compares statements goes by
    the terms alone: a symbol states nothing.
    """
    if text.isascii():
        return terms(text)
    return [*terms(text), *filter(None, map(_single, _SINGLE.finditer(normal(text))))]


def _single(match: re.Match[str]) -> str | None:
    sign = match["sign"] or match.group()
    kept = sign not in _FREQUENT if match["ideograph"] else unicodedata.category(sign[0]) == "So"
    return sign if kept else None


def content(text: str) -> frozenset[str]:
    """The different stems of the content words."""
    return frozenset(terms(text))


def numbers(text: str) -> list[str]:
    """Digit groups as written, without thousands separators: ``1,200`` is ``1200``, ``10:30`` stays."""
    return [re.sub(r"(?<=\d),(?=\d{3}\b)", "", m.group()) for m in _NUMBER.finditer(text)]


def names(text: str) -> list[str]:
    """Capitalized words that do not open a sentence, and any word of capitals: likely names."""
    found = []
    opening = True
    for match in re.finditer(rf"[^\W\d_][\w'\u2019{MARKS}-]*|[.!?\n:]+", text):
        token = match.group()
        if not token[0].isalpha():
            opening = True
            continue
        bare = token.removesuffix("'s").removesuffix("\u2019s")
        plain = bare.casefold() in STOP_WORDS or bare == "I"
        if bare[0].isupper() and not plain and (not opening or (len(bare) > 1 and bare.isupper())):
            found.append(bare)
        opening = False
    return found
