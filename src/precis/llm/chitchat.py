"""Words of courtesy and mood: a sentence made of nothing else says nothing about anything."""

from __future__ import annotations

import re

from precis.words import stem, terms, words

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

_NAME = r"[A-Z][^\W\d_]+"
#: Somebody called by name: "John! ...", "Thanks John.", "..., John."
_CALLED = re.compile(
    rf"^{_NAME}(?=\s*[,!])|(?:,|\b(?:[Hh]ey|[Hh]i|[Hh]ello|[Tt]hanks|[Tt]hank you|[Cc]ongrats|[Ww]ow|[Yy]eah|[Ss]orry))\s+{_NAME}"
    r"(?=\s*(?:[,.!?\u2026]|$))"
)
_LISTENER = re.compile(r"\b(?:you(?:r|rs|rself|['\u2019]\w+)?|let['\u2019]s|let me|we can|keep|keeping)\b", re.IGNORECASE)
_SELF = re.compile(r"\b(?:I|I['\u2019]\w+|[Mm]y|[Mm]ine|[Mm]yself)\b")
#: What has a figure or a date can be looked up, however kindly it is said.
_EXACT = re.compile(
    r"\d|\b(?:tomorrow|yesterday|tonight|ago|(?:next|last|this) (?:week\w*|month|year|summer|spring|fall|autumn|winter))\b",
    re.IGNORECASE,
)
#: That something was written down is no fact beside the fact itself.
_KEEPS_NOTES = re.compile(
    r"^\W*(?:(?:and|so|okay|ok|please|then|yes),? )*(?:(?:(?:I|we)(?:['\u2019](?:ve|ll)| have| will)? )?"
    r"(?:wrote|written|write|noted?|(?:put|added|add|logged|log|saved?|filed?|recorded?|keep|kept) (?:it|this|that|them))\b"
    r"(?: (?:it|this|that|them))?(?: down)?|I (?:have|keep|put) (?:\w+ ){1,5}(?:under|in) (?:the )?(?:decisions|notes|log|file)\b"
    r"|(?:done|noted|added|changed|saved|updated|written down|got it)\W*$)",
    re.IGNORECASE,
)
#: A compliment may name the thing it is for.
_STRANGE = 1


def hollow(sentence: str, *, selfless: bool = False) -> bool:
    """Whether it only greets, thanks, praises, encourages or confirms, so that nobody will ask for it later.

    With ``selfless``, a speaker's word about themselves alone is never hollow.
    """
    if _EXACT.search(sentence) or "[" in sentence:
        return False
    if _KEEPS_NOTES.match(sentence):
        return True
    said = set(terms(_CALLED.sub("", sentence)))
    to_listener = _LISTENER.search(sentence) is not None
    if selfless and not to_listener and _SELF.search(sentence):
        return said <= KIND
    strange = len(said - KIND - MOOD)
    praises = not said.isdisjoint(KIND) or to_listener
    return praises and (strange == 0 or (strange == _STRANGE and to_listener and not said.isdisjoint(PRAISE)))
