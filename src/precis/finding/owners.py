"""Whose a memory is: the user's own, or another's of whom it speaks."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from precis.finding.about.measures import behind_all, of_a_thing, of_own_thing, only_object, tells_only_a_value
from precis.finding.capitals import finite
from precis.finding.kinds import is_person
from precis.finding.names import people
from precis.finding.reading import Word, folded, read_words, sentence_spans, unelided, users_of, word_from
from precis.finding.tables import groups, name_words, words_of
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.caseless import is_of_another, is_only_a_name
from precis.finding.written.languages import language_of
from precis.finding.written.named import is_elided_name, is_strange, may_be_name
from precis.finding.written.speaking import OF, RELATIONS, is_anothers, of_own_person, of_past, relations_of, speaking
from precis.finding.written.told import are_called_own, is_called_own, tells_own, without_listener
from precis.language.words import STOP_WORDS, stem

#: Why a row is in doubt that may tell of another.
ANOTHERS, THEIRS = "it may be somebody else's", "it is somebody else's"
#: Before somebody of the user's or of another's; so many words a subject has at most.
_WHOSE, _WITHIN = frozenset("my our his her their the".split()), 4
#: What ends a Turkish word for something of the user's.
_MINE_TR = ("\u0131m", "im", "um", "\u00fcm", "\u0131m\u0131z", "imiz", "umuz", "\u00fcm\u00fcz")
_MINE_KIN = ("am", "em")  # "kocam", of somebody
#: What has an "'s" and is nobody: "It's mine", "Today's train".
_NOBODY = frozenset("today yesterday it that let here there what she he".split())
_OTHERS = re.compile(rf"\b(?:{'|'.join(sorted(name_words('others')))})\b")
_OTHERS_UNSPACED = re.compile("|".join(sorted(name_words("others_unspaced"))))


def match_owner(
    row: Row, spans: Collection[Span], groups_meant: Collection[str], own_names: Collection[str], likely: str = "en"
) -> Match:
    """SURE where what was found is the user's own, NEAR where it is another's; the language is likely that one."""
    verdicts = []
    # What a memory is filed under stands nowhere in it, and says nothing of whose it is.
    spans = [span for span in spans if span != (0, len(folded(row.text)))]
    definite = not groups_meant and is_definite(row.text, spans)
    for (start, end), inside in _sentences(row.text, spans):
        sentence = row.text[start:end]
        opens = any(first <= start + 1 < last or first == start for first, last in inside)
        subject = tuple((first - start, last - start) for first, last in inside)
        verdict = _owner(sentence, groups_meant, own_names, subject, likely, opens=opens)
        if verdict is Level.SURE and (
            (not definite and of_a_thing(sentence, [span for span in subject if span[0] >= 0]))
            or _of_somebody(sentence, subject, own_names)
        ):
            verdict = Level.DOUBTFUL
        if verdict is Level.NEAR and is_called_own(sentence, subject, likely):
            verdict = Level.SURE if are_called_own(sentence, subject) else Level.DOUBTFUL
        verdicts.append(verdict)
    best = max(verdicts, default=Level.SURE)
    if best is Level.SURE and Level.DOUBTFUL in verdicts:
        # One sentence is the user's, another may be somebody else's: both have what was asked for.
        best = Level.DOUBTFUL
    reason = {Level.SURE: "", Level.DOUBTFUL: ANOTHERS, Level.NEAR: THEIRS}
    return Match(level=best, why=reason[best])


def is_definite(text: str, spans: Collection[Span]) -> bool:
    """Whether all of it has "the" before it, and behind it nobody whose it is: "the builders of the renovation"."""
    words = read_words(text)
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    places = [at for at, word in enumerate(words) if word.start in starts and not (at and words[at - 1].end in ends)]
    behind = [at for at, word in enumerate(words) if at and words[at - 1].end in ends and word.low in {"of", *OF}]
    article = name_words("definite")
    return bool(places) and not behind and all(at and words[at - 1].low in article for at in places)


def of_another(row: Row, names: Collection[tuple[str, ...]], spans: Collection[Span]) -> bool:
    """Whether a row tells something only of somebody of theirs: of "Ana's wife", where Ana was meant."""
    words = read_words(row.text)
    lasts = {name[-1] for name in names}
    own, theirs, exact = False, False, set(spans)
    inside = {at for start, end in spans for at in range(word_from(words, start), word_from(words, end))}
    language = language_of([word.low for word in words], row.text)
    for at, word in enumerate(words, start=1):
        if word.low not in lasts:
            continue
        named = at in inside
        behind = words[at] if at < len(words) else word
        person = word.owns and is_person(behind.low) and (behind.start, behind.end) not in exact
        person = person or (language != "en" and _is_of(words, at - 1, exact))
        own, theirs = own or not person or named, theirs or (person and not named)
    return theirs and not own


def _is_of(words: Sequence[Word], at: int, asked: Collection[Span]) -> bool:
    """Whether a name stands behind somebody or something of theirs, in another language: "le frère de Chloé"."""
    if at < 2 or words[at - 1].low not in OF:
        return False
    somebody = words[at - 2]
    return (somebody.start, somebody.end) not in asked and somebody.low not in STOP_WORDS


def done_by_another(clause: str, text: str, spans: Collection[Span]) -> bool:
    """Whether somebody of the user's does what a clause tells of the user: "Our pastor keeps bees" of "I keep bees"."""
    done = {stem(word.low) for word in read_words(clause)}
    for (start, end), _ in _sentences(text, spans):
        words = read_words(text[start:end])
        if not words or words[0].low not in _WHOSE:
            continue
        for at, word in enumerate(words[1:_WITHIN], start=1):
            if is_person(word.low) or word.low in name_words("others") or word.low.endswith("-in-law"):
                aside = STOP_WORDS | name_words("denials")
                verb = next((it for it in words[at + 1 : at + _WITHIN] if aside.isdisjoint({it.low, _plain(it)})), word)
                return verb is not word and stem(verb.low) in done
    return False


def _plain(word: Word) -> str:
    """A word as it is written, in small letters: "doesn't"."""
    return word.text.lower().replace("\u2019", "'")


def _sentences(text: str, spans: Collection[Span]) -> list[tuple[Span, list[Span]]]:
    """The sentences in which something was found, each with the places in it; all of them where nothing was."""
    waiting = sorted(spans, reverse=True)
    placed: list[tuple[Span, list[Span]]] = []
    near: list[Span] = []
    for start, end in sentence_spans(text):
        near = [span for span in near if span[1] > start]
        while waiting and waiting[-1][0] < end:
            near.append(waiting.pop())
        placed.append(((start, end), [span for span in near if span[1] > start]))
    return [(sentence, inside) for sentence, inside in placed if inside] or placed


def _owner(
    sentence: str,
    groups_meant: Collection[str],
    own_names: Collection[str],
    subject: Collection[Span],
    likely: str,
    *,
    opens: bool,
) -> Level:
    words = read_words(sentence)
    if not words:
        return Level.SURE
    lows = [word.low for word in words]
    language = language_of(lows, sentence, likely)
    third = words_of(language, "third")
    own_names = {*own_names, *(low for low in lows if unelided(low) in own_names)}
    own = {*words_of(language, "first"), *own_names}
    # "Mia's flat" is not "mia" of Italian.
    first = next((at for at, it in enumerate(words) if it.low in own and (it.low in own_names or not it.owns)), None)
    if first is None and language in {"zh", "ja"}:
        opening = (*words_of(language, "first"), *name_words("users_unspaced"))
        first = 0 if folded(sentence).startswith(opening) else None
    if first is None:
        first = speaking(words, language, subject)
    if first is None and (at := tells_own(folded(sentence), {language, likely}, subject)) is not None:
        first = word_from(words, at)
    relation = _relation(folded(sentence), groups_meant, subject)
    others = [
        start
        for start, end, low in people(sentence)
        if low not in own_names and may_be_name(sentence[start:end]) and not sentence.startswith("$", end)
    ]
    theirs = _is_theirs(words, own, subject) or (opens and bool(relations_of(words[0]) & set(groups_meant)))
    if not theirs and _opens_with_another(sentence, language, own_names):
        user = lows[first] if first is not None and first <= 3 and len(lows) > 2 else ""
        return Level.SURE if user in {"i", "ich", "yo", "eu", "io", "je", "я"} else Level.NEAR
    if relation is not None and relation < len(sentence) * 0.4:
        return Level.NEAR
    # Spanish "el" is an article, "él" is somebody.
    article = lows[0] in name_words("articles") and words[0].text.lower() == lows[0]
    if lows[0] in third and not article:
        return Level.DOUBTFUL
    plain = first is None and not others and language != "en" and tells_only_a_value(sentence, subject)
    suffixed = language == "tr" and any(sentence[:end].lower().endswith(_MINE_TR) for _, end in subject)
    suffixed = suffixed or (language == "tr" and words[0].low.endswith(_MINE_KIN) and bool(relations_of(words[0])))
    if first is not None or opens or suffixed or plain:
        named = not (opens or plain) and lows[0] not in own and _may_be_named(words, language)
        named = named or of_own_person(words, own, own_names, subject) or only_object(words, own, subject, language)
        apart = first is None and not suffixed and language not in {"en", "de"}  # "Kedim Boncuk" names the cat
        named = named or (apart and behind_all(words, subject) in others)
        named = named or (likely != "en" and is_anothers(words, own, subject))
        named = named or of_own_thing(words, own, own_names, groups_meant, subject) or is_of_another(words, subject)
        named = named or _is_of_somebody(words, own, groups_meant, subject)
        return Level.DOUBTFUL if named and not plain else Level.SURE
    others = [at for at in others if not any(start <= at < end for start, end in subject)]
    return Level.DOUBTFUL if others else _subjectless(words, language, subject)


def _of_somebody(sentence: str, subject: Collection[Span], own_names: Collection[str]) -> bool:
    """Whether the name of another stands behind it: "Ring size of Tove: 56"."""
    words, ends = read_words(sentence), {end for _, end in subject}
    owners = {
        owner.start: owner.low
        for before, joint, owner in zip(words, words[1:], words[2:], strict=False)
        if before.end in ends and (joint.low == "of" or joint.low in OF)
    }
    named = (start for start, _, low in people(sentence) if low not in own_names)
    elided = any(it.end in ends and is_elided_name(owner) for it, owner in pairwise(words))
    return (
        elided
        or not name_words("others").isdisjoint(owners.values())
        or (bool(owners) and any(at in owners for at in named))
    )


def _is_of_somebody(
    words: Sequence[Word], own: Collection[str], groups_meant: Collection[str], subject: Collection[Span]
) -> bool:
    """Whether a thing of it is only called somebody's: of "I hate my wife's job" the job, unless the wife was meant."""
    starts = {start for start, _ in subject}
    owned: dict[str, bool] = {}
    for before, word in pairwise(words):
        if word.start in starts:
            theirs = before.owns and before.low not in own and is_person(before.low) and before.start not in starts
            theirs = theirs and relations_of(before).isdisjoint(groups_meant)
            owned[word.low] = theirs and owned.get(word.low, True)
    return any(owned.values())


def _is_theirs(words: Sequence[Word], own: Collection[str], subject: Collection[Span]) -> bool:
    """Whether it is said there who somebody is to the user: "Nils is my boyfriend"."""
    places, users = {start for start, _ in subject}, users_of(())
    return any(
        owner.low in own
        and (not owner.owns or owner.low in users)
        and verb.low in name_words("copulas")
        and word.start in places
        for verb, owner, word in zip(words[1:4], words[2:5], words[3:6], strict=False)
    )


def _subjectless(words: Sequence[Word], language: str, subject: Collection[Span]) -> Level:
    """Nobody is named: a note of the user's, unless it begins with a word that may be a name, or with another thing.

    "O cachorro ganha ração no almoço" tells of the dog.
    """
    opening = words[0]
    if language != "en" and subject and len(words) > 1 and opening.low in words_of(language, "articles"):
        own = any(start <= words[1].start < end for start, end in subject)
        return Level.SURE if own and opening.text[0].isascii() else Level.DOUBTFUL
    known = opening.low in STOP_WORDS or opening.low in words_of(language, "articles") or not opening.capital
    if language != "en" and len(words) > 1 and words[1].capital and opening.low in name_words("prepositions"):
        return Level.DOUBTFUL  # "A Rosa la operan"
    if language == "en":
        if _may_be_named(words, language):
            person = (finite(words[1]) or _denied(words[1])) and words[1].low not in name_words("of_things")
            return Level.NEAR if person else Level.DOUBTFUL
        if known or len(words) < 2 or not finite(words[1]):
            return Level.SURE if known or not is_strange(opening) else Level.DOUBTFUL
        return Level.DOUBTFUL if words[1].low in name_words("of_things") else Level.NEAR
    return Level.SURE if (known and opening.text[0].isascii()) or of_past(words, language) else Level.DOUBTFUL


def _may_be_named(words: Sequence[Word], language: str) -> bool:
    """Whether a sentence opens as if with a name that no list has: "Casimir owes", "Casimir doesn't"."""
    if language != "en" or len(words) < 2 or words[1].opens or words[0].low in STOP_WORDS or not words[0].capital:
        return False
    return words[1].low.endswith(("s", "ed")) or _denied(words[1])


def _denied(word: Word) -> bool:
    """Whether it is a verb with a "not" in it."""
    return _plain(word).endswith("n't")


def _relation(low: str, groups_meant: Collection[str], subject: Collection[Span]) -> int | None:
    """Where a relative or somebody else is the subject, who was not asked for: not to whom the user tells it."""
    low = without_listener(low)
    places = [
        match.start()
        for name in RELATIONS
        if name not in groups_meant
        for match in [groups()[name][1].search(low)]
        if match and match.group() not in {"married", "wedding", "divorced", "baby"}
        if not any(start <= match.start() < end for start, end in subject)
    ]
    others = [match.start() for match in [_OTHERS.search(low) or _OTHERS_UNSPACED.search(low)] if match]
    places += [place for place in others if not any(start <= place < end for start, end in subject)]
    return min(places, default=None)


def _opens_with_another(sentence: str, language: str, own_names: Collection[str]) -> bool:
    """Whether the sentence begins with a name that is not the user's."""
    words = read_words(sentence)
    opening = words[0]
    first = opening.low in words_of(language, "first") and not opening.owns
    if opening.low in own_names or not (opening.capital or is_only_a_name(opening)) or first:
        return False
    listed = people(sentence)
    if listed and listed[0][0] == opening.start:
        return True
    return opening.owns and opening.low not in _NOBODY
