"""A text of ASCII is read in less time and no otherwise: with one letter more that is none, it is read in full."""

from hypothesis import given
from hypothesis import strategies as st

from precis.language.newest.renewed import framed
from precis.language.newest.taken_back import laughs
from precis.language.sentences import sentences
from precis.language.tokens import tokens
from precis.language.values import typed

#: A word by itself, of no meaning.
_BEYOND = " \u00e9"
_LETTERS = st.lists(
    st.sampled_from([*"haeiojklmfrswdxptu5+.-' ", "ha", "Ha", "lol", "kkk", "rs", "wk", "mdr", "xD", "rofl", "www"]),
    max_size=14,
).map("".join)
_WHEN = """
3 12 2024 2024-05-07 7: :30 .15 am p.m. pm o'clock noon Midnight Monday tuesdays May mar 4th 2ND of in on at 500 . ,
"""
_MOMENTS = st.lists(st.sampled_from(_WHEN.split()), max_size=12).map(" ".join)
_WHERE = """
Ana Ich wohne wohnt lebe lebt vivo vive abito abita moro mora in en em a no na Lima Lima nach gezogen umgezogen bin me
he se ha mudado mi sono trasferito mudei-me mudou-se mudou para jetzt ahora mein Lieblingstee ist favorito es il nun
"""
_FRAMES = st.lists(st.sampled_from(_WHERE.split()), min_size=3, max_size=9).map(" ".join)
_SIGNS = st.text(alphabet="ab (){}[]<>=+-*/|&!?:;#`~\\.,'\"$_\n", max_size=14)


@given(_LETTERS)
def test_a_laugh_is_heard(text: str) -> None:
    """Whatever letters it is made of."""
    assert laughs(f"{text} x") == laughs(f"{text} x{_BEYOND}")


@given(_MOMENTS)
def test_times_and_dates_are_read(text: str) -> None:
    """However they are put together."""
    assert typed(f"{text} .") == typed(f"{text} .{_BEYOND}")


@given(_FRAMES)
def test_what_is_so_in_other_languages_is_read(text: str) -> None:
    """With and without an accent in the value."""
    for sentence in (text, f"{text} in Lima", f"vive en {text}", f"Ana se ha mudado a {text}"):
        beyond = sentence.replace("Lima", "Lim\u00e1")
        known = framed(sentence, ("ana",))
        assert (known is None) == (framed(beyond, ("ana",)) is None), sentence


@given(st.one_of(_SIGNS, _LETTERS, _MOMENTS))
def test_words_and_sentences_are_the_same(text: str) -> None:
    """In spite of any signs."""
    assert tokens(f"{text} x") == tokens(f"{text} x{_BEYOND}")[:-1]
    assert sentences(text) == sentences(f"{text}\n")
