"""The answer to a question that offers causes: what the choice among them found, told as any other answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kg.records import Answer, Evidence, Mode, TraceStep, Verdict
from language.choices import choice_key
from language.questions import Question
from reasoning.choice_report import Choice, Option
from reasoning.choose import choose
from reasoning.room import Room
from reasoning.strategies import Strategy
from reasoning.withheld import as_context
from reasoning.wording import say


def answer_of_choice(asked: Question, room: Room, recipe: Strategy, values: Mapping[str, object]) -> Answer:
    """What led to the focus among the options, in the words of the choice, with the quotes of what is chosen or denied.

    Args:
        asked: Offers the options.
        room: As for `choose`.
        recipe: Who looks for what is told of each.
        values: The question as the trace keeps it.

    Raises:
        QuestionTooLong, DeadlinePassed, StoreDamaged, SnapshotLost, ModelError: as `choose`.
    """
    found = choose(asked.focus, asked.options, room, recipe)
    chosen = _each_once([option for option in found.options if option.chosen])
    denied = _each_once([option for option in found.options if option.verdict is Verdict.CONTRADICTED])
    late = _each_once([option for option in found.options if option.named_late])
    told = [option.text_found for option in (*chosen, *late, *denied) if option.mode is not None and option.text_found]
    if found.verdict is Verdict.INSUFFICIENT:
        told += [line for line in found.missing if line == say("missing", "unfinished")]
    return Answer(
        question=asked.text,
        text=" ".join(dict.fromkeys([_closed(found.text), *told])),
        verdict=found.verdict,
        mode=found.mode or Mode.TEXT,
        confidence=found.confidence,
        chains=tuple(dict.fromkeys(chain for option in chosen for chain in option.chains)),
        evidence=_evidence([*chosen, *denied], late),
        premises=(),
        counterfactuals=(),
        cut_at_hops=False,
        missing=found.missing,
        generation=found.generation,
        trace=_trace(found, values),
        usage=found.usage,
    )


def _closed(text: str) -> str:
    """With a full stop, behind which another sentence may follow."""
    return f"{text}." if text.endswith("”") else text


def _each_once(options: Sequence[Option]) -> list[Option]:
    """Options of the same words are one."""
    return list({choice_key(option.text): option for option in reversed(options)}.values())[::-1]


def _evidence(options: Sequence[Option], late: Sequence[Option]) -> tuple[Evidence, ...]:
    """The quotes of options, each place once, those of late ones as what merely comes near."""
    places: dict[tuple[str, int, int], Evidence] = {}
    quotes = [evidence for option in options for evidence in option.evidence]
    for evidence in (*quotes, *as_context([evidence for option in late for evidence in option.evidence])):
        places.setdefault((evidence.document_id, evidence.start, evidence.end), evidence)
    return tuple(places.values())


def _trace(found: Choice, values: Mapping[str, object]) -> tuple[TraceStep, ...]:
    """The steps of the choice, behind the question as it was understood."""
    first, *steps = found.trace
    return (first.model_copy(update={"detail": {**values, **first.detail}}), *steps)
