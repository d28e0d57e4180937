"""Who is the user of those who speak, and whether somebody said what a memory tells, and which part that is."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import takewhile

from precis.finding.asked.speech import Speaker
from precis.finding.doubts.second_half import only_crumbs
from precis.finding.halves import parted
from precis.finding.reading import Word, folded, read_words, sentence_spans, word_from
from precis.finding.tables import calendar_words, name_words, sayings
from precis.finding.together.pronouns import MACHINES
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written import clauses, forms
from precis.language.words import STOP_WORDS

_BOTH = re.compile(
    r"\b(?:we(?:['\u2019]ve| have)? (?:talked|spoke|spoken|discussed|chatted)|you(?:['\u2019]ve| have)? \w+ed)\b",
    re.IGNORECASE,
)
#: So many people speak with each other alone.
_PAIR = 2
#: What a name is followed by in an identifier of a user: "polina_7".
_BEHIND = re.compile(r"[\W_]*\d*$")


def users_among(rows: Sequence[Row], own_names: Collection[str]) -> frozenset[str]:
    """The speakers, folded, who are the user; none where that may be several.

    It is who has the name of the user, perhaps in another script; else who alone speaks with a machine; else who alone
    speaks in each of several talks with several others.
    """
    talks: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.speaker and row.session_id:
            talks[row.session_id].add(folded(row.speaker))
    speakers = {folded(row.speaker) for row in rows if row.speaker} - MACHINES
    own = {_BEHIND.sub("", name) for name in own_names} - {""}
    named = {who for who in speakers if who in own_names or any(_is_same(name, who) for name in own)}
    if named or len(speakers) < 2:
        return frozenset(named)
    asking = [frozenset(talk - MACHINES) for talk in talks.values() if talk & MACHINES and talk - MACHINES]
    if asking:
        return asking[0] if len(set(asking)) == 1 and len(asking[0]) == 1 else frozenset()
    people = [frozenset(talk) for talk in talks.values()]
    always = frozenset.intersection(*people) if len(set(people)) > 1 else frozenset[str]()
    return always if len(always) == 1 else frozenset()


def _is_same(name: str, speaker: str) -> bool:
    return name == speaker or (name.isascii() != speaker.isascii() and forms.same_word(name, speaker))


def asks_for_both(text: str) -> bool:
    """Whether a request is for what both said in a talk, or what was noted at all: "what we talked about"."""
    return _BOTH.search(text) is not None


def said_by_user(row: Row, own: Collection[str], speaker: Speaker, text: str, *, people: int) -> Match:
    """Whether the user said it: in doubt where another may be the user, of whom ``own`` has the known names.

    What another said is sure where ``speaker`` or the ``text`` of the request is for anybody's, or for both and no more
    ``people`` speak than two; else it is in doubt where the request is for both, or leaves out whose it is for.
    """
    who = folded(row.speaker) if row.speaker else ""
    if speaker is Speaker.ANYBODY or any(re.search(it, text, re.IGNORECASE) for it in sayings("said_by_anybody")):
        return Match(level=Level.SURE, why="it was said")
    if not who or who in own or (people < _PAIR and who not in MACHINES):
        return Match(level=Level.SURE, why="the user said it")
    both = speaker is Speaker.BOTH
    if both and people == _PAIR and who not in MACHINES:
        return Match(level=Level.SURE, why="one of the two said it")
    if who in MACHINES or own:
        both = both or asks_for_both(text) or (speaker is Speaker.LEFT_OUT and who not in MACHINES)
        return Match(level=Level.DOUBTFUL if both else Level.NO, why="somebody else said it")
    return Match(level=Level.DOUBTFUL, why="somebody else may have said it")


#: Who speaks a line of a chat.
_LEAD = re.compile(r"^[ \t]*([^\W\d_][^:\n]{0,40}?) ?:(?=\s)", re.MULTILINE)
#: So many words behind a name is the verb of what they do, and so many in doubt: "Jonas at Hellberg says".
_VERB, _FAR = 2, 6
#: Before the name of whoever said something, up to so many words: "according to Jonas Ek".
_ACCORDING, _BEFORE = "according", 3
_THEY, _JOINING = frozenset("he she they".split()), frozenset({"and", "but"})
#: Words that open a sentence with a time, and so many words before a joint say more than that.
_TIMES, _PREFACE = frozenset("yesterday today tonight last earlier later".split()), 3
#: What stands behind a verb of telling without saying what was told.
_ASIDE = frozenset("me us you him her them i we that so this it about all".split())
_THEIRS = Match(level=Level.SURE, why="they said it")
_ELSEWHERE = Match(level=Level.DOUBTFUL, why="it also tells what they may not have said")
_PERHAPS = Match(level=Level.DOUBTFUL, why="they may have said it")


def said_by(name: str, row: Row, *, topic: bool = False) -> Match:
    """Whether somebody said that: as its speaker, in a line "Ana: ...", or where it tells what they said.

    Of a memory that tells other things besides, the places are those of what they said. Of a topic what only names them
    is in doubt.
    """
    who, leads = folded(name), [] if row.speaker else [folded(lead) for lead in _LEAD.findall(row.text)]
    called = " ".join(word for word in who.split() if word not in name_words("titles")) or who
    opens = bool(leads) and folded(row.text).lstrip().startswith(who)
    if folded(row.speaker or "") in {who, called} or (opens and set(leads) == {who}):
        return _THEIRS
    words = read_words(row.text)
    names = [at for at, word in enumerate(words) if word.low == called.split()[-1] and not word.owns]
    verbs = [verb for at in names for verb in _verbs(words, at)]
    if verbs:
        return _THEIRS if leads else _part(row.text, words, verbs)
    if who in leads:
        return Match(level=Level.DOUBTFUL, why="others speak there, too")
    if any(_may_tell(words, at) for at in names):
        return _PERHAPS
    if topic and any(word.low == called.split()[-1] for word in words):
        return Match(level=Level.DOUBTFUL, why="it names them, and does not tell who said it")
    return Match(level=Level.NO, why="somebody else said it")


def _telling() -> frozenset[str]:
    """Verbs of telling, in all languages of which they are known."""
    return name_words("telling_verbs") | name_words("reports_abroad")


def _verbs(words: Sequence[Word], at: int) -> list[int]:
    """Where the verb stands with which a memory tells what whoever is named at a place said; none where it does not."""
    if any(word.low == _ACCORDING for word in words[max(0, at - _BEFORE) : at]):
        return [at]
    behind = [*takewhile(lambda place: not words[place].opens, range(at + 1, min(at + 1 + _VERB, len(words))))]
    return [place for place in behind if words[place].low in _telling()][:1]


def _may_tell(words: Sequence[Word], at: int) -> bool:
    """Whether a memory may tell what whoever is named at a place said: what they want, or what "he" says then."""
    behind = words[at + 1 : at + 1 + _FAR]
    same = [*takewhile(lambda word: not word.opens, behind)]
    wants = any(word.low in name_words("wishing_verbs") for word in same[:_VERB])
    tells = any(word.low in _telling() for word in same)
    later = (
        who.low in _THEY and verb.low in _telling() for who, verb in zip(words[at + 1 :], words[at + 2 :], strict=False)
    )
    return wants or tells or any(later)


def _part(text: str, words: Sequence[Word], verbs: Sequence[int]) -> Match:
    """The match of the sentences, or the clause at the end of one, that tell what they said."""
    first, last = (words[at].start for at in (min(verbs), max(verbs)))
    pieces = clauses.clauses_of(text)
    opening = next((at for at, (_, end) in enumerate(pieces) if first < end), 0)
    sentences = [*sentence_spans(text)]
    behind = [piece for piece in sentences if piece[0] > last]
    goes_on = all(_takes_up(words, piece) for piece in behind)
    if not opening:
        return _THEIRS if goes_on and not _asks_before(words, verbs[0]) else _ELSEWHERE
    content = [word for word in words[verbs[0] + 1 :] if word.low not in _ASIDE]
    begins = next((start for start, end in sentences if start <= first < end), 0)
    if goes_on and (only_crumbs(text, pieces[:opening]) or not (content or begins)):
        return _THEIRS
    going = ((pieces[opening][0], len(text)),)
    keeps, most = parted(text, going)
    if not content or not goes_on or most is not Level.SURE or [*keeps] != pieces[:opening]:
        return _ELSEWHERE
    return Match(level=Level.SURE, why=_THEIRS.why, spans=going)


def _asks_before(words: Sequence[Word], verb: int) -> bool:
    """Whether a sentence opens with more than a time, before a joint: "Put it on hold, Jonas says it leaks"."""
    opening = next((at for at in range(verb, -1, -1) if words[at].opens), 0)
    joints = [at for at in range(opening + 1, verb) if words[at].gap.strip() == "," or words[at].low in _JOINING]
    first = words[opening].low
    aside = STOP_WORDS | calendar_words() | name_words("opening_times") | _TIMES
    plain = first in aside or first.endswith("ly")
    return not plain and bool(joints) and joints[-1] - opening >= _PREFACE and len(words) > verb + _VERB


def _takes_up(words: Sequence[Word], sentence: Span) -> bool:
    """Whether a sentence goes on with what was told before it."""
    opening = words[word_from(words, sentence[0]) :][:1]
    return any(word.low in name_words("dependent") | _THEY for word in opening)
