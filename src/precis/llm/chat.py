"""The summarizer that asks a chat model."""

from __future__ import annotations

from precis.engine.ports import Draft, Request
from precis.llm.answers import WrittenAnswer, read
from precis.llm.asking import Asker, Question
from precis.llm.ladder import Form
from precis.llm.metering import Meter, Unmetered
from precis.llm.rendering import messages, prompt_tokens, reminder, render
from precis.llm.setbacks import Patience

__all__ = ["ChatSummarizer", "Meter", "Patience", "Unmetered", "messages", "prompt_tokens", "render"]

_FORM = Form(name="write_summary", purpose="Hand in the statements.", schema=WrittenAnswer)


class ChatSummarizer(Asker):
    """Drafts by a chat model. Made, closed and failing like any asker; extraction and judge may ask through it."""

    async def summarize(self, request: Request) -> Draft:
        """One draft; retries, one repair and the search for a way to ask included."""
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
