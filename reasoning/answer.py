"""Question in, answer out: the conductor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial

from causetrail.errors import PassageTooLong, QuestionTooLong
from causetrail.spending import Spending, total
from kg.records import Answer, Usage, Verdict
from language.questions import Question, QuestionKind, read_question
from reasoning.arbiter import arbitrate
from reasoning.did_draft import draft_of_link
from reasoning.draft import Draft
from reasoning.evidence import Quoter
from reasoning.findings import Findings, explore
from reasoning.graph_draft import draft_from_chains
from reasoning.links import LinkReader
from reasoning.material import Material
from reasoning.missing import draft_of_missing
from reasoning.one_state import from_one_state
from reasoning.passages import choose_passages
from reasoning.premise_draft import draft_from_denied_premise
from reasoning.room import Room
from reasoning.strategies import Strategy, find_strategy
from reasoning.text_draft import draft_from_text
from reasoning.trace import Recorder
from reasoning.wording import say
from traversal.deadline import Deadline


def answer(question: str | Question, room: Room, strategy: str = "default") -> Answer:
    """Answers a question with the sentences that prove it. The same question on the same graph gives the same answer.

    Everything but `usage.seconds` is a pure function of the question, the graph and the settings, unless the deadline
    cuts the search short, which the trace then says.

    Args:
        question: In English, or already read (`why_question`, `effects_question`, `how_question`).
        room: Store, index and settings.
        strategy: Name of a recipe.

    Returns:
        The answer. Its confidence is that in its verdict: for a chain the product of the confidences of its links and
        the match of its seeds; for sentences the confidence of the cue times the share of the question they cover; for
        a contradiction the strength of the denial times the match; for `insufficient` one minus half of the best match.

    Raises:
        QuestionEmpty, QuestionTooLong, QuestionCharacters: the question cannot be read.
        ArgumentInvalid: there is no such strategy.
        DeadlinePassed: `deadline_seconds` went by and nothing was found to tell.
        StoreDamaged: a quote is not what its document says.
        SnapshotLost: the graph changed each time while it was read.
        ModelError: the judge that chooses passages cannot judge.
    """
    recipe = find_strategy(strategy)
    asked = _read(question, room)
    return from_one_state(room.store, partial(_answered, asked, room, recipe))


def _answered(asked: Question, room: Room, recipe: Strategy) -> Answer:
    recorder = Recorder()
    deadline = Deadline(room.settings.deadline_seconds)
    quoter = Quoter(room.store, room.collection)
    reader = LinkReader(room.store, room.collection, quoter)
    generation = room.store.generation(room.collection)
    recorder.add("question", **_values(asked), strategy=recipe.title, generation=generation)

    with recorder.stage("search"), _refusing_long(asked):
        found = explore(asked, room, deadline)
    for step, detail in found.steps:
        recorder.add(step, **detail)
    with recorder.stage("graph draft"):
        graph = _graph_draft(asked, found, room, reader, quoter) if recipe.graph else None
    recorder.add("draft", origin="graph", **_summary(graph))
    if graph is None:
        deadline.check()
    reranker = room.reranker if recipe.text else None
    with recorder.stage("rerank" if reranker else "search"), _refusing_long(asked):
        read = choose_passages(asked, room, quoter, reranker)
    if read.judged is not None:
        recorder.add("rerank", **read.judged)
    with recorder.stage("text draft"):
        texts = draft_from_text(asked, read, room, quoter)
        passages = texts.draft if recipe.text else None
    recorder.add("draft", origin="text", **_summary(passages), **texts.steps)
    with recorder.stage("arbitration"):
        lack = draft_of_missing(asked, found, texts.context, room, reader, quoter)
        chosen, reason = arbitrate(graph, passages, lack)
    recorder.add("arbitrate", reason=reason, mode=chosen.mode.value, verdict=chosen.verdict.value)
    if recipe.validate is not None:
        material = Material(asked, room, found, read, texts.context, quoter, reader, deadline, recorder)
        with recorder.stage("validation"):
            chosen = recipe.validate(chosen, material)
    text, missing = chosen.text, chosen.missing
    if room.store.pending(room.collection):
        missing = (*missing, say("missing", "unfinished"))
        text = f"{text} {missing[-1]}" if chosen.verdict is Verdict.INSUFFICIENT else text
    return Answer(
        question=asked.text,
        text=text,
        verdict=chosen.verdict,
        mode=chosen.mode,
        confidence=min(1.0, max(0.0, chosen.confidence)),
        chains=chosen.chains,
        evidence=chosen.evidence,
        premises=chosen.premises,
        counterfactuals=chosen.counterfactuals,
        cut_at_hops=chosen.cut_at_hops,
        missing=missing,
        generation=generation,
        trace=recorder.steps,
        usage=_usage(recorder, room),
    )


def _usage(recorder: Recorder, room: Room) -> Usage:
    booked: dict[str, list[Spending]] = {}
    for judging in (room.reranker, room.bench):
        for stage, spent in (judging.spent() if judging else {}).items():
            booked.setdefault(stage, []).append(spent)
    models = {stage: total(spent) for stage, spent in booked.items() if any(one.asked for one in spent)}
    return Usage(seconds=recorder.seconds, tokens=sum(one.tokens for one in models.values()), models=models)


@contextmanager
def _refusing_long(asked: Question) -> Iterator[None]:
    """The encoder counts tokens and people count characters: told is how many of these characters it would read."""
    try:
        yield
    except PassageTooLong as error:
        tokens, limit = int(str(error.details["tokens"])), int(str(error.details["limit"]))
        raise QuestionTooLong(length=len(asked.text), limit=len(asked.text) * limit // tokens) from None


def _read(question: str | Question, room: Room) -> Question:
    if isinstance(question, Question):
        return question
    return read_question(question, room.settings.max_question_characters)


def _graph_draft(asked: Question, found: Findings, room: Room, reader: LinkReader, quoter: Quoter) -> Draft | None:
    if asked.kind is QuestionKind.DID:
        return draft_of_link(found, reader, quoter)
    told = draft_from_chains(asked, found, room, reader, quoter)
    if told is not None:
        return told
    if asked.kind is QuestionKind.HOW:
        return draft_of_link(found, reader, quoter)
    return draft_from_denied_premise(asked, found, room, quoter)


def _values(asked: Question) -> dict[str, object]:
    time = asked.time
    return {
        "kind": asked.kind.value,
        "focus": asked.focus,
        "cause": asked.cause,
        "effect": asked.effect,
        "negated": asked.negated,
        "time": None if time is None else asdict(time),
    }


def _summary(draft: Draft | None) -> dict[str, object]:
    if draft is None:
        return {"made": False}
    return {
        "made": True,
        "verdict": draft.verdict.value,
        "confidence": draft.confidence,
        "text": draft.text,
        "quotes": [[e.document_id, e.start, e.end, e.stance.value] for e in draft.evidence],
        "reasons": draft.reasons,
    }
