"""What stands around the subject of a request is taken off: commands, politeness, "everything about", "my", "old"."""

from collections.abc import Iterable

from precis import patterns as re
from precis.finding.asked.refusals import tells_habit
from precis.finding.framing import CLAUSE, only_asks, sorts_of
from precis.finding.reading import UNSPACED
from precis.finding.tables import name_words, patterns
from precis.finding.written.rewordings import OWN_NAME
from precis.finding.written.spellings import in_figures
from precis.finding.written.users import with_titles
from precis.language.tokens import token
from precis.language.verbs import form_of

#: A verb or noun that forgets and nothing else, with what it takes behind it.
_TAKES = re.compile(
    r"\b(?:forget(?: about)?|delete|erase|remove|purge|wipe|scrub|redact|expunge|discard|unlearn|disregard"
    r"|get rid of|let go of|(?:forgett|delet|eras|remov|purg|wip|scrubb|redact|expung|discard|disregard)ing"
    r"|(?:deletion|erasure|removal|forgetting)(?: of)?|(?:wants?|wanted|needs?|needed|wish(?:es)?|would like)"
    r"(?= .+ (?:gone|deleted|erased|removed|forgotten|wiped)\b))\s+(?P<what>\S.*)$",
    re.IGNORECASE,
)
FORGETS = re.compile(r"\b(?:forg[eo]t|delet|eras|remov|purg|wip|scrub|redact|expung|discard)\w*", re.IGNORECASE)
#: What only says that something is written down: "the note that says I am ill" is that I am ill.
_WRITTEN = re.compile(
    r"\b(?:the|any|that|every|each|all|a) (?:notes?|memor(?:y|ies)|entr(?:y|ies)|records?|facts?|lines?|statements?"
    r"|info|information|bits?|parts?|things?)(?: of yours)?(?: (?:that|which|where|in which))?"
    r" (?:says?|said|saying|states?|stated|stating|mentions?|mentioning|claims?|claiming|reads?|it says|you say)"
    r"(?: that)? (?=(?:i|my|our|we|i'm|i\u2019m)\b)",
    re.IGNORECASE,
)
#: Says of forgetting that it is not to be, or asks about it.
_AGAINST = re.compile(
    r"(?:\b(?:refus\w*|refrain\w*|avoid\w*|forb[ia]d\w*|prohibit\w*|object\w*|oppos\w*|against|dare|under no \w+"
    r"|(?:mistake|wrong|shame|pity) to|(?:not|n['\u2019]?t) (?:ask\w*|want|request\w*|wish|need|allowed|permitted)"
    r"|(?:may|must|shall|should|do|does) not|(?<!whatever )(?:do|does|must|should)n['\u2019]?t)\b"
    r"|^\W*(?:who|why|when|did|have you|has|how come)\b)"
    r"(?:(?!\b(?:so|and|please|but|then|because|keep|store|know|remember|hold|have)\b)[^,;:.!?])*?"
    rf"{FORGETS.pattern}",
    re.IGNORECASE,
)
#: Speaks of forgetting, and may not ask for it: a question, a plan, what somebody does or did, what is to be undone.
_SPEAKS = re.compile(
    r"\b(?:how (?:do|does|can|could|would|should|to)|what (?:happens|if|would|will|does)"
    r"|whether(?! you (?:could|can|would|might|will)\b)"
    r"|wonder\w*(?! (?:if|whether) you (?:could|can|would|might|will)\b)"
    r"|(?:should|must|shall|do|does|did|am|are|was|were) (?:i|we|he|she|they|it|anyone|anybody|someone|somebody)"
    r"|(?:should|must|shall|do|did|are|were|have|had|need|ought) you(?! (?:please|kindly))"
    r"|remind (?:me|us)|(?:not|un) ?sure (?:if|that|about)|changed? my mind|only a fool|possible to|impossible)\b"
    r"|^\W*(?:(?:please|can you|could you) )*(?:undo|restore|recover|revert|bring back|wait|maybe|perhaps)\b"
    r"|\b(?:(?:can|could|may|might) (?:i|he|she|they|anyone|anybody|someone|somebody)"
    r"|(?:before|until|instead of|rather than|think(?:ing)? (?:about|of))"
    r"|(?:undo|regret|quit|cancel|postpon|delay|consider|restor)\w*(?: (?:the|your|my|all|any))?"
    r"|(?:early|late|sad|silly|foolish|afraid|reluctant|going|about|used|plan\w*|tend|likely) to"
    r"|(?:told|asked|advised|begged|warned) (?:me|us|him|her|them)(?: not)? to)\s*$"
    r"|(?:^|\s)(?:i|we|he|she|they|who)(?:['\u2019](?:ve|ll|d|m|re))?(?: (?:\w+ly|always|never|often|almost|just"
    r"|already|will|might|may|could|have|had|has|would|keep|kept|once|sometimes|soon|seldom))*\s*$",
    re.IGNORECASE,
)
#: The same behind the verb: "... but ask me first".
_HESITATES = re.compile(
    r"\bbut (?:do not|don['\u2019]?t)\W*$|\b(?:ask|tell|warn) me\b|\bunless\b|\bnot yet\b|\bsome ?day\b"
    r"|^\w*ing\b.*\b(?:would|was|is|were|could|might|will)\b",
    re.IGNORECASE,
)
#: Asks for the old ones by what is to stay: "only the current address should be kept".
_ONLY_NEW = re.compile(
    r"^(?:please )?(?:keep )?(?:only|just|nothing but) (?:keep )?(?:(?:the|my|our) )?"
    r"(?:current|present|new|newest|latest|today's|most recent) (?P<what>[\w' -]+?)"
    r"(?: (?:should|must|may|can|is to|has to|ought to|needs? to) (?:be (?:kept|saved|stored|remembered)|stay|remain)"
    r"| (?:is|are) (?:needed|relevant|valid|right|correct|true))?(?:[,;.] .*)?$",
    re.IGNORECASE,
)
#: A question that denies, and asks all the same.
_KINDLY = re.compile(
    r"\b(?:(can|could|would|wo)n['\u2019]?t (you)"
    r"(?= (?:please |just |kindly |maybe )?(?:forget|delete|remove|erase|drop|wipe)\b)"
    r"|(k\u00f6nntest|kannst|w\u00fcrdest) (du) (?:bitte )?nicht(?= )"
    r"|\u043d\u0435 (\u043c\u043e\u0433(?:\u043b\u0430|\u043b\u0438)? \u0431\u044b"
    r"|\u043c\u043e\u0436\u0435(?:\u0448\u044c|\u0442\u0435))\b"
    r"|no (podr\u00edas|puedes|podr\u00eda)\b|n\u00e3o (poderias?|podias?|podes)\b|non (potresti|puoi)\b"
    r"|ne (pourrais|pourriez|peux)-(?:tu|vous) pas\b)",
    re.IGNORECASE,
)
#: What somebody does, where nothing else is said of it: "what my wife does", "what I do for a living".
_DOES = re.compile(
    r"\b(?:what|how) (?P<who>(?:my|our) [\w-]+"
    r"|(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?"
    r"|i(?= (?:do for|earn)\b)|we(?= do for\b))"
    r" (?:does?(?: for (?:a living|work|money)| professionally)?|earns? (?:my|her|his|their|our|a) living)$",
    re.IGNORECASE,
)
#: What the user does or does not do, where a noun is made of it.
_DOING = re.compile(
    r"\b(?:(?:the|that|any|every) (?:bits?|parts?|things?|facts?|stuff|notes?|memor(?:y|ies)|info(?:rmation)?) )?"
    r"(?:about|of) me (?P<denied>not |never )?(?P<verb>[a-z]+ing)\b",
    re.IGNORECASE,
)
#: Before a thing they say that its old value is meant; "it is outdated" says why.
_OUTDATED = re.compile(
    r"\b(?<!is )(?<!are )(?:outdated|obsolete|superseded|out-of-date)\s+(?=[a-z]+\b(?<!and)(?<!so))", re.IGNORECASE
)
#: All of a thing is meant but its value of now: "... but the latest", "..., only the last one counts".
_BUT_NEW = re.compile(
    r",? (?:but|and|;) (?:please )?(?:keep|leave|not|don['\u2019]?t (?:forget|touch|delete)) (?:the|my|our)"
    r" (?:current|present|newest|new|latest|most recent)(?: ones?)?[.!]*$"
    r"|,? (?:but|except|save|besides|other than|apart from|not|only|just)(?: for)? (?:the|my) (?:very )?"
    r"(?:current|present|newest|latest|most recent|last)(?: ones?)?"
    r"(?: (?:is|are|counts?|matters?|applies)\b[^,;.]*)?[.!]*$",
    re.IGNORECASE,
)
#: Behind a comma they say that each of a thing is meant: ", the old one and the new one".
_OLD, _NEW = (
    rf"(?:\w+ |l['\u2019])?(?:{'|'.join(sorted(name_words(it)))})(?: ones?)?" for it in ("each_old", "each_new")
)
_AND = r"\s+(?:and|und|et|y|e|en|i|\u0438|och)\s+"
_EACH_AGE = re.compile(rf",\s+(?:both |beide )?(?:{_OLD}{_AND}{_NEW}|{_NEW}{_AND}{_OLD})(?=\W*$)", re.IGNORECASE)
#: Says first what is not meant: "the pet: not the dog, the cat".
NOT_BUT = re.compile(
    r"[,:;]? not (?P<kept>(?:the|my|our|his|her|their)\b[^,;.:]*), (?:but )?(?:only )?"
    r"(?P<what>(?:the|my|our|his|her|their)\b.*)$",
    re.IGNORECASE,
)
#: What a letter ends with, and what is said before asking.
_CLOSES = re.compile(
    r"(?:[.!?]\s+|,?\s+)(?:thanks|thank you|thx|ty|many thanks|cheers|(?:best|kind|warm|many)? ?(?:regards|wishes)"
    r"|sincerely|yours)\b[^.!?]*[.!?]*$",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:(?:i'?m |i am )?(?:so |very )?sorry (?:to|for|about) [\w ]*?(?:,|\bbut\b|\band\b)"
    r"|if (?:it|that|this|you|possible)\b[^,]*,)\s*",
    re.IGNORECASE,
)
#: What a preface must not have: it may say then whom or what the request is about.
_OWN = re.compile(r"\b(?:my|our|mine|his|her|their|i'm|i am)\b", re.IGNORECASE)
#: Words inside a sentence, behind which a capital makes a name.
_INSIDE = re.compile(r"(?<![.!?:]\s)(?<!^)\b[^\W\d_][\w'\u2019-]*")
EDGE = ' \t\n,.;:!?\u060c\u061b\u061f\u0964\u3002\u3001\uff0c"\u201c\u201d\u00ab\u00bb\u300c\u300d'


def plainly_put(what: str) -> str:
    """A request without titles' full stops, the user's name and what says that each is meant; numbers in figures."""
    return OWN_NAME.sub(r"\g<what>", _EACH_AGE.sub("", in_figures(with_titles(what))))


def stripped(text: str, language: str) -> str:
    """The request without its commands, its politeness and "everything about"."""
    spaced = language not in {"zh", "ja"}
    begin = re.compile("|".join(f"(?:{p})" for p in patterns(language, "begin")) or r"(?!)", re.IGNORECASE)
    end = re.compile(
        (r"(?:^|(?<=\s))" if spaced and language != "ko" else "")
        + "(?:"
        + ("|".join(f"(?:{p})" for p in patterns(language, "end")) or r"(?!)")
        + ")$",
        re.IGNORECASE,
    )
    before = None
    while before != text:
        before = text
        text = text.strip(EDGE)
        match = begin.match(text)
        if match and match.group():
            text = text[match.end() :]
            continue
        match = end.search(text)
        if match and match.group():
            text = text[: match.start()]
    return text.strip(EDGE)


def without(text: str, expressions: Iterable[str], *, anywhere: bool = False) -> tuple[str, bool]:
    """The text without these words, and whether they were there; anywhere in it or at its beginning."""
    for expression in expressions:
        unspaced = bool(UNSPACED.search(expression))
        edge = r"(?!\w)" if not unspaced and "(?=" not in expression else ""
        begins = "" if unspaced else r"(?<!\w)"
        pattern = re.compile(f"{begins}(?:{expression}){edge}", re.IGNORECASE)
        match = pattern.search(text) if anywhere else pattern.match(text.strip(EDGE))
        if match and match.group():
            source = text if anywhere else text.strip(EDGE)
            return f"{source[: match.start()]} {source[match.end() :]}".strip(), True
    return text, False


#: Somebody, where nobody is named beside it: "my ex".
_EX = re.compile(
    r"\bex (?:des|der|del|do|da|dell['\u2019]|van|von|av)\b"
    r"|\b(?:my|our|mein\w*|mon|ma|mes|mi|mis|mijn|meu|minha|mio|mia|min|mitt)\s+ex(?:\W*$|['\u2019]s\b|\s+(?:lives?|works?|is|was|has)\b)",
    re.IGNORECASE,
)


def without_old(text: str, language: str) -> tuple[str, bool]:
    """The same without what asks for an old value, where it names what: "mein Alter" is an age."""
    rest, old = (text, False) if _EX.search(text) else without(text, patterns(language, "old"), anywhere=True)
    if old and not without(rest, patterns(language, "mine"))[0].strip(EDGE):
        return text, False
    return rest, old


def without_clause(text: str, language: str) -> tuple[str, str]:
    """The kind that a request names by a clause about it ("the desserts I like"), and the verb where that is all.

    The text itself, and no verb, where there is no such clause.
    """
    for expression in patterns(language, "relative"):
        match = re.match(expression, text.strip(EDGE), re.IGNORECASE)
        if match:
            named = match.groupdict()
            return (named.get("kind") or named.get("verb") or text), named.get("verb") or ""
    return text, ""


#: Behind a clause, a request that ends with an owner ("his can go"), or says of somebody "this is to go".
_ELLIPTIC = re.compile(
    r"(?<!\bSt)(?<!\bMt)(?<!\b[MDSJ]r)(?<!\bMrs)[.;!?]\s.*(?:\b[^\W\d_]+['\u2019]s|\b(?:his|hers|theirs))[\s.!]*$"
    r"|[.;!?]\s+for [A-Z]\w+,? (?:this|that) "
    r"|[,.;!?]\s.*\b(?:his|hers|theirs) (?:can|may|should|must) go\b",
    re.IGNORECASE | re.DOTALL,
)


def is_against(text: str) -> bool:
    """Whether an English text speaks against forgetting, or only of it: "please refrain from deleting ..."."""
    match, verb = _AGAINST.search(text), FORGETS.search(text)
    return match is not None and verb is not None and verb.start() >= match.start()


def only_speaks(text: str, language: str) -> bool:
    """Whether a text may only speak of forgetting: "should I delete ...?", "ich vergesse immer ..."."""
    reports = any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns(language, "speaks"))
    reports = reports or tells_habit(text, language)
    verb = FORGETS.search(text) if language == "en" else None
    if reports or verb is None:
        return reports
    before = text[: verb.start()]
    clause = before[max((hit.end() for hit in CLAUSE.finditer(before)), default=0) :]
    speaks = _SPEAKS.search(clause) or _SPEAKS.match(before) or _HESITATES.search(text[verb.start() :])
    return speaks is not None


def leaves_to_what_precedes(text: str) -> bool:
    """Whether what is to go is named by whose it is alone, or by "this", behind another clause that may say what it is.

    "Farida and Henrike share a birthday. Drop Farida's."
    """
    return _ELLIPTIC.search(text) is not None


def asked_kindly(text: str) -> str:
    """A request without the "not" of a polite question: "Couldn't you forget ...?"."""
    return _KINDLY.sub(lambda match: " ".join(filter(None, match.groups())), text, count=1)


def with_trade(text: str) -> str:
    """An English request in which what somebody does for a living is called their job."""
    return _DOES.sub(lambda match: "my job" if match["who"].lower() in {"i", "we"} else f"{match['who']}'s job", text)


def with_clause(text: str) -> str:
    """An English request in which what is about the user doing something is said in a clause: "me not liking tea"."""
    return _DOING.sub(lambda match: f"that I {_as_verb(match['verb'].lower(), denied=match['denied'])}", text)


def _as_verb(doing: str, *, denied: str | None) -> str:
    if doing == "being":
        return "am not" if denied else "am"
    form = form_of(token(doing))
    verb = form.lemma if form is not None else doing
    return f"don't {verb}" if denied else verb


def with_ages(text: str, language: str) -> str:
    """A request with "old" before what it means the old values of: "... but the latest", "only keep the new one"."""
    text = _OUTDATED.sub("old ", _ONLY_NEW.sub(r"my old \g<what>", text))
    return _BUT_NEW.sub(" older", text) if language == "en" else text


def behind_verb(text: str) -> str:
    """An English request from the verb that forgets on, where what stands before it is talk that no list knows.

    "Under article 17 I request erasure of Ben" has its subject behind the verb, "Ben wants you to delete him" before.
    """
    text = _WRITTEN.sub("that ", _POLITE.sub("", _CLOSES.sub("", text)))
    match = _TAKES.search(text)
    if match is None or only_asks(match["what"], "en"):
        return text
    preface = text[: match.start()]
    clause = preface[max((hit.end() for hit in CLAUSE.finditer(preface)), default=0) :]
    sorts = sorts_of(preface, "en")
    named = any(word[1:] != word[1:].upper() and word[0].isupper() for word in _INSIDE.findall(preface))
    denied = not {"denies", "keeps"}.isdisjoint(sorts_of(clause, "en"))
    if named or denied or _OWN.search(preface) or all(sorts):
        return text
    return text[match.start() :]
