"""A title with a full stop before a name ends no sentence, and forgetting somebody leaves nothing of theirs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level, Row
from precis.language.sentences import sentences

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "expected",
    [
        ["Hr. Oelze war hier.", "Mit Fr. Nowak, Frl. Brehm und Fam. Kühn auch."],
        ["Der Dipl.-Ing. Huber plant.", "Pfr. Lohse und Mag. Steiner kommen."],
        ["Komm am Fr.", "Dann grillen wir."],
        ["El Sr. Ruiz vino.", "La Srta. Ibarra, los Sres. Vidal y Dña. Carmen no."],
        ["M. de Villiers part.", "MM. Dupont et Mlle. Perrin restent."],
        ["Il Sig. Bianchi e la Sig.ra Conti.", "Il Dott. Ferri e l'Avv. Rinaldi no."],
        ["Dhr. van Dijk en Mevr. Bakker.", "Ds. Meijer niet."],
        ["O Sr. Lopes veio.", "O Exmo. Dr. Prado e o Eng. Faria não."],
        ["Był p. Kowalski.", "Był ks. Nowicki i inż. Wójcik."],
        ["Přišel p. Dvořák.", "Mgr. Svobodová ne."],
        ["Был проф. Лебедев.", "Г-н Орлов и акад. Павлов нет."],
        ["Hr. Lindqvist kom.", "Frk. Nyström inte."],
        ["Sn. Kaya geldi.", "Av. Demir gelmedi."],
        ["Hj. Aminah came.", "Sen. Pike did not."],
        ["John Hale Sr. lives here.", "His son is John Hale Jr. of Leeds."],
        ["زارني د. أحمد.", "كان مريضا."],
        ["कल डॉ. शर्मा आए।", "वे बीमार थे।"],
        ["Das ist z.T. richtig, d.h. falsch.", "Gut."],
    ],
)
def test_a_title_ends_no_sentence(expected: list[str]) -> None:
    """In each language; what else ends one still does."""
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["I slept 8 hr.", "Anna slept less."],
        ["There was no sr.", "He left."],
        ["Wir sehen uns jeden Fr.", "Nowak kommt mit."],
        ["В 2020 г.", "Анна приехала."],
        ["Es sind 5 mm.", "Anna misst nach."],
    ],
)
def test_the_same_letters_end_one_elsewhere(expected: list[str]) -> None:
    """Behind a number, as a day of the week, and where no name follows."""
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("ask", "text", "name"),
    [
        ("Vergiss alles über Hr. Tauber.", "Gestern kam Hr. Tauber vorbei, er hat Gicht und trinkt.", "Tauber"),
        ("Lösche alles über Fr. Seidl.", "Fr. Seidl hat Diabetes.", "Seidl"),
        ("Vergiss alles über Mag. Steiner.", "Mag. Steiner hat mir gekündigt.", "Steiner"),
        ("Olvida todo sobre el Sr. Lara.", "Ayer vino el Sr. Lara, ha perdido el trabajo.", "Lara"),
        ("Olvida todo sobre D. Julián.", "D. Julián me debe 90 euros.", "Julián"),
        ("Oublie tout sur M. Garrigue.", "M. Garrigue a la goutte.", "Garrigue"),
        ("Dimentica tutto sul Dott. Ferri.", "Ieri il Dott. Ferri mi ha operato.", "Ferri"),
        ("Vergeet alles over Mevr. Bakker.", "Gisteren kwam Mevr. Bakker langs, ze is ontslagen.", "Bakker"),
        ("Esquece tudo sobre o Sr. Lopes.", "O Sr. Lopes tem diabetes.", "Lopes"),
        ("Zapomnij wszystko o ks. Nowak.", "Wczoraj ks. Nowak miał wypadek.", "Nowak"),
        ("Забудь всё о г-не Орлове.", "Г-н Орлов болеет диабетом.", "Орлов"),
        ("Glöm allt om hr. Lindqvist.", "Igår kom hr. Lindqvist, han har gikt.", "Lindqvist"),
        ("Sn. Kaya hakkındaki her şeyi unut.", "Dün Sn. Kaya işini kaybetti.", "Kaya"),
        ("Forget everything about Fr. Doyle.", "Yesterday Fr. Doyle had a fall.", "Doyle"),
        ("انس كل شيء عن د. أحمد.", "أمس زارني د. أحمد وهو مريض.", "أحمد"),
    ],
)
def test_nothing_of_who_is_forgotten_stays(ask: str, text: str, name: str) -> None:
    """It goes whole and surely: neither their name is left, nor a stump that ends in their title."""
    findings = find(read_request(ask, NOW.date()), [Row(id="0", text=text, created_at=NOW)]).rows
    assert [(Level.SURE, "")] == [(it.level, written(text, it.keeps)) for it in findings]
    assert name in text


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Vergiss alles über Ftgm. Oelze.", "Ftgm. Oelze aus Celle hat Gicht und trinkt."),
        ("Olvida todo sobre el Hnrdo. Ruiz.", "El Hnrdo. Ruiz tiene diabetes."),
        ("Oublie tout sur Vicmt. Roche.", "Hier le Vicmt. Roche a perdu son emploi."),
        ("Forget everything about Chplt. Doyle.", "Yesterday Chplt. Doyle had a fall."),
    ],
)
def test_an_unknown_title_leaves_no_name_either(ask: str, text: str) -> None:
    """What no list has may cut a sentence; then the whole is in doubt, and no part of it stays under the name."""
    findings = find(read_request(ask, NOW.date()), [Row(id="0", text=text, created_at=NOW)]).rows
    assert [(Level.DOUBTFUL, ())] == [(it.level, it.keeps) for it in findings]


def test_somebody_else_of_that_name_stays() -> None:
    """Their sentence is no rest of whom goes."""
    text = "Ana Roth has gout. Ana Berg sings."
    findings = find(
        read_request("Forget everything about Ana Roth.", NOW.date()), [Row(id="0", text=text, created_at=NOW)]
    )
    assert ["Ana Berg sings."] == [written(text, it.keeps) for it in findings.rows]
