"""Facts in other languages, by a table each (``language/facts``): patterns of what people tell of themselves.

A sentence is a fact where a pattern fits and no word speaks against it, and what no pattern knows is left alone. It is
quoted, unless the table is sure of its third person. A language is a file here and needs no code; other parts of precis
know a language by lists and code of their own: CONTRIBUTING.md, "Add a language".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from precis.language import tables
from precis.language.newest.taken_back import laughs
from precis.language.words import words

#: Characters of a sentence that is read: what is longer tells more than one thing.
_LONGEST = 300
#: Letters of a word that hardly is another one in a neighboring language.
_TELLING_APART = 4
_ENDS = " .!\u3002\uff01"
_QUOTES = re.compile(r"[\"\u201c-\u201f\u00ab\u00bb\u300c\[?\uff1f\u00bf]")
#: A colon: what stands before it says how the rest is meant.
HEADS = re.compile(r":(?!\d)|\uff1a")
#: What a table calls otherwise than the type of memory that it is.
_TYPES = {"owned_dated": "fact"}
_LATIN = "[a-z]"
_FIRST = ("de", "fr", "es", "pt", "it", "ru", "tr", "zh", "ja")


@dataclass(frozen=True, kw_only=True)
class Tongue:
    """One language and its table."""

    code: str

    @cached_property
    def _table(self) -> Mapping[str, Any]:
        table: Mapping[str, Any] = tables.entry(f"facts/{self.code}")
        return table

    @cached_property
    def _letters(self) -> re.Pattern[str]:
        return re.compile(self._table.get("letters", _LATIN))

    @cached_property
    def is_spaced(self) -> bool:
        """Whether the language sets its words apart."""
        return bool(self._table.get("spaced", True))

    @cached_property
    def _never(self) -> re.Pattern[str]:
        """Words for what is not so, of somebody else, or not of long standing; and for what is only said."""
        return self.any_of("|".join(tables.choices(f"facts/{self.code}.{key}") for key in ("never", "framed")))

    @cached_property
    def _first(self) -> re.Pattern[str]:
        return self.any_of(self._table["first"])

    @cached_property
    def _joins(self) -> re.Pattern[str]:
        return re.compile(rf"[,;\uff0c\u3001]|{self.any_of(self._table['third']['joins']).pattern}", re.IGNORECASE)

    @cached_property
    def _opens(self) -> re.Pattern[str]:
        return re.compile(rf"^(?:(?:{self._table['opens']})(?:[,!.\u3001\uff0c]+ *| +))+", re.IGNORECASE)

    @cached_property
    def _tells(self) -> Mapping[str, re.Pattern[str]]:
        """Types to what tells of them; the first that fits decides."""
        start = r"\b" if self.is_spaced else ""
        alternatives = {kind: tables.choices(f"facts/{self.code}.tells.{kind}") for kind in self._table["tells"]}
        return {
            kind: re.compile(f"{start}(?:{self._with_names(listed)})", re.IGNORECASE)
            for kind, listed in alternatives.items()
        }

    @cached_property
    def _dated(self) -> re.Pattern[str]:
        """A number, a name behind the first word, or a word of the table for a time or a habit."""
        names = r"(?<=[\w,] )(?-i:[A-Z\u00c0-\u00de])" if self._table.get("names_have_capitals", True) else "(?!)"
        return re.compile(rf"{self._times.pattern}|{names}", re.IGNORECASE)

    @cached_property
    def _times(self) -> re.Pattern[str]:
        """A number, or a word for a time or a habit."""
        return re.compile(rf"\d|{self.any_of(tables.choices(f'facts/{self.code}.dated')).pattern}", re.IGNORECASE)

    @cached_property
    def _forms(self) -> Mapping[str, str]:
        """Verbs of the first person to those of the third."""
        if "forms" not in self._table.get("third", {}):
            return {}
        pairs = (row.split() for row in tables.phrases(f"facts/{self.code}.third.forms"))
        return {pair[0]: pair[-1] for pair in pairs}

    @cached_property
    def _subject(self) -> re.Pattern[str]:
        third = self._table["third"]
        denied = f"(?P<denied>{third['negation']})?" if "negation" in third else "(?P<denied>)"
        verb = rf"(?P<verb>{'|'.join(self._forms)})(?!\w)" if self._forms else "(?P<verb>)"
        return re.compile(f"{third['subject']}{denied}{verb}", re.IGNORECASE)

    def reads(self, sentence: str) -> bool:
        """Whether it may be in this language, by its letters."""
        return self._letters.search(sentence.casefold()) is not None

    def opened(self, sentence: str) -> str:
        """The sentence without what opens it and is no part of a fact."""
        plain = self._opens.sub("", sentence).strip()
        return plain[:1].upper() + plain[1:]

    def kind_of(self, sentence: str) -> str | None:
        """The type of what the sentence tells of its speaker; None where no pattern fits."""
        bare = sentence.rstrip(_ENDS)
        if len(bare) > _LONGEST or self._length(bare) < self._table["fewest"]:
            return None
        if laughs(bare) or any(pattern.search(bare) for pattern in (_QUOTES, HEADS)):
            return None
        # What is bought, run or begun is a fact with a time, a place or a habit: else it may be of this minute. What
        # may be a figure of speech ("I sing his praises") needs the time or the habit.
        lacking = [end for end, sign in (("_dated", self._dated), ("_timed", self._times)) if not sign.search(bare)]
        fitting = (
            kind
            for kind, pattern in self._tells.items()
            if not kind.endswith(tuple(lacking))
            and (tells := pattern.search(bare))
            and not self._leads(bare[: tells.start()])
        )
        return next((_TYPES.get(kind, kind.partition("_")[0]) for kind in fitting), None)

    @cached_property
    def _ours(self) -> Mapping[str, re.Pattern[str]]:
        place = f"facts/{self.code}.ours"
        kinds = tables.section(place) if "ours" in self._table else {}
        return {kind: re.compile(self._with_names(tables.choices(f"{place}.{kind}")), re.IGNORECASE) for kind in kinds}

    def kind_of_ours(self, sentence: str) -> str | None:
        """The type of a sentence all of which tells what its speaker has with others: "we" is no doubt there."""
        bare = sentence.rstrip(_ENDS)
        return next((kind for kind, pattern in self._ours.items() if pattern.fullmatch(bare)), None)

    def kind_of_several(self, sentence: str) -> str | None:
        """The type of what the first of several clauses tells, where no word of the others speaks against it.

        Whoever is "he" or "she" in those is whom the first is about; who somebody is may stand before all.
        """
        clauses = self._clauses(sentence)
        first = clauses[0] if clauses else ""
        kind = self.kind_of(first) if first and not self.doubts(first) else None
        if kind is None or laughs(sentence) or any(sign.search(sentence) for sign in (_QUOTES, HEADS)):
            return None
        for clause in clauses[1:]:
            of_another = self._goes_on.match(clause) is not None
            # What somebody is right now is none: "and I am tired".
            if kind != "relationship" if of_another else not (self.kind_of(clause) or self._dated.search(clause)):
                return None
        rest = [self._goes_on.sub("", clause) for clause in clauses[1:]]
        # Commas stay: what somebody says stands behind one.
        return None if self.doubts(", ".join([first, *rest])) else kind

    def _clauses(self, sentence: str) -> list[str]:
        """The clauses of a sentence without who says it and without a greeting; none of one that is in doubt."""
        clauses = [part.strip() for part in self._parted.split(sentence.rstrip(_ENDS)) if part.strip()]
        while clauses and self._introduces.fullmatch(clauses[0]):
            clauses = clauses[1:]
        words_of = [clause.split(" ")[0].casefold() for clause in clauses]
        elided = self._table.get("elided", "")
        return [
            f"{elided}{clause}" if elided and word in self._forms else clause
            for word, clause in zip(words_of, clauses, strict=True)
        ]

    @cached_property
    def _parted(self) -> re.Pattern[str]:
        """What parts clauses: a comma, and a word that joins."""
        return re.compile(rf"[,;!.]+ +(?:(?:{self._joining}) )?| (?:{self._joining}) ", re.IGNORECASE)

    @cached_property
    def _joining(self) -> str:
        return str(self._table.get("joining", "(?!)"))

    @cached_property
    def _goes_on(self) -> re.Pattern[str]:
        return self.any_of(f"^(?:{self._table.get('goes_on', '(?!)')})")

    @cached_property
    def _introduces(self) -> re.Pattern[str]:
        return re.compile(self._table.get("introduces", "(?!)"), re.IGNORECASE)

    def _leads(self, before: str) -> bool:
        """Whether a clause before it may say how it is meant, as in "My aunt says, I ...": it is none of a time."""
        return re.search(r"[,;\uff0c\u3001]", before) is not None and self._times.search(before) is None

    def doubts(self, sentence: str) -> bool:
        """Whether a word speaks against it: somebody else is meant, or it is not so, or not yet."""
        return self._denied(sentence) is not None or any(
            len(neighbor._denied(sentence) or "") >= _TELLING_APART  # noqa: SLF001 - of its own kind
            for neighbor in TONGUES
            if neighbor.code in self._table.get("near", "").split()
        )

    def _denied(self, sentence: str) -> str | None:
        """The longest word that speaks against it."""
        return max((match[0] for match in self._never.finditer(sentence.rstrip(_ENDS))), key=len, default=None)

    def in_third_person(self, sentence: str, name: str) -> str | None:
        """The sentence with the name of its speaker; None where the table is not sure."""
        subject = self._subject.match(sentence) if "third" in self._table else None
        if subject is None:
            return None
        rest = sentence[subject.end() :]
        if self._first.search(rest) or self._joins.search(rest):
            return None  # there may be a second verb
        verb, denied = subject["verb"].casefold(), (subject["denied"] or "").casefold()
        third = self._forms.get(verb, "")
        if denied and third[:1] != verb[:1]:
            return None  # an elision would have to change as well
        return f"{name}{self._table['third'].get('gap', ' ')}{denied}{third}{rest}"

    def any_of(self, alternatives: str) -> re.Pattern[str]:
        """What fits one of these as whole words, where the language sets words apart."""
        return re.compile(
            rf"(?<!\w)(?:{alternatives})(?!\w)" if self.is_spaced else f"(?:{alternatives})", re.IGNORECASE
        )

    def _length(self, sentence: str) -> int:
        return sum(1 for _ in words(sentence)) if self.is_spaced else len(sentence)

    def _with_names(self, alternatives: str) -> str:
        # A name may stand in those below it.
        for name, meaning in reversed(self._table.get("names", {}).items()):
            alternatives = alternatives.replace(f"{{{name}}}", meaning)
        return alternatives


#: Each language that has a table; where several read one sentence, the first names the type of the fact.
TONGUES = tuple(
    Tongue(code=code)
    for code in sorted(
        tables.languages_in("facts"), key=lambda code: _FIRST.index(code) if code in _FIRST else len(_FIRST)
    )
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Telling:
    """A sentence that tells something of its speaker."""

    text: str
    type: str
    #: The languages that it may be in: neighbors share words.
    tongues: Sequence[Tongue]

    def in_third_person(self, name: str) -> str | None:
        """The sentence with the name of its speaker; None where the tables are not sure, or do not agree."""
        texts = {tongue.in_third_person(self.text, name) for tongue in self.tongues}
        return texts.pop() if len(texts) == 1 else None


def telling(sentence: str) -> Telling | None:
    """What the sentence tells, in any language that has a table; None where one of them is in doubt."""
    readings = {tongue: tongue.opened(sentence) for tongue in TONGUES if tongue.reads(sentence)}
    for tongue, text in readings.items():
        if kind := tongue.kind_of_ours(text):
            return Telling(text=text, type=kind, tongues=())
    kinds = {tongue: kind for tongue, text in readings.items() if (kind := tongue.kind_of(text))}
    if not kinds or any(tongue.doubts(readings[tongue]) for tongue in kinds):
        kinds = {tongue: kind for tongue, text in readings.items() if (kind := tongue.kind_of_several(text))}
    if not kinds:
        return None
    text = min((readings[tongue] for tongue in kinds), key=len)
    return Telling(text=text, type=next(iter(kinds.values())), tongues=tuple(kinds))
