"""What kind of answer is asked for and of what thing, and notes that have its words and no answer."""

from __future__ import annotations

import pytest

from precis.recall.sought.kinds import Sought
from precis.recall.sought.things import Thing

LACKING = {
    "Who is my heating engineer?": "The heating engineer comes on Friday between 8 and 12.",
    "How far is Lund?": "The train from Lund was packed with students.",
    "How much did the cabin in Trysil cost?": "I booked the cabin in Trysil for the second week of February.",
    "What is the name of Samuel's piano teacher?": "The piano teacher moved away, now it is quiet at four.",
    "What does the course cost?": "The course is on Mondays.",
    "What did the sofa cost in the end?": "The sofa is blue.",
    "Why did we choose Notion?": "Our retro notes are kept in Notion.",
    "What color is the van?": "The van needs new tires.",
    "Wie heißen Resis Söhne?": "Resi hat zwei Söhne.",
    "Quel âge a Théo ?": "Mon fils Théo joue du saxophone.",
    "¿Cómo se llama el técnico de la caldera?": "El técnico de la caldera viene el lunes a las 10.",
    "Quanto costa il campo da tennis?": "Ho prenotato il campo da tennis per giovedì alle 18.",
    "Сколько километров до Суздаля?": "В мае мы ездили в Суздаль к Тамаре.",
    "Where did I study?": "Of course, I studied hard for years.",
    "Wo habe ich das Fahrrad gekauft?": "Das war ein gutes Fahrrad.",
    "Где я купил велосипед?": "Мой велосипед украли.",
    "Ile kosztował mój rower?": "Ukradziono mi rower.",
    "Jakiego koloru jest moja kanapa?": "Moja kanapa przyjechała w czwartek.",
    "Hoe oud is mijn kat?": "Mijn kat slaapt op de wasmachine.",
    "Diş hekimim kim?": "Diş hekimim pahalı ama titiz.",
    "Koltuk ne renk?": "Koltuk perşembe sabahı geliyor.",
    "我的牙医是谁？": "我的牙医很贵，但是很细心。",
    "健身房多少钱？": "健身房走路十分钟就到。",
    "我的自行车是在哪儿买的？": "我的自行车被偷了。",
    "猫は何歳ですか？": "猫は洗濯機の上で寝ます。",
    "自転車はいくらしましたか？": "自転車が盗まれました。",
    "내 치과의사는 누구야?": "내 치과의사는 비싸지만 꼼꼼해.",
    "헬스장은 한 달에 얼마야?": "헬스장은 걸어서 십 분이면 가.",
    "ما لون الأريكة؟": "تصل الأريكة الجديدة صباح الخميس.",
    "من هو مديري؟": "مديري مريض منذ يوم الاثنين.",
    "मेरा बॉस कौन है?": "मेरा बॉस सोमवार से बीमार है।",
    "मेरी बिल्ली की उम्र क्या है?": "मेरी बिल्ली वॉशिंग मशीन पर सोती है।",
}
ANSWERING = {
    "Who is Priya?": "Priya reviews all database migrations.",
    "Who fixed the sink?": "The plumber fixed the sink on Monday.",
    "Who has the spare key?": "I gave the spare key to my sister.",
    "What is the dog called?": "I got a dog called bruno.",
    "How long did the course take?": "The course began in May.",
    "How many races has Tom run?": "Tom ran the Harwich half marathon.",
    "When did Marta join the team?": "Marta joined the team.",
    "When does the choir rehearse?": "The choir rehearses on Mondays.",
    "What do I charge per day?": "What I quote goes out at four-fifty for a full working day.",
    "How much was the sofa?": "The sofa was a gift.",
    "What did Ida think of titanium when we discussed the product cost?": "Ida said that titanium stays.",
    "Why did Jule move out?": "Jule moved out, the rent was too high.",
    "Wie ist die Adresse von Jule?": "Jule wohnt in der Lindenstraße.",
    "Кем работает Аглая?": "Аглая теперь руководит отделом логистики.",
    "¿A qué hora abre la panadería?": "La panadería abre a las ocho.",
    "À quelle heure est mon vol ?": "Mon vol part à 6 h 40.",
    "Where does Aunt Gerda live?": "Aunt Gerda moved to leeds.",
    "Où habite mon frère ?": "Mon frère habite chez nous.",
    "Kto ma psa?": "Mój brat ma psa.",
    "Kiedy kupiłem rower?": "Kupiłem rower.",
    "Wie brengt taart mee?": "De taart is door Lena gebakken.",
    "Halam nerede yaşıyor?": "Halam Bursa'ya taşındı.",
    "Ne kadar sürdü?": "Kurs pazartesi başladı.",
    "我的猫叫什么名字？": "我的猫叫米索，喜欢睡在洗衣机上。",
    "我哥哥住在哪里？": "我哥哥和两个孩子住在厦门。",
    "我什么时候去的北京？": "我去了北京。",
    "谁带蛋糕来？": "办公室的小林每周五都带蛋糕来。",
    "兄はどこに住んでいますか？": "兄は子供二人と福岡に住んでいます。",
    "自転車はいつ買いましたか？": "自転車を買いました。",
    "누가 케이크를 가져와요?": "지은 씨가 케이크를 가져와요.",
    "민수는 누구야?": "민수는 은행에서 일해.",
    "كم يبعد النادي؟": "النادي على بعد عشر دقائق.",
    "من هو طبيب أسناني؟": "طبيب أسناني سامي.",
    "मेरा बॉस कौन है?": "मेरा बॉस रमेश है।",
    "बुआ अब कहाँ रहती हैं?": "बुआ इंदौर में रहती हैं।",
}


@pytest.mark.parametrize(("question", "note"), LACKING.items())
def test_a_note_without_what_could_be_the_answer_lacks_it(question: str, note: str) -> None:
    """Whatever words of the question it has."""
    assert Sought(question).is_lacking(note)


@pytest.mark.parametrize(("question", "note"), ANSWERING.items())
def test_what_may_answer_in_other_words_lacks_nothing(question: str, note: str) -> None:
    """Another number, another name, somebody without a name, or a part of what several notes tell together."""
    assert not Sought(question).is_lacking(note)


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Which car do I drive?", "I hate driving at night, the headlights blind me."),
        ("Quelle voiture est-ce que je conduis ?", "Je n'aime pas conduire la nuit."),
        ("Quale macchina guido?", "Non mi piace guidare di notte."),
    ],
)
def test_the_bare_act_is_no_answer_to_with_what(question: str, note: str) -> None:
    """Where the question names the thing and has the act in another form."""
    assert Thing(question).is_only_done(note)


def test_who_does_it_may_tell_with_what() -> None:
    """A word for the thing may be missing: makes of cars are not all known."""
    assert not Thing("Which car do I drive?").is_only_done("I drive a Borgward.")
    assert not Thing("Which car do I drive?").is_only_done("My car is at the garage, I hate driving it.")


@pytest.mark.parametrize(
    ("question", "note", "same"),
    [
        ("How much memory does the production server have?", "The staging server has 64 GB of memory.", False),
        ("How much memory does the staging server have?", "The staging server has 64 GB of memory.", True),
        ("Wie lautet der Türcode im Lager Süd?", "Der Türcode im Lager Nord ist 7714.", False),
        ("Qual è il codice del cancello di Villa Rosa?", "Il codice di Villa Mori è 9082.", False),
        ("What is my current phone number?", "My new phone number ends in 4417.", True),
        ("Why did we pick Grafana?", "We chose Grafana because the dashboards can be shared.", True),
    ],
)
def test_another_word_in_the_same_place_is_another_thing(question: str, note: str, same: bool) -> None:
    """Of a server, a hall, a house; not a verb before a name, nor what says how things are now."""
    assert Thing(question).has_another(note) is not same


def test_a_note_of_another_is_none_of_who_is_asked_of() -> None:
    """Where it opens with another name, or where others tell of that one; what may be of anybody is left alone."""
    notes = {"other": "Delhaize pays 1,200 euros a month.", "about": "Customer Aldi complained about slow exports."}
    thing = Thing("How much does Aldi pay a month?")
    assert thing.is_of_another("other", notes)
    assert not thing.is_of_another("about", notes)
    notes["pronoun"] = "They pay 900 euros a month."
    notes["writer"] = "I pay 40 euros a month."
    assert not thing.is_of_another("pronoun", notes)
    assert not thing.is_of_another("writer", notes)
    assert not Thing("How much does Aldi pay a month?", own=("aldi",)).is_of_another("other", notes)
