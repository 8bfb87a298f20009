"""Which of several causes that were offered led to an event.

The causal agent of Columbaro et al., "Iterative Evidence Retrieval and Abductive Reasoning": each option is tested for
temporal precedence, mechanism and counterfactual validity; more than one may be right, or none of the others. Here the
mechanism is a way through the graph, or a sentence of the passages, that leads from the option to the event; the steps
of the strategy judge that. An option that nothing states is guessed by how near it stands to what documents tell of the
event, or by its plausibility where they do not tell of it, and is a hypothesis at most.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from causetrail.errors import ArgumentInvalid
from kg.records import Chain, Evidence, Polarity, Verdict
from language.choices import choice_key, is_none_of_the_others
from language.questions import Question, how_question, refuse_unreadable, why_question, without_denial
from reasoning.account import Account
from reasoning.arbiter import arbitrate
from reasoning.choice_decision import UNSTATED, Assessed, choice_of, decide
from reasoning.choice_report import Choice, Precedence
from reasoning.draft import Draft, traced_draft
from reasoning.draft_from_graph import draft_from_graph
from reasoning.evidence import Quoter
from reasoning.findings import Findings, budget_of, explore
from reasoning.links import LinkReader
from reasoning.long_questions import refusing_long
from reasoning.material import Material
from reasoning.missing import draft_of_missing
from reasoning.one_state import from_one_state
from reasoning.option_validation import Offered
from reasoning.option_views import read_views
from reasoning.passages import UNDECIDED, ChosenPassages
from reasoning.precedence import precedence
from reasoning.reliable import reliable_findings
from reasoning.rival_accounts import beside_rivals
from reasoning.room import Room
from reasoning.search_agent import search_on
from reasoning.search_analysts import WordAnalyst, analyst_of
from reasoning.strategies import Strategy, find_strategy
from reasoning.text_draft import draft_from_text
from reasoning.thresholds import thresholds
from reasoning.trace import BY_RULE, Recorder
from reasoning.unjudged import UNJUDGED
from reasoning.usage import usage_of
from reasoning.views import views_of
from reasoning.wording import as_sentence
from traversal.deadline import Deadline
from traversal.removal import without_events

LETTERS = 26
"""Most options: so many have a letter."""


def choose(event: str, options: Sequence[str], room: Room, strategy: str | Strategy = "default") -> Choice:
    """Tells which of the options led to the event.

    Options of the same words get the same answer, and neither the order of the options nor their number changes what is
    found of one. An option that comes after the event is never chosen, nor one that a document denies.

    Args:
        event: What happened, in words.
        options: 2 to 26 causes that may have led to it, in words; one may say that none of the others did.
        room: Store, index, settings and judges: that of relevance chooses among the passages that are found, that of
            causes says how plausible an option is.
        strategy: A recipe, or its name.

    Raises:
        ArgumentInvalid: the options are too few, too many or all the same, none of them names a cause, a text is empty,
            or there is no such strategy.
        QuestionTooLong, QuestionCharacters: a text cannot be read.
        DeadlinePassed: `deadline_seconds` went by at one option.
        StoreDamaged: a quote is not what its document says.
        SnapshotLost: the graph changed each time while it was read.
        ModelError: a judge cannot judge.
    """
    recipe = find_strategy(strategy)
    if not 2 <= len(options) <= LETTERS:
        raise ArgumentInvalid(argument="the number of options", value=len(options), reason=f"it takes 2 to {LETTERS}")
    for name, text in (("the event", event), *(("an option", option) for option in options)):
        if not any(character.isalnum() for character in text):
            raise ArgumentInvalid(argument=name, value=f"“{text}”", reason="it has no letter and no digit")
        refuse_unreadable(text, room.settings.max_question_characters)
    if all(map(is_none_of_the_others, options)):
        raise ArgumentInvalid(argument="the options", value="only denials", reason="one at least has to name a cause")
    if len(set(map(choice_key, options))) == 1:
        raise ArgumentInvalid(argument="the options", value="all the same", reason="there is nothing to choose between")
    return from_one_state(room.store, partial(_chosen, event, tuple(options), room, recipe))


def _chosen(event: str, options: tuple[str, ...], room: Room, recipe: Strategy) -> Choice:
    recorder = Recorder()
    generation = room.store.generation(room.collection)
    recorder.add(
        "question",
        event=event,
        options=list(options),
        strategy=recipe.title,
        collection=room.collection,
        generation=generation,
    )
    agent = _Agent(event, room, recipe, recorder)
    # One spelling stands for all of the same words, whichever was offered first.
    offered: dict[str, str] = {}
    for text in sorted(options):
        if not is_none_of_the_others(text):
            offered.setdefault(choice_key(text), text)
    agent.trace_account()
    assessed = {key: agent.assess(text) for key, text in sorted(offered.items())}
    decision = decide(assessed, none_offered=any(map(is_none_of_the_others, options)))
    late = {chain for one in assessed.values() if one.late for chain in one.draft.chains}
    otherwise = agent.otherwise(late) if decision.ground in UNSTATED else None
    recorder.add("choose", **decision.values, judge=BY_RULE, otherwise=otherwise)
    return choice_of(
        decision,
        assessed,
        otherwise,
        event=event,
        options=options,
        room=room,
        generation=generation,
        trace=recorder.steps,
        usage=usage_of(recorder, room),
    )


class _Agent:
    """Tests options one after another on one state of the graph."""

    def __init__(self, event: str, room: Room, recipe: Strategy, recorder: Recorder) -> None:
        self._event = event
        self._denied = without_denial(event)[1]
        self._room = room
        self._judge = room.judges.judges.cause
        self._recipe = recipe
        self._recorder = recorder
        self._deadline = Deadline(room.settings.deadline_seconds)
        self._quoter = Quoter(room.store, room.collection)
        self._account = Account(event, room, self._quoter)
        self._least = recipe.synthesis.least_confidence
        self._reader = LinkReader(room.store, room.collection, self._quoter, self._least)

    def trace_account(self) -> None:
        """Records which passages tell of the event: what options are guessed by where nothing states one."""
        if self._recipe.text:
            with self._recorder.stage("retrieval"), refusing_long(self._event):
                self._recorder.add("account", **self._account.traced())

    def assess(self, option: str) -> Assessed:
        """What the graph, the passages and the judge of causes say of an option."""
        # Each option is a question of its own.
        self._deadline = Deadline(self._room.settings.deadline_seconds)
        with refusing_long(option):
            return self._assessed(option)

    def _assessed(self, option: str) -> Assessed:
        room, recorder = self._room, self._recorder
        asked = how_question(option, self._event, room.settings.max_question_characters)
        with recorder.stage("search"):
            found = self._explored(asked)
        with recorder.stage("graph draft"):
            graph = self._from_graph(asked, found) if self._recipe.graph else None
        if graph is None:
            self._deadline.check()
        with recorder.stage("retrieval"):
            read, rounds = self._read(option, asked, found)
            nearness = self._account.nearness(option) if self._recipe.text else None
        with recorder.stage("text draft"):
            texts = draft_from_text(asked, read, room, self._quoter)
            lack = draft_of_missing(asked, found, texts.context, room, self._reader, self._quoter)
            draft, reason = arbitrate(
                graph, texts.draft, lack, graph_asked=self._recipe.graph, text_asked=self._recipe.text
            )
        comes = precedence(option, self._event, found, room, self._reader, self._deadline)
        comes = Precedence.AFTER if draft.late else comes
        with recorder.stage("judging"):
            plausibility, undecided = self._plausibility(option)
        recorder.add(
            "option",
            option=option,
            seeds=[step for name, step in found.steps if name == "seeds"],
            reliability=[step for name, step in found.steps if name == "reliability"],
            rerank=read.judged,
            search_agent=rounds,
            drafts={"graph": traced_draft(graph), "text": traced_draft(texts.draft)},
            verdict=draft.verdict.value,
            mode=draft.mode.value,
            reason=reason,
            arbitrated=BY_RULE,
            precedence=comes.value,
            plausibility=plausibility,
            nearness=nearness,
            judge=self._judge.fingerprint,
            undecided=undecided,
        )
        same = choice_key(option) == choice_key(self._event)
        prevents = not self._denied and any(chain.polarity is Polarity.NEGATED for chain in draft.chains[:1])
        necessary = self._necessary(found, draft)
        assessed = Assessed(draft, comes, plausibility, nearness, necessary, restates=same, prevents=prevents)
        # An option that cannot be right anyway needs no judge.
        if not assessed.possible:
            return assessed
        judged = self._validated(assessed, option, asked, found, read, texts.context)
        beside = beside_rivals(judged.draft, asked, read, room, self._quoter, tells_text=self._recipe.text)
        if beside is not judged.draft:
            recorder.add("accounts", option=option, judge=BY_RULE, **beside.traced())
        return replace(judged, draft=beside)

    def _validated(
        self,
        assessed: Assessed,
        option: str,
        asked: Question,
        found: Findings,
        read: ChosenPassages,
        context: Evidence | None,
    ) -> Assessed:
        """What stands of an option when the strategy has judged what was found of it."""
        validate = self._recipe.option_validator
        if validate is None:
            return assessed
        material = self._material(option, asked, found, read, context)
        with self._recorder.stage("validation"):
            told = validate(assessed.draft, material, Offered(option, self._event, assessed.plausibility))
        return replace(
            assessed,
            draft=told.draft,
            necessary=assessed.necessary if told.draft.chains else None,
            score=told.score,
            discarded=told.discarded,
            instead=told.instead,
        )

    def otherwise(self, late: Collection[Chain]) -> str | None:
        """What the documents state as a cause of the event, which no option names.

        Args:
            late: Chains that an option names, and that the order of time speaks against.
        """
        if not self._recipe.graph:
            return None
        room = self._room
        asked = why_question(self._event, room.settings.max_question_characters)
        self._deadline = Deadline(room.settings.deadline_seconds)
        with self._recorder.stage("search"), refusing_long(self._event):
            found = self._explored(asked)
        draft = self._from_graph(asked, found)
        if draft is None or draft.verdict is not Verdict.SUPPORTED or any(chain in late for chain in draft.chains):
            return None
        return draft.text

    def _explored(self, asked: Question) -> Findings:
        return reliable_findings(asked, explore(asked, self._room, self._deadline), self._reader, self._least)

    def _from_graph(self, asked: Question, found: Findings) -> Draft | None:
        return draft_from_graph(
            asked, found, self._room, self._reader, self._quoter, self._deadline, self._recipe.synthesis
        )

    def _read(self, option: str, asked: Question, found: Findings) -> tuple[ChosenPassages, list[dict[str, object]]]:
        """The passages that are read for an option, and the rounds of the search agent."""
        if not self._recipe.text:
            return ChosenPassages([], {}, None), []
        views = views_of(self._event, option)
        stages = self._recipe.retrieval
        read = read_views(views, self._room, self._quoter, stages)
        if not self._recipe.search_on:
            return read, []
        room = stages.ranked_in(self._room)
        material = self._material(option, asked, found, read, None)
        analyst = WordAnalyst(views.question, room, self._quoter) if room.judges.proposer is None else None
        return search_on(
            views.question,
            read,
            thresholds().search_agent.rounds,
            room,
            self._quoter,
            analyst or analyst_of(material),
        )

    def _material(
        self, option: str, asked: Question, found: Findings, read: ChosenPassages, context: Evidence | None
    ) -> Material:
        """What was read for an option, with whether it led to the event as the question."""
        return Material(
            replace(asked, text=views_of(self._event, option).question),
            self._room,
            found,
            read,
            context,
            self._quoter,
            self._reader,
            self._deadline,
            self._recorder,
        )

    def _plausibility(self, option: str) -> tuple[float, str | None]:
        """What the judge makes of it, or that it cannot, with the code that says why.

        Both are given with a full stop, whether they were offered with one or not: the judge weighs marks as well.
        """
        try:
            (told,) = self._judge.causes([(as_sentence(option), as_sentence(self._event))])
        except UNJUDGED as error:
            return UNDECIDED, error.code
        return round(told, 6), None

    def _necessary(self, found: Findings, draft: Draft) -> bool | None:
        """Whether the event falls in the graph when the first events of the chains told are taken away."""
        if not draft.chains:
            return None
        causes = {chain.events[0].id for chain in draft.chains}
        effects = {chain.events[-1].id for chain in draft.chains}
        room = self._room
        ahead = budget_of(room).from_one_end()
        removal = without_events(sorted(causes), room.store, room.collection, ahead, self._deadline)
        return effects <= removal.fallen.keys()
