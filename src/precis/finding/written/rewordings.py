"""English requests put another way, as rules read them: "Bill, my mechanic" is "my mechanic Bill"."""

import re
from collections.abc import Callable

from precis.finding.kinds import is_person, says_whom

_NAME = r"(?-i:[A-Z])[\w'\u2019-]+(?: (?-i:[A-Z])[\w'\u2019-]+)?"
_MINE = r"(?P<mine>my|our)"
#: What a request opens with has a capital as well: "Forget Anna, my sister".
_NO_VERB = r"(?!(?:forget|delete|remove|erase|drop|wipe|clear|purge|discard|scrap|please|also|and|now|no)\b)"
#: What happened, and not that something may go.
_EVENT = r"(?!(?:can|may|should|must|is|was)\b)(?:(?! (?:can|may|should|must) (?:go|be)\b)[^,;:.])+"
_THING = r"(?P<thing>(?:(?!(?:was|were|is|are|from|before)\b)[\w'\u2019-]+ ){0,3}?[\w'\u2019-]+)"
#: Who somebody is to the user, beside the name.
_BEHIND = re.compile(
    rf"\b{_NO_VERB}(?P<name>{_NAME}), (?P<mine>my|our|the) (?P<role>[a-z][\w-]+)(?=[.,;!?]|$)", re.IGNORECASE
)
_BEFORE = re.compile(rf"\b{_MINE} (?P<role>[a-z][\w-]+), (?P<name>{_NAME})(?=[.,;!?]|$)", re.IGNORECASE)
#: A clause that was wrong: "that Simon is left-handed was a mix-up".
_WRONG = re.compile(
    r"^(?:the (?:bit|part|thing|note|memory|entry) )?that (?P<clause>[^,;.]+?) (?:was|is)"
    r" (?:just |only |all )?(?:an? )?(?:mix-?up|mistake|error|misunderstanding|slip|typo|joke|lie|rumou?r|misheard"
    r"|wrong|incorrect|untrue|false|nonsense|made[ -]up|invented|not (?:true|so|right|correct))\b"
    r"(?P<rest>[,;.].*\b(?:forget|delete|remove|erase|drop|wipe)\b.*)$",
    re.IGNORECASE,
)
#: What is not meant, in a clause of its own.
_NOT_MEANT = re.compile(
    r"[.,;]\s*(?:and |but )?(?:(?P<kept>(?:my|the|our) [^.,;]+?|" + _NAME + r") (?:is|are) not (?:meant|the one I mean)"
    r"|I (?:don['\u2019]t|do not) mean (?P<named>(?:my|the|our) [^.,;]+|" + _NAME + r"))\W*$",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"\b(?:(?:whatever|everything|anything|what|all) (?:that )?(?:i|we)(?:['\u2019]ve| have)? "
    r"(?:told|said|mentioned|wrote|shared)(?: to)?(?: you)? |(?P<every>everything|anything|all) )"
    r"(?:about|on|of|from|in|concerning|regarding) (?:the year )?(?P<year>(?:19|20)\d\d)(?=[.,;!?]|$)",
    re.IGNORECASE,
)
#: What a number names, taken up in the next sentence: "patient P-100 ... erase all on that patient".
_TAKEN_UP = re.compile(
    r"\b(?P<thing>[a-z]+) (?P<number>(?=[\w-]*\d)[\w-]+)"
    r"(?P<between>\b[^.!?]*[.!?]\s[^.!?]*?)\b(?:that|this|the) (?P=thing)\b",
    re.IGNORECASE,
)
#: What stays, before what goes.
_STAYS_FIRST = re.compile(
    r"^(?:please )?(?:(?:apart|aside) from (?P<kept>[^,;.]+)|(?P<first>(?:the|my|our|his|her|their) [^,;.]+?)"
    r" (?:apart|aside|excepted|excluded|exempted)), (?P<rest>(?:please |you can |you may )?"
    r"(?:forget|delete|remove|erase|drop|wipe|clear|purge|discard|scrap) [^.;!?]+)[.!]*$",
    re.IGNORECASE,
)
#: What was so before something happened, or while something else was so.
_WAS_BEFORE = re.compile(
    rf"\bwhat (?P<whose>my|our|the|{_NAME}['\u2019]s) {_THING} (?:was|were|used to be) (?:before|until) {_EVENT}",
    re.IGNORECASE,
)
_FROM_BEFORE = re.compile(rf"\b(?P<whose>the|my|our) {_THING} from before(?: {_EVENT}|(?=[.,;:!?]|$))", re.IGNORECASE)
_HAD_BEFORE = re.compile(
    rf"\b(?:the|my|our) {_THING} (?:that |which )?(?:i|we) (?:had|used|paid|took|drove|rented|went to|lived (?:at|in)"
    rf"|worked (?:at|for)|(?:was|were) (?:on|at|with|taking|using)) (?:before|until|when) {_EVENT}",
    re.IGNORECASE,
)
#: The user's own name, said: nobody else who has it is asked for.
OWN_NAME = re.compile(rf"\b(?P<what>(?:my|our) (?:[a-z]+ )?name),? {_NAME}(?=[.!?]*$)", re.IGNORECASE)
#: What is not so, or no more, and then "forget it": "I don't live in Leeds any more. Forget it.".
_JUDGED = (
    r"^\W*(?:(?:no|well|sorry|hey|hi)[,.!]? )?"
    r"(?:(?:(?:that|this|it)(?:['\u2019]s| is| was)? |you(?:['\u2019]re| are| have it)? )?"
    r"(?:wrong|false|incorrect|untrue|not (?:true|right|correct|so)|a mistake|mistaken)[,.;:!]+ )?"
)
_THEN = (
    r"(?: any ?more| any longer| at all)?[,.;:!]+ (?:so |and |please |just )*(?:forget|delete|remove|erase|drop)"
    r"(?: about)? (?:it|that|this)(?: please| then)?\W*$"
)
_NOT_SO = re.compile(
    rf"{_JUDGED}(?P<who>i|we) (?:(?:do not|don['\u2019]?t)(?: \w+ly)?|no longer) (?P<what>[a-z][^,.;:!?]*?){_THEN}",
    re.IGNORECASE,
)
_IS_NOT = re.compile(
    rf"{_JUDGED}(?P<who>i|we|{_NAME})(?P<be>['\u2019]m| am| is|['\u2019]s| are|['\u2019]re)"
    rf"(?:n['\u2019]t| not| no longer) (?P<what>[^,.;:!?]*?){_THEN}",
    re.IGNORECASE,
)
#: The same of somebody, before what is asked for: it says why, and may be read as a thing to forget.
NO_MORE = re.compile(
    r"^[^.,;:!?]*(?:\b(?:he|she|they|it)\b|['\u2019]s\b)[^.,;:!?]*(?:n['\u2019]t|\bnot)\b[^.,;:!?]*"
    r"\b(?:any ?more|any longer)\b[^?]*"
    r"\b(?:forget|delete|remove|erase|drop)\b",
    re.IGNORECASE,
)
#: "The story of how I lost my job" is how that came.
_STORY = re.compile(
    r"\b(?:the|that|this|my) (?:\w+ )?(?:story|tale|account|saga|part|bit|thing)s? (?:of|about) (?=how (?:i|we)\b)",
    re.IGNORECASE,
)
_OLD = re.compile(r"\b(?:old|former|previous|earlier|first)\b", re.IGNORECASE)


def reworded(text: str) -> str:
    """The same request; as it is where none of this is in it."""
    for expression, put in _PUT:
        text = expression.sub(put, text)
    return text


def _with_role(match: re.Match[str]) -> str:
    if not (is_person(match["role"]) if match["mine"].lower() == "the" else says_whom(match["role"])):
        return match.group()
    return f"{'our' if match['mine'].lower() == 'our' else 'my'} {match['role']} {match['name']}"


def _old(match: re.Match[str]) -> str:
    """The thing as an old one of whoever has it."""
    if _OLD.search(match.group()):
        return match.group()
    named = match.groupdict().get("whose") or "my"
    return f"{'my' if named.lower() == 'the' else named} old {match['thing']}"


_BE = {"i": "am", "we": "are"}
_PUT: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_STORY, ""),
    (_BEHIND, _with_role),
    (_BEFORE, _with_role),
    (_NOT_SO, r"Forget that \g<who> \g<what>."),
    (_IS_NOT, lambda match: f"Forget that {match['who']} {_BE.get(match['who'].lower(), 'is')} {match['what']}."),
    (_WRONG, r"Forget that \g<clause>."),
    (_NOT_MEANT, lambda match: f", not {match['kept'] or match['named']}"),
    (_TAKEN_UP, r"\g<thing> \g<number>\g<between>\g<thing> \g<number>"),
    (_STAYS_FIRST, r"\g<rest> except \g<kept>\g<first>"),
    (_YEAR, r"everything in \g<year>"),
    (_WAS_BEFORE, _old),
    (_FROM_BEFORE, _old),
    (_HAD_BEFORE, _old),
)
