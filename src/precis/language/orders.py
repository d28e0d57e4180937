"""Orders to a language model, in more words and languages than one: texts that give them are no source of a draft.

A text is an order where it tells whoever summarizes it what to write or do. Some phrases are one by themselves: a verb
of disobedience with a word for which orders are meant ("previous", "all", "your") and a word for an order, or the marks
of a prompt. Of others it takes two, in one sentence or in two that follow each other: "drop everything else" and
"reply with". So "she ignores the rules of the house" and "answer me only by mail" stay memories.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from precis.language.order_words import FIRST, MACHINE, SECOND, Cue, is_latin
from precis.language.sentences import sentences
from precis.language.visible import visible
from precis.language.words import normal


class _Words(NamedTuple):
    """How one language says it: verb first, then the other two in any order within a few words."""

    verb: str
    which: str
    order: str


_LANGUAGES = (
    _Words(
        verb=r"ignorier(?:e|t|en sie)|vergiss|vergesst|vergessen sie|missachte|beachte nicht",
        which=r"bisherig|vorherig|vorig|obig|früher|all|dein|ihre|system|diese",
        order=r"anweisung|instruktion|regel|vorgabe|befehl|aufforderung|prompt",
    ),
    _Words(
        verb=r"ignore[zs]?|oublie[zs]?|ne ten(?:ez|iens) pas compte",
        which=r"précédent|antérieur|ci-dessus|toutes|tous|tes|vos|système",
        order=r"instruction|consigne|règle|ordre|directive|prompt",
    ),
    _Words(
        verb=r"ignor(?:a|e|ad|en)|olvid(?:a|e|ad|en)",
        which=r"anterior|previ|tod[ao]s|tus|sus|sistema",
        order=r"instruccion|regla|[oó]rden|directri|indicacion|prompt",
    ),
    _Words(
        verb=r"ignora(?:te|re)?|dimentica(?:te)?",
        which=r"precedent|tutt[ei]|tue|vostre|sistema",
        order=r"istruzion|regol|ordin|comand|indicazion|prompt",
    ),
    _Words(
        verb=r"ignor[ae]|esque[çc][ae]",
        which=r"anterior|prévi|tod[ao]s|suas|tuas|sistema",
        order=r"instruç|regra|orde[nm]|comando|prompt",
    ),
    _Words(
        verb=r"negeer|vergeet",
        which=r"vorige|eerdere|alle|jouw|je|deze",
        order=r"instructie|opdracht|regel|prompt",
    ),
    _Words(
        verb=r"zignoruj|ignoruj|zapomnij",
        which=r"poprzedni|wcześniejsz|wszystki|swoje|twoje",
        order=r"instrukcj|polece|zasad|prompt",
    ),
    _Words(
        verb=r"(?:про)?игнорируй(?:те)?|забудь(?:те)?",
        which=r"предыдущ|прежн|вс[её]|свои|твои|ваши|систем",
        order=r"инструкци|указани|правил|команд|промпт",
    ),
)
#: Languages that put the verb last, or write without spaces: what is ignored, and how.
_OTHERS = (
    r"(?:忽略|无视|無視|忘记|忘記|不要理会|不要遵守).{0,20}(?:指令|指示|说明|說明|规则|規則|提示|命令)",
    r"(?:指示|命令|プロンプト|ルール|指令).{0,15}(?:無視し|忘れて|従わないで)",
    r"(?:지시|명령|프롬프트|규칙|지침).{0,15}(?:무시하|잊어|따르지 마)",
    r"(?:talimat|komut|kural)\w*.{0,30}(?:yok ?say|görmezden gel|unut)",
    r"(?:تجاهل|انس|لا تتبع).{0,40}(?:التعليمات|تعليمات|الأوامر|القواعد)",
    r"(?:निर्देश|आदेश|नियम).{0,40}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा)",
)
_WRITE = r"mention|include|add|state|write|say|insert|append|put|claim"
_PHRASES = (
    # Marks of a conversation's wire format, or of a prompt like ours.
    r"[\"']role[\"']\s*:\s*[\"'](?:system|developer|assistant|tool)[\"']\s*,\s*[\"']content[\"']",
    r"<\|[a-z_]+\|>|<</?sys>>|\[/?(?:inst|system)\]|</?(?:system|memories|instructions?)>",
    r"#{2,}\s*(?:(?:new|updated?) )?(?:system|instruction)",
    r"[\"']?statements[\"']?\s*:\s*\[",
    rf"\b(?:note|message|memo|instructions?|notice|orders?) (?:to|for) (?:the |any |all |every )?{MACHINE}\b",
    rf"\b(?:dear|attention,?|hey|listen,?) {MACHINE}\b",
    r"\bif you(?:'re| are) (?:an? |the )?(?:ai|a\.i\.|llm|language model|chat ?bot|summari[sz]er|ai \w+)\b",
    r"\byou (?:are|have)\b[^.!?]{0,30}\bno (?:rules|restrictions|limits|filters)\b",
    rf"\b{MACHINE} (?:(?:that|who|which) )?(?:reads?|reading|summari[sz]\w*|compress\w*|process\w*) (?:this|these)\b",
    r"\bthe only (?:thing|fact|sentence|statement|item) (?:worth|to) (?:keep|remember|mention|stor|includ)\w*",
    r"\b(?:correct|right|real|true|only|final) (?:summary|answer|output) is\b",
    r"\b(?:when|whenever|while|if|as|before) (?:you are |you're |you )?(?:summari[sz]e|summari[sz]ing)\b",
    rf"\b(?:{_WRITE})\b.{{0,90}}\b(?:in|into|to|of) your (?:summary|output|statements?|answer)\b",
    r"\byour (?:summary|output|answer|response|reply) (?:must|has to|should|shall|will) ",
    r"\bfrom now on,? (?:you are|you're|act as|pretend)\b",
    r"\bend of (?:the )?(?:memories|items|notes|conversation|document|instructions|prompt|context|input|data)\b",
    r"\bnew (?:task|instructions?|orders?|rules?|directives?|role)\s*:",
    r"\b(?:admin(?:istrator)?|emergency|system|developer) (?:override|command|instruction|directive)s?\b",
    r"\bstop summari[sz]ing\b|\brepeat after me\b",
    r"\b(?:reveal|print|repeat|output|show) (?:your|the) (?:system )?prompt\b",
    r"\binstead,? (?:just |simply )?(?:write|say|output|answer|reply|print|state|respond)\b",
    r"\byour (?:only|real|true|actual|new) (?:task|job|instruction|goal) is\b",
    # In place of a summary, or in one, in the languages above.
    r"\b(?:schreibe?|antworte|sage?|gib)\b.{0,15}\bstattdessen\b|\bin (?:deiner|ihrer) (?:zusammenfassung|antwort)\b",
    r"\b(?:dans|à) (?:ton|votre) (?:résumé|réponse)\b|\ben (?:tu|su) (?:resumen|respuesta)\b",
    r"\bnel (?:tuo|vostro) riassunto\b|\bno (?:seu|teu) resumo\b|в (?:сво[её]м|тво[её]м|вашем) (?:резюме|ответе)",
)  # fmt: skip


def _spelled(one: _Words) -> str:
    """Verb, which, order; or verb, order, which, as Romance languages have it. No clause ends in between."""
    gap = r"[^.,;:!?]"
    both = rf"\b(?:{one.which}){gap}{{0,30}}\b(?:{one.order})|\b(?:{one.order}){gap}{{0,20}}\b(?:{one.which})"
    return rf"\b(?:{one.verb})\b{gap}{{0,40}}(?:{both})"


#: Forms that need no three parts, in English.
_PLAIN = (
    r"\bsystem prompt\b|\bdeveloper mode\b"
    r"|\binstead of (?:a |the )?summar|\bdo not summari[sz]e|\bnew instructions?:"
)
_ALONE = (_PLAIN, *map(_spelled, _LANGUAGES), *_OTHERS, *_PHRASES)
_ORDER = re.compile("|".join(_ALONE), re.IGNORECASE | re.DOTALL)
#: The same for text in Latin letters, most of which has no more to be looked for.
_LATIN_ORDER = re.compile("|".join(filter(is_latin, _ALONE)), re.IGNORECASE | re.DOTALL)
#: What is an order together, and neither of it alone.
_TOGETHER = (
    {Cue.OVERRIDE, Cue.WRITE}, {Cue.OVERRIDE, Cue.ADDRESS}, {Cue.OVERRIDE, Cue.WORK}, {Cue.OVERRIDE, Cue.ROLE},
    {Cue.OVERRIDE, Cue.HAND_OVER}, {Cue.OVERRIDE, Cue.SAY}, {Cue.SAY, Cue.ADDRESS},
    {Cue.SAY, Cue.WORK}, {Cue.SAY, Cue.ROLE}, {Cue.WRITE, Cue.ADDRESS}, {Cue.WRITE, Cue.WORK}, {Cue.WRITE, Cue.ROLE},
    {Cue.WRITE, Cue.MARKUP}, {Cue.HAND_OVER, Cue.ADDRESS}, {Cue.HAND_OVER, Cue.USER}, {Cue.HAND_OVER, Cue.TARGET},
    {Cue.ROLE, Cue.ADDRESS}, {Cue.ADDRESS, Cue.WORK}, {Cue.ADDRESS, Cue.MARKUP},
)  # fmt: skip
_COMMANDS = (SECOND[Cue.WRITE], SECOND[Cue.SAY])
#: Sentences around an order that it may speak of: so many before it and after it are no source either.
BEFORE, AFTER = 2, 3
#: A text up to so many characters is also looked at in one piece.
_LAID_OUT = 4_000
#: Letters of other alphabets that look like Latin ones.
_LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁһӏкмтвнгАЕОРСХІЅКМТВНοναικτυρχεωɪɴɢᴏʀᴇᴀsᴛᴜᴘʟᴄᴅᴍʙ",
    "aeopcyxisjdhlkmtbhrAEOPCXISKMTBHovaiktupxewignoreastuplcdmb",
)
#: Digits and signs that stand for letters, in words that have letters too.
_SIGNS = str.maketrans("013457@$!", "oieastasi")
_SIGNED = re.compile(r"(?<![\w@$!])(?=[\w@$!]*[^\W\d_])(?=[\w@$!]*[013457@$!])[\w@$!]+")
#: A word written l i k e  t h i s.
_SPACED = re.compile(r"(?:\b[^\W\d_](?: |[.\-_*] ?)){3,}[^\W\d_]\b")


def is_order(text: str) -> bool:
    """Whether a text tells a language model what to do, also spelled with letters that only look right."""
    return bool(orders_in(text))


@lru_cache(maxsize=8_192)
def orders_in(text: str) -> frozenset[int]:
    """Which sentences of a text give such an order, by place; all of them where it lies in how the text is laid out."""
    read = [_read(part) for part in sentences(visible(text))]
    places: set[int] = set()
    for at, sentence in enumerate(read):
        if _gives_one(sentence):
            places.add(at)
        elif (
            at
            and at - 1 not in places
            and _gives_one(_Read(spelled=_joined(read[at - 1], sentence), first=read[at - 1].first | sentence.first))
        ):
            places |= {at - 1, at}
    if not places and len(read) > 1 and len(text) < _LAID_OUT and any(map(_is_one, _spellings(text))):
        places.update(range(len(read)))
    return frozenset(places)


@lru_cache(maxsize=8_192)
def commanded_in(text: str) -> dict[int, str]:
    """What a text tells somebody to write or say, by the place of the sentence: its words after "reply with"."""
    commanded = {}
    for at, sentence in enumerate(sentences(visible(text))):
        plain = _plain(sentence)
        ends = [end for phrases in _COMMANDS if (end := phrases.end_in(plain)) is not None]
        if ends:
            commanded[at] = plain[min(ends) - 1 :]
    return commanded


class _Read(NamedTuple):
    """A sentence, or two that follow each other."""

    #: Every way in which it may be meant.
    spelled: tuple[str, ...]
    #: The cues of which one is in every order.
    first: frozenset[Cue]


def _read(sentence: str) -> _Read:
    spelled = tuple(sorted(_spellings(sentence)))
    return _Read(
        spelled=spelled, first=frozenset(cue for cue, phrase in FIRST.items() if any(map(phrase.is_in, spelled)))
    )


def _joined(one: _Read, other: _Read) -> tuple[str, ...]:
    ends = {(one.spelled[0], other.spelled[0]), (one.spelled[-1], other.spelled[-1])}
    return tuple(f"{before} {after}" for before, after in ends)


def _is_one(text: str) -> bool:
    """Whether a phrase stands in a text that is an order by itself."""
    return (_LATIN_ORDER if text.isascii() else _ORDER).search(text) is not None


def _gives_one(read: _Read) -> bool:
    if Cue.ALONE in read.first or any(map(_is_one, read.spelled)):
        return True
    if not read.first:
        return False
    cues = read.first.union(cue for cue, phrase in SECOND.items() if any(map(phrase.is_in, read.spelled)))
    return any(cues.issuperset(together) for together in _TOGETHER)


def spoiled_in(text: str) -> frozenset[int]:
    """The sentences of a text that an order is in, or near."""
    places = orders_in(text)
    if not places:
        return places
    return frozenset(near for at in places for near in range(max(0, at - BEFORE), at + AFTER + 1))


def _spellings(text: str) -> set[str]:
    """The text as it may be meant: as written, and with letters for what looks like them or stands for them."""
    seen = _plain(text)
    spellings = {seen, seen.translate(_LOOKALIKES)}
    if _SIGNED.search(seen):
        spellings.add(_SIGNED.sub(lambda word: word.group().translate(_SIGNS), seen))
    if _SPACED.search(seen):
        spellings.add(_SPACED.sub(lambda word: re.sub(r"[ .\-_*]", "", word.group()), _words_apart(text)))
    return spellings


def _plain(text: str) -> str:
    return " ".join(normal(visible(text)).split()).casefold()


def _words_apart(text: str) -> str:
    """The same with two spaces or more kept as one mark between words."""
    return re.sub(r"\s{2,}", " / ", normal(visible(text)).casefold()).replace(" / ", "  ")
