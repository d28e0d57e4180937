"""What is a fact only with the sentence before it, or with the subject that it leaves to who speaks. Pure.

"It's 26 February now" is told behind "Mum's operation has been moved", and "Moved Tidewatch to Python 3.13" as it
stands: both are quoted, and no rule says who is meant.
"""

from precis import patterns as re
from precis.language import dates, grammar, sentences, tables

_ME = re.compile(r"\b(?:I|[Mm]e|[Mm]yself)\b")
_PASSING = frozenset((*tables.words("told_of.passing"), "had", "went", "saw", "called"))
#: A verb that the grammar does not list is none of so few letters: "need".
_LONG = 5
#: "It's 26 February now", "He wants 3,850 pounds": a figure of what the sentence before names.
_WITH_VALUE = re.compile(
    r"(?:(?P<thing>It|(?:From|Since|As of) [\w ,]{3,20}?it(?=['\u2019 ]))|He|She|They(?=['\u2019]re))"
    r"(?:['\u2019](?:s|ll|re)| (?!was\b|were\b|had\b)[a-z]+)\b[^?]*(?:\d| [A-Z][a-z]+ [A-Z])"
)
#: What a thing has one of at a time: "It's 30 degrees" is of the weather.
_DAY = re.compile(rf"\b(?:now|instead|{'|'.join((*dates.MONTHS, *dates.WEEKDAYS))})\b|\d:\d\d", re.IGNORECASE)
_SINCE = re.compile(r"(?:From|Since|As of)\b")
_TWO = re.compile(r"[A-Z][\w-]+ and [A-Z]")
#: Somebody with two names, and no pronoun that may be of another: "First plumber came, Gareth Pym."
_INTRODUCES = re.compile(r"(?:\w+(?:, | ))*(?P<name>[A-Z][a-z]+ [A-Z][a-z]+)[^?]*")
_PRONOUN = re.compile(r"\b(?:s?he|him|her|they|them|it|you|your)\b", re.IGNORECASE)


#: "We booked", "We've got"; and what a verb does something to: a name, a figure, or a thing with its article.
_OF_US = re.compile(r"We(?P<have>['\u2019]ve| have)? (?P<verb>[a-z]+)\b")
_UNDERGOES = re.compile(r" (?:[A-Z\d]|(?:the|an?|my|our|his|her|their) )")
#: "Our landlord is Mr. Petri"; and what "we" do for good: "We live in Bergen".
_OUR, _STATES = re.compile(r"Our (?=[a-z])"), frozenset(tables.words("told_of.states"))
_SEVERAL = re.compile(r"\b(?:we|us|our|ours)\b", re.IGNORECASE)
#: What somebody would like besides; who "would say" something takes back how sure it is.
_WISH = re.compile(
    r"(?<=\w)(?:, (?:and |so |but )?| (?:and|so|but) )I(?:['\u2019]d| would) (?:really )?(?:like|love|prefer)\b[^?]*$"
)
_OF_ANOTHER = re.compile(r"^(I(?:['\u2019]m| am)(?: an?)? \w+),? and (?:s?he|it|they)\b[^?]*$")
_DEPENDENT = re.compile(rf"(?:{tables.choices('statements.dependent')})\b", re.IGNORECASE)


def with_first_person(sentence: str) -> str | None:
    """What "we" did, live in or have, or who leaves "I" out, as if one alone said "I".

    It is read so, and quoted as it stands, where it has a name or a figure. "Moved to tears" is no "Moved Tidewatch":
    something undergoes it there.
    """
    if not (any(map(str.isdigit, sentence)) or any(word[:1].isupper() for word in sentence.split()[1:])):
        return None
    if _OUR.match(sentence) and not _SEVERAL.search(sentence, len("Our")):
        return f"My{sentence[len('Our') :]}"
    of_us = _OF_US.match(sentence)
    is_of_us = of_us is not None and (of_us["have"] or of_us["verb"] in _STATES or _lasts(of_us["verb"]))
    if of_us and is_of_us and not _SEVERAL.search(sentence, of_us.end()):
        return f"I{sentence[len('We') :]}"
    opening, *_ = sentence.split() or [""]
    done = _lasts(opening.lower()) and _UNDERGOES.match(sentence, len(opening)) is not None
    return f"I {opening.lower()}{sentence[len(opening) :]}" if done and not _ME.search(sentence) else None


def by_itself(sentence: str) -> str:
    """What stands before a wish for it: "My birthday is on 9 June, I'd like a cake that day".

    And what I am before what somebody else is, who was named in another sentence: "I'm celiac, and he eats no pork".
    """
    return sentence if _DEPENDENT.match(sentence) else _OF_ANOTHER.sub(r"\1.", _WISH.sub(".", sentence))


def _lasts(verb: str) -> bool:
    """Whether it is a past that may last: "booked" and not "laughed"."""
    if verb in _PASSING:
        return False
    form = grammar.FORMS.get(verb) or grammar.AMBIGUOUS_FORMS.get(verb)
    if form is None:
        return len(verb) > _LONG and verb.endswith("ed")
    return "past" in form.kinds and ("base" not in form.kinds or verb == "cut")


def goes_on_with_value(sentence: str, before: str) -> bool:
    """Whether it opens on a pronoun and gives a figure of whom or what the sentence before is about, which is one."""
    match = _WITH_VALUE.match(sentence)
    if match is None or _TWO.search(before):
        return False
    return not match["thing"] or _DAY.search(sentence) is not None or _SINCE.match(sentence) is not None


def introduces(sentence: str) -> bool:
    """Whether it names one person by two names, so that "he" right behind it can be nobody else."""
    return (
        len(re.findall(r"[A-Z][a-z]+ [A-Z][a-z]+", sentence)) == 1
        and _INTRODUCES.fullmatch(sentence) is not None
        and _PRONOUN.search(sentence) is None
        and not sentences.is_question(sentence)
    )
