"""A credential is known by what it looks like, and nothing else is taken for one; a confidence says that it is one."""

from __future__ import annotations

import pytest

from precis.language.written.secrets import confides, has_secret, with_confidences, without_secrets


@pytest.mark.parametrize(
    "text",
    [
        "BROKER_URL=amqp://kargo:9fQz-Tromp-77xLw@rabbit-stg:5672/labels",
        "API_KEY=sk-live-93fjQ2zzTromp77 is what I use",
        "My token is ghp_A1b2C3d4E5f6G7h8",
        "DB password: hunter2-Zeta",
        "export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
        "EHR_PASSWORD=Tibia!Kestrel42",
        "My AWS key is AKIAIOSFODNN7EXAMPLE, the region is Frankfurt.",
        '{"user": "sven", "password": "hunter2!"}',
        "The card is 4539 1488 0343 6467, valid until 04/29.",
        "Authorization: Bearer abc123def456ghi789jkl",
        "https://x.example/cb?token=9a8b7c6d5e",
        "PGPASSWORD=zeta9 psql -h db",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----",
    ],
)
def test_a_credential_is_one(text: str) -> None:
    """By its form, in an address, where it is set, or by its beginning."""
    assert has_secret(text)
    assert without_secrets(f"The oven is new.\n{text}\nRosa hired Amadou.").split("\n")[::2][0] == "The oven is new."
    assert not has_secret(without_secrets(text))


@pytest.mark.parametrize(
    "text",
    [
        "The order number is 8846-2231-77.",
        "The wifi password is tiger.",
        "Password: required",
        "password=password",
        "token=<your token>",
        "The fix is in commit 9f2c1a7be0d44c1f9a3b55e0c2d1f7a86b3e4d21.",
        "The case number is 5500 2026 0001 8812.",
        "postgres://user:password@host/db",
        "TOKEN=${TOKEN}",
        "secret = os.getenv('X')",
        "We use a token: it expires at 9.",
        "The key: always salt early.",
        "We read sk-learn-intro-course-notes.",
        "max_tokens=4096",
        "Boarding pass: QX7R2P44",
        "Secret santa: 14 December.",
        "Clave: llegar temprano.",
        "My ski pass: Zermatt2026",
        "Her phone is 4539 1488 03.",
    ],
)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    """Numbers of orders and cases, hashes, placeholders, words."""
    assert not has_secret(text)
    assert without_secrets(text) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Sven looks for another job. Please keep it quiet.", "Sven looks for another job (please keep it quiet)."),
        ("This is confidential. Mia is pregnant.", "(This is confidential) Mia is pregnant."),
        ("Between us: Amadou wants to leave.", "Between us: Amadou wants to leave."),
        ("Das bleibt unter uns: Ida kündigt.", "Das bleibt unter uns: Ida kündigt."),
    ],
)
def test_a_confidence_is_told_with_what_it_is_of(text: str, told: str) -> None:
    """Neither stands without the other."""
    assert with_confidences(text) == told
    assert confides(told)


def test_what_others_ask_and_differences_are_no_confidences() -> None:
    """Somebody was asked to keep it quiet; there is a difference between two."""
    for text in ("Ana asked me to keep it quiet.", "The difference between us is small.", "Nobody knows how."):
        assert not confides(text)
        assert with_confidences(text) == text


#: What people tell of passwords and PINs, one a line.
TOLD = """
The wifi password is Sommer2024!
My PIN is 2207.
Das WLAN-Passwort lautet Kirsche_88
Meine PIN: 8812
Mon mot de passe est Luciole91
La contraseña del wifi es gato_negro77
Mi PIN es 5510
A senha do portão é 2846
A senha do celular é 190722
La password del wifi è Tulipano#33
Il PIN del bancomat è 4410
Het wachtwoord van de wifi is Fiets2023
Hasło do wifi to Borsuk77
Wifi-lösenordet är Gran2021x
Wifi şifremiz: kedi4545
Kartımın PIN'i 8204
Kasanın şifresi 51873
Пароль от вайфая мурка2020
Пин-код карты 9034
ПИН карты — 9034
كلمة سر الواي فاي سمير@2020
الرمز السري للبطاقة ٤٤٧١
باسورد النت ahmad1999
वाईफाई का पासवर्ड ravi@5566 है
एटीएम का पिन 4410 है
家里wifi密码是lj2020wh
保险柜的密码改成了904417
620815是门锁密码
银行卡密码:330912
小区门禁码是5512
物置の鍵の暗証番号は7316です
Wi-Fiのパスワードはneko2020です
ATMの暗証番号、4410だよ
현관 비밀번호는 4182예요
와이파이 비번 kong7788
카드 핀번호 3312
Mật khẩu két sắt là 730264
Mật khẩu wifi nhà mình là meo2021
Mã PIN thẻ: 4410
Parola d'ordine: «girasole»
Пароль «карамель»
Kata sandi wifi: kopi1234
"""
#: What has such a word and a figure, or a code of the post, of a shop or of a program.
NO_SECRETS = """
Alarm code: 9913
4471 is the code of the safe.
The combination of the bike lock is 318.
Der Türcode ist jetzt 5512.
Die Haustür hat den Code 5512.
Le code du portail est 4827B
Le code de l'immeuble, c'est 6634
La clave de la alarma es 9931
El código del portal es 4821
O código do cofre mudou para 55190
Il codice del cancello è 7712
De code van de voordeur is 2281
Kod do drzwi to 4512
Portkoden är 4419
Kapının kodu 3391#
Код от домофона 44К1190
Код от сейфа теперь 7713
رمز الخزنة هو 60914
كود الباب ٣٣١٩
ताले का कोड 3395 है
गेट का कोड 7719
3395 ताले का कोड है
玄関のドアコードは2290
キーボックスの番号は 5083
금고 번호는 55190이에요
Mã cửa chung cư là 5521
I changed the password in 2024.
I forgot my PIN again.
Our zip code is 97214.
The discount code is SAVE2024.
The dress code at the door is black tie, 200 guests come.
The country code is +351.
The source code has 12000 lines.
The password must have 12 characters.
The password reset took 200 attempts.
Die Postleitzahl ist 80331.
Der Rabattcode ist HERBST20
Das Passwort gilt seit 2019.
Der Quellcode hat 3000 Zeilen.
Le code postal est 75011
Le code promo ETE2024 donne 10 %
J'ai changé de mot de passe en 2023.
El código postal es 41013
El código de descuento es VERANO25
El código de vestimenta es negro, vienen 200 personas
O código postal é 1100-148
O cupom de desconto é FRETE10
Mudei a senha em 2022.
Il codice postale è 00184
Il codice fiscale è RSSMRA85T10A562S
Il codice sconto è AUTUNNO15
De postcode is 1017 AB
De kortingscode is HERFST20
Kod pocztowy to 00-950
Postkoden är 11350
Posta kodu 34710
İndirim kodu YAZ2024
Ülke kodu 0090
Şifremi unuttum, 2023'te de unutmuştum
Почтовый индекс 443001
Код страны +998
Промокод ОСЕНЬ2024
Исходный код на 3000 строк
Дресс-код чёрный
Поменял пароль в 2023 году
الرمز البريدي 11118
كود الخصم SAVE20
رمز الدولة 00962
رقم الشقة 123
نسيت كلمة السر
हमारा पिन कोड 462001 है
डिस्काउंट कोड DIWALI50
देश का कोड +91
गेट नंबर 123 पर मिलो
邮编是430070
优惠码是FALL2024
国家区号是0086
密码忘了
密码要12位
郵便番号は980-0811
電話番号は080-2936-5517
割引コードはAKI2024
部屋番号は1203です
パスワードは12文字以上
ドレスコードは黒
우편번호는 34126이에요
전화번호는 010-4471-8823이에요
할인 코드는 FALL2024
비밀번호를 잊어버렸어요
Mã bưu chính là 530000
Mã giảm giá là THU2024
Mã vùng là 0234
Quên mật khẩu rồi
The flat at 4471 Door Street is new.
We need 200 codes for 2024.
"""


def test_a_password_and_a_pin_is_one_in_every_language() -> None:
    """And no code of a door, the post, a country, a shop or a program."""
    assert [text for text in TOLD.strip().split("\n") if not has_secret(text)] == []
    assert [text for text in NO_SECRETS.strip().split("\n") if has_secret(text)] == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Die PIN von Ute ist 4471 und Jan zieht nach Gera.", "Jan zieht nach Gera."),
        ("We sold the cottage and the PIN for the card is 9034.", "We sold the cottage."),
        ("La contraseña de Marta es Luna2291 y Pablo se muda a Vigo.", "Pablo se muda a Vigo."),
        ("Le code PIN de Léa est 4471 et ma sœur attend un bébé.", "Ma sœur attend un bébé."),
        ("Hasło do poczty to kot9921x, a Ola jedzie do Gdyni.", "Ola jedzie do Gdyni."),
        ("ПИН-код карты 9034, а моя сестра ждёт ребёнка.", "Моя сестра ждёт ребёнка."),
        ("Telefonun şifresi 9034 ve annem hastaneye yattı.", "Annem hastaneye yattı."),
        ("金庫の暗証番号は9034で、美咲は来月結婚する。", "美咲は来月結婚する。"),
        ("保险柜的密码是903477，我妈妈下周住院。", "我妈妈下周住院。"),
        ("Nora (PIN 4471) starts at the bakery on 3 May.", "Nora starts at the bakery on 3 May."),
        ("The gate code is 7734 and the alarm PIN is 4471.", "The gate code is 7734."),
        ("If the PIN is 4471 and Jan moves to Gera, we have to change it.", ""),
        ("Ich verrate Max die PIN 4471 und die alte war 5512.", ""),
        ("Le PIN de Zoé est 9034 et celui de Max est 1182.", ""),
        ("Das Passwort für Kasse und Lager ist Kiesel88.", ""),
        ("The password is Heron7731 and she changed it.", ""),
        ("The wifi password is Heron7731 and Netflix is amsel.", ""),
        ("Hasło to Sowa9921x, a Netflix to kruk.", ""),
        ("Das Kennwort ist Amsel2917, Spotify: bussard.", ""),
        ("金庫の暗証番号は9034で、ネットはamselだ。", ""),
    ],
)
def test_what_stands_beside_a_credential_is_told(text: str, told: str) -> None:
    """A clause of its own stays; where it is not sure that it is one, or it may be another password, nothing does."""
    assert without_secrets(text) == told
