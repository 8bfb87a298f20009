"""Records as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from api.terminal import paint, shown
from causetrail.spending import Spending
from extraction.estimate import Estimate
from extraction.ledger import IngestReport
from kg.copying import CopyReport
from kg.doctor import DoctorReport
from kg.records import (
    Answer,
    Decision,
    Document,
    Event,
    Evidence,
    JudgedClaim,
    JudgedHypothesis,
    Mention,
    Resolution,
    Stance,
    Suggestion,
    Verdict,
)
from kg.store import CollectionSize
from kg.verify import VerifyReport
from reasoning.choice_report import Choice
from reasoning.replay_report import Replay
from reasoning.what_if_report import HeldLink, WhatIf

_VERDICTS = {
    Verdict.SUPPORTED: "good",
    Verdict.HYPOTHESISED: "doubt",
    Verdict.CONTRADICTED: "bad",
    Verdict.INSUFFICIENT: "doubt",
}
_STATES = {"ok": "good", "warning": "doubt", "failure": "bad"}
_FEW = 10
"""Sentences a second below which their decimals are told."""
_STANCES = {Stance.FOR: "", Stance.AGAINST: "against: ", Stance.CONTEXT: "context: "}
_MEANINGS = {Stance.FOR: "good", Stance.AGAINST: "bad", Stance.CONTEXT: "quiet"}


def answer_lines(answer: Answer) -> Iterable[str]:
    """The answer and its verdict, the numbered evidence, what was assumed, and what is missing.

    An answer that says what is missing would say it twice: here it stands only in the lines of what is missing. They
    name by its number the evidence that they would quote once more.
    """
    text = answer.text
    for missing in answer.missing:
        text = text.replace(missing, "")
    verdict = paint(answer.verdict.value, _VERDICTS[answer.verdict])
    yield f"{shown(text)}   {verdict} {paint(f'({answer.confidence:.2f}, {answer.mode.value})', 'quiet')}"
    for number, evidence in enumerate(answer.evidence, start=1):
        yield _evidence_line(number, evidence)
    for premise in answer.premises:
        yield f"  {paint('assumed, in no document:', 'doubt')} {shown(premise.premise)} (score {premise.score:.2f})"
    if answer.cut_at_hops:
        yield f"  {paint('cut:', 'doubt')} an edge leads on where the chain ends; raise the setting hops to follow it"
    for missing in answer.missing:
        yield f"  {paint('missing:', 'doubt')} {shown(_by_number(missing, answer.evidence))}"
    for line in _spending_lines(answer.usage.models):
        yield f"  {paint(line, 'quiet')}"


def _by_number(missing: str, evidence: Sequence[Evidence]) -> str:
    """What is missing, with the number of the evidence in place of its words: “may be said in 2 (a.md:7)”."""
    for number, one in enumerate(evidence, start=1):
        quote = f"“{' '.join(one.quote.split())}”"
        place = f"{one.source}:{one.line}" if one.page is None else f"{one.source}, page {one.page}"
        missing = missing.replace(f"here ({place}): {quote}", f"in {number} ({place}).")
        missing = missing.replace(f"{place}, {quote}", f"{number} ({place})")
    return missing


def choice_lines(found: Choice) -> Iterable[str]:
    """The choice, then each option with what was found of it; the chosen ones are marked."""
    denied = any(option.evidence for option in found.options)
    mode = found.mode.value if found.mode else "nothing speaks for one" if denied else "no document"
    verdict = paint(found.verdict.value, _VERDICTS[found.verdict])
    yield f"{shown(found.text)}   {verdict} {paint(f'({found.confidence:.2f}, {mode})', 'quiet')}"
    number = count(1)
    for option in found.options:
        mark = paint("chosen", "good") if option.chosen else paint("not chosen", "quiet")
        judged = "" if option.plausibility is None else f", plausibility {option.plausibility:.2f}"
        judged += "" if option.nearness is None else f", nearness {option.nearness:.2f}"
        yield f"  {mark}: {shown(option.text)} {paint(f'({option.verdict.value}{judged})', 'quiet')}"
        if option.text_found:
            yield f"    {shown(option.text_found)}"
        for evidence in option.evidence:
            yield _evidence_line(next(number), evidence)
    for missing in found.missing:
        yield f"  {paint('missing:', 'doubt')} {shown(missing)}"
    for line in _spending_lines(found.usage.models):
        yield f"  {paint(line, 'quiet')}"


def what_if_lines(found: WhatIf) -> Iterable[str]:
    """What was found, then each event that falls or stands with the sentences that say what it hangs on."""
    yield f"{shown(found.text)}   {paint(found.verdict.value, _VERDICTS[found.verdict])}"
    number = count(1)
    for title, meaning, told in (("falls", "bad", found.fallen), ("stands", "good", found.standing)):
        for one in told:
            doubted = "might fall" if one.doubtful else title
            yield f"  {paint(doubted, meaning)}: {shown(one.told)}"
            yield from _held_lines(number, "lost", one.lost)
            yield from _held_lines(number, "kept", one.kept)
    of_prevention = ("no longer prevents", found.unprevented), ("prevents still", found.still_prevented)
    for title, links in (*of_prevention, ("fewest links to cut", found.cut)):
        if links:
            yield f"  {paint(title + ':', 'doubt')}"
            yield from _held_lines(number, "", links)
    if found.as_told is not None:
        yield _evidence_line(next(number), found.as_told)
    for missing in found.missing:
        if missing not in found.text:
            yield f"  {paint('missing:', 'doubt')} {shown(missing)}"


def _held_lines(number: Iterator[int], title: str, links: Iterable[HeldLink]) -> Iterable[str]:
    for link in links:
        if link.evidence is not None:
            told = _evidence_line(next(number), link.evidence)
            yield f"  {paint(f'{title}:', 'quiet')}{told}" if title else told


def _spending_lines(models: Mapping[str, Spending]) -> Iterable[str]:
    """What each stage asked of language models."""
    for stage, use in models.items():
        kept = f", {use.kept_calls} answered before" if use.kept_calls else ""
        failed = f", {use.failed_calls} without an answer" if use.failed_calls else ""
        cost = "" if use.cost is None else f", cost {use.cost:g}"
        yield (
            f"Language model, {stage}: {_counted(use.calls, 'call')}{kept}{failed}, {use.prompt_tokens} tokens in, "
            f"{use.completion_tokens} out, {use.seconds:.1f} s{cost}"
        )


def _evidence_line(number: int, evidence: Evidence) -> str:
    page = f", page {evidence.page}" if evidence.page is not None else ""
    place = f"{shown(evidence.source)}:{evidence.line}{page} [{evidence.start}:{evidence.end}]"
    stance = paint(_STANCES[evidence.stance], _MEANINGS[evidence.stance]) if _STANCES[evidence.stance] else ""
    return f'  {number}  {paint(place, "quiet")}  {stance}"{shown(evidence.quote)}"'


def replay_lines(found: Replay) -> Iterable[str]:
    """Whether a stored answer is given again, and what differs."""
    told = paint("the same", "good") if found.same else paint("not the same", "doubt")
    yield f"{told}: {shown(found.question)} ({found.strategy})"
    if found.generation_then != found.generation_now:
        yield f"  the graph is another one: generation {found.generation_then} then, {found.generation_now} now"
    if found.differences:
        yield f"  differs: {', '.join(found.differences)}"
    for step in found.steps:
        yield f"  differs in step {step}"


def report_lines(report: IngestReport) -> Iterable[str]:
    """What became of the sources, what was read, and what the graph holds now."""
    became = {
        "added": report.added,
        "replaced": report.replaced,
        "known from another source": report.sources_added,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "failed": report.failed,
    }
    nothing = "none taken in" if report.stopped else "nothing to do"
    told = ", ".join(f"{count} {what}" for what, count in became.items() if count) or nothing
    yield f"Documents: {told} ({report.seconds.get('total', 0.0):.1f} s)"
    if report.sentences:
        rejected = sum(report.rejected.values())
        # A language model reads less than one in a second.
        places = 0 if report.sentences_per_second >= _FEW else 2
        yield (
            f"Read {_counted(report.sentences, 'sentence')} ({report.sentences_per_second:.{places}f} a second): "
            f"{_counted(report.mentions, 'mention')}, {_counted(report.claims, 'claim')}, "
            f"{_counted(rejected, 'candidate')} rejected"
        )
    if report.pairs:
        repeated = f", {_counted(report.repeated_pairs, 'repeat')} left out" if report.repeated_pairs else ""
        yield f"Pairs: {report.pairs} read{repeated}"
    yield from _spending_lines(report.models)
    if report.not_english:
        yield paint(f"{report.not_english} not in English: found by search, without claims", "doubt")
    for skip in report.skipped:
        yield paint(f"passed over: {shown(skip.path)} ({skip.reason})", "quiet")
    held = f"{_counted(report.events, 'event')} and {_counted(report.edges, 'edge')}"
    yield f"The collection {report.collection} holds {held}."


def estimate_lines(estimate: Estimate) -> Iterable[str]:
    """What an ingest would ask of a language model."""
    yield f"Would read {_counted(estimate.documents, 'document')} with {shown(estimate.model)}."
    if estimate.unchanged or estimate.failed:
        yield f"{estimate.unchanged} unchanged, {estimate.failed} not readable"
    kept = f", {estimate.kept_calls} answered before" if estimate.kept_calls else ""
    yield f"{_counted(estimate.calls, 'call')}{kept}"
    yield f"{estimate.prompt_tokens} tokens of prompts, at most {estimate.most_completion_tokens} of answers"
    if estimate.most_cost is None:
        yield f"cost: not known; CAUSETRAIL_LLM_PRICES has to name a table with a price of {shown(estimate.price_of)}"
    else:
        yield f"cost: at most {estimate.most_cost:g} in the unit of the prices"
    if estimate.calls:
        yield "without repairs of unusable answers: each repair is one call more, with a longer prompt"


def verify_lines(report: VerifyReport) -> Iterable[str]:
    """How much was checked and is exact, and every fault."""
    exact = paint(f"{report.exact:.2%} exact", "bad" if report.faults else "good")
    kinds = ", ".join(_counted(count, kind) for kind, count in report.checked.items())
    where = "all collections" if report.collection is None else f"the collection {shown(report.collection)}"
    yield f"{_counted(sum(report.checked.values()), 'record')} of {where} checked ({kinds}): {exact}"
    for fault in report.faults:
        place = f" in {fault.document_id}" if fault.document_id else ""
        yield f"  {paint('damaged', 'bad')} {fault.kind} {shown(fault.id)}{place}: {shown(fault.what)}"


def copy_lines(report: CopyReport) -> Iterable[str]:
    """What was copied, and what proves that both are alike."""
    for done in report.collections:
        counts = done.target.counts
        told = f"{done.copied} copied, {done.replaced} replaced, {done.present} there before"
        held = (
            f"{_counted(counts.claims, 'claim')}, {_counted(counts.events, 'event')}, {_counted(counts.edges, 'edge')}"
        )
        yield f"{done.collection}: {_counted(counts.documents, 'document')} ({told}), {held}"
        yield f"  {paint('alike', 'good')}  export {done.target.export_sha256}"
        yield f"         passages and vectors {done.target.passages_sha256}"
    if not report.collections:
        yield f"{shown(report.source)} holds no documents; nothing was copied."


def doctor_lines(report: DoctorReport) -> Iterable[str]:
    """A line for each thing that was looked at, and below it what to do."""
    width = max((len(finding.check) for finding in report.findings), default=0)
    for finding in report.findings:
        state = paint(f"{finding.state.value:7}", _STATES[finding.state.value])
        yield f"{state}  {finding.check:{width}}  {shown(finding.found)}"
        if finding.advice:
            yield f"{'':{width + 11}}{shown(finding.advice)}"


def date_text(moment: str | None, resolution: Resolution | None) -> str:
    """A date as exactly as it is known, and no more: `2014-03-02`, `2014-03`, `2014-Q1`, `2014`, `2010s`.

    Args:
        moment: The earliest one, as text.
    """
    if moment is None:
        return "undated"
    match resolution:
        case Resolution.DECADE:
            return f"{moment[:3]}0s"
        case Resolution.YEAR:
            return moment[:4]
        case Resolution.QUARTER:
            return f"{moment[:4]}-Q{(int(moment[5:7]) + 2) // 3}"
        case Resolution.MONTH:
            return moment[:7]
    return moment[:10]


def collection_line(collection: CollectionSize) -> str:
    """Name, and how much it holds."""
    held = f"{_counted(collection.documents, 'document')}, {_counted(collection.events, 'event')}"
    decided = f", {_counted(collection.decisions, 'decision')}" if collection.decisions else ""
    return f"{shown(collection.name)}  {held}{decided}"


def event_line(event: Event) -> str:
    """Id, time, what happened, and how often it is told."""
    when = date_text(event.time_start, event.time_resolution)
    marks = _marks(event.polarity.value, event.modality.value)
    doubt = f"  {paint('[' + ', '.join(marks) + ']', 'doubt')}" if marks else ""
    told = f"{_counted(event.mention_count, 'mention')} in {_counted(event.document_count, 'document')}"
    return f"{event.id}  {when:10}  {shown(event.description)}{doubt}  {paint(told, 'quiet')}"


def mention_line(mention: Mention, source: str) -> str:
    """Id, place and words of one mention of an event, set in below it."""
    place = f"{shown(source)} [{mention.start}:{mention.end}]"
    return f'  {mention.id}  {paint(place, "quiet")}  "{shown(mention.text)}"'


def suggestion_lines(suggestion: Suggestion) -> Iterable[str]:
    """Score and reason, and of each mention its words, where they stand and their sentence."""
    yield f"  {paint(f'score {suggestion.score:.2f}', 'doubt')}  {shown(suggestion.reason)}"
    for words, evidence in zip(suggestion.words, suggestion.evidence, strict=True):
        yield f"  {paint(f'{shown(evidence.source)}:{evidence.line}', 'quiet')}  {paint(shown(words), 'strong')}"
        yield f'    "{shown(evidence.quote)}"'


def claim_line(claim: JudgedClaim) -> str:
    """Id, relation, stance, the quote, and who rejected it."""
    marks = "".join(f" {mark}" for mark in _marks(claim.polarity.value, claim.modality.value))
    rejected = "" if claim.rejected is None else f"  {rejection_text(claim.rejected)}"
    return f'{claim.id}  {claim.relation.value}{paint(marks, "doubt")}  "{shown(claim.quote)}"{rejected}'


def rejection_text(decision: Decision) -> str:
    """Who rejected a claim, when and why."""
    reason = f": {shown(decision.reason)}" if decision.reason else ""
    return paint(f"rejected by {shown(decision.by)} at {decision.at}{reason}", "bad")


def _marks(polarity: str, modality: str) -> list[str]:
    """What keeps a statement from being a plain fact."""
    return [mark for mark in (polarity, modality) if mark not in {"affirmed", "actual"}]


def document_line(document: Document) -> str:
    """Id, date, length, title, and where it came from."""
    when = date_text(document.published, document.published_resolution)
    sources = ", ".join(shown(source) for source in document.sources)
    return f"{document.id}  {when:10}  {document.length:>9} characters  {shown(document.doc_title)}  ({sources})"


def hypothesis_line(hypothesis: JudgedHypothesis) -> str:
    """Id, state, score, the premise, and the decision on it."""
    decided = hypothesis.decided
    state = "open" if decided is None else decided.kind.value.partition("_")[0] + "ed"
    by = "" if decided is None else f"  {decided.id} by {shown(decided.by)} at {decided.at}"
    meaning = {"open": "doubt", "accepted": "good"}.get(state, "bad")
    return (
        f"{hypothesis.id}  {paint(state, meaning)}  {hypothesis.score:.2f}  {shown(hypothesis.premise)}  "
        f"({hypothesis.cause} -> {hypothesis.effect}){by}"
    )


def decision_line(decision: Decision) -> str:
    """Id, moment, who decided what, and whether it stands."""
    undone = paint("  undone", "doubt") if decision.undone else ""
    reason = f"  {shown(decision.reason)}" if decision.reason else ""
    return (
        f"{decision.id}  {decision.at}  {shown(decision.by)}: {decision.kind.value} "
        f"{' '.join(decision.subject)}{reason}{undone}"
    )


def field_lines(fields: dict[str, object]) -> Iterable[str]:
    """Names and values in two columns."""
    width = max((len(name) for name in fields), default=0)
    for name, value in fields.items():
        yield f"{name.replace('_', ' '):{width}}  {shown(_value(value))}"


def _value(value: object) -> str:
    """A value of JSON as people write it; a dash where there is none."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {inner}" for name, inner in value.items()) or "-"
    if isinstance(value, list):
        return ", ".join(str(inner) for inner in value) or "-"
    return "-" if value is None else str(value)


def _counted(count: int, noun: str) -> str:
    """A number of things: `1 event`, `2 events`, `3 hypotheses`."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-2]}es" if noun.endswith("sis") else f"{count} {noun}s"
