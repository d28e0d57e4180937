"""What is put before the first rows of an answer: newer notes on the same thing, or a summary that has them. Pure.

A newer value seldom has the words of the question: "We left Zendesk, every ticket goes into Freshdesk" is less like
"Which tool are tickets in?" than what it makes untrue. So where a question asks how things are, a later row that says
that something is otherwise is put before an older one if it is about the same: it has all words of the question that
the older one has, or a word that only these two have, or it tells of what is asked for of whom the older one tells.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from precis.language.newest.parallel import OfAsked, of_asked
from precis.language.newest.signs import DAYS
from precis.language.script import languages_of, without_small
from precis.language.words import content, index_terms, stem
from precis.recall.asking.unspaced import bare
from precis.recall.newer.overruled import displaces, fails, has_part, is_of_compound, is_of_other_value, overruled
from precis.recall.newer.related import opens_with_relative
from precis.recall.newer.restated import puts_anew
from precis.recall.newer.signs import LIGHT, NO_UNIT, Signs
from precis.recall.persons import ENGLISH, USERS, asks_of_asker, folded, is_first, is_kin, tells_of_another, tokens_of
from precis.recall.question import Question, as_asked
from precis.recall.ranking import Score
from precis.recall.telling import ASKS, UNSPACED, Told, Wanted, callers, matches, put_before, topics_of

_DAYS = frozenset(map(stem, DAYS))
_PARTNER = "partner"  # with whom somebody is, is not theirs alone
#: How far behind a row may be that is put before; and before how many of the first rows.
_FURTHEST, _FIRST = 0.5, 3
#: An older row and a newer one; and words that they have in common, of two or more of which it is sure.
_THESE = 2


class Became:
    """The first rows of an answer, and which of them says what became of which."""

    def __init__(self, question: Question, told: Mapping[str, Told]) -> None:
        query, self._question = question.text, question
        languages = languages_of(query)[0]
        self._present, self._named, self._nouns = question.present, question.named, question.nouns_too
        self._forms, self._spaced = question.forms, not UNSPACED.intersection(languages)
        self._languages = (*languages, ENGLISH)
        #: What each row tells of whom is asked, beside facts of others in the same words.
        self._read: Mapping[str, OfAsked] = {id_: of_asked(row.text, query) for id_, row in told.items()}
        self._told = {id_: row._replace(text=self._read[id_].text) for id_, row in told.items()}
        spoken_in = languages[0] if languages else None
        of_all = {id_: content(without_small(bare(row.text), spoken_in)) for id_, row in told.items()}
        as_words = {id_: frozenset(as_asked(stems, question.forms)) for id_, stems in of_all.items()}
        asked = content(without_small(bare(query), spoken_in))
        asked = asked.intersection(question.terms) or asked  # "now" is no word that a row has to hold
        #: Whom is asked of two rows may have in common, or who says them, and nothing besides.
        of_whom = USERS.union(question.own, callers(told.values()) - asked)
        self._topics = topics_of(query, self._languages)
        self._whom = {id_: (stems & asked).difference(*self._topics.values()) for id_, stems in of_all.items()}
        self._asked = asked - of_whom
        self._terms = {
            id_: (content(without_small(bare(self._told[id_].text), spoken_in)) | (of_all[id_] & asked)) - of_whom
            for id_ in told
        }
        self._rows = Counter(term for stems in self._terms.values() for term in stems)
        #: The words of the question that each row holds, perhaps as a part of a longer one.
        self._held = {
            id_: {term for term in self._asked if term in as_words[id_] or has_part(stems, term)}
            for id_, stems in self._terms.items()
        }
        self._holding = Counter(term for held in self._held.values() for term in held)
        #: Of a question for a dose the words that may name the medicine.
        of_dose = self._asked - question.light if matches("dose_asked", self._languages, query) else frozenset()
        self._medicines = {term for term in of_dose if not matches("dose_verbs", self._languages, term)}
        self.signs = Signs(self._told, self._languages, self._topics)
        self._wanted = Wanted(query)
        #: It asks whether something is so; of whoever asks; for what is so, and not what somebody wants.
        self._is_whether = query.rstrip().endswith(ASKS) and not matches("what_asked", self._languages, query)
        self._of_asker = asks_of_asker(query, self._languages) or not question.own.isdisjoint(asked)
        self._kin = content(" ".join(token for token in tokens_of(query) if is_kin(token, self._languages)))
        self._of_wishes = any(matches(key, self._languages, query) for key in ("wished", "wish_asked"))
        self._asked_words = frozenset(map(folded, tokens_of(query)))
        self._of_others: dict[str, bool] = {}
        self._pairs: dict[tuple[str, str], tuple[bool, bool]] = {}

    def newer_first(self, scores: Sequence[Score]) -> list[Score]:
        """The rows in order, with those before the first ones that say what became of them."""
        first = [score for score in scores if score.id in self._told][:_FIRST]

        def later(older: Score, *, sure: bool) -> list[Score]:
            below = [s for s in scores if s.id in self._told and s.total <= older.total]
            near = (s for s in below if older.total - s.total <= _FURTHEST or self.names_what_was(s.id, older.id))
            follow = (score for score in near if self._follows(score.id, older.id, sure=sure))
            return sorted(follow, key=lambda score: (self._told[score.id].said_at, score.total))

        return put_before(scores, "newest", ((older, later(older, sure=at > 0)) for at, older in enumerate(first)))

    def values_first(self, scores: Sequence[Score]) -> list[Score]:
        """The rows in order; what somebody wants or looks for stands behind what is so, in as many words asked for."""
        if self._of_wishes:
            return list(scores)
        rows = [score for score in scores if score.id in self._told]
        wished = {score.id for score in rows if matches("wished", self._languages, self._told[score.id].text)}
        values = [score for score in reversed(rows) if score.id not in wished]
        pairs = (
            (wish, [score for score in values if self._held[wish.id] <= self._held[score.id]])
            for wish in rows
            if wish.id in wished and self._held[wish.id]
        )
        return put_before(scores, "newest", pairs, _FURTHEST)

    def newest_of(self, scores: Sequence[Score]) -> list[tuple[str, str]]:
        """Of the first rows those before which one stands that says what became of them: that one, and the older."""
        order = [score.id for score in scores if score.id in self._told][: 2 * _FIRST]
        before = ([(new, old) for new in order[:at] if self._follows(new, old)] for at, old in enumerate(order))
        return [pairs[0] for pairs in before if pairs]

    def holds_all(self, newer: str, older: str) -> bool:
        """Whether one row of a later day has all words of the question that the other, older one has, and that any."""
        held = self._held[older]
        is_later = self._told[newer].said_at.date() > self._told[older].said_at.date()
        return is_later and bool(held) and held <= self._held[newer]

    def followed(self) -> dict[str, str]:
        """The rows of which a later one says what became of them, each with the newest that does."""
        at = {id_: row.said_at for id_, row in self._told.items()}
        later = {old: [new for new in at if at[new] > at[old] and self._overrules(new, old)] for old in at}
        return {old: max(news, key=lambda id_: (at[id_], id_)) for old, news in later.items() if news}

    def _overrules(self, newer: str, older: str) -> bool:
        """Whether one row says what became of the other, older one, and both are of one thing."""
        whom = frozenset() if self._nouns else self._named & self._asked  # where neither names them, of anybody
        if whom and whom.isdisjoint(self._held[older] | self._held[newer]):
            return False
        if not (self._follows(newer, older) and self._is_of_it(newer, older)):
            return False
        return overruled(self._told[older].text, self._told[newer].text, self._question) is not None

    def _follows(self, newer: str, older: str, *, sure: bool = True) -> bool:
        """Whether one row says what became of the other, older one; ``sure`` by more than one word in common."""
        if self._told[newer].said_at <= self._told[older].said_at:
            return False
        if (newer, older) not in self._pairs:
            of_two = self._read[older].is_passed_by(self._read[newer].whole) or self._are_of_two(newer, older)
            self._pairs[newer, older] = (False, False) if of_two else self._compared(newer, older)
        return self._pairs[newer, older][not sure]

    def _compared(self, newer: str, older: str) -> tuple[bool, bool]:
        """Whether the newer row says what became of the older one: surely, and perhaps."""
        held = self._held[older]
        shared, rare = held & self._held[newer], self._share_rare(newer, older)
        is_otherwise = self.names_what_was(newer, older)
        is_own = (is_otherwise and self._opens_with(newer, self._terms[older])) or self._is_of_kin(newer, older)
        is_own = is_own or not self._is_of_another(newer)
        # "Training moves to Sundays" is not where she lives.
        is_strange = self._topics and self._whom[older] and not (is_otherwise or self._is_of_same(newer, older))
        if is_strange or not is_own or not (self._topics or shared or rare or is_otherwise):
            return False, False
        of_topic = self._topics and self._is_of_same(newer, older) and self.signs.turns_topic(newer)
        # Of whoever asks "the bins go out" tells nothing.
        of_topic = of_topic and (not self._of_asker or bool(held) or self.signs.is_of_topic(older))
        is_told_anew = shared and (self._is_over(newer, older) or self._puts_anew(newer, older))
        if of_topic or is_told_anew or self._has_another_dose(newer, older):
            return True, True
        row, before = self._told[newer].text, self._told[older].text
        if is_of_other_value(row, before, self._languages):
            return False, False
        is_other = not shared <= self._named and displaces(row, before, self._languages, self._asked)
        is_other = is_other or bool(rare and held and fails(row, before, self._languages, self._asked))
        if is_other and not self._wanted.has_day(self._told[older]):
            return True, True
        has_all = bool(held) and shared == held and (self._spaced or _THESE * len(held) >= len(self._asked))
        has_all = has_all and (self._nouns or not held <= self._named or self._asked <= self._named)  # not a name alone
        is_off = bool(shared) and self.signs.is_off(newer) and self._wanted.has_day(self._told[older])
        # A change seldom has the verb: "I am off ibuprofen", "die Chorprobe ist verlegt".
        is_moved = is_off and _THESE * len(self._held[newer]) >= len(self._asked)
        has_all = has_all or ((self._present or is_moved) and self._has_half(held, newer))
        is_off = is_off and has_all
        # What is said on one day mostly goes on with what was said before.
        if not is_off and self._told[newer].said_at.date() == self._told[older].said_at.date():
            return False, False
        changes = ((has_all or rare) and self.signs.says_otherwise(newer)) or (has_all and self.signs.became(newer))
        is_sure = changes and ((bool(held) and len(held) + rare >= _THESE) or is_off)
        is_sure = is_sure or (bool(shared) and self._has_another_value(newer, older, has_all=has_all))
        return is_sure, is_sure or changes or is_otherwise

    def names_what_was(self, newer: str, older: str) -> bool:
        """Whether a row says of the other one's value what it became: "from Orderbird to Kassa", without a word asked.

        Not where a place is asked for: who goes from one to another does not move. The older has half of what is asked.
        """
        held, row, before = self._held[older], self._told[newer].text, self._told[older].text
        is_of_it = held and _THESE * len(held) >= len(self._asked) and not self._wanted.asks_place
        return bool(is_of_it and displaces(row, before, self._languages, self._asked))

    def _share_rare(self, newer: str, older: str) -> bool:
        """Whether two rows share a word that no other row has; of pairs of characters two, and no figures.

        A row without the day or the month that is asked for, which the other one has, is of another matter.
        """
        if not _DAYS.isdisjoint(self._held[older] - self._held[newer]):
            return False
        both = self._terms[older] & self._terms[newer]
        rare = [term for term in both - self._asked - LIGHT if self._rows[term] == _THESE]
        return bool(rare) if self._spaced else sum(term.isalpha() for term in rare) >= _THESE

    def _is_of_another(self, id_: str) -> bool:
        """Whether it is asked of whoever asks, and a row opens with somebody else."""
        if id_ not in self._of_others:
            text = self._told[id_].text
            of_another = self._of_asker and tells_of_another(
                text, self._languages, self._asked_words, changes=self.signs.says_otherwise(id_)
            )
            of_another = of_another and not (self._spaced and self._opens_with(id_, self._asked))
            self._of_others[id_] = of_another or is_of_compound(text, self._question.text)
        return self._of_others[id_]

    def _opens_with(self, id_: str, terms: Collection[str]) -> bool:  # in whatever form: "Brenner was replaced"
        opening = " ".join(tokens_of(self._told[id_].text)[:1])
        return any(self._forms.get(term, term) in terms for term in index_terms(opening))

    def _is_of_same(self, newer: str, older: str) -> bool:
        """Whether both are of whom is asked: they share their name, or it is asked of whoever asks."""
        is_own = self._of_asker and (not self._kin or _PARTNER in self._topics)
        return is_own or bool(self._whom[older] & self._whom[newer]) or self._is_of_kin(newer, older)

    def _is_of_kin(self, newer: str, older: str) -> bool:
        """Whether a relative is asked about whom the older row names and the newer one opens with."""
        texts = self._told[newer].text, self._told[older].text
        return not self._kin.isdisjoint(self._held[older]) and opens_with_relative(*texts, self._languages)

    def _puts_anew(self, newer: str, older: str) -> bool:
        """Whether the newer row, of a later day, says anew what the older one tells, or gives it another figure."""
        row, before = self._told[newer], self._told[older]
        is_later = row.said_at.date() > before.said_at.date()
        if not is_later or _THESE * len(self._held[older]) < len(self._asked) or not self.signs.says_otherwise(newer):
            return False
        known = self._asked | self._whom[older] | content(self._read[older].whole)
        return puts_anew(row.text, before.text, known, self._forms, self._languages)

    def _are_of_two(self, newer: str, older: str) -> bool:
        """Whether one of the rows is of whoever asks, and the other of a relative of theirs or somebody else.

        Where somebody lives or works is theirs alone; with whom they are is not.
        """
        if not self._of_asker or not self._topics or _PARTNER in self._topics:
            return False
        of_kin = self._kin & self._held[older] and not self._kin & self._held[newer]
        of_asker = of_kin and is_first(tokens_of(self._told[newer].text)[0], self._languages)
        return bool(of_asker) or self._is_of_another(older)

    def _is_over(self, newer: str, older: str) -> bool:
        """Whether it is asked if something is so, and the newer row says of a thing that both have that it is not."""
        if not self._is_whether or not (self.signs.is_off(newer) or self.signs.ends(newer)):
            return False
        shared = self._held[newer] & self._held[older]
        return any(term not in self._named or self._of_asker for term in shared)

    def _has_another_value(self, newer: str, older: str, *, has_all: bool) -> bool:
        """Whether the newer row has another number of what the older one counts, and is on the same.

        It has all words of the question that the older one has; or half of them, where it is asked how many.
        """
        if not has_all and not (self._wanted.counts and self._has_half(self._held[older], newer)):
            return False
        if self._held[older] & self._medicines - self._held[newer] and all(map(self.signs.doses, (older, newer))):
            return False
        before, now = map(self.signs.amounts, (older, newer))
        is_sure = has_all and len(self._held[older]) >= _THESE
        return any(before[unit] != now[unit] for unit in before.keys() & now.keys() if unit != NO_UNIT or is_sure)

    def _has_another_dose(self, newer: str, older: str) -> bool:
        """Whether it is asked how much somebody takes, and a row of a later day has more or less of the same."""
        things = self._held[older] & self._medicines
        is_later = self._told[newer].said_at.date() > self._told[older].said_at.date()
        if not (things and is_later and things <= self._held[newer]):
            return False
        before, now = map(self.signs.doses, (older, newer))
        return any(before[unit].isdisjoint(now[unit]) for unit in before.keys() & now.keys())

    def _has_half(self, held: Collection[str], newer: str) -> bool:
        """Whether a row has half of these words of the question, one of them no name: of somebody much is told."""
        shared = self._held[newer].intersection(held)
        things = (term for term in shared if term not in self._named or (self._nouns and self._holding[term] == _THESE))
        return any(things) and _THESE * len(shared) >= len(held)

    def _is_of_it(self, newer: str, older: str) -> bool:
        """Whether both are of what is asked for: the older has half of its words, and a rare one besides as the newer.

        Or the newer says that an appointment is off or a thing over, has another number, or tells of the topic.
        """
        held = self._held[older]
        has_all = held <= self._held[newer]
        row, before = self._told[newer].text, self._told[older].text
        is_put_otherwise = held and displaces(row, before, self._languages, self._asked)
        if is_put_otherwise or (has_all and held == self._asked and self.signs.says_otherwise(newer)):
            return True
        if self.signs.is_off(newer) or (self._topics and self.signs.turns_topic(newer)):
            return has_all or bool(self._topics) or self._has_half(held, newer)
        if self._puts_anew(newer, older) or self._is_over(newer, older) or self._has_another_dose(newer, older):
            return True
        if self._has_another_value(newer, older, has_all=has_all):
            return True
        is_half = _THESE * len(held) >= len(self._asked) and not held.isdisjoint(self._held[newer])
        return is_half and self._share_rare(newer, older)
