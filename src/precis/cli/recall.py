"""precis recall, and precis context."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from precis.app import App
from precis.app.context import FEWEST_TOKENS, MOST_TOKENS, TOKENS
from precis.app.recall import Recalled, is_unsure
from precis.cli.printing import citation, counted, day, errors, output, plain, print_dim
from precis.cli.verb import Answer, AsOf, Opening, User, verb
from precis.memory import Tier
from precis.recall import assembly, headings, ranking
from precis.recall.sought.evidence import Relevance
from precis.rest.answers import ContextAnswer, RecallAnswer, RecalledBody, UnknownBody
from precis.store.search import Unknown
from precis.trust import SourceClass


class Summaries(StrEnum):
    """What part summaries take in an answer."""

    WITH = "with"
    ONLY = "only"
    WITHOUT = "without"


Relevant = Annotated[float, typer.Option(min=0, max=1, help="Leave out rows that are less relevant.")]
Trust = Annotated[SourceClass | None, typer.Option(help="Only what is from this source class or a more trusted one.")]


@verb
async def recall(
    app: App,
    query: Annotated[str, typer.Argument(help="What to look for, in your own words.")],
    *,
    user_id: User = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many rows.")] = 5,
    expand: Annotated[bool, typer.Option("--expand", help="Show the sources of summaries too.")] = False,
    fold: Annotated[bool, typer.Option("--fold", help="Show a summary and its found sources as one.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each score is the sum of, and why it is relevant.")
    ] = False,
    min_relevance: Relevant = 0.0,
    min_trust: Trust = None,
    as_of: AsOf = None,
    summaries: Annotated[Summaries, typer.Option(help="Mix summaries in, answer only them, or leave them out.")] = (
        Summaries.WITH
    ),
) -> Answer:
    """Find what matters for a question: raw memories and summaries together, best first."""
    results = await app.recall.search(
        query, limit=limit, expand=expand, folded=fold, summaries=summaries.value, min_relevance=min_relevance,
        user_id=user_id, min_trust=min_trust, as_of=as_of,
    )  # fmt: skip
    unknown = await app.recall.unknown(user_id=user_id, min_trust=min_trust, as_of=as_of)

    def words() -> None:
        if results:
            if is_unsure(results):
                print_dim(headings.UNSURE)
            _print_results(results, explain=explain)
        else:
            nothing = "Nothing here matches." if user_id is None else f"Nothing of user {user_id} matches."
            output.print(nothing, markup=False)
        _print_unknown(unknown)

    body = RecallAnswer(
        results=[RecalledBody.of(result) for result in results],
        unsure=is_unsure(results),
        unknown=None if unknown is None else UnknownBody.of(unknown),
    )
    return Answer(json=body, words=words)


def _print_unknown(unknown: Unknown | None) -> None:
    """What is not in an answer as of a moment, where anything is not."""
    if unknown is None or not unknown.expired + unknown.summaries:
        return
    expired = counted(unknown.expired, "memory", "memories") + " whose text has expired since"
    summaries = counted(unknown.summaries, "summary", "summaries") + " made anew since"
    errors.print(plain(f"Not in it: {expired}, {summaries}.", "dim"), soft_wrap=True)


def _print_results(results: Sequence[Recalled], *, explain: bool, indent: str = "") -> None:
    """Each row with its score, and where it comes from; folded rows under the row they are shown with."""
    for result in results:
        memory, score = result.memory, plain(f"{indent}{result.score.total:.2f}  ", "bold cyan")
        output.print(score, plain(result.dated_text or memory.text or "(expired)"), sep="", soft_wrap=True)
        of = (
            f"summary of {len(result.source_ids)} memories, {memory.id}"
            if memory.is_summary
            else citation(result.at_home)
        )
        print_dim(f"{indent}      {of}")
        if explain:
            print_dim(f"{indent}      = {_explained(result.score)}")
            print_dim(f"{indent}      relevance {result.relevance.value:.2f}: {_evidence(result.relevance)}")
        for source in result.sources:
            print_dim(f"{indent}      - {day(source.created_at)} {source.text or '(expired)'}")
        _print_results(result.folded, explain=explain, indent=f"{indent}      ")


#: What the parts of a score are called where they are shown.
_NAMES = {
    "keyword": "keywords", "stretch": "words around", "shortness": "few words", "date": "its date",
    "summary": "its summary", "newest": "newest value", "named": "its name", "telling": "tells it",
}  # fmt: skip


def _explained(score: ranking.Score) -> str:
    """Every part that counts; the words, the vector and the importance always."""
    shown = ("keyword", "vector", "importance")
    return " + ".join(
        f"{_NAMES.get(name, name)} {value:.2f}"
        for name, value in score.parts.items()
        if name in shown or round(value, 2)
    )


#: What the figures of relevance are called where they are shown.
_EVIDENCE = {
    "words": "words of the question", "exact": "nearly all of them", "told": "what it tells",
    "likeness": "likeness", "nearby": "likeness nearby", "unnamed": "a name that nobody has here",
    "elsewhere": "somebody else says more", "other_self": "somebody else speaking", "other_fits": "and it fits them",
    "lead": "nobody else says as much", "asks": "it asks", "addressed": "said to whom is named",
    "another": "told of another than is asked", "lacking": "no answer of the kind that is asked for",
    "only_act": "only what is done, not with what", "other": "told of another thing or of somebody else",
}  # fmt: skip


def _evidence(relevance: Relevance) -> str:
    """What speaks for and against, in log-odds, the strongest first."""
    parts = sorted(relevance.parts.items(), key=lambda part: -abs(part[1]))
    counted = [f"{_EVIDENCE[name]} {value:+.2f}" for name, value in parts if abs(value) >= 0.05]
    return ", ".join(counted) or "nothing in common"


@verb
async def context(
    opening: Opening,
    query: Annotated[str, typer.Argument(help="What the context is for, in your own words.")],
    *,
    user_id: User = None,
    token_budget: Annotated[int, typer.Option(min=FEWEST_TOKENS, max=MOST_TOKENS, help="Tokens it may take.")] = TOKENS,
    min_relevance: Annotated[
        float | None, typer.Option(min=0, max=1, help="Leave out what is less relevant; default: a low bound.")
    ] = None,
    min_trust: Trust = None,
    as_of: AsOf = None,
    quota: Annotated[
        list[str] | None,
        typer.Option(
            help="Largest share of the budget for a part or a tier: summaries=0.4, month=0.1; may be repeated."
        ),
    ] = None,
) -> Answer:
    """Print what an agent should read before it answers: the best lines that fit a token budget."""
    quotas = _quotas(quota or [])
    async with opening() as (_, app):
        assembled = await app.context.assemble(
            query, token_budget=token_budget, quotas=quotas, min_relevance=min_relevance, user_id=user_id,
            min_trust=min_trust, as_of=as_of,
        )  # fmt: skip
        unknown = await app.recall.unknown(user_id=user_id, min_trust=min_trust, as_of=as_of)

    def words() -> None:
        _print_context(assembled, token_budget)
        _print_unknown(unknown)

    return Answer(json=ContextAnswer.of(assembled, token_budget=token_budget, unknown=unknown), words=words)


def _print_context(assembled: assembly.Context, budget: int) -> None:
    """The text on stdout, and what it is made of beside it."""
    output.print(plain(assembled.text or "Nothing here matches."), soft_wrap=True)
    left_out = ", ".join(f"{number} {section}" for section, number in assembled.left_out.items() if number)
    tokens = f"{assembled.tokens} of {budget} tokens"
    figures = f"{tokens}; left out: {left_out or 'nothing'}; already said: {assembled.already_said}"
    for text in (figures, *(f"[{line.number}] {line.piece.id}" for line in assembled.lines)):
        errors.print(plain(text, "dim"), soft_wrap=True)


def _quotas(shares: list[str]) -> assembly.Quotas:
    """The shares by name. Raises typer.BadParameter."""
    sections: dict[str, float] = {}
    tiers: dict[Tier, float] = {}
    for text in shares:
        name, _, number = text.partition("=")
        try:
            share = float(number)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1 or name not in (*assembly.Section, *Tier):
            names = ", ".join((*assembly.Section, *Tier))
            message = f"{text!r}: give a name and a share from 0 to 1, such as month=0.1; names are {names}"
            raise typer.BadParameter(message, param_hint="--quota")
        if name in tuple(Tier):
            tiers[Tier(name)] = share
        else:
            sections[name] = share
    return assembly.Quotas(**sections, tiers=tiers)
