"""What a subject of a request is made of."""

from dataclasses import dataclass

from precis.finding.identifiers import Identifier
from precis.finding.tables import english_words, name_words


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A word of a subject, with the groups of words that mean the same."""

    word: str
    groups: frozenset[str] = frozenset()
    #: Whether it names a whole field.
    field: bool = False
    #: The kinds of things that it names (``precis.finding.kinds``).
    kinds: frozenset[int] = frozenset()
    #: Those of them that what somebody does may be as well: "prays".
    deeds: frozenset[int] = frozenset()
    #: Whether it only says of what kind the thing behind it is: the booking of a "booking reference".
    modifies: bool = False

    @property
    def roots(self) -> frozenset[str]:
        """Its groups without the kinds within them: "pet" of "pet.dog"."""
        return frozenset(group.partition(".")[0] for group in self.groups)

    def is_of(self, roots: frozenset[str]) -> bool:
        """Whether it means something, and all of that is of these groups."""
        return bool(self.groups) and self.roots <= roots


#: What a thing or an animal is called.
NAMING = frozenset({"naming"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """Somebody or something that a request is about; all that is given has to hold of a memory."""

    text: str
    names: tuple[tuple[str, ...], ...] = ()
    parts: tuple[Part, ...] = ()
    identifiers: tuple[Identifier, ...] = ()
    quotes: tuple[str, ...] = ()
    #: A number is asked for, and not the thing that has it: "my phone number".
    numbered: bool = False
    #: Titles of men where a woman is named by hers, and the other way round.
    not_titled: frozenset[str] = frozenset()
    #: The user's own.
    mine: bool = False
    #: Says something of the user in a clause: "that I like jazz".
    clause: bool = False
    #: Says something of whom it names: "that Ana likes jazz".
    states: bool = False
    #: The code of the language in which it is asked.
    language: str = "en"
    old: bool = False
    current: bool = False
    #: An old value is named by itself, "my old bank, Nordhavet": whether that is a "place" or anything else, a "name".
    value: str = ""
    #: Everybody's but the user's: "other people's illnesses".
    others: bool = False
    #: All of a kind, whosever they are: "every birthday".
    each: bool = False

    @property
    def foreign(self) -> bool:
        """Whether it is asked in another language than English: its vector says little of memories in English."""
        return self.language != "en"

    @property
    def definite(self) -> bool:
        """Whether it is a thing of which everybody knows which one it is: "the renovation"."""
        opening, *behind = self.text.split() or [""]
        return bool(behind) and not (self.mine or self.names) and opening.lower() in name_words("definite")

    @property
    def empty(self) -> bool:
        """Whether nothing is named at all."""
        return not (self.names or self.parts or self.identifiers or self.quotes)

    @property
    def known(self) -> bool:
        """Whether it is called so that a memory of it would be told: by a name, or by words that a table has."""
        named = bool(self.names or self.identifiers or self.quotes)
        return named or any(part.groups or part.kinds for part in self.parts)

    @property
    def phrase(self) -> str:
        """What a vector is made of."""
        english = " ".join(english_words(name) for part in self.parts for name in sorted(part.groups)[:4])
        return f"{self.text} {english}".strip()
