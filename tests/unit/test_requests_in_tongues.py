"""Requests in Arabic and Hindi, and requests in one language for what memories tell in another."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from precis.finding.finder import find
from precis.finding.request import read_request
from precis.finding.values import Level, Row

TODAY = date(2026, 11, 20)


def levels(ask: str, *texts: str) -> list[str]:
    """How sure it is of each of these memories, by their words alone."""
    rows = [
        Row(id=f"r{at}", text=text, created_at=datetime(2026, 11, 1, at, tzinfo=UTC)) for at, text in enumerate(texts)
    ]
    listed = {finding.id: finding.level for finding in find(read_request(ask, TODAY), rows).rows}
    return [listed.get(row.id, Level.NO).name.lower() for row in rows]


#: A request, the memory that it means, and two near it that stay: in doubt at most.
CASES = [
    ("انسَ كل شيء عن زياد لو سمحت", "زياد يدرّس الفيزياء في عمّان.", "زيادة الراتب جاءت متأخرة.", "أخي يدرّس الفيزياء."),
    ("امسح رقم هاتفي من ذاكرتك", "رقم هاتفي 0599887766.", "رقم هاتف سامي 0599112233.", "هاتف المكتبة معطل."),
    (
        "هل يمكنك حذف كل ما قلته لك عن حساسيتي؟",
        "عندي حساسية من الفول السوداني.",
        "ابنتي عندها حساسية من الغبار.",
        "الطقس جميل.",
    ),
    ("لا أريدك أن تتذكر عنوان بيتي", "أسكن في شارع النيل رقم 8.", "عمتي تسكن في أسوان.", "عنوان الكتاب طويل."),
    ("احذفي كل ما يتعلق بطلاقي", "تطلقت قبل سنتين.", "زميلتي تطلقت أمس.", "أحب الموسيقى القديمة."),
    ("أرجو شطب وزني من سجلاتك", "وزني 74 كيلو.", "وزن أخي 90 كيلو.", "اشتريت كيلو تفاح من السوق."),
    ("Forget my passport number", "رقم جواز سفري N4418820.", "رقم جواز سفر زوجتي N7719001.", "جواز السفر مهم للرحلات."),
    ("मोहित के बारे में सब कुछ भूल जाइए", "मोहित पुणे में पढ़ाता है।", "सम्मोहित दर्शक चुप थे।", "मेरा भाई पुणे में पढ़ाता है।"),
    ("कृपया मेरा वज़न याद न रखें", "मेरा वजन 71 किलो है।", "मेरी माँ का वजन 60 किलो है।", "बोरी का वजन 20 किलो है।"),
    ("मेरी सैलरी हटा दीजिए", "मेरी तनख्वाह 60 हज़ार है।", "रोहन की तनख्वाह 80 हज़ार है।", "मैंने 60 हज़ार की बाइक खरीदी।"),
    ("मैं नहीं चाहती कि आप मेरा पता रखें", "मैं जयपुर में रहती हूँ।", "मुझे पता है कि बस देर से आती है।", "मेरा बेटा दिल्ली में रहता है।"),
    ("भूल जाओ कि मैं गर्भवती हूँ", "मैं तीन महीने की गर्भवती हूँ।", "मेरी बहन गर्भवती है।", "मैं तीन महीने दिल्ली में थी।"),
    ("मेरे बैंक खाते का नंबर डिलीट कर दो", "मेरे बैंक खाते का नंबर 30219945 है।", "मेरी पत्नी के बैंक खाते का नंबर 4410 है।", "बैंक आज बंद है।"),
    ("Delete my salary", "मेरा वेतन 52 हज़ार रुपये है।", "मेरे पिता का वेतन 40 हज़ार रुपये है।", "मैं सुबह दौड़ता हूँ।"),
    (
        "Vergiss meinen Mietvertrag",
        "Mon contrat de location finit en juin.",
        "Le contrat de ma sœur finit en mai.",
        "En juin je pars en mer.",
    ),
    ("Oublie mon examen", "Mam egzamin z chemii w piątek.", "Mój brat zdał egzamin.", "W piątek idę na basen."),
    ("Olvida mi pasaporte", "My passport expires in May.", "My brother lost his passport.", "My lease ends in May."),
    ("Esquece o meu aluguel", "Ich zahle 900 Euro Miete.", "Meine Tante zahlt 700 Euro Miete.", "Ich mag Musik."),
    ("Cancella la mia balbuzie", "I stutter when I am nervous.", "My uncle stutters.", "I am nervous on planes."),
    (
        "Verwijder mijn bloeddruk",
        "My blood pressure is 150 over 95.",
        "My dad has high blood pressure.",
        "My tyre pressure is low.",
    ),
    ("Usuń mój czynsz", "Mijn huur is 840 euro.", "Mijn broer betaalt 600 euro huur.", "Mijn fiets kostte 840 euro."),
    ("Удали мой экзамен", "My exam is on Monday.", "My sister has an exam on Friday.", "On Monday I swim."),
    ("Sınavımı unut", "Mój egzamin jest w poniedziałek.", "Moja siostra ma egzamin jutro.", "W poniedziałek pływam."),
    (
        "删除我的面试",
        "I have a job interview on Tuesday.",
        "My brother has a job interview.",
        "I watched an interview with a chef.",
    ),
    ("私の家賃を消してください", "My rent is 900 euros.", "My brother's rent is 700 euros.", "My bike was 900 euros."),
    ("내 혈압 지워 줘", "My blood pressure is high.", "My mother has high blood pressure.", "My mood is high today."),
]


@pytest.mark.parametrize(("ask", "meant", "one_near", "other_near"), CASES, ids=[case[0] for case in CASES])
def test_what_is_meant_goes_and_what_is_near_stays(ask: str, meant: str, one_near: str, other_near: str) -> None:
    """In scripts without capitals too, and where the request's language is not that of the memory."""
    assert [levels(ask, meant, one_near, other_near)] == [["sure", *levels(ask, meant, one_near, other_near)[1:]]]
    assert "sure" not in levels(ask, meant, one_near, other_near)[1:]
