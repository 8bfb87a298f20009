"""Statements that a language model finds: windows of sentences in, what stands in them word for word out.

What a model says is a candidate: its sentence, its cause, its effect and its quote must stand in the text, up to white
space, or it is dropped and counted; how real it is said to be, the rules of the language are asked too; and how likely
it is that the sentence states it, the learned heads say of the very words that the model named. Every window is one
call that the model's cache knows again, so that an ingest that was stopped does not pay twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from causetrail.errors import ModelRefused, OutputCut, OutputInvalid, PromptTooLong
from extraction.antecedents import NoArguments
from extraction.learned_causes import UNSIGNALLED, Heads, read_by, told_of, trimmed
from extraction.statements import Located, Statement, StatementMaker
from language.clause_words import Span
from language.clauses import Clauses
from language.cues import CueMatch, cue_table
from language.factuality import Factuality, weaker
from language.tokens import Sentence
from models.call_deadline import CallDeadline
from models.claim_schema import ClaimAnswer, ClaimAnswers, numbered
from models.counted_model import CountedModel, Foreseen
from models.language_model import LanguageModel, Message, Sampling
from models.prompts import load_prompt
from models.side_by_side import ask_side_by_side
from models.structured_output import structured

if TYPE_CHECKING:
    from models.relation_heads import RelationReading, SentenceScores, Words

EXTRACTOR: Final = "llm-1"
PROMPT: Final = "extract_claims"
STAGE: Final = "extract claims"
"""How its calls are booked."""
WINDOW: Final = 5
"""Most sentences of one call."""
WINDOW_TOKENS: Final = 400
"""Most tokens of a window of more than one sentence, as the model counts them."""
_UNUSABLE: Final = "answer_unusable"
"""A window whose answer could not be used."""


class Judge(Heads, Protocol):
    """What says how likely a statement is: `models.relation_heads.RelationHeads`."""

    def likelihood(self, scores: SentenceScores, cause: Words, effect: Words) -> float: ...


class Window(NamedTuple):
    """Sentences that are shown together.

    Attributes:
        places: The place of each in the document.
        texts: The text of each.
    """

    places: tuple[int, ...]
    texts: tuple[str, ...]


class Answered(NamedTuple):
    """What a model says of one window; nothing where its answer could not be used."""

    window: Window
    claims: tuple[ClaimAnswer, ...] | None


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked.

    Attributes:
        seconds: Longest time of one call.
        max_tokens: Longest answer, in tokens.
        concurrency: Calls at once.
        trust: Probability that a statement of the model is right before anything judges it, above 0 and below 1: at a
            half the judge alone decides.
    """

    seconds: float
    max_tokens: int
    concurrency: int
    trust: float


class ModelReader:
    """Asks a language model for the claims of a document's sentences. To be used by one thread at a time."""

    def __init__(self, model: LanguageModel, judge: Judge, asking: Asking) -> None:
        """Takes the model of the role `reader`, and the heads that judge what it says."""
        self._model = model
        self._judge = judge
        self._asking = asking
        self._prompt = load_prompt(PROMPT)
        self._sampling = Sampling(max_tokens=asking.max_tokens)
        self.fingerprint: str = asking_fingerprint(model, judge.fingerprint, asking)
        """Changes whenever the same sentences could give other statements."""

    def windows(self, sentences: Sequence[tuple[int, Sentence]]) -> Iterator[Window]:
        """Cuts sentences, each with its place, into windows; none is in two.

        A sentence that follows no other in its window ends the one before: a window is a passage of the text.
        """
        places: list[int] = []
        texts: list[str] = []
        tokens = 0
        for place, sentence in sentences:
            size = self._model.count_tokens(sentence.text)
            apart = bool(places) and place != places[-1] + 1
            if places and (apart or len(places) == WINDOW or tokens + size > WINDOW_TOKENS):
                yield Window(tuple(places), tuple(texts))
                places, texts, tokens = [], [], 0
            places.append(place)
            texts.append(sentence.text)
            tokens += size
        if places:
            yield Window(tuple(places), tuple(texts))

    def ask(self, windows: Sequence[Window]) -> list[Answered]:
        """What the model says of each window, in their order.

        Raises:
            BudgetSpent: a call could exceed the budget; those before it are in the cache.
            ModelError: the model cannot be reached, or does not answer in time.
        """
        return ask_side_by_side(self._ask, windows, self._asking.concurrency, self._model.name)

    def foresee(self, model: CountedModel, windows: Sequence[Window]) -> list[Foreseen]:
        """What asking for each window would cost; `model` is the reader's own."""
        schema = ClaimAnswers.model_json_schema()
        return [model.foresee(self._messages(window), self._sampling, schema) for window in windows]

    def statements(
        self, answered: Sequence[Answered], maker: StatementMaker, sentences: Sequence[Sentence]
    ) -> tuple[dict[int, list[Statement]], Counter[str]]:
        """The statements that stand in the text, by the place of their sentence, and how many were dropped and why.

        Args:
            answered: What the model said.
            maker: Makes the statements; it knows the times of all sentences.
            sentences: All sentences of the document.
        """
        found: dict[int, list[Statement]] = {}
        dropped: Counter[str] = Counter()
        for window, claims in answered:
            if claims is None:
                dropped[_UNUSABLE] += 1
            readers: dict[int, _SentenceReader] = {}
            for claim in claims or ():
                place = _place_of(claim, window)
                if place is None:
                    dropped["quote_not_verbatim"] += 1
                    continue
                if place not in readers:
                    readers[place] = _SentenceReader(sentences[place], place, maker, self._judge, self._asking.trust)
                try:
                    found.setdefault(place, []).append(readers[place].statement(claim))
                except NoArguments as rejection:
                    dropped[rejection.reason] += 1
        return found, dropped

    def _ask(self, window: Window) -> Answered:
        deadline = CallDeadline(self._asking.seconds)
        try:
            answer = structured(self._model, self._messages(window), ClaimAnswers, self._sampling, deadline)
        except (OutputInvalid, OutputCut, ModelRefused, PromptTooLong):
            # The same call gives the same answer; the other windows are not worse for it.
            return Answered(window, None)
        return Answered(window, tuple(answer.value.claims))

    def _messages(self, window: Window) -> list[Message]:
        return self._prompt.messages(window=numbered(window.texts))


def asking_fingerprint(model: LanguageModel, judge: str, asking: Asking) -> str:
    """The version of a `ModelReader`; `judge` is the fingerprint of the heads that judge."""
    how = f"{WINDOW}-{WINDOW_TOKENS}-{asking.max_tokens}-{asking.trust}"
    return f"{EXTRACTOR}+{model.fingerprint}+{load_prompt(PROMPT).fingerprint}+{judge}+{how}"


class _SentenceReader:
    """Turns what a model says of one sentence into statements."""

    def __init__(self, sentence: Sentence, place: int, maker: StatementMaker, judge: Judge, trust: float) -> None:
        self._sentence = sentence
        self._place = place
        self._maker = maker
        self._judge = judge
        self._trust = trust
        self._here = Clauses(sentence)
        self._cues: Sequence[CueMatch] = cue_table().find(sentence.tokens)
        self._reading: RelationReading | None = read_by(judge, self._here, sentence.text)

    def statement(self, claim: ClaimAnswer) -> Statement:
        """The statement.

        Raises:
            NoArguments: it does not stand in the sentence, or its words name no happening.
        """
        cause, effect = self._argument(claim.cause, "cause"), self._argument(claim.effect, "effect")
        if cause[0] < effect[1] and effect[0] < cause[1]:
            raise NoArguments("arguments_overlap")
        told = told_of(self._here, cause, effect, None)
        if told.polarity != claim.polarity:
            # Which of the two is right nobody knows, and a denial that is none would rule a true cause out.
            raise NoArguments("denial_disputed")
        told = Factuality(told.polarity, weaker(told.modality, claim.modality), told.trust)
        between = min(cause[1], effect[1]), max(cause[0], effect[0])
        cue = next((one.text for one in self._cues if between[0] <= one.first and one.end <= between[1]), UNSIGNALLED)
        return self._maker.make(
            claim.relation,
            Located(cause, self._here, self._place),
            Located(effect, self._here, self._place),
            told,
            cue=cue,
            confidence=self._confidence(claim, cause, effect) * told.trust,
            extractor=EXTRACTOR,
        )

    def _argument(self, words: str, part: str) -> Span:
        place = located(words, self._sentence.text)
        if place is None:
            raise NoArguments(f"{part}_not_verbatim")
        start, end = (self._sentence.start + one for one in place)
        tokens = self._here.tokens
        inside = [number for number, token in enumerate(tokens) if token.start < end and start < token.end]
        if not inside or tokens[inside[0]].start < start or end < tokens[inside[-1]].end:
            raise NoArguments("half_a_word")
        return trimmed(self._here, inside[0], inside[-1] + 1)

    def _confidence(self, claim: ClaimAnswer, cause: Span, effect: Span) -> float:
        """The judge's probability, its odds multiplied by those of the trust in the model.

        The heads have learned causes, and what enables or prevents with them, but no order in time.
        """
        if claim.relation == "BEFORE" or self._reading is None or self._reading.scores is None:
            return self._trust
        judged = self._judge.likelihood(self._reading.scores, (cause[0], cause[1] - 1), (effect[0], effect[1] - 1))
        right, wrong = judged * self._trust, (1 - judged) * (1 - self._trust)
        return right / (right + wrong)


def _place_of(claim: ClaimAnswer, window: Window) -> int | None:
    """The place of the sentence that a claim quotes; none when its quote stands in no sentence.

    Small models count badly: a quote that stands in one other sentence alone is of that one.
    """
    holding = [number for number, text in enumerate(window.texts, start=1) if located(claim.quote, text) is not None]
    if claim.sentence in holding:
        return window.places[claim.sentence - 1]
    return window.places[holding[0] - 1] if len(holding) == 1 else None


def located(words: str, text: str) -> Span | None:
    """First character and one past the last of where words stand in a text, up to white space; none when they do not.

    White space is left out of both, so that a line break, or a space that a model added or left out, does no harm.
    """
    kept = [place for place, letter in enumerate(text) if not letter.isspace()]
    wanted = "".join(words.split())
    first = "".join(text.split()).find(wanted)
    if not wanted or first < 0:
        return None
    return kept[first], kept[first + len(wanted) - 1] + 1
