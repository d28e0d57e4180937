"""What a clause of a talk is worth beside others, by whom it speaks of, how much it says, and how it ends."""

from precis import patterns as re
from precis.checks.asides import Manners, is_curt
from precis.checks.reactions import speaks_of_somebody, states, to_listener
from precis.checks.served import denies
from precis.checks.trifles import changes_a_life, is_slight, says_little
from precis.extractive.antecedents import says_what_somebody_did
from precis.extractive.candidate import Candidate
from precis.language import tables
from precis.language.sentences import sentences
from precis.language.words import normal
from precis.makers import Item

#: Openings that speak to the listener.
TO_LISTENER = re.compile(r"(?:you|your|you['\u2019](?:re|ve|ll|d))\b", re.IGNORECASE)
#: What has fewer words, is of nobody and names nothing is too curt for who was not there, and worth this share.
_CURT, _CURT_SHARE = 5, 0.3
#: What says one thing of what only a pronoun names, or of nobody, is worth this share, and one thing of somebody this.
_SLIGHT_SHARE, _LITTLE_SHARE = 0.5, 0.7
#: What opens on the listener is worth this share beside what it says, and this what speaks to him and of nobody else.
_OPENS_ON_LISTENER, _TO_LISTENER_SHARE = 0.4, 0.5
#: What somebody breaks off at a word that needs another: "and now I...", and what is worth no more than this share.
_BREAKS_OFF = re.compile(
    rf"(?:^|.*\W)(?:{tables.choices('statements.needs_another')})(?:\s*(?:\.{{2,}}|\u2026|--+|[\u2013\u2014])|\s+-)\W*$",
    re.IGNORECASE | re.DOTALL,
)
_BROKEN_SHARE = 0.3
#: In a script without spaces so many letters are a few words.
_FEW_LETTERS = 5


def share_of(option: Candidate, item: Item, *, english: bool, manners: Manners | None) -> float:
    """What a clause of a talk is worth; what has its question is worth all.

    By whom it speaks is not asked of what follows another.
    """
    if not item.speaker or option.derived or len(option.sources) > 1 or option.standing:
        return 1.0
    if not english:
        return _CURT_SHARE if manners and _only_opens(option, item, manners) else 1.0
    little = _SLIGHT_SHARE if is_slight(option.text) else _LITTLE_SHARE if says_little(option.text) else 1.0
    little = 1.0 if option.code or option.caption else little
    little *= _BROKEN_SHARE if _BREAKS_OFF.match(option.text) else 1.0
    return little if option.points_to is not None else little * _share_by_person(option)


def _only_opens(option: Candidate, item: Item, manners: Manners) -> bool:
    """Whether in a language other than English a message opens with a few words that tell nothing of who speaks.

    "Me parece genial." is likelier an answer to what was told than news; a denial, a change and a figure are news.
    """
    if option.sentence or option.changes or option.quoted or len(sentences(item.text)) == 1:
        return False
    text = option.text
    few = is_curt(text) and (manners.spaced or sum(map(str.isalpha, text)) <= _FEW_LETTERS)
    return few and not (denies(text) or changes_a_life(text) or manners.me.search(normal(text)))


def _share_by_person(option: Candidate) -> float:
    of_nobody = not states(option.text) and not speaks_of_somebody(option.text)
    curt = of_nobody and not (option.code or option.caption) and len(option.text.split()) < _CURT
    share = _CURT_SHARE if curt and not says_what_somebody_did(option.text) else 1.0
    if TO_LISTENER.match(option.text):
        return share * _OPENS_ON_LISTENER
    return share * (_TO_LISTENER_SHARE if of_nobody and to_listener(option.text) else 1.0)
