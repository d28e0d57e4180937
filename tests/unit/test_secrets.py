"""A credential is known by what it looks like, and nothing else is taken for one; a confidence says that it is one."""

from __future__ import annotations

import pytest

from precis.language.written.confided import confides, with_confidences
from precis.language.written.secrets import has_secret, without_secrets


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
        "Please remember the gate code: 4711.",
        "The wifi password is tiger.",
        "The wifi password is Sommer2024!",
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
    """Numbers of orders and cases, hashes, codes of doors, placeholders, words."""
    assert not has_secret(text)
    assert without_secrets(text) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Sven looks for another job. Please keep it quiet.", "Sven looks for another job (please keep it quiet)."),
        ("This is confidential. Mia is pregnant.", "Mia is pregnant (this is confidential)."),
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
