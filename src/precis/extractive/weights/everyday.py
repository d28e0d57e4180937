"""What of a period is no more than every day: no figure, nobody's name, no change, and no word that comes back.

What somebody would tell of a month is what they came back to on other days, most of all how that ended, and what has
somebody or a number in it. That is seen from the memories themselves, in any language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from functools import cache

from precis.checks.reactions import tells_more
from precis.checks.served import denies
from precis.checks.trifles import changes_a_life
from precis.extractive.candidate import Candidate
from precis.extractive.weights.decisions import decides
from precis.language import tables
from precis.language.chitchat import hollow, topical
from precis.language.newest.slots import changes, turns
from precis.language.reading import Place
from precis.language.script import is_foreign, languages_of, matters_in
from precis.language.sentences import sentences
from precis.language.words import content, names
from precis.language.written.spoken import without_identifiers
from precis.makers import Item
from precis.summary import unattributed

_FEWEST = 3
#: At the end of what is told as news.
_CRIED = re.compile(r"[!\uff01]{2,}\W*$")
#: A word of more than this share of the days, and of more than so many, is the user's everyday itself.
_OFTEN, _MOST = 0.5, 4
#: A day or span that was added to what was said.
ADDED = re.compile(r"\s?\([^()]*\b(?:19|20)\d\d[^()]*\)")


def standing_out(
    options: Sequence[Candidate], items: Sequence[Item]
) -> tuple[list[Candidate], dict[Place, tuple[Place, ...]]]:
    """The candidates of a period; what is of every day is worth less, and how a matter ended is known.

    A word that comes back is a matter where something that stands out is said of it. And for each place that a later
    day takes up in hardly another word ("I said no to Globex") the last ones that do, of each matter: its outcomes.
    """
    spoken = " ".join(item.text for item in items)
    languages = languages_of(spoken)[0] if is_foreign(spoken) else ("English",)
    cried = [_is_cried(option, items[option.item]) for option in options]
    read = [
        (terms, stands or cry)
        for (terms, stands), cry in zip((_read(option, languages) for option in options), cried, strict=True)
    ]
    days: dict[str, set[date]] = {}
    for option, (terms, _) in zip(options, read, strict=True):
        if (day := items[option.item].day) is not None:
            for term in terms:
                days.setdefault(term, set()).add(day)
    most = max(_MOST, _OFTEN * len({item.day for item in items}))
    telling = {term for terms, does in read for term in terms if does}
    last = {term: max(when) for term, when in days.items() if 1 < len(when) <= most and term in telling}
    matters = [frozenset(terms & last.keys()) for terms, _ in read]
    weighed = [
        _weighed(replace(option, cried=cry), {last[term] == items[option.item].day for term in of_option}, does=does)
        for option, of_option, (_, does), cry in zip(options, matters, read, cried, strict=True)
    ]
    outcomes: dict[Place, tuple[Place, ...]] = {}
    for option, of_option in zip(options, matters, strict=True):
        # "Ana starts at Globex" is how it ended for her; "I said no to Globex" is how it ended for who writes.
        last_of = {
            of_option & others: newer.place
            for newer, (others, _) in zip(options, read, strict=True)
            if of_option
            and _is_later(items[newer.item], items[option.item])
            and _takes_up(of_option, others, newer.text)
        }
        if last_of:
            outcomes[option.place] = tuple(dict.fromkeys(last_of.values()))
    # A week tells what is of every day where it has room for it; a month of as many weighty matters does not.
    if sum(not option.everyday for option in weighed) < _FEWEST:
        weighed = [replace(option, everyday=False) if option.everyday else option for option in weighed]
    return weighed, outcomes


def _is_later(newer: Item, older: Item) -> bool:
    return newer.day is not None and older.day is not None and newer.day > older.day


def _takes_up(matters: frozenset[str], terms: frozenset[str], text: str) -> bool:
    """Whether what has these terms is about these matters: about two, or about one alone, to deny something of it."""
    both = matters & terms
    return len(both) > 1 or (bool(both) and both == terms and denies(text))


def _weighed(option: Candidate, ends: Collection[bool], *, does: bool) -> Candidate:
    """The candidate by whether it stands out, and whether it is the last on each matter that comes back in it."""
    if option.caption or option.code:
        return option
    option = replace(option, stands=True) if does and _tells_by_itself(option) else option
    # A month takes up the newest figure before an older one.
    is_newer = option.derived and gives_newer(unattributed(ADDED.sub("", option.text)))
    option = replace(option, changes=True) if is_newer else option
    if does and not ends:
        return option
    if not ends:
        return replace(option, everyday=True)
    return replace(option, ends=True in ends)


def _tells_by_itself(option: Candidate) -> bool:
    """Whether its figure, name or change is told with what it is of: a relative alone is none ("I cherish family")."""
    said = unattributed(ADDED.sub("", option.text))
    if option.of_health or option.cried or _changes(said):
        return True
    return gives_newer(said) or (tells_more(said) and (bool(names(said)) or _has_figure(said)))


def gives_newer(said: str) -> bool:
    """Whether it gives a figure that is so now, in however few words: "I pay 740 now"."""
    return _has_figure(said) and any(map(changes, sentences(said)))


def _has_figure(said: str) -> bool:
    """Whether it tells how much or when; the number of an account or a phone is looked up."""
    return re.search(r"\d", without_identifiers(said)) is not None


def _changes(said: str) -> bool:
    return changes_a_life(said) or decides(said) or any(map(turns, sentences(said)))


def _read(option: Candidate, languages: tuple[str, ...]) -> tuple[frozenset[str], bool]:
    """What a candidate may be about, and whether it stands out.

    It does with a figure, a relative or a name in it, or where it tells that something is otherwise.
    """
    said = unattributed(ADDED.sub("", option.text))
    about = topical(said)
    terms = frozenset(matters_in(about)) | (content(about) if languages == ("English",) else frozenset())
    # Where every noun has a capital, it is nobody's name.
    named = languages != ("German",) and bool(names(said))
    stands = named or option.of_health or _has_figure(said) or _relatives(languages).search(said)
    return terms, bool(stands) or _changes(said)


def _is_cried(option: Candidate, item: Item) -> bool:
    """Whether somebody marks what they tell as news, in any language: "We passed!!"."""
    said = "" if item.derived or option.caption else sentences(item.text)[option.sentence]
    return _CRIED.search(said) is not None and len(content(said)) > 1 and not hollow(said)


@cache
def _relatives(languages: tuple[str, ...]) -> re.Pattern[str]:
    """Whoever is somebody's, in these languages."""
    listed = tables.section("kin.people")
    words = [word.replace("_", " ") for name in languages for word in listed.get(name, "").split()]
    spaced = "|".join(word[:-1] if word.endswith("|") else rf"{word}\w*" for word in words) or "(?!)"
    unspaced = tables.section("persons.people_unspaced")
    alone = "|".join(unspaced[name].replace("\n", "") for name in languages if name in unspaced) or "(?!)"
    return re.compile(f"{tables.whole(spaced)}|{alone}", re.IGNORECASE)
