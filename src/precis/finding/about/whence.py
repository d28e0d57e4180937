"""Where what a request means comes from: a session, or a file or tool that is named."""

import re

_SESSION = re.compile(
    r"\b(?:(?:in|from|of|during)\s+)?(?:the\s+|my\s+)?(?:session|conversation|chat|thread)\s+(?:with id\s+)?"
    r"[\"'\u201c]?(?P<id>[\w.:/-]*[\d_:/.-][\w.:/-]*)[\"'\u201d]?",
    re.IGNORECASE,
)
_ORIGIN = re.compile(
    r"\b(?:(?:what |that |which )?(?:you|i|we)(?:'ve| have| had)?\s+(?=(?:imported|read|taken|learned|copied)\s))?"
    r"(?:(?:what |that |which )?(?:(?:has |have )?(?:came|comes|come|was|were|is|are|been)\s+))?"
    r"(?:(?:imported|read|taken|learned|extracted|copied|loaded)\s+)?(?:from|in|out of)\s+(?:the\s+|my\s+)?"
    r"(?:(?:file|document|source|import|tool|namespace|agent|run|app|integration|upload|attachment)\s+"
    r"[\"'\u201c]?(?P<id>[\w.:/@ -]*?[\w])|[\"'\u201c]?(?P<file>[\w-][\w./-]*\.(?:pdf|md|txt|csv|tsv|docx?|xlsx?|pptx?"
    r"|odt|rtf|jsonl?|html?|xml|ya?ml|eml|png|jpe?g|log|zip)))[\"'\u201d]?(?=$|[,;]|[.!?]+(?:\s|$)| about | except )",
    re.IGNORECASE,
)


def whence(text: str) -> tuple[str, str | None, str | None]:
    """A request without the session and the source that it names, and these."""
    text, session = _taken(_SESSION, text)
    text, origin = _taken(_ORIGIN, text)
    return text, session, origin


def _taken(pattern: re.Pattern[str], text: str) -> tuple[str, str | None]:
    match = pattern.search(text)
    if match is None:
        return text, None
    named = next(filter(None, match.groupdict().values()))
    return f"{text[: match.start()]} {text[match.end() :]}".strip(), named.rstrip(":.,")
