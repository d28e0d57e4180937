"""A text as sentences, each with what its clauses say, and whether one says what holds. Pure; English.

What holds may be said "as of" a day; of what happened the day is when.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from precis.language import tables
from precis.language.assertions.assertion import Assertion
from precis.language.assertions.clauses import assertion
from precis.language.chitchat import MOODS
from precis.language.grammar import AMBIGUOUS_FORMS, CHANGES, FIRST, FORMS, LEADS, NEUTRAL, OWN, REPORTS, SINGLE
from precis.language.newest.renewed import framed
from precis.language.newest.taken_back import jokes_in
from precis.language.sentences import is_code, is_question, sentences
from precis.language.subjects import Context, Subject, names_in, speaker_key
from precis.language.tokens import Token, token, tokens, without
from precis.language.verbs import opens_with_verb, verb_place
from precis.language.words import STOP_WORDS, kept, stem
from precis.trust import Voice

#: Line and sentence, both counted from 0.
Place = tuple[int, int]

_LEAD = re.compile(r"([^\W\d_][\w'.-]{0,30}(?: [\w'.-]{1,30}){0,2}): +(?=\S)")
#: "Ana's rent", which is no speaker.
_OWNS = re.compile(r"['\u2019]s? ")
_JESTS = re.compile(rf"\b(?:{tables.choices('verbs.jests')})\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"\u201c\u201d\u201e\u00ab\u00bb\u300c]")
#: A heading or a quotation of Markdown: what stands in it is named, or said by somebody else.
_MARKED = re.compile(r"\s*(?:#{1,6}|>+) ")
_JOINTS = frozenset(", ; and but so then yet \u2013 \u2014 -".split(" "))
#: With one of these a sentence speaks of whoever writes it.
_OF_WRITER = FIRST | OWN
#: A clause that opens so says under which condition the next one holds.
_CONDITIONAL = frozenset("if unless when whenever until once supposing assuming".split())
#: Verbs of change, in the past, and what has become of somebody.
_DONE = frozenset(tables.words("verbs.done"))
_TURNED = [["down", "to"], ["up", "to"]]
#: A longer sentence is not read: its clauses cannot be told apart with certainty.
_LONGEST = 60
#: Characters of a line whose reading is kept for a while.
_KEPT = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A text with who said it. Lines come in the order in which they were said."""

    text: str
    speaker: str | None
    voice: Voice = Voice.VOUCHED
    #: The speaker stood before a colon in the text, and may be no speaker: "Example: ...".
    labelled: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """One sentence of a text."""

    text: str
    assertions: tuple[Assertion, ...]
    #: Whether each of its clauses was understood: only then is known all that it says.
    clear: bool


def read(line: Line) -> tuple[Sentence, ...]:
    """The sentences of a text, in order; "she" is whoever the sentences before make clear."""
    return _read(line) if len(line.text) > _KEPT else _read_once(line)


def _read(line: Line) -> tuple[Sentence, ...]:
    context = Context(speaker=speaker_key(line.speaker), labelled=line.labelled)
    parts = sentences(line.text)
    jokes = jokes_in(parts)
    return tuple(
        _voiced(_sentence(text, context, jokes=joke), line.voice) for text, joke in zip(parts, jokes, strict=True)
    )


#: A write, its summary and the check of it read the same lines.
_read_once = kept(_read)


def _voiced(sentence: Sentence, voice: Voice) -> Sentence:
    """The sentence with who speaks in each of its clauses."""
    if voice is Voice.VOUCHED:
        return sentence
    return replace(sentence, assertions=tuple(replace(clause, voice=voice) for clause in sentence.assertions))


def _sentence(text: str, context: Context, *, jokes: bool) -> Sentence:
    lead = _LEAD.match(text)
    if lead and (_OWNS.search(lead[1]) or stem(lead[1].split()[-1].lower()) in SINGLE):
        text = f"{lead[1]} is {text[lead.end() :]}"  # "Ana's rent: 900 euros"
        lead = None
    if lead and lead[1].casefold() not in LEADS:
        context.labelled = context.labelled or speaker_key(lead[1]) != context.speaker
        context.speaker = speaker_key(lead[1])
        context.spoken_of.clear()
        context.names.clear()
    bare = text[lead.end() :] if lead else text
    unsure = is_question(bare) or is_code(text) or (_QUOTED.search(bare) or _JESTS.search(text)) is not None
    unsure = unsure or jokes or _MARKED.match(text) is not None
    frame = None if unsure else framed(bare, context.speaker)
    if frame:
        return Sentence(text=text, assertions=(replace(frame, labelled=context.labelled),), clear=True)
    words = tokens(bare)
    if not _OF_WRITER.isdisjoint([word.low for word in words]):
        context.labelled = False
    if unsure or not words or len(words) > _LONGEST or _reports(words):
        _remember(words, 0, context)
        return Sentence(text=text, assertions=(), clear=False)
    results = list(_clauses(words, context))
    _remember(words, verb_place(words) or 0, context)
    known = tuple(result.with_values(labelled=context.labelled) for result in results if result is not None)
    return Sentence(text=text, assertions=known, clear=len(known) == len(results))


def _reports(words: Sequence[Token]) -> bool:
    """Whether it tells what somebody said: "I moved to Rome, said Ana" is not of whoever writes it."""
    return not REPORTS.isdisjoint([word.low for word in words[1:]])


def _remember(words: Sequence[Token], skip: int, context: Context) -> None:
    """Names this sentence mentions make later pronouns and bare nouns less certain."""
    names = names_in(words, skip)
    keys = {part for subject in context.spoken_of for part in subject.key}
    context.names |= names - keys
    capitals = {word.low for word in words if not word.small and word.low not in STOP_WORDS}
    context.around = tuple(sorted({*context.around, *capitals}))


def _clauses(words: Sequence[Token], context: Context) -> Iterator[Assertion | None]:
    subject: Subject | None = None
    if _leaves_out(words, context):
        subject = Subject(context.speaker, thing=False, bare=False, head="")
        words = [*([token("am")] if words[0].low not in _DONE else []), token(words[0].low), *words[1:]]
    parts = _parted(words)
    if len(parts) > 1 and parts[0][0].low in _CONDITIONAL:
        yield None  # "If he gets the job, Kuno lives in Rome": what follows is so only then
        return
    for number, clause in enumerate(parts):
        inherits = (number > 0 or subject is not None) and opens_with_verb(without(without(clause, CHANGES), NEUTRAL))
        if inherits and subject is None:
            yield None
            continue
        results = assertion(clause, context, subject if inherits else None)
        if results is not None:
            subject = subject if inherits else results.subject
            context.note(results.subject)
        elif not inherits:
            subject = None
        yield results


def _leaves_out(words: Sequence[Token], context: Context) -> bool:
    """Whether a sentence opens on what whoever writes it did: "Switched to oat milk.", "Down to 76 kilos now."."""
    first, second = words[0].low, words[1].low if len(words) > 1 else ""
    if words[0].small or context.spoken_of or context.names:
        return False
    return (first in _DONE and second.isalpha()) or [first, second] in _TURNED


def _parted(words: Sequence[Token]) -> list[list[Token]]:
    """The clauses: a part that has no verb of its own belongs to the one before."""
    if words and _JOINTS.isdisjoint([word.low for word in words]):
        return [list(words)]
    parts: list[list[Token]] = [[]]
    joints: list[Token] = []
    for word in words:
        if word.low in _JOINTS and word.small:
            joints.append(word)
            parts.append([])
        else:
            parts[-1].append(word)
    clauses = [parts[0]]
    for joint, part in zip(joints, parts[1:], strict=True):
        if _stands_alone(part) and _has_verb(clauses[-1]):
            clauses.append(part)
        elif part or joint.low == ",":
            clauses[-1] += [joint, *part]
    return [clause for clause in clauses if clause]


def _has_verb(words: Sequence[Token]) -> bool:
    return verb_place(words) is not None or opens_with_verb(words)


def _stands_alone(words: Sequence[Token]) -> bool:
    bare = without(without(words, CHANGES), NEUTRAL)
    return opens_with_verb(bare) or verb_place(bare) is not None


_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
#: Words of what was, or will be: neither holds on the day on which it is said.
_OTHER_TIMES = frozenset(tables.words("tenses.past_aids")) - {"got"} | frozenset(tables.words("tenses.other_aids"))
_IS, _HAS, _HELPS = (frozenset(tables.words(f"tenses.{name}")) for name in ("is_now", "has_now", "helps_now"))
_SUBJECTS = frozenset("i we you they who".split())
_ADVERBS = frozenset(tables.words("tenses.adverbs")) | {"no", "longer"}
_NOW = re.compile(
    r"\b(?:now|nowadays|these days|currently|from now on|no longer|any ?more|at present|as of now)\b", re.IGNORECASE
)
#: "I get to ...", "is going to", "is to be".
_TO = frozenset({"get", "gets", "going", "about", "due"})


def is_state(clause: str) -> bool:
    """Whether its first verb is present and no step of something: "We live in Oslo now", "the office is closed".

    For English; in doubt it is none.
    """
    spelled = [word.lower().replace("\u2019", "'") for word in _WORD.findall(clause)]
    for at, word in enumerate(spelled):
        behind = [after for after in spelled[at + 1 :] if after not in _ADVERBS and not after.endswith("ly")]
        holds = _holds(word, spelled[:at], behind, now=_NOW.search(clause) is not None)
        if holds is not None:
            return holds
    return _NOW.search(clause) is not None


def _holds(word: str, before: Sequence[str], behind: Sequence[str], *, now: bool) -> bool | None:
    """Whether a verb says what holds; None for any other word."""
    follows = behind[0] if behind else ""
    holds: bool | None = None
    if word in _OTHER_TIMES or word.endswith(("'ll", "'d")):
        holds = False
    elif word in _HAS:
        holds = not _kinds(follows) & {"past", "participle"}
    elif word in _IS:
        goes_on = _kinds(follows) == {"ing"}
        holds = follows not in _TO and (now if goes_on else stem(follows) not in MOODS)
    elif word in _HELPS:
        holds = True
    elif before and before[-1] in _ADVERBS and word not in _ADVERBS:
        holds = _holds(word, before[:-1], behind, now=now)
    else:
        holds = _verb(word, before[-1] if before else "", follows)
    return holds


def _verb(word: str, before: str, follows: str) -> bool | None:
    kinds = _kinds(word)
    if "past" in kinds and "base" not in kinds:
        return False
    if word in _TO and follows == "to":
        return False
    if kinds == {"third"} and before and before not in _SUBJECTS:
        return True
    if "base" in kinds and before in _SUBJECTS:
        return "past" not in kinds
    return None


def _kinds(word: str) -> frozenset[str]:
    form = FORMS.get(word) or AMBIGUOUS_FORMS.get(word)
    return form.kinds if form is not None else frozenset()
