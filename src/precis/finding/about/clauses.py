"""Whether a memory says of the user what a clause of a request says, and does not only have its words."""

from collections.abc import Collection, Sequence
from itertools import dropwhile, takewhile

from precis.finding.about.denials import denials
from precis.finding.capitals import ADVERBS, SEVERAL, finite
from precis.finding.nouns import is_form_of, names_thing
from precis.finding.parts import Part, Subject
from precis.finding.reading import Word, folded, is_caseless, places_of, read_words, word_from, words_before
from precis.finding.tables import any_group, name_words, verbal_groups
from precis.finding.values import Kin, Row, Span
from precis.finding.written.caseless import before_work
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import relations_of
from precis.language import tokens, verbs
from precis.language.words import STOP_WORDS, stem

#: From here on a memory says the same, whatever else its words may mean.
_SAME = 0.75
#: The same of a memory that opens with the user, where a clause was asked for.
_OWN_SAME, _SPEAKING = 0.5, frozenset("i i'm i've we we're".split())
#: Before what somebody is, or what is done to them; and the user with one of them.
_BECOMING = frozenset("be am is are was were been being get got gotten getting become became".split())
_ASIDE, _SAYING_LITTLE = _BECOMING | STOP_WORDS, STOP_WORDS | ADVERBS
_BEING = frozenset("i'm we're".split())
#: Before "to" or "how to" they say that the user can: "I never learned to swim".
_ABLE = frozenset("know learn manage".split())
_OWNING = frozenset("my our own".split())
#: What one has is one's own; what stands before it then, and what joins it to something else.
_HAVING = frozenset("have own rent lease keep wear buy get inherit".split())
_SUFFERING = frozenset("suffer struggle".split())
_ARTICLES = frozenset("a an the some two three four five several many".split())
_GOT, _JOINING = frozenset({"got", "also", "still"}), frozenset("and or but to that who".split())
#: What begins another clause.
_BOUNDS = name_words("clause_bounds")
#: Before a thing that is known, or somebody's.
_BEFORE = frozenset("the this that these those a an my our your his her its their own old new".split())
#: Words of English that other languages have, too.
_SHARED = frozenset("no me on is in was".split())
#: The same where the things are the same and a verb or adjective is another.
_OTHERWISE = 0.86
#: Nearness of two words from which one says the same.
_SYNONYM = 0.8


def plainly(subject: Subject, row: Row, spans: Sequence[Span], likeness: float, own_names: Collection[str]) -> bool:
    """Whether a memory says of the user what was asked for, and does not only have the word for it.

    Of a thing: it is called the user's own ("my dog", not "a hot dog"). Of a clause: it says nothing else, and denies
    nothing that the clause does not deny.
    """
    words = read_words(row.text)
    starts = {start for start, _ in spans}
    foreign = language_of([word.low for word in words], row.text) != "en"
    if foreign or (subject.foreign and not any(word.low in STOP_WORDS - _SHARED for word in words)):
        return not subject.clause or denials(words) == denials(read_words(subject.text))
    if subject.names:
        return likeness >= _SAME or not all(is_compound(words, span, starts) for span in spans)
    owned = any(_owned(words, span, starts, own_names) for span in spans)
    if not subject.clause:
        done = any(_done(words, span, own_names) for span in spans) and likeness >= _OWN_SAME
        return done or likeness >= _SAME or owned
    return _tells_clause(subject, words, spans, likeness, speaking=speaks(words, own_names), owned=owned)


def _tells_clause(
    subject: Subject, words: Sequence[Word], spans: Sequence[Span], likeness: float, *, speaking: bool, owned: bool
) -> bool:
    """Whether a memory that has the words of a clause tells of the user what it tells."""
    clause = read_words(subject.text)
    if denials(words) != denials(clause):
        return False
    # What is told behind it ("... since 2019, as the doctor says") changes nothing of it.
    behind = max((end for _, end in spans), default=words[-1].end)
    other = _verbs([word for word in words if word.start < behind]) - _verbs(clause)
    if len(subject.parts) > 1:
        return owned or not other
    state, clause_state = _predicate(words, spans[0]), _predicate(clause)
    asked = [*dropwhile(lambda word: word.low not in _SPEAKING, clause)]
    if _predicate(words, spans[0], speaking=speaking) and _predicate(asked):
        state = clause_state = True  # "User was born in Leeds", of "where I was born"
    if state is not None and clause_state is not None:
        return owned or state is clause_state
    return owned or (not other and likeness >= (_OWN_SAME if speaking else _SAME))


def _predicate(words: Sequence[Word], span: Span | None = None, *, speaking: bool = False) -> bool | None:
    """Whether what is told of the user at a place is what they are or undergo ("I got fired"), and not what they do.

    None where something else stands between. Without a place it is the first word that says something.
    """
    if not words or not (speaking or words[0].low in _SPEAKING):
        return None
    between = []
    for word in words[1:]:
        if (span is not None and word.start >= span[0]) or (span is None and word.low not in _ASIDE):
            break
        if word.low not in _ASIDE and word.low not in ADVERBS:
            return None
        between.append(word.low)
    return words[0].low in _BEING or not _BECOMING.isdisjoint(between)


def says_same(missing: Sequence[Part], row: Row, subject: Subject, kin: Kin, own_names: Collection[str]) -> bool:
    """Whether the user speaks of the same things there, and only what is said of them is put otherwise."""
    words, clause = read_words(row.text), read_words(subject.text)
    things = any(part.groups or part.kinds or names_thing(part.word) for part in missing)
    if things or not speaks(words, own_names) or denials(words) != denials(clause):
        return False
    if max(kin(subject.phrase, row.text), nearness(subject, row.text, kin, own_names)) >= _OTHERWISE:
        return True
    content = [word.low for word in words if word.low not in STOP_WORDS]
    return all(any(kin(part.word, low) >= _SYNONYM for low in content) for part in missing)


def speaks(words: Sequence[Word], own_names: Collection[str]) -> bool:
    """Whether a memory opens with the user, as "I" or by name: "User keeps bees"."""
    return bool(words) and (words[0].low in _SPEAKING or words[0].low in own_names)


def nearness(subject: Subject, text: str, kin: Kin, own_names: Collection[str]) -> float:
    """How near a memory that tells of the user by name would be if the user told it: "I keep bees"."""
    words = read_words(text)
    if not words or words[0].low not in own_names:
        return -1.0
    return kin(subject.phrase, f"{'My' if words[0].owns else 'I'}{text[words[0].end :]}")


def together(subject: Subject, row: Row, low: str) -> bool:
    """Whether the words of a thing stand there as they were asked for: two words have one sense, "tax return"."""
    text = folded(subject.text)
    words = sorted((part.word for part in subject.parts), key=text.find)
    spans = places_of(" ".join(words), low) if len(words) > 1 and " ".join(words) in text and not subject.clause else []
    starts = {start for start, _ in spans}
    return any(not is_compound(read_words(row.text), span, starts) for span in spans)


def called_mine(words: Sequence[Word], spans: Sequence[Span]) -> bool:
    """Whether all of it stands right behind "my", and describes no other thing: "my blood pressure is high"."""
    starts = {start for start, _ in spans}
    places = [word_from(words, start) for start, _ in spans]
    own = bool(places) and all(at and words[at - 1].low in {"my", "our"} for at in places)
    return own and not any(is_compound(words, span, starts) for span in spans)


def is_called(subject: Subject, text: str, low: str, hits: Sequence[tuple[Sequence[Span], bool]]) -> bool:
    """Whether a text has phrases for all that was asked for: "job interview" has no other sense, as "job" may have."""
    words, starts = read_words(text), {start for places, _ in hits for start, _ in places}
    for part, (places, _) in zip(subject.parts, hits, strict=True):
        meant = part.groups - verbal_groups()
        called = any_group(meant, plain=low.isascii())
        plain = [span for span in places if not is_compound(words, span, starts)]
        strong = [low[slice(*span)] for span in plain if " " in low[slice(*span)]]
        if not meant or not any(map(called.fullmatch, strong)):
            return False
    return True


def another_thing(subject: Subject, row: Row, spans: Sequence[Span]) -> bool:
    """Whether of one thing that was asked for, "the cabin", a memory only has the word: "Cabin baggage is limited".

    What has an article or an owner is a thing of that one: "the cabin door".
    """
    words, definite = read_words(row.text), subject.text.lower().startswith("the ")
    if not spans or not definite or subject.foreign or language_of([word.low for word in words], row.text) != "en":
        return False
    starts = {span[0] for span in spans}
    listed = [at for at, word in enumerate(words) if word.start in starts]
    bare = (not at or not (words[at - 1].low in _BEFORE or words[at - 1].owns) for at in listed)
    return bool(listed) and all(bare) and all(is_compound(words, span, starts) for span in spans)


def bare_thing(text: str, spans: Sequence[Span]) -> bool:
    """Whether a text has all of it behind "the", and nothing that says which one it is: "the car in front of me"."""
    words, starts = read_words(text), {start for start, _ in spans}
    return all(_is_bare(words, span, starts) for span in spans)


def _is_bare(words: Sequence[Word], span: Span, starts: Collection[int]) -> bool:
    place, behind = word_from(words, span[0]), word_from(words, span[1])
    while place and words[place - 1].low in name_words("plain"):
        place -= 1
    if not place or words[place - 1].low != "the" or is_compound(words, span, starts):
        return False
    return behind == len(words) or words[behind].gap != " " or words[behind].low not in name_words("placing")


def only_in_works(text: str, spans: Sequence[Span]) -> bool:
    """Whether all of it is what a book or a film is about: "I am reading a novel about a prison break"."""
    words = read_words(text)
    return bool(spans) and all(_in_work(words, word_from(words, start)) for start, _ in spans)


def _in_work(words: Sequence[Word], place: int) -> bool:
    for at in range(place - 1, 0, -1):
        if words[at].opens or "," in words[at].gap:
            return False
        if words[at].low in name_words("works_about") and words[at - 1].low in name_words("works"):
            return True
    return place < len(words) and is_caseless(words[place].text) and before_work(words, place)


def is_compound(words: Sequence[Word], span: Span, starts: Collection[int]) -> bool:
    """Whether the word at this place is the first part of another thing: the phone of a phone case."""
    behind = word_from(words, span[1])
    if behind >= len(words):
        return False
    form = verbs.form_of(tokens.token(words[behind].low)) if behind and words[behind - 1].owns else None
    # "My knee's gone again"
    has = form is not None and "participle" in form.kinds
    return not has and _goes_on(words, words[behind], starts)


def _verbs(words: Sequence[Word]) -> set[str]:
    behind = [*(word.low for word in words[1:]), ""]
    listed = [
        word
        for word, follow in zip(words, behind, strict=True)
        if follow not in {"how", "to"} or not is_form_of(word.low, _ABLE)
    ]
    forms = ((word.low, verbs.form_of(tokens.token(word.low))) for word in listed)
    return {stem(low) for low, form in forms if form is not None and not STOP_WORDS & {low, form.lemma}}


def _owned(words: Sequence[Word], span: Span, starts: Collection[int], own_names: Collection[str]) -> bool:
    """Whether "my" stands before it, and it is no part of another thing: "my dog", not "my hot dog" or "dog food"."""
    place = words_before(words, span[0])
    if place == len(words) or words[place].start >= span[1]:
        return True
    before = list(words[max(0, place - 3) : place])
    while before and (before[-1].low in name_words("plain") or before[-1].start in starts):
        before.pop()
    behind = next((word for word in words[place:] if word.start >= span[1]), None)
    owner = bool(before) and (before[-1].low in _OWNING or (before[-1].owns and before[-1].low in own_names))
    if words[place].opens and words[place].capital and relations_of(words[place]):
        return words[place].owns or behind is None or not _goes_on(words, behind, starts)
    owner = owner or _of_user(words, span, own_names)
    owner = owner or (speaks(words, own_names) and _has(words[1 : words_before(words, span[0])], starts))
    return owner and (behind is None or not _goes_on(words, behind, starts))


def _of_user(words: Sequence[Word], span: Span, own_names: Collection[str]) -> bool:
    """Whether it is called the user's behind it: "Ring size of user", "the knee of the user"."""
    behind = [word.low for word in words if word.start >= span[1]][:3]
    return behind[:1] == ["of"] and any(low in own_names for low in behind[1 : 3 if behind[1:2] == ["the"] else 2])


def _has(words: Sequence[Word], starts: Collection[int]) -> bool:
    """Whether it is what the user has: "I have an upright piano", of the words between the user and the thing."""
    verb = next((at for at, word in enumerate(words) if is_form_of(word.low, _HAVING | _SUFFERING)), None)
    if verb is None or any(word.low not in _SAYING_LITTLE for word in words[:verb]):
        return False
    from_it = (
        is_form_of(words[verb].low, _SUFFERING) and verb + 1 < len(words) and words[verb + 1].low in {"from", "with"}
    )
    behind = [word for word in words[verb + 1 + from_it :] if word.start not in starts]
    article = next((at for at, word in enumerate(behind) if word.low in _ARTICLES), 0)
    return all(word.low in _GOT for word in behind[:article]) and not any(
        finite(word) or word.low in (name_words("prepositions") - _ARTICLES) | _JOINING for word in behind[article:]
    )


def _done(words: Sequence[Word], span: Span, own_names: Collection[str]) -> bool:
    """Whether it is what the user does: "I read", where "my reading" was asked for."""
    place = word_from(words, span[0])
    stands = 0 < place < len(words) and words[place].start == span[0]
    return stands and speaks(words[place - 1 : place], own_names)


def _goes_on(words: Sequence[Word], behind: Word, starts: Collection[int]) -> bool:
    """Whether a thing goes on in the word behind it: "dog food", and not "my knee swells" without another verb."""
    if not _compound(behind, starts):
        return False
    at = words.index(behind)
    clause = list(takewhile(lambda word: word.gap == " " and word.low not in _BOUNDS, words[at + 1 :]))
    before = list(takewhile(lambda word: not word.opens, reversed(words[:at])))
    if any(finite(word) or word.low in name_words("auxiliaries") | SEVERAL for word in (*clause, *before)):
        return True
    noun = bool(clause) and clause[0].low not in _SAYING_LITTLE and not clause[0].low.endswith(("ly", "ing"))
    return noun or not behind.low.endswith("s") or behind.low.endswith("ss")


def _compound(behind: Word, starts: Collection[int]) -> bool:
    """Whether the word behind makes it another thing: "dog food"."""
    small = behind.gap == " " and not behind.capital and behind.low.isalpha()
    known = behind.low in STOP_WORDS | name_words("weak") | name_words("apart") or finite(behind)
    return small and not known and behind.start not in starts
