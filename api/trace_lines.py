"""The trace of an answer as paragraphs that a person reads, a step each; the whole of it stands in `--json`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from api.terminal import paint, shown
from kg.records import TraceStep

_MOST = 4
"""Things of a list that are shown."""
_LONG = 48
"""Characters from which a text gets a line of its own."""
_HASH = re.compile(r"\b([a-z]?[0-9a-f]{6})[0-9a-f]{6,}\b")
_DIGITS = 3

_STEPS = {
    "question": "what was asked",
    "seeds": "events of the graph that the question names",
    "expand": "what the graph links with them",
    "reliability": "links that no claim states reliably",
    "chains": "paths from cause to effect",
    "views": "passages searched by views of the question, and by its words",
    "rerank": "passages put in order by a judge",
    "bridges": "passages that a name in a nearer one led to",
    "search agent": "whether the passages suffice, and further searches",
    "causal agent": "causes that the sentences tell, each tested",
    "draft": "a candidate answer",
    "validate": "whether the quotes of each draft answer the question",
    "arbitrate": "which draft is the answer, by rule",
    "likely cause": "a sentence that reads like a statement of the cause, where nothing states one",
    "excluded cause": "whether a cause that the question leaves out is told too",
    "partial denial": "whether what is denied is all that is asked",
    "another one": "whether the quotes tell of the very one that is asked about",
    "unsaid": "whether the quotes speak of all that is asked",
    "account": "the passages that are nearest to the event, by which offered causes are guessed",
    "accounts": "what other sources give as the cause, beside what is told",
    "narrative": "the answer in the words of a language model, each sentence checked",
    "abduction": "whether the evidence suffices, and what could be assumed",
    "counterfactual": "drafts weighed against questions about what would otherwise have been",
    "proposed questions": "questions of a language model, checked",
    "support": "facts, and how far the quotes support the draft",
    "revision": "the draft again, from quotes alone",
    "gaps": "what is missing, and searches for it",
    "hypotheses": "chains over hypotheses that were written, where nothing stated answers",
    "option": "one cause that was offered",
    "choose": "which options are taken",
    "warning": "a part that could not be done",
}
"""What a step is for."""

_KEYS = {
    "answer": "answer after this step",
    "comparable_denial": "a denial counts from",
    "beside": "events told beside them",
    "cover": "words of the question covered",
    "cosine": "likeness in meaning",
    "coverage": "words covered",
    "drafted": "stands in the draft",
    "fan_out": "links followed from an event",
    "floor": "least reliability of a link",
    "focus": "asked about",
    "head": "same main word",
    "hops": "links followed in a row",
    "judge": "judge (model and its version)",
    "judges": "judges (model and its version)",
    "least": "needed at least",
    "opposite": "tells the opposite",
    "precedence": "order in time",
    "psi": "weight psi",
    "rationale": "quotes judged",
    "time": "time of the question",
    "reader": "reader of relations (model and its version)",
    "told": "claims told",
    "truncated": "cut by",
    "capped": "more than were looked at",
    "nearest_rejected": "best match that is too weak",
    "unsaid": "words of the question that no quote has",
    "contrast": "how much better than for the changed question",
    "coherence": "how well the quotes answer the question",
}
"""Words for keys that do not speak for themselves; the others are shown as they are, without underscores."""

_KEYS_OF_STEPS = {
    ("bridges", "source"): "told in",
    ("bridges", "query"): "searched",
    ("bridges", "found"): "led to (with the score of both passages)",
    ("counterfactual", "weight"): "share of the contrast in psi",
    ("counterfactual", "likeness"): "likeness to the question",
    ("counterfactual", "expected"): "expected answer",
    ("counterfactual", "info"): "Info",
    ("counterfactual", "div_sem"): "difference of the questions",
    ("counterfactual", "div_ans"): "difference of the answers",
    ("counterfactual", "rel_dom"): "nearness of the collection",
    ("counterfactual", "samples"): "passages drawn for each draft",
    ("gaps", "first"): "answer before this step",
    ("gaps", "judge"): "anything missing",
    ("gaps", "rationale"): "quotes of that answer",
    ("gaps", "read_by"): "judge of what was found",
    ("gaps", "reasoned_by"): "judge of what is missing",
    ("question", "first"): "the first of several",
    ("question", "latest"): "the latest of several",
    ("question", "spans"): "where the question says so",
    ("question", "time"): "time",
    ("validate", "confidence"): "probability of being right",
    ("validate", "nothing"): "if nothing is told",
    ("validate", "strength"): "strength of what was found",
    ("search agent", "judged"): "passages judged",
}
"""Words for keys that mean something else in one step."""

_VALUES = {"to_causes": "from effects back to causes", "to_effects": "from causes on to effects"}

_TEXTS = {"description", "text", "premise", "question", "claim", "missing", "query", "quote"}
"""Keys whose value has a line of its own in a list, however short."""

_PATH = {"events", "relations", "confidences"}
"""Keys of a chain."""

_COLUMNS: dict[str, dict[int, tuple[str, ...]]] = {
    "sentences": {6: ("cue", "words covered", "denied"), 4: ("relevance",)},
    "passages": {2: ("score",), 3: ("score", "relevance")},
    "found": {2: ("score",), 4: ("score", "cosine", "words in common")},
    "clusters": {2: ("cluster",)},
    "evidence": {2: ("helps",)},
    "judged": {2: ("relevance",)},
    "sufficiency": {4: ("sufficiency",)},
}
"""What the values behind a place mean in a list of this key with so many parts."""


def trace_lines(steps: Iterable[TraceStep], names: Mapping[str, str]) -> Iterator[str]:
    """The steps in their order, with an empty line before each.

    Args:
        steps: Of an answer or of a choice.
        names: Words for the ids in them, as `Causetrail.named` tells; an id without words is shortened.
    """
    for number, step in enumerate(steps, start=1):
        yield ""
        purpose = f"  {paint(_STEPS[step.step], 'quiet')}" if step.step in _STEPS else ""
        yield f"  {paint(f'{number}. {step.step}', 'strong')}{purpose}"
        yield from _Reader(step.step, names).fields(step.detail, "    ")


class _Reader:
    def __init__(self, step: str, names: Mapping[str, str]) -> None:
        self._step = step
        self._names = names

    def fields(self, values: Mapping[str, object], indent: str) -> Iterator[str]:
        """A line for each key, further ones indented below it; a key without a value is left out."""
        for key, value in values.items():
            if key == "thresholds" and isinstance(value, Mapping):
                yield f"{indent}thresholds: {len(value)} figures of the settings, told by --json"
            elif value is not None and value != "":
                yield from self._field(key, value, indent)

    def _field(self, key: str, value: object, indent: str) -> Iterator[str]:
        title = f"{indent}{self._title(key)}:"
        if not isinstance(value, list | tuple | Mapping):
            yield f"{title} {self._words(value)}"
        elif not value:
            yield f"{title} none"
        elif isinstance(value, Mapping) and any(_HASH.fullmatch(name) for name in value):
            yield from self._list(
                key, [f"{self._words(id_)}: {self._words(one)}" for id_, one in value.items()], title, f"{indent}  "
            )
        elif isinstance(value, Mapping):
            yield title
            yield from self.fields(value, f"{indent}  ")
        elif (row := self._row(key, value)) is not None:
            yield f"{title} {row}"
        else:
            yield from self._list(key, value, title, f"{indent}  ")

    def _list(self, key: str, values: Sequence[object], title: str, indent: str) -> Iterator[str]:
        rows = [self._row(key, one) if isinstance(one, list | tuple) else None for one in values[:_MOST]]
        more = f"and {len(values) - _MOST} more" if len(values) > _MOST else ""
        if not any(isinstance(one, list | tuple | Mapping) for one in values):
            words = self._each(values[:_MOST])
            if all(len(one) < _LONG for one in words) and sum(map(len, words)) < 2 * _LONG:
                yield f"{title} {', '.join(words)}{' ' + more if more else ''}"
                return
            rows = list(words)
        yield title
        for one, row in zip(values, rows, strict=False):
            if row is not None:
                yield f"{indent}- {row}"
            elif isinstance(one, Mapping):
                lines = list(self._record(one, f"{indent}  "))
                yield f"{indent}- {lines[0].strip() if lines else 'nothing'}"
                yield from lines[1:]
            elif isinstance(one, list | tuple):
                yield from self._list(key, one, f"{indent}- together:", f"{indent}    ")
        if more:
            yield f"{indent}{more}"

    def _record(self, values: Mapping[str, object], indent: str) -> Iterator[str]:
        """Texts and lists in lines of their own, the short values behind them in one."""
        values = {key: value for key, value in values.items() if value is not None and value != ""}
        if values.keys() >= _PATH:
            yield indent + self._path(values)
            values = {key: value for key, value in values.items() if key not in _PATH}
        if "event" in values and "description" in values:
            values = {key: value for key, value in values.items() if key != "event"}
        short = [key for key, value in values.items() if self._short(key, value)]
        texts = [key for key, value in values.items() if key not in short and isinstance(value, str)]
        yield from self.fields({key: values[key] for key in texts}, indent)
        if short:
            yield indent + "; ".join(f"{self._title(key)}: {self._words(values[key])}" for key in short)
        yield from self.fields({key: value for key, value in values.items() if key not in {*short, *texts}}, indent)

    def _short(self, key: str, value: object) -> bool:
        return key not in _TEXTS and not isinstance(value, list | tuple | Mapping) and len(self._words(value)) < _LONG

    def _path(self, chain: Mapping[str, object]) -> str:
        """A chain in one line, each link between its events; whole, for its last event is what was asked about."""
        events, relations, figures = (self._each(chain[key]) for key in ("events", "relations", "confidences"))
        links = zip(relations, figures, events[1:], strict=False)
        return " ".join([*events[:1], *(f"-- {relation} {figure} --> {event}" for relation, figure, event in links)])

    def _each(self, values: object) -> list[str]:
        return [self._words(one) for one in values] if isinstance(values, list | tuple) else []

    def _row(self, key: str, value: Sequence[object]) -> str | None:
        """A list of mixed parts in one line: the place of a quote, a passage with its figures, a link of the graph."""
        match list(value):
            case [str(only)]:
                return self._words(only)
            case [str(document), int(start), int(end), *rest] if not isinstance(start, bool):
                place = f"{self._words(document)} [{start}:{end}]"
            case [int(start), int(end)] if key == "spans":
                return f"characters {start} to {end}"
            case [str(cause), str(effect), str(relation)] if relation.isupper():
                return f"{self._words(cause)} {relation} {self._words(effect)}"
            case [str(first), *rest] if rest and all(isinstance(one, int | float) for one in rest):
                place = self._words(first)
            case _:
                return None
        titles = _COLUMNS.get(key, {}).get(len(value), ())
        told = [self._words(one) for one in rest]
        if len(titles) == len(told):
            told = [f"{title} {one}" for title, one in zip(titles, told, strict=True)]
        return ", ".join([place, *told])

    def _words(self, value: object) -> str:
        """One value, in one line."""
        match value:
            case bool():
                return "yes" if value else "no"
            case float():
                return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")
            case str():
                return shown(_VALUES.get(value) or self._names.get(value) or _HASH.sub(r"\1", value))
        return shown(str(value))

    def _title(self, key: str) -> str:
        return _KEYS_OF_STEPS.get((self._step, key)) or _KEYS.get(key) or shown(key.replace("_", " "))
