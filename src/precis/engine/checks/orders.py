"""Orders to a language model, in more words and languages than one: texts that give them are no source of a draft.

A text is an order where it tells whoever summarizes it what to write. Every language has three parts here: a verb of
disobedience, a word for which orders are meant ("previous", "all", "your"), and a word for an order. All three have to
stand together, so that "she ignores the rules of the house" stays a memory.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from precis.words import normal


class _Words(NamedTuple):
    """How one language says it: verb first, then the other two in any order within a few words."""

    verb: str
    which: str
    order: str


_LANGUAGES = (
    _Words(
        verb=r"ignore|disregard|forget|override|bypass|skip|discard|drop|don't follow|do not follow|stop following",
        which=r"previous|prior|above|earlier|preceding|existing|original|other|system|these|your|all|any|every",
        order=r"instruction|prompt|rule|direction|guideline|directive|order|command|(?:were|been) told|constraint",
    ),
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
_MACHINE = (
    r"(?:ai|a\.i\.|llm|(?:language )?model|assistant|(?:chat)?bot|summari[sz]er|summari[sz]ation (?:model|system))"
)
_WRITE = r"mention|include|add|state|write|say|insert|append|put|claim"
_PHRASES = (
    # Marks of a conversation's wire format, or of a prompt like ours.
    r"<\|[a-z_]+\|>|<</?sys>>|\[/?(?:inst|system)\]|</?(?:system|memories|instructions?)>",
    r"#{2,}\s*(?:(?:new|updated?) )?(?:system|instruction)",
    r"[\"']?statements[\"']?\s*:\s*\[",
    rf"\b(?:note|message|memo|instructions?|notice|orders?) (?:to|for) (?:the |any |all |every )?{_MACHINE}\b",
    rf"\b(?:dear|attention,?|hey|listen,?) {_MACHINE}\b",
    r"\b(?:when|whenever|while|if|as|before) (?:you are |you're |you )?(?:summari[sz]e|summari[sz]ing)\b",
    rf"\b(?:{_WRITE})\b.{{0,90}}\b(?:in|into|to|of) your (?:summary|output|statements?|answer)\b",
    r"\byour (?:summary|output|answer|response) (?:must|has to|should|shall|will) ",
    r"\bfrom now on,? (?:you are|you're|act as|pretend)\b",
    r"\bend of (?:the )?(?:memories|items|prompt|context|input|data)\b",
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
_PLAIN = re.compile(
    r"(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|other|system|these|your)\b"
    r".{0,30}\b(?:instruction|prompt|rule|direction|guideline|message|command)"
    r"|\bsystem prompt\b|\bdeveloper mode\b|\byou are now (?:a|an|the|in)\b"
    r"|\b(?:reply|respond|answer|output|print|write|say|return)\b.{0,20}\b(?:only|exactly|nothing but|verbatim)\b"
    r"|\binstead of (?:a |the )?summar|\bdo not summari[sz]e|\bnew instructions?:",
    re.IGNORECASE | re.DOTALL,
)
_ORDER = re.compile("|".join([*map(_spelled, _LANGUAGES), *_OTHERS, *_PHRASES]), re.IGNORECASE | re.DOTALL)
#: Characters nobody sees, by which a word is hidden from a search.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
#: Letters of other alphabets that look like Latin ones.
_LOOKALIKES = str.maketrans("аеорсухіѕјԁһӏАЕОРСХІЅ", "aeopcyxisjdhlAEOPCXIS")


def is_order(text: str) -> bool:
    """Whether a text tells a language model what to do, also spelled with letters that only look right."""
    seen = " ".join(_UNSEEN.sub("", normal(text)).split())
    spellings = {seen, seen.translate(_LOOKALIKES)}
    return any(_PLAIN.search(normal(one)) or _ORDER.search(one) for one in spellings)
