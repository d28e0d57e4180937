"""The summarizer that asks a chat model."""

from precis.makers import Draft, Request
from precis.models.asking import Asker, Question
from precis.models.rendering import messages, prompt_tokens, reminder, render
from precis.models.setbacks import Patience
from precis.models.structured import Form, WrittenAnswer, WrittenText, read, read_text
from precis.models.tokens import Meter, Unmetered

__all__ = ["ChatSummarizer", "Meter", "Patience", "Unmetered", "messages", "prompt_tokens", "render"]

_FORM = Form(name="write_summary", purpose="Hand in the statements.", schema=WrittenAnswer)
_PROSE = Form(name="write_text", purpose="Hand in the text.", schema=WrittenText)


class ChatSummarizer(Asker):
    """Drafts by a chat model. Made, closed and failing like any asker; extraction and judge may ask through it."""

    async def summarize(self, request: Request) -> Draft:
        """One draft; retries, one repair and the search for a way to ask included."""
        if request.prose:
            return await self._write(request)
        answered = await self.ask(
            Question(
                account=request,
                conversation=messages(request),
                form=_FORM,
                read=lambda answer: read(answer, request.items),
                # JSON around the texts costs about as much again, and citations grow with the items.
                limit=2 * request.max_tokens + 4 * len(request.items) + 200,
                reminder=reminder(request),
            )
        )
        return Draft(statements=answered.value, made_by=answered.made_by, usage=answered.usage)

    async def _write(self, request: Request) -> Draft:
        """The same where the prompt asks for free text."""
        answered = await self.ask(
            Question(
                account=request,
                conversation=messages(request),
                form=_PROSE,
                read=lambda answer: read_text(answer, request.items),
                # JSON around the text, and its line breaks.
                limit=2 * request.max_tokens + 100,
                reminder=reminder(request),
            )
        )
        return Draft(statements=(), prose=answered.value, made_by=answered.made_by, usage=answered.usage)
