"""Words of courtesy and mood: a sentence made of nothing else says nothing about anything."""

from __future__ import annotations

import re
from collections.abc import Sequence

from precis.language.words import content, names, stem

#: What people say to be kind. A sentence with nothing else says nothing about anything.
KIND = frozenset(
    stem(word)
    for word in """absolutely agree agreed ah alright amazing anytime apology appreciate aw aww awesome bet bye cheers
    congrats congratulations cool course cya dear definitely enjoy exactly excited exciting
    fabulous fantastic fine
    glad good goodbye gonna gosh gotta great ha haha hehe happy hear hello help hey hi hope
    hopefully hmm incredible
    indeed interesting just kind know later let lol look lovely luck luckily mate minute nice
    nicely no nope oh ok okay
    omg perfect please pleasure proud really right safe see seem sending sorry sound soon stay
    super sure sweet take
    talk tell terrific thank thanks think thought time today totally true truly ugh understand
    understandable welcome
    well wish wonderful woah wow ya yay yeah yep yes yet yup
    way good-bye thx ty cutie buddy friend guy guys pal man dude bro sis thing stuff lot bit kinda
    sorta much many
    keep going get got go come make one back like love catch chat up day week great-day care worry problem
    """.split()
)

#: Words of opinion and of vague doing: they seldom are what somebody asks for later.
MOOD = (
    frozenset(
        stem(word)
        for word in """able accept accomplish achieve add admire adore advice amaze appreciative
    ask attempt awe awful
    bad beautiful began begin believe better big boost bond brave brighten bring calm capture care
    change cheer choose
    comfort comfortable comforting confidence connect connection cozy crazy create crucial cute
    decide deep delicious
    deserve difference different difficult dig effort encourage encouraging energy enjoyable entire
    especially essential
    ever everybody everyone everything excellent excite excitement experience explore express extra
    extremely eye face
    faith fall fan far feel feeling felt find focus follow forever forget forward found free fresh
    fulfill fulfilling
    full fun future gave give given goal goes gone gorgeous grateful gratitude grow growth guess
    handle hang happen
    happiness hard hear heard heart high hold honest honor hope huge idea imagine impact important
    impress impressed
    impressive incredibly inspiration inspire inspiring insane instead inviting involve joy journey
    keen kept kudos lead
    learn learning leave left less lift light literally little live long lose lost loved low lucky
    main maintain make
    manage matter maybe mean meaningful memorable memory mention mind miss moment motivate
    motivated motivating
    motivation move must necessary need never new next nothing notice obviously offer old open
    opportunity outcome
    overall overcome passion passionate pay peace peaceful people perhaps person place plan plenty
    positive possible powerful
    precious pretty proof pull purpose push put quick ready realize reason recent recently refresh
    relate relax relaxing
    remember remind reminder resilience respect rest reward rewarding rough sad satisfying scary
    seemed sense serious
    serve set share shine show side simple small smile someone something sometimes soothing soul
    special spirit spread
    start started stay step stick strength strong struggle stunning succeed success suggest support
    supportive surely
    surround sweetheart tend term terrible terrific thankful therapeutic thinking thrill thrilled
    tip together anything said say told took
    touch touching tough treasure trust try trying turn unforgettable unique use used useful value
    vibe vital wait want
    warm watch went wise won work working world worried worth write wrong year
    """.split()
    )
    - KIND
)

#: Words of praise and thanks.
PRAISE = frozenset(
    stem(word)
    for word in """amazing appreciate appreciated awesome beautiful best cheering congrats congratulations cool
    encouragement encouraging enjoy excellent fantastic glad good gorgeous great happy hope impressed impressive
    incredible inspiring inspired lovely luck nice perfect proud rewarding stunning support sweet thank thanks
    wonderful wow""".split()
)

#: Words of encouragement: kept apart from the moods, because a word of these may well be what somebody asks for.
_HEARTENING = frozenset(
    stem(word)
    for word in """absolutely accomplishment achievement act adorable advice backing beautifully belief blast blessed
    bonding captivating caring cherish cheering comforting commitment committed compassion corner count courage crossed
    creativity dedicated dedication delicious determination determined dream dreams emotion empathy empower
    empowering enthusiasm everyday excellent fingers focused friendship goals gotten grateful gratitude heartwarming
    helpful helping hug ideas impactful inspires insight invaluable jealous jump keeps kindness kudos legend lifting
    mean means miracle moments moving optimism optimistic patience perseverance persistent photo pic picture
    pics photos positivity powerful progress proudly pushing reassuring resilient ride rock rocks rollercoaster
    self shot sideline sidelines soaring spot stoked strive talent talented teamwork thoughtful thoughts
    tremendous uplifting valuable vibes view words worthwhile yum yummy
    along already also always another around away current else enough even ever every first key late lately later made
    now often others own part quite rather real since still though together toward towards upon yet""".split()
)

_WAITING = frozenset(map(stem, ("wait", "grateful", "thankful", "means", "offer", "forward", "looking", "words")))

_NAME = r"[A-Z][^\W\d_]+"
#: Somebody called by name: "John! ...", "Thanks John.", "..., John."
_CALLED = re.compile(
    rf"^{_NAME}(?=\s*[,!])"
    r"|(?:,|\b(?:[Hh]ey|[Hh]i|[Hh]ello|[Tt]hanks|[Tt]hank you|[Cc]ongrats|[Ww]ow|[Yy]eah|[Ss]orry))"
    rf"\s+{_NAME}(?=\s*(?:[,.!?\u2026]|$))"
)
_LISTENER = re.compile(
    r"\b(?:you(?:r|rs|rself|['\u2019]\w+)?|let['\u2019]s|let me|we can|keep|keeping)\b", re.IGNORECASE
)
_SELF = re.compile(r"\b(?:I|I['\u2019]\w+|[Mm]y|[Mm]ine|[Mm]yself)\b")
_OTHERS = re.compile(r"\b(?:he|she|his|her|him|hers)\b", re.IGNORECASE)
#: What has a figure or a date can be looked up, however kindly it is said.
_EXACT = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twice|tomorrow|yesterday|tonight|ago"
    r"|(?:next|last|this) (?:week\w*|month|year|summer|spring|fall|autumn|winter))\b",
    re.IGNORECASE,
)
_IT = r"(?:it|this|that|them)"
_KEPT = r"(?:notes?|list|log|calendar|records?|files?|decisions)"
#: That something was written down is no fact beside the fact itself.
_KEEPS_NOTES = re.compile(
    r"\W*(?:(?:and|so|okay|ok|please|then|yes),? )*(?:"
    rf"(?:(?:I|we)(?:['\u2019](?:ve|ll)| have| will)? )?(?:wrote|written|write|note|noted|put) (?:{_IT} )?down\b.*"
    rf"|(?:(?:I|we)(?:['\u2019](?:ve|ll)| have| will)? )?(?:put|add(?:ed)?|saved?|record(?:ed)?|log(?:ged)?|keep) {_IT}"
    rf" (?:to|in|under|on) (?:[\w']+ ){{0,4}}{_KEPT}\b.*"
    rf"|I (?:have|keep|put) (?:\w+ ){{1,5}}(?:under|in) (?:the )?{_KEPT}\b.*"
    rf"|(?:done|noted|added|changed|saved|updated|got it)(?: {_IT})?)\W*",
    re.IGNORECASE | re.DOTALL,
)
_WISHES = re.compile(
    r"\W*(?:happy \w+(?: \w+)?|merry \w+|welcome(?: \w+)?|get well(?: soon)?"
    r"|good (?:morning|evening|night)(?: \w+)?|long time no (?:see|talk)|guess what|check (?:it|this) out)\W*",
    re.IGNORECASE,
)
_COURTEOUS = re.compile(
    r"(?:wow|woah|whoa|woo\w*|thanks|thank you|hey|hi|hello|congrats|congratulations|cool|awesome|amazing|great|nice"
    r"|glad|aww?|sorry|oh no|ugh|no (?:problem|prob|worries)|looks?|sounds?|good luck|way to go|jealous"
    r"|(?:that|those|it|this)(?: really| definitely)?(?: looks?| sounds?| must|['\u2019]s| is| means))\b",
    re.IGNORECASE,
)
#: Words that tell something which a compliment, and a message that says nothing of its speaker, may still have.
_COMPLIMENT = 1
_REPLY = 3


def hollow(sentence: str, *, selfless: bool = False) -> bool:
    """Whether a sentence only greets, thanks, praises, encourages or confirms: nobody will ask for it later.

    With ``selfless``, what speakers say of themselves alone is hollow only where it is thanks or a wish.
    """
    if _EXACT.search(sentence) or "[" in sentence:
        return False
    if _KEEPS_NOTES.fullmatch(sentence) or _WISHES.fullmatch(sentence):
        return True
    said = _said(sentence)
    to_listener = _LISTENER.search(sentence) is not None
    if selfless and not to_listener and _SELF.search(sentence):
        return said <= KIND | PRAISE | _WAITING
    strange = len(_telling(said))
    if to_listener:
        return strange <= (0 if said.isdisjoint(PRAISE) else _COMPLIMENT)
    return strange == 0 and not said.isdisjoint(KIND | PRAISE)


#: Words by which even a courteous sentence may tell something: of others, that something was refused, or an answer.
_MAY_TELL = re.compile(
    r"\b(?:s?he|they|him|her|his|hers|them|their|we|our|us|not?|never|nobody|nothing|none|yes|yeah|yep|yup|nope|said|told"
    r"|agreed|left|lost|won|quit)\b|n['\u2019]t\b|:",
    re.IGNORECASE,
)


def is_small_talk(sentence: str) -> bool:
    """Whether a sentence surely tells nothing: signs, a greeting, thanks or praise, and not one word of anything else.

    What ``hollow`` passes over when it chooses may still be what somebody asks for; this is for what may be lost.
    """
    words_in_it = _said(sentence)
    if not words_in_it and not re.search(r"\w", sentence):
        return True
    if _MAY_TELL.search(sentence) or names(_CALLED.sub("", sentence)) or _KEEPS_NOTES.fullmatch(sentence):
        return False
    return bool(words_in_it) and not _telling(words_in_it) and hollow(sentence, selfless=True)


def is_reply(parts: Sequence[str]) -> bool:
    """Whether the sentences of a message only answer to what another said: no figure, no date, nothing of its own."""
    whole = " ".join(parts)
    said = _said(whole)
    if not _COURTEOUS.match(whole) and (said.isdisjoint(PRAISE) or not _LISTENER.search(whole)):
        return False
    if _EXACT.search(whole) or _OTHERS.search(whole) or names(_CALLED.sub("", whole)):
        return False
    own = [part for part in parts if _SELF.search(part)]
    if any(_telling(_said(part)) for part in own if not _LISTENER.search(part)):
        return False
    return len(_telling(said)) <= (_COMPLIMENT if own else _REPLY)


def _said(sentence: str) -> frozenset[str]:
    """Stems of what is said, whoever is called by name."""
    return content(_CALLED.sub("", sentence))


def _telling(said: frozenset[str]) -> frozenset[str]:
    """Those that tell something."""
    return said - KIND - MOOD - _HEARTENING
