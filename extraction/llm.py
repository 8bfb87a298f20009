"""Statements that a language model finds: windows of sentences in, what stands in them word for word out.

What a model says is a candidate: its sentence, its cause, its effect and its quote must stand in the text, up to white
space, or it is dropped and counted; how real it is said to be, the rules of the language are asked too; and how likely
it is that the sentence states it, the learned heads say of the very words that the model named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol

from extraction.antecedents import NoArguments
from extraction.asking import EXTRACTOR, Asker, Asking, Window, asking_fingerprint
from extraction.learned_causes import UNSIGNALLED, told_between, told_of, trimmed
from extraction.sentence_reading import Heads, SentenceReading
from extraction.statements import Located, Statement, StatementMaker
from language.clause_words import Span
from language.cues import CueMatch
from language.factuality import Factuality, weaker
from language.tokens import Sentence
from models.claim_schema import ClaimAnswer
from models.counted_model import CountedModel

if TYPE_CHECKING:
    from kg.store import Progress
    from models.relation_heads import SentenceScores, Words

_UNUSABLE: Final = "answer_unusable"
"""A window whose answer could not be used."""
_TOO_LONG: Final = "sentence_too_long"
"""A sentence that the model was not shown."""


_AN_ARTICLE: Final = 1
"""Most tokens between a cue in front and the first argument."""


class Judge(Heads, Protocol):
    """What says how likely a statement is: `models.relation_heads.RelationHeads`."""

    def likelihood(self, scores: SentenceScores, cause: Words, effect: Words) -> float: ...


class ModelReader:
    """Asks a language model for claims, and judges what it says. To be used by one thread at a time."""

    def __init__(self, model: CountedModel, judge: Judge, asking: Asking, progress: Progress | None = None) -> None:
        """Takes the model of the role `reader`, the heads that judge what it says, and what is told of windows."""
        self.judge = judge
        self._asker = Asker(model, asking, progress)
        self._trust = asking.trust
        self.fingerprint: str = asking_fingerprint(model, judge.fingerprint, asking)
        """Changes whenever the same sentences could give other statements."""

    def claims(
        self, document_id: str, sentences: Sequence[tuple[int, Sentence]]
    ) -> tuple[dict[int, list[ClaimAnswer]], Counter[str]]:
        """What the model says, by the place of the sentence that it quotes, and how much was dropped and why.

        Args:
            document_id: Id of the document.
            sentences: Those that it is shown, each with its place in the document.

        Raises:
            BudgetSpent, ModelError: as `Asker.ask`.
        """
        found: dict[int, list[ClaimAnswer]] = {}
        dropped: Counter[str] = Counter()
        windows = list(self._asker.windows(sentences))
        if hidden := len(sentences) - sum(len(window.places) for window in windows):
            dropped[_TOO_LONG] = hidden
        for window, claims in self._asker.ask(windows, document_id):
            if claims is None:
                dropped[_UNUSABLE] += 1
            for claim in claims or ():
                place = _place_of(claim, window)
                if place is None:
                    dropped["quote_not_verbatim"] += 1
                else:
                    found.setdefault(place, []).append(claim)
        return found, dropped

    def statements(
        self, claims: Sequence[ClaimAnswer], reading: SentenceReading, place: int, maker: StatementMaker
    ) -> tuple[list[Statement], Counter[str]]:
        """The statements that stand in one sentence, and how many were dropped and why.

        Args:
            claims: What the model says of the sentence.
            reading: The sentence, as the judge reads it.
            place: Its place in the document.
            maker: Makes the statements; it knows the times of the sentence.
        """
        found: list[Statement] = []
        dropped: Counter[str] = Counter()
        for claim in claims:
            try:
                found.append(self._statement(claim, reading, place, maker))
            except NoArguments as rejection:
                dropped[rejection.reason] += 1
        return found, dropped

    def _statement(self, claim: ClaimAnswer, reading: SentenceReading, place: int, maker: StatementMaker) -> Statement:
        """The statement.

        Raises:
            NoArguments: it does not stand in the sentence, or its words name no happening.
        """
        here = reading.clauses
        quote = located(claim.quote, reading.sentence.text)
        cause = _argument(claim.cause, "cause", reading, quote)
        effect = _argument(claim.effect, "effect", reading, quote)
        if cause[0] < effect[1] and effect[0] < cause[1]:
            raise NoArguments("arguments_overlap")
        cue = _cue_of(claim.relation, cause, effect, reading.cues)
        if cue is not None and cue.end <= min(cause[0], effect[0]):
            told = told_of(here, cause, effect, (cue.first, cue.end))
        else:
            told = told_between(here, cause, effect, frozenset(cue.text.split()) if cue else frozenset())
        denied = "negated" in (told.polarity, cue.cue.polarity if cue else "")
        if denied is not (claim.polarity == "negated"):
            # Which of the two is right nobody knows, and a denial that is none would rule a true cause out.
            raise NoArguments("denial_disputed")
        by_itself = cue.cue.modality if cue else "actual"
        told = Factuality(told.polarity, weaker(weaker(told.modality, by_itself), claim.modality), told.trust)
        return maker.make(
            claim.relation,
            Located(cause, here, place),
            Located(effect, here, place),
            told,
            cue=cue.text if cue else UNSIGNALLED,
            confidence=self._confidence(claim, reading, cause, effect) * told.trust,
            extractor=EXTRACTOR,
        )

    def _confidence(self, claim: ClaimAnswer, reading: SentenceReading, cause: Span, effect: Span) -> float:
        """The judge's probability, its odds multiplied by those of the trust in the model.

        The heads have learned causes, and what enables or prevents with them, but no order in time.
        """
        if claim.relation == "BEFORE" or reading.relations is None or reading.relations.scores is None:
            return self._trust
        judged = self.judge.likelihood(reading.relations.scores, (cause[0], cause[1] - 1), (effect[0], effect[1] - 1))
        right, wrong = judged * self._trust, (1 - judged) * (1 - self._trust)
        return right / (right + wrong)


def _cue_of(relation: str, cause: Span, effect: Span, cues: Sequence[CueMatch]) -> CueMatch | None:
    """The cue that tells the relation: between the arguments, or right before the first of them; none where none is.

    Raises:
        NoArguments: the cues that stand there tell another relation, or the other direction; or an order in time has
            none, which neither the heads nor the rules could judge.
    """
    first, second = sorted((cause, effect))
    between = [one for one in cues if first[1] <= one.first and one.end <= second[0]]
    signalling = between or [one for one in cues if first[0] - _AN_ARTICLE <= one.end <= first[0]]
    # To the right of a cue between them stands the second, of one in front ("because of rain, ...") the first.
    right = "cause" if cause == (second if between else first) else "effect"
    of_relation = [one for one in signalling if one.cue.relation == relation]
    if signalling and not of_relation:
        raise NoArguments("relation_disputed")
    fitting = [one for one in of_relation if one.cue.right == right]
    if of_relation and not fitting:
        raise NoArguments("direction_disputed")
    if not fitting and relation == "BEFORE":
        raise NoArguments("order_unsignalled")
    return fitting[0] if fitting else None


def _argument(words: str, part: str, reading: SentenceReading, quote: Span | None) -> Span:
    """The tokens of an argument; where its words stand in the quote and elsewhere, those of the quote.

    Raises:
        NoArguments: it does not stand in the sentence, or names no happening.
    """
    sentence = reading.sentence
    place = located(words, sentence.text, quote)
    if place is None:
        raise NoArguments(f"{part}_not_verbatim")
    start, end = (sentence.start + one for one in place)
    tokens = sentence.tokens
    inside = [number for number, token in enumerate(tokens) if token.start < end and start < token.end]
    if not inside or tokens[inside[0]].start < start or end < tokens[inside[-1]].end:
        raise NoArguments("half_a_word")
    return trimmed(reading.clauses, inside[0], inside[-1] + 1)


def _place_of(claim: ClaimAnswer, window: Window) -> int | None:
    """The place of the sentence that a claim quotes; none when its quote stands in no sentence.

    Small models count badly: a quote that stands in one other sentence alone is of that one.
    """
    holding = [number for number, text in enumerate(window.texts, start=1) if _quotes(claim.quote, text)]
    if claim.sentence in holding:
        return window.places[claim.sentence - 1]
    return window.places[holding[0] - 1] if len(holding) == 1 else None


def _quotes(words: str, text: str) -> bool:
    """Whether whole words of a text are quoted."""
    place = located(words, text)
    return place is not None and not any(_inside_a_word(text, border) for border in place)


def located(words: str, text: str, within: Span | None = None) -> Span | None:
    """First character and one past the last of where words stand in a text, up to white space; none when they do not.

    White space is left out of both, so that a line break, or a space that a model added or left out, does no harm. Of
    several places it is the first that breaks no word, one within a span before all others.

    Args:
        words: What is looked for.
        text: Where.
        within: Characters of the text that it should stand in.
    """
    kept = [place for place, letter in enumerate(text) if not letter.isspace()]
    wanted, there = "".join(words.split()), "".join(text.split())
    found: list[Span] = []
    first = there.find(wanted) if wanted else -1
    while first >= 0:
        found.append((kept[first], kept[first + len(wanted) - 1] + 1))
        first = there.find(wanted, first + 1)

    def fitness(place: Span) -> tuple[bool, bool]:
        breaks = _inside_a_word(text, place[0]) or _inside_a_word(text, place[1])
        return breaks, within is not None and not (within[0] <= place[0] and place[1] <= within[1])

    return min(found, key=fitness, default=None)


def _inside_a_word(text: str, place: int) -> bool:
    """Whether a border stands between two letters or digits."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()
