"""Whether a sentence can be read alone, or hangs on what its speaker said right before it."""

from precis import patterns as re
from precis.checks.asides import manners_of
from precis.checks.reactions import POINTS_BACK, lacks_verb, states
from precis.language import tables
from precis.language.dates import A_MONTH, A_WEEKDAY
from precis.language.grammar import FORMS
from precis.language.script import is_foreign

#: Words that may stand before one that points back: "Well, it's 380."
_OPENS = re.compile(
    rf"\W*(?:(?:no|nope|nah|yes|yeah|yep|oh|well|plus|or|still|maybe|honestly|luckily)\b[\s,.!\u2026]+)*"
    rf"{POINTS_BACK.pattern}",
    re.IGNORECASE,
)


#: So opens half a sentence: "Since I was nine, and no exceptions."
_HALF = re.compile(r"\W*(?:since|because|unless|except|instead|until|although)\b", re.IGNORECASE)

#: Who is told to do something with what was said: "Keep that to yourself.", "Please take it along."
_ORDERS = re.compile(
    r"\W*(?:(?:and|but|so|then|now|oh|ok|okay|yes|no|well|also|just|only|please|you|to|remember|sure|make)\b\W*)*"
    r"(?P<verb>[^\W\d_]+) (?:[^\W\d_]+ ){0,3}?(?:it|this|that|these|those|them|the (?:\w+ )?ones?)\b(?!['\u2019])",
    re.IGNORECASE,
)
#: What is said so cheers on, or is a way of speaking: "Keep it up!"
_IDIOM = re.compile(rf"\b(?:{tables.choices('reactions.idioms')})\b", re.IGNORECASE)


def orders(sentence: str) -> bool:
    """Whether an English sentence says what is to be done with what was said before it."""
    order = _ORDERS.match(sentence)
    if order is None or _IDIOM.search(sentence) or (form := FORMS.get(order["verb"].lower())) is None:
        return False
    return "base" in form.kinds


#: A day or an hour alone, of what stands before it: "9 June now, 13:30."
_WHEN = re.compile(
    rf"\W*(?:on |at )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{A_MONTH})|(?:{A_MONTH}) \d{{1,2}}|(?:{A_WEEKDAY})"
    r"|\d{1,2}[:.]\d\d)\b",
    re.IGNORECASE,
)


def tells_only_when(sentence: str) -> bool:
    """Whether it says when, and of what stands in the sentence before: "9 June now, 13:30."."""
    return _WHEN.match(sentence) is not None and lacks_verb(sentence)


def hangs(sentence: str, text: str) -> bool:
    """Whether a sentence of a text needs the one before it: "It's 380.", "Not deadly, just a bad night.".

    It opens on a word for what was named before, or has no verb, and neither a figure nor a name. In a language of
    which the words for that are not known none does.
    """
    if is_foreign(text):
        manners = manners_of([text])
        return manners is not None and manners.points_back(sentence)
    opens = _OPENS.match(sentence) or _HALF.match(sentence)
    return opens is not None or lacks_clause(sentence)


def lacks_clause(sentence: str) -> bool:
    """Whether an English sentence says nothing of anybody without another one: no verb, no figure and no name."""
    return lacks_verb(sentence) and not states(sentence)
