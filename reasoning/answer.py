"""Question in, answer out: the conductor."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial

from kg.records import Answer, Evidence, Mode, Verdict
from language.questions import Question, QuestionKind, read_question, what_stopped, why_question
from reasoning.arbiter import arbitrate
from reasoning.bridges import bridges_traced
from reasoning.draft import Draft, traced_draft
from reasoning.draft_from_graph import draft_from_graph
from reasoning.evidence import Quoter
from reasoning.fact_draft import asks_for_fact, draft_of_fact
from reasoning.findings import Findings, explore
from reasoning.last_checks import checked
from reasoning.likely_cause import asks_for_cause, likely_cause
from reasoning.links import LinkReader
from reasoning.long_questions import refusing_long
from reasoning.material import Material
from reasoning.missing import asks_of_nothing, draft_of_missing
from reasoning.one_state import from_one_state
from reasoning.passages import ChosenPassages, choose_passages, sentence_judge
from reasoning.question_views import seed_views
from reasoning.reliable import reliable_findings
from reasoning.room import Room
from reasoning.search_agent import search_on
from reasoning.search_analysts import analyst_of
from reasoning.strategies import Strategy, find_strategy
from reasoning.text_draft import draft_from_text
from reasoning.thresholds import thresholds
from reasoning.trace import BY_RULE, WITH_HYPOTHESES, Recorder
from reasoning.usage import usage_of
from reasoning.validation import validate_draft, with_withheld
from reasoning.wording import say
from reasoning.written_hypotheses import over_hypotheses
from reasoning.written_narrative import write_narrative
from traversal.deadline import Deadline


def answer(
    question: str | Question, room: Room, strategy: str | Strategy = "default", *, with_hypotheses: bool = False
) -> Answer:
    """Answers a question with the sentences that prove it. The same question on the same graph gives the same answer.

    Everything but `usage.seconds` is a pure function of the question, the graph and the settings, unless the deadline
    cuts the search short, which the trace then says.

    Args:
        question: In English, or already read (`why_question`, `effects_question`, `how_question`).
        room: Store, index and settings; judges too for a question that offers causes, which is else read as asking why.
        strategy: A recipe, or its name.
        with_hypotheses: Whether chains may go over the hypotheses that were written and not decided on, where nothing
            stated answers. Questions what if, and those that offer causes, leave them out all the same.

    Returns:
        The answer. Its confidence is the probability that it is right, where labelled questions of its kind are known
        (`reasoning.confidence`), else the figure of its draft.

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
    if asked.kind is QuestionKind.CHOOSE:
        if room.bench is not None:
            # Only these questions need networkx, which takes longer to load than most answers take.
            from reasoning.choice_answer import answer_of_choice

            return answer_of_choice(asked, room, recipe, _values(asked))
        asked = replace(why_question(asked.focus, room.settings.max_question_characters), text=asked.text)
    return from_one_state(room.store, partial(_answered, asked, room, recipe, with_hypotheses))


def _answered(asked: Question, room: Room, recipe: Strategy, with_hypotheses: bool) -> Answer:
    recorder = Recorder()
    deadline = Deadline(room.settings.deadline_seconds)
    quoter = Quoter(room.store, room.collection)
    least = recipe.synthesis.least_confidence
    reader = LinkReader(room.store, room.collection, quoter, least)
    generation = room.store.generation(room.collection)
    asking = _values(asked) | ({WITH_HYPOTHESES: True} if with_hypotheses else {})
    recorder.add("question", **asking, strategy=recipe.title, collection=room.collection, generation=generation)

    with recorder.stage("search"), refusing_long(asked.text):
        views = seed_views(asked) if recipe.seed_views else None
        judge = sentence_judge(room.reranker) if recipe.seed_rerank else None
        explored = explore(asked, room, deadline, views, judge)
        found = reliable_findings(asked, explored, reader, least)
    for step, detail in found.steps:
        recorder.add(step, **detail)
    with recorder.stage("graph draft"):
        stages = recipe.synthesis
        asks_graph = recipe.graph and not asks_of_nothing(asked)
        graph = draft_from_graph(asked, found, room, reader, quoter, deadline, stages) if asks_graph else None
    recorder.add("draft", origin="graph", **traced_draft(graph))
    if graph is None:
        deadline.check()
    read = _passages(asked, found, room, recipe, quoter, reader, deadline, recorder)
    passages, context = _from_passages(asked, read, room, recipe, quoter, recorder)
    lack = draft_of_missing(asked, found, context, room, reader, quoter)
    lack = lack if recipe.graph else replace(lack, mode=Mode.TEXT)
    with recorder.stage("draft validation"), refusing_long(asked.text):
        judged = replace(room, bench=room.bench if recipe.validates_drafts else None)
        graph, passages, lack = _validated(graph, passages, lack, asked, judged, deadline, recorder)
    with recorder.stage("arbitration"):
        chosen, reason = arbitrate(graph, passages, lack, graph_asked=recipe.graph, text_asked=recipe.text)
    recorder.add("arbitrate", judge=BY_RULE, reason=reason, mode=chosen.mode.value, verdict=chosen.verdict.value)
    if recipe.likely and chosen is lack:
        chosen = _likely(asked, lack, read, room, quoter, deadline, recorder)
    if room.bench is not None and room.bench.writer is not None and chosen.steps:
        with recorder.stage("narrative"):
            writer = room.bench.writer
            chosen = write_narrative(chosen, asked, writer, room.bench, quoter, recorder, recipe.synthesis)
    material = Material(asked, room, found, read, context, quoter, reader, deadline, recorder)
    chosen = _settled(chosen, lack, material, recipe, with_hypotheses)
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
        usage=usage_of(recorder, room),
    )


def _settled(draft: Draft, lack: Draft, material: Material, recipe: Strategy, with_hypotheses: bool) -> Draft:
    """What stands of the draft that was picked, by the recipe, the question, and the hypotheses that may be used."""
    recorder = material.recorder
    if recipe.validate is not None and not asks_of_nothing(material.asked):
        with recorder.stage("validation"):
            draft = recipe.validate(draft, material)
    draft = checked(draft, material, tells_text=recipe.text)
    if not with_hypotheses:
        return draft
    if not recipe.graph:
        recorder.add("hypotheses", used=[], action="the strategy asks no graph")
        return draft
    with recorder.stage("hypotheses"):
        return over_hypotheses(draft, lack, material, recipe.synthesis)


def _passages(
    asked: Question,
    found: Findings,
    room: Room,
    recipe: Strategy,
    quoter: Quoter,
    reader: LinkReader,
    deadline: Deadline,
    recorder: Recorder,
) -> ChosenPassages:
    """The passages that are read, those behind bridges of names and further searches included."""
    room = recipe.retrieval.ranked_in(room)
    reranker = room.reranker if recipe.text else None
    with recorder.stage("rerank" if reranker else "search"), refusing_long(asked.text):
        read = choose_passages(asked, room, quoter, reranker, recipe.retrieval, bridges=recipe.bridges)
    if read.views is not None:
        recorder.add("views", encoder=room.index.encoder.fingerprint, **read.views)
    if read.judged is not None:
        recorder.add("rerank", **read.judged)
    if read.read_bridges:
        recorder.add("bridges", judge=BY_RULE, walked=bridges_traced(read.read_bridges))
    if recipe.search_on:
        with recorder.stage("search agent"), refusing_long(asked.text):
            gathered = Material(asked, room, found, read, None, quoter, reader, deadline, recorder)
            most = thresholds().search_agent.rounds
            read, rounds = search_on(asked.text, read, most, room, quoter, analyst_of(gathered))
        recorder.add("search agent", rounds=rounds)
    return read


def _validated(
    graph: Draft | None,
    passages: Draft | None,
    lack: Draft,
    asked: Question,
    room: Room,
    deadline: Deadline,
    recorder: Recorder,
) -> tuple[Draft | None, Draft | None, Draft]:
    """The drafts that stand, each with how probably it is right, and what is missing where none does."""
    told = {origin: draft for origin, draft in (("graph", graph), ("text", passages)) if draft is not None}
    judged = {origin: validate_draft(draft, asked, room, deadline) for origin, draft in told.items()}
    missing = validate_draft(lack, asked, room, deadline)
    recorder.add(
        "validate",
        judge=None if room.bench is None else room.bench.judges.sufficiency.fingerprint,
        **{origin: one.trace for origin, one in judged.items()},
        nothing=missing.trace,
    )
    shown = [evidence for one in judged.values() for evidence in one.shown]
    standing = {origin: one.draft for origin, one in judged.items()}
    return standing.get("graph"), standing.get("text"), with_withheld(missing.draft or lack, shown)


def _likely(
    asked: Question,
    lack: Draft,
    read: ChosenPassages,
    room: Room,
    quoter: Quoter,
    deadline: Deadline,
    recorder: Recorder,
) -> Draft:
    """A cause that a sentence seems to tell, where the question asks for one and the room reads such; else the lack."""
    if room.relations is None or not asks_for_cause(asked):
        return lack
    with recorder.stage("likely cause"):
        likely, read_there = likely_cause(asked, lack, read, room, quoter, deadline)
        if likely is lack:
            recorder.add("likely cause", **read_there)
            return lack
        judged = validate_draft(likely, asked, room, deadline)
    recorder.add("likely cause", **read_there, **judged.trace)
    return judged.draft or lack


def _from_passages(
    asked: Question, read: ChosenPassages, room: Room, recipe: Strategy, quoter: Quoter, recorder: Recorder
) -> tuple[Draft | None, Evidence | None]:
    """The draft of the passages, if the recipe tells one, and the sentence that comes nearest to an answer.

    To a question that names nothing, any sentence is as near as any other.
    """
    if asks_of_nothing(asked):
        recorder.add("draft", origin="text", **traced_draft(None))
        return None, None
    with recorder.stage("text draft"):
        texts = draft_from_text(asked, read, room, quoter)
        passages, context, steps = texts.draft if recipe.text else None, texts.context, texts.steps
    plain = asked if asks_for_fact(asked) else what_stopped(asked) if passages is None else None
    if recipe.text and room.bench is not None and plain is not None:
        with recorder.stage("fact"), refusing_long(asked.text):
            fact = draft_of_fact(plain, read, room, quoter)
        passages, context, steps = fact.draft, fact.nearest or context, {**steps, "fact": fact.steps}
    recorder.add("draft", origin="text", **traced_draft(passages), **steps)
    return passages, context


def _read(question: str | Question, room: Room) -> Question:
    if isinstance(question, Question):
        return question
    return read_question(question, room.settings.max_question_characters)


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
