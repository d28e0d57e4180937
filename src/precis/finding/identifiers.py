"""Identifiers, compared exactly and in their usual spellings: addresses, telephone numbers, accounts, orders, links.

A shared beginning is no match: ORD-1001 is not ORD-10012, and alice@acme.io is not malice@acme.io.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from precis import patterns as re
from precis.finding.values import Level, Match, Span

# Each begins where a run of its signs begins, and has an end: a long run is read once, not from each sign on.
_EMAIL = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}\s?(?:@|[(\[]at[)\]])\s?[\w-]{1,63}(?:(?:\.|\s?[(\[]dot[)\]]\s?)[\w-]{1,63}){1,8}"
    r"|(?<![\w.+-])[\w.+-]{1,64} at [\w-]{1,63}(?: dot [a-z]{2,10}){1,3}\b",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'\u201c\u201d()]+"
    r"|(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,10}(?![\w@])(?:/[^\s<>\"'()]*)?",
    re.IGNORECASE,
)
_SPOKEN_SIGNS = re.compile(r"[(\[](at|dot)[)\]]|(?<= )(at|dot)(?= )", re.IGNORECASE)
_HANDLE = re.compile(r"(?<![\w.])@[\w][\w.]{1,38}")
#: What is no word although letters stand in it.
LINKS = re.compile(rf"{_EMAIL.pattern}|(?:https?://|www\.)\S+|(?<![\w.])@\w[\w.]+", re.IGNORECASE)
#: Digits, or capitals and digits, in groups that spaces, dots, dashes, slashes and brackets part.
_NUMBER = re.compile(r"(?<![\w@])\+?\(?\d(?:[\s./()\u2010-\u2013-]{0,2}\d){4,40}(?![\w])")
#: A letter somewhere and two digits: with dashes, or a word of capitals and a number, perhaps behind another one.
_CODE = re.compile(
    r"(?<![\w.@/-])#?(?:(?:\d{1,4} )?(?:[A-Z]{1,4}-)?[A-Z]{1,6} (?=\d))?"
    r"[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*(?![\w@]|\.\w)"
)
#: Capitals and digits in groups: the plates "HH AB 1204" and "7KRT 294", the passport "X 482 1093".
_GROUPED = re.compile(
    r"(?<![\w@.-])(?:[A-Z]{1,3}[ -][A-Z]{1,3}[ -]?\d{2,5}|[A-Z]{1,3}[ -]?\d{2,4}(?:[ -]\d{2,5}){1,4}(?:[ -][A-Z]{2})?"
    r"|[A-Z]{1,3}[ -]?\d{1,4}[ -][A-Z]{2,3}"
    r"|\d{1,2}(?!JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|EUR|USD|GBP|CHF)[A-Z]{3}[ -]?\d{3})(?![\w@]|[-/.]\w)"
)
#: The address of a network card: six pairs of hexadecimal digits, or three of pairs.
_HARDWARE = re.compile(
    r"(?<![\w:.-])(?:[0-9A-F]{2}(?:[:-][0-9A-F]{2}){5}|[0-9A-F]{4}(?:\.[0-9A-F]{4}){2})(?![\w:-]|\.\w)", re.IGNORECASE
)
#: The name of a file, with all of its endings.
_FILE = re.compile(
    r"(?<![\w./@-])[\w-]{1,80}(?:\.[\w-]{1,20}){0,4}\.(?:docx?|xlsx?|pptx?|pdf|txt|csv|tsv|zip|jpe?g|png|gif|svg|py|md"
    r"|json|ya?ml|toml|html?|mp[34]|mov|wav|od[tsp]|psd|epub|key|pages|numbers|bak|log|sql|tex|rtf)(?:\.\w{1,5})?(?![\w/@])",
    re.IGNORECASE,
)
#: A name for a computer: "night_owl".
_UNDERSCORED = re.compile(r"(?<![\w@.-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w@])", re.IGNORECASE)
_IBAN = re.compile(
    r"\b[A-Z]{2}\d{2}[ -]?[A-Z0-9]{4}(?:[ -]?(?=[A-Z]*\d)[A-Z0-9]{4}){1,6}"
    r"(?:[ -]?(?=[A-Z]*\d)[A-Z0-9]{1,3})?(?![A-Z0-9])",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.,@+/-])#?\d{3,}(?![\w@]|[.,:/-]\d)")
#: The address of a computer; four pairs of digits are a telephone number.
_HOST = re.compile(
    r"(?<![\w.])(?!(?:\d\d\.){3}\d\d(?!\d))(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w-]|\.\d)"
)
_VERSION = re.compile(r"(?<![\w.])v?\d{1,4}(?:\.\d{1,4}){2,3}(?![\w-]|\.\d)", re.IGNORECASE)
#: Longer words of capitals with a digit are codes.
_SHORT_CODE = 5
#: A number that a letter behind a dash tells from others: "4471-B".
_SUFFIXED = re.compile(r"#?\d{3,}-[A-Z]{1,2}")
#: Says what kind of code follows: the "ID" of "ID E-00932".
_LABELED = re.compile(r"^#?(?:ID|PIN|VIN|IBAN|SSN|NR|NO|REF|NHS|MAC|IMEI|ISBN) (?=[A-Z]{1,6}[-/_ ]?\d)")
_APART = re.compile(r"[\s./()\u2010-\u2015_#-]+")
#: What is neither a letter nor a digit; and the first letters or digits.
_SIGNS, _OPENING = re.compile(r"[\W_]+"), re.compile(r"[^\W_]{1,3}")
_YEAR_LIKE = re.compile(r"(?:19|20)\d\d$")
_DATE_LIKE = re.compile(r"(?:19|20)\d\d-\d\d?-\d\d?$|\d{1,2}[./]\d{1,2}[./](?:19|20)?\d\d$")

#: A link to a page of what was asked for.
PAGE = "it has a page of this domain"
#: What is called a number.
_CALLED = re.compile(
    r"\bnumbers?\b|nummer|num[e\u00e9]ro|n[\u00fau]mero|numara|numer\b|رقم|नंबर|संख्या"
    r"|\u043d\u043e\u043c\u0435\u0440|\u53f7\u7801|[\u673a\u8bdd]\u53f7|\u756a\u53f7|\ubc88\ud638",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier in the form in which it is compared."""

    kind: str
    value: str
    start: int
    end: int


#: Letters, digits and signs that are as wide as those of Chinese.
_WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_OTHER_SCRIPTS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")


def identifiers_in(text: str) -> list[Identifier]:
    """The identifiers of a text in order; what one of them covers is no other."""
    text = _OTHER_SCRIPTS.sub(" ", text.translate(_WIDE))  # "\u8ba2\u5355A50623": no space parts them
    spelled = _SPOKEN_SIGNS.search(text) is not None
    if not (spelled or any(char.isdigit() or char in "@./_:" for char in text) or _HARDWARE.search(text)):
        return []
    marks = [*_marks(text)]
    marks.sort(key=lambda mark: (mark.start, -mark.end))
    kept: list[Identifier] = []
    for mark in marks:
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


def _marks(text: str) -> Iterator[Identifier]:
    taken = bytearray(len(text))

    def free(match: re.Match[str]) -> bool:
        start, end = match.span()
        clear = not any(taken[start:end])
        if clear:
            taken[start:end] = b"\1" * (end - start)
        return clear

    for kind, pattern, canon in _KINDS:
        for match in pattern.finditer(text):
            value = canon(match.group())
            if value and free(match):
                yield Identifier(kind, value, *match.span())


def _email(text: str) -> str:
    signs = _SPOKEN_SIGNS.sub(lambda match: {"at": "@", "dot": "."}[(match[1] or match[2]).lower()], text)
    return re.sub(r"\s|[.,;]+$", "", signs).casefold()


def _link(text: str) -> str:
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", text.rstrip(".,;:!?"), flags=re.IGNORECASE).rstrip("/")
    host, slash, path = bare.partition("/")
    return host.casefold() + slash + path if "." in host else ""


def _number(text: str) -> str:
    if _DATE_LIKE.match(text.strip()):
        return ""
    digits = re.sub(r"\D", "", text)
    if text.lstrip("( ").startswith("+") or (digits.startswith("00") and len(digits) > 10):
        return "+" + re.sub(r"\D", "", text.replace("(0)", "")).removeprefix("00")
    return digits


def _code(text: str) -> str:
    text = _LABELED.sub("", text)
    value = _APART.sub("", text).casefold()
    letters, digits = (sum(map(test, value)) for test in (str.isalpha, str.isdigit))
    # "10am" and "20th" are none; "QX7PLM" and "casa_5g" are.
    marked = bool(digits) and (("_" in text) or (text.isupper() and text.isalnum() and len(text) > _SHORT_CODE))
    opens = value[0].isalpha() or len(value) > _SHORT_CODE or _SUFFIXED.fullmatch(text) is not None
    return value if letters and (digits >= 2 or marked) and opens else ""


def _plain(text: str) -> str:
    value = text.lstrip("#")
    return "" if _YEAR_LIKE.match(value) else value


_KINDS = (
    ("address", _EMAIL, _email),
    ("link", re.compile(r"(?:https?://|www\.)[^\s<>\"'\u201c\u201d()]+", re.IGNORECASE), _link),
    ("account", _IBAN, lambda text: _APART.sub("", text).casefold()),
    ("hardware", _HARDWARE, lambda text: _APART.sub("", text.replace(":", "")).casefold()),
    ("file", _FILE, lambda text: text.casefold()),
    ("code", _GROUPED, _code),
    ("code", _CODE, _code),
    ("name", _UNDERSCORED, str.casefold),
    ("host", _HOST, lambda text: text),
    ("number", _NUMBER, _number),
    ("number", _BARE, _plain),
    ("version", _VERSION, lambda text: "" if _DATE_LIKE.match(text) else text.lower().removeprefix("v")),
    ("link", _LINK, _link),
    ("handle", _HANDLE, lambda text: text.casefold().rstrip(".")),
)


#: So many digits has the number of an account that no other number is.
_LONG_ACCOUNT = 16
#: So many digits have one with its country at least, which may be written without "+".
_SHORT_TELEPHONE = 9


def same(first: Identifier, second: Identifier) -> bool:
    """Whether two are one, however they are written."""
    if first.value == second.value or _same_otherwise(first, second) or _same_otherwise(second, first):
        return True
    return first.kind == second.kind == "number" and _same_telephone(first.value, second.value)


def _same_otherwise(first: Identifier, second: Identifier) -> bool:
    """An account with its country is the same without it where it is long, and a handle is the name behind its "@"."""
    match first.kind, second.kind:
        case "account", "number":
            return len(second.value) >= _LONG_ACCOUNT and first.value[2:] == second.value
        case "handle", "name":
            return first.value[1:] == second.value
    return False


def _same_telephone(first: str, second: str) -> bool:
    """With and without the country: +49 171 2345678 is 0171 2345678, and +1 555 123 4567 is 555 123 4567."""
    if first.removeprefix("+") == second.removeprefix("+"):
        return len(first) > _SHORT_TELEPHONE
    if first.startswith("+") == second.startswith("+"):
        return False
    abroad, local = (first, second) if first.startswith("+") else (second, first)
    inside = local.removeprefix("0")
    return (
        len(inside) >= (8 if local != inside else 9) and abroad.endswith(inside) and 2 <= len(abroad) - len(inside) <= 4
    )


def names_number(text: str) -> bool:
    """Whether a text has a word for a number, in any language."""
    return _CALLED.search(text) is not None


def named_number(text: str) -> str:
    """The word for a number that a text has; nothing where it has none."""
    match = _CALLED.search(text)
    return match.group() if match else ""


def tells_number(text: str) -> bool:
    """Whether a text speaks of a number, or has one that is no year."""
    return names_number(text) or bool(identifiers_in(text))


def match_identifiers(targets: Iterable[Identifier], text: str) -> Match:
    """SURE where one of them is in the text; NEAR where only one like it is."""
    signs = _SIGNS.sub("", text.translate(_WIDE)).casefold()
    targets = [target for target in targets if _may_be_in(target, signs)]
    if not targets:
        return Match(level=Level.NO)
    present = identifiers_in(text)
    best = Match(level=Level.NO)
    for target in targets:
        spans = tuple((mark.start, mark.end) for mark in present if same(target, mark)) or _spelled(target, text)
        if spans:
            return Match(level=Level.SURE, why=f"it has this {target.kind}", spans=spans)
        pages = tuple((mark.start, mark.end) for mark in present if _is_page(mark, target))
        if pages:
            best = Match(level=Level.DOUBTFUL, why=PAGE, spans=pages)
        elif any(_numbered(target, mark) for mark in present):
            best = Match(level=Level.DOUBTFUL, why="it has the same digits in another form")
        elif best.level is Level.NO and any(_alike(target, mark) for mark in present):
            best = Match(level=Level.NEAR, why=f"it has another {target.kind} that only looks like it")
    return best


def _may_be_in(target: Identifier, signs: str) -> bool:
    """Whether the letters and digits of a text have the beginning or the end of it: few texts have to be read."""
    value = target.value.casefold()
    opening = _OPENING.search(value)
    return opening is None or opening.group() in signs or _SIGNS.sub("", value)[-4:] in signs


def _spelled(target: Identifier, text: str) -> tuple[Span, ...]:
    """A code with other signs between its letters and digits: "ord 1001" for ORD-1001; a name as it is, and no more."""
    if target.kind not in {"code", "hardware", "name"}:
        return ()
    pattern = ("" if target.kind == "name" else r"[\s./#:_-]{0,2}").join(map(re.escape, target.value))
    text = _OTHER_SCRIPTS.sub(" ", text)
    return tuple(
        match.span() for match in re.finditer(rf"(?<![\w@.-])#?{pattern}(?![\w@])(?![-/.]\w)", text.casefold())
    )


def _is_page(mark: Identifier, target: Identifier) -> bool:
    """Whether a link leads to a page of a domain: "orlo.example/soups" of "orlo.example"."""
    return mark.kind == target.kind == "link" and "/" not in target.value and mark.value.startswith(f"{target.value}/")


def _numbered(target: Identifier, mark: Identifier) -> bool:
    """Order 1001 and ORD-1001."""
    values = {target.kind: target.value, mark.kind: mark.value}
    return set(values) == {"number", "code"} and values["number"] == re.sub(r"^\D+", "", values["code"])


def _alike(target: Identifier, mark: Identifier) -> bool:
    first, second = target.value, mark.value
    head = max(3, min(len(first), len(second)) - 2)
    return mark.kind == target.kind and (first in second or second in first or first[:head] == second[:head])
