"""Sentences of a talk that tell nothing in particular, what nobody has said to be so, and what changes a life. Pure.

For choosing alone: they are told last, and no original leaves because of what is read here. What somebody feels about
what a pronoun names and slogans were far more seldom anybody's evidence than other sentences
(``benchmarks/trifles.py``). Nobody has said what they would do if, nor what an assistant says and nobody takes up.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from precis import patterns as re
from precis.checks.asides import Manners, manners_of
from precis.checks.reactions import is_aside, is_of_nobody, is_reaction, is_scrap, speaks_of_somebody, states
from precis.language import tables
from precis.language.chitchat import PRAISE, hollow, telling_in
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS, PEOPLE, SOMEBODY_ELSE, is_past
from precis.language.newest.taken_back import jokes_in
from precis.language.sentences import is_question, sentences
from precis.language.vocabulary import AIDS, NEGATORS
from precis.language.words import MARKS, STOP_WORDS, kept, stem, words
from precis.summary import Statement, speaker_of, unattributed
from precis.trust import SourceClass, class_of_role

_ANY_CHANGE, _CHANGE_UNSPACED = (
    tables.in_every_language("events.changes"),
    tables.in_every_language("events.changes_unspaced"),
)
_CHANGES = re.compile(rf"(?<![\w{MARKS}])(?:{_ANY_CHANGE})(?![\w{MARKS}])|{_CHANGE_UNSPACED}", re.IGNORECASE)


@kept
def changes_a_life(text: str) -> bool:
    """Whether one of its sentences does, and neither asks nor jokes."""
    parts = sentences(text)
    return any(
        _CHANGES.search(part) is not None and not is_question(part) and not joke
        for part, joke in zip(parts, jokes_in(parts), strict=True)
    )


_JOINTS = r"\W*(?:(?:and|but|so|because|also|then|plus|well|oh|yeah|just|now|still) )*"
#: Who cheers speaks of "us" and "our", and of nobody.
_SPURS = re.compile(rf"{_JOINTS}(?:{tables.choices('trifles.spurs')})\b", re.IGNORECASE)
#: A cry about what is in view: "This parachute is a knapsack!"
_SHOWN = re.compile(
    rf"{_JOINTS}(?:this|that|these|those)(?: [\w-]+){{1,2}} (?:is|are|looks?|smells?|tastes?)\b[^.?]*!\W*$",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:I|I['\u2019]\w+|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself)\b")
#: "Setbacks are just ...", "Being a mom is awesome": of whoever it is.
_SLOGAN = re.compile(rf"{_JOINTS}(?:{tables.choices('trifles.slogans')})", re.IGNORECASE)
_PARTICULAR = re.compile(
    r"\b(?:he|she|his|her|they|their|today|now|currently|lately|recently|here|already|yet)\b", re.IGNORECASE
)
_POINTS = re.compile(
    rf"{_JOINTS}(?:it|this|that|these|those|they|there|everything|all (?:of )?(?:it|this|that))\b", re.IGNORECASE
)
_NAME = r"[A-Z][\w'\u2019-]*(?: [A-Z][\w'\u2019-]*)?"
_JUDGED = re.compile(
    rf"(?:the |that |this )?{_NAME}(?:['\u2019]s| is| was| looks| looked| sounds| seems| feels| felt)"
    r"(?: (?:so|really|very|truly|just|such|an?|pretty|absolutely))* (?=[a-z])"
)
#: What is something: "The pride event was awesome", "It's great to ...", "Teaching them feels wonderful".
_FOUND = re.compile(
    rf"{_JOINTS}[^,;:]{{1,60}}?(?:['\u2019](?:s|re)| is| are| was| were| looks?| looked| sounds?| sounded"
    r"| seems?| seemed| feels?| felt| must be| can be)"
    r" (?:(?:so|such|an?|the|\w+ly|just|very|quite|pretty|always|all|also) )*(?P<how>[\w-]+)",
    re.IGNORECASE,
)
#: What opens a truth about everybody; what a thing or somebody in particular begins with; who everybody is.
_OPENS = re.compile(rf"\W*(?:(?:{tables.choices('trifles.opens')})\b\W*)*", re.IGNORECASE)
_ABSTRACT = re.compile(rf"(?:{tables.choices('trifles.abstract')})\b|\w{{2,}}ing\b", re.IGNORECASE)
_IN_PARTICULAR = re.compile(rf"(?:{tables.choices('trifles.particular')})\b", re.IGNORECASE)
_EVERYBODY = re.compile(rf"\b(?:{tables.choices('trifles.everybody')})\b", re.IGNORECASE)
_IS_SO = re.compile(
    rf"\b(?:{tables.choices('trifles.is_so')})\b|\w['\u2019]s (?:good|all|so|always|never)\b", re.IGNORECASE
)
#: What may be so of whoever it is: how hard or good it is, and what it does; "dogs may stay" is a rule of a house.
_MAY = re.compile(
    rf"\b(?:can|may|might) (?:\w+ly |sometimes |also |all )*(?:{tables.choices('trifles.may')}"
    rf"|be (?:(?:so|such|very|really|truly|quite|pretty|too|an?) |(?:{tables.choices('reactions.valued')})\b))",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"\b(?:today|now|currently|lately|recently|here|already|yet|still|this|these|those|anymore|due|ready)\b"
    r"|\bthe\b(?! (?:most|best|only|same|right|key|first|\w+est)\b)",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"(?:\b(?:am|is|are|was|were|been)|['\u2019](?:m|s|re)) (?:\w+ )?"
    r"(?:in|on|at|out of|off|between|from|back|under|with|without|away|home)\b(?! (?:it|this|that|them|you|all|for)\b)"
    r"|\b(?:said|told|agreed|won|lost|quit|left)\b",
    re.IGNORECASE,
)
_TODAY = re.compile(tables.choices("trifles.today"), re.IGNORECASE)
#: Nothing but the weather these tell; what is to come may matter to a plan.
_OF_WEATHER = frozenset(map(stem, tables.words("trifles.weather")))
_TO_COME = re.compile(r"\b(?:will|gonna|going to|if|until)\b|['\u2019]ll\b", re.IGNORECASE)
#: What somebody feels, thinks or is; any other verb may tell what somebody did.
_FEELING = frozenset(tables.words("trifles.feeling"))
_UNSPACED = frozenset({"Chinese", "Japanese"})
#: Words of feeling of other languages; their sentences hold nothing but such, words of courtesy and of grammar.
_FEELS = re.compile(
    "|".join(
        rf"(?:{tables.choices(f'trifles.feels.{name}')})"
        if name in _UNSPACED
        else rf"(?<![\w{MARKS}])(?:{tables.choices(f'trifles.feels.{name}')})(?![\w{MARKS}])"
        for name in tables.section("trifles.feels")
    ),
    re.IGNORECASE,
)
_NO_NOUNS = STOP_WORDS | frozenset(tables.words("tenses.adverbs"))
_SMALL_NOTE = re.compile(rf"\W*(?:{tables.choices('trifles.notes')})\W*", re.IGNORECASE)
_AROUND = {
    name: rf"(?:(?:{tables.choices(f'trifles.around.{name}')})\b[^\w]*)*" for name in tables.section("trifles.around")
}
_PASSED = tables.in_every_language("trifles.passing")
_PASSING = re.compile(rf"\W*{_AROUND['opens']}(?:{_PASSED})\W*{_AROUND['closes']}", re.IGNORECASE)
#: The day that a relative one of another language was resolved to.
_ADDED = re.compile(r"\s?\(\d{4}-\d\d-\d\d\)")
#: A cry has a letter many times over, and so few words.
_CRIED, _CRY = re.compile(r"([^\W\d_])\1\1", re.IGNORECASE), 3
#: A spur has at most so many words that tell something.
_FEW = 4


def is_trifle(sentence: str) -> bool:
    """Whether nobody could look up a word of it, or it cheers on or says what is so of whoever it is.

    None has a figure, a date or a name, nor denies anything, nor says what somebody did.
    """
    if "[" in sentence or not NEGATORS.isdisjoint(words(sentence)):
        return False
    if states(sentence):
        return _judges_a_name(sentence)
    tells = telling_in(sentence)
    if _SHOWN.match(sentence) and not speaks_of_somebody(sentence):
        return True
    if _SPURS.match(sentence) and not _OWN.search(sentence):
        return len(tells) <= _FEW
    is_slogan = _SLOGAN.match(sentence) and not _OWN.search(sentence) and not _PARTICULAR.search(sentence)
    of_weather = tells and tells <= _OF_WEATHER and not (speaks_of_somebody(sentence) or _TO_COME.search(sentence))
    if is_slogan or of_weather or _is_so_for_everybody(sentence) or _may_be_so(sentence):
        return True
    return not tells and not (speaks_of_somebody(sentence) and _does(sentence))


def _is_so_for_everybody(sentence: str) -> bool:
    """As "Life is more meaningful when we spend time together.": in the present, and of "us" or of "people"."""
    rest = _OPENS.sub("", sentence, count=1)
    if _OWN.search(rest) or SOMEBODY_ELSE.search(rest) or _IN_PARTICULAR.match(rest) or _MOMENT.search(rest):
        return False
    if any(map(is_past, words(rest))) or not (_ABSTRACT.match(rest) or _opens_on_plural(rest)):
        return False
    return _EVERYBODY.search(sentence) is not None and _IS_SO.search(rest) is not None


def _may_be_so(sentence: str) -> bool:
    """As "Parenting can be tough but rewarding.": what people do, an idea or a kind of thing may be so."""
    if not (_MAY.search(sentence) and is_of_nobody(sentence)):
        return False
    rest = _OPENS.sub("", sentence, count=1)
    return _ABSTRACT.match(rest) is not None or _opens_on_plural(rest)


def _opens_on_plural(sentence: str) -> bool:
    """Whether its first or second word is a plural: "Movies", "Real-life stories"."""
    first, second = [*list(words(sentence))[:2], "", ""][:2]
    # "Books can ..." opens on a noun, though "books" may be a verb.
    ends = first.endswith("s") and second in AIDS
    return ends or _is_plural(first) or (_is_plural(second) and first not in PEOPLE)


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in FORMS and word not in _NO_NOUNS


def is_trifle_elsewhere(sentence: str, manners: Manners) -> bool:
    """Whether a sentence of another language says nothing but what somebody feels, of what only a pronoun names."""
    return manners.tells_nothing_but(_FEELS, _TODAY.sub(" ", _ADDED.sub("", sentence)))


def _judges_a_name(sentence: str) -> bool:
    """As "Max was awesome." does: beside the name, no word could be looked up."""
    name = _JUDGED.match(sentence)
    rest = sentence[name.end() :] if name else ""
    return name is not None and not (states(rest) or telling_in(rest) or speaks_of_somebody(rest))


def is_slight(sentence: str) -> bool:
    """Whether it says at most one thing of what only a pronoun names, or of nobody: "It's a good break"."""
    return says_little(sentence) and (_POINTS.match(sentence) is not None or not speaks_of_somebody(sentence))


def says_little(sentence: str) -> bool:
    """Whether at most one word of it could be looked up, and none is a figure, a date, a name or a denial."""
    if "[" in sentence or states(sentence) or not NEGATORS.isdisjoint(words(sentence)):
        return False
    return len(telling_in(sentence)) <= 1


def only_remarks(sentence: str) -> bool:
    """Whether it says how somebody finds something, or one thing at most of nobody: "The parade was awesome!"."""
    if says_little(sentence):
        # "Paid in full" and "The car's gone" are short, and tell what became of something.
        cries = sentence.rstrip().endswith("!") or not PRAISE.isdisjoint(map(stem, words(sentence)))
        return cries and not (speaks_of_somebody(sentence) and _does(sentence)) and not changes_a_life(sentence)
    found = _FOUND.match(sentence)
    if found is None or "[" in sentence or states(sentence) or is_question(sentence) or _OWN.search(sentence):
        return False
    return stem(found["how"].lower()) in PRAISE and NEGATORS.isdisjoint(words(sentence))


def _does(sentence: str) -> bool:
    """Whether it may say what somebody did, does or will do, or where or how somebody is: "I'm out of work"."""
    if _WHERE.search(sentence):
        return True
    forms = (FORMS.get(word) or AMBIGUOUS_FORMS.get(word) for word in words(sentence))
    return any(form is not None and form.lemma not in _FEELING for form in forms)


def passes(sentence: str) -> bool:
    """Whether it says no more than good night, or how tired, cold or glad somebody is, in whatever language."""
    sentence = _ADDED.sub("", sentence)
    if re.search(r"\d", sentence):
        return False
    cried = _CRIED.search(sentence) is not None and len(sentence.split()) <= _CRY and not states(sentence)
    return cried or _PASSING.fullmatch(sentence) is not None


def is_small_note(text: str) -> bool:
    """Whether a note in the third person says no more than that somebody asked, thanked, greeted or was tired."""
    return _SMALL_NOTE.fullmatch(text) is not None and not re.search(r"\d", text)


def tells_of_nobody(message: str) -> bool:
    """Whether each sentence of a message in a talk reacts, asks, advises, or is a figure, a name or a cry alone."""
    parts = sentences(message)
    return bool(parts) and all(
        hollow(part) or is_question(part) or is_scrap(part) or is_reaction(part) or is_aside(part) or is_trifle(part)
        or _is_aside_elsewhere(part, message) for part in parts
    )  # fmt: skip


def _is_aside_elsewhere(sentence: str, message: str) -> bool:
    """The same of a message in another language that has manners of its own."""
    manners = manners_of([message])
    return manners is not None and (
        manners.is_courtesy(sentence) or manners.is_advice(sentence) or is_trifle_elsewhere(sentence, manners)
    )


_NAMES = frozenset(tables.words("statements.agents"))
#: "If they cancel a third time I'm moving to Portugal": a condition, and what whoever speaks would do then.
_SUPPOSES = re.compile(tables.in_every_language("supposed.if_i"))


def supposes(sentence: str) -> bool:
    """Whether it says what somebody would do if something were so."""
    return _SUPPOSES.match(sentence.lstrip().lower()) is not None


def meant(statements: Sequence[Statement]) -> list[Statement]:
    """The statements without what is only supposed, and what an assistant says in words that nobody took up.

    That only where people make as many of the statements or more. As they are where nothing else is left.
    """
    own = [_without(supposes, statement) for statement in statements if not _is_agents(statement.text)]
    words = frozenset().union(*(telling_in(unattributed(statement.text)) for statement in own if statement))
    agents = sum(_is_agents(statement.text) for statement in statements)

    def is_left_out(sentence: str) -> bool:
        return supposes(sentence) or is_question(sentence) or telling_in(sentence).isdisjoint(words)

    every = [
        _without(is_left_out if _is_agents(statement.text) and len(own) >= agents else supposes, statement)
        for statement in statements
    ]
    return [statement for statement in every if statement is not None] or list(statements)


def _without(is_left_out: Callable[[str], bool], statement: Statement) -> Statement | None:
    """The statement without some of its sentences; None where none is left."""
    parts = sentences(unattributed(statement.text))
    kept = [part for part in parts if not is_left_out(part)]
    if len(kept) == len(parts):
        return statement
    speaker = speaker_of(statement.text)
    text = " ".join(kept)
    return replace(statement, text=f"{speaker}: {text}" if speaker else text) if kept else None


def _is_agents(text: str) -> bool:
    speaker = (speaker_of(text) or "").strip()
    return class_of_role(speaker) is SourceClass.AGENT or speaker.casefold() in _NAMES
