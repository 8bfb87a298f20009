"""Picks the draft that its evidence supports best, and says why."""

from __future__ import annotations

from kg.records import Mode, Stance, Verdict
from reasoning.draft import Draft
from reasoning.evidence import place_of
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence, say


def arbitrate(
    graph: Draft | None, text: Draft | None, missing: Draft, *, graph_asked: bool = True, text_asked: bool = True
) -> tuple[Draft, str]:
    """The draft that is given as the answer, and the reason in a sentence.

    A contradiction is always told, because it takes verified quotes of a denial. A chain stated as fact comes before
    sentences unless they are much more certain; sentences stated as fact come before a chain that is only possible,
    which they then complete.

    Args:
        graph: What the graph tells; none where it tells nothing, or was not asked.
        text: What sentences of the passages tell; likewise.
        missing: What is said where there is neither.
        graph_asked: Whether the strategy asks the graph, for the reason.
        text_asked: Whether it tells sentences, likewise.
    """
    lead = thresholds().arbiter.text_lead
    no_chain = "The graph has no chain for this" if graph_asked else "The strategy asks no graph"
    no_sentence = "no single sentence of the passages does" if text_asked else "the strategy tells no sentences"
    if graph is None and text is None:
        if graph_asked is text_asked:
            return missing, "Neither the graph nor the passages answer the question."
        return missing, f"{no_chain}, and {'no sentence of the passages answers it' if text_asked else no_sentence}."
    if graph is None and text is not None:
        return text, f"{no_chain}; sentences of the passages answer it."
    if graph is not None and text is None:
        return graph, f"The graph answers the question, and {no_sentence}."
    if graph is None or text is None:
        return missing, "There is no draft."
    if graph.verdict is Verdict.CONTRADICTED:
        return graph, "A verified denial stands against the answer."
    if graph.verdict is Verdict.HYPOTHESISED:
        if text.verdict is Verdict.SUPPORTED:
            return _both(text, graph), "The chain is only possible; a sentence states the answer as a fact."
        return graph, "The chain is only possible, and the sentences do not state more."
    told = {(e.document_id, e.start, e.end) for e in graph.evidence}
    if all((e.document_id, e.start, e.end) in told for e in text.evidence):
        return graph, "The chain tells all that the sentences tell."
    if text.confidence > graph.confidence + lead:
        return _both(text, graph), "The sentences answer the question much more certainly than the chain."
    return graph, "Every link of the chain is stated as a fact, and the sentences are not much more certain."


def _both(first: Draft, second: Draft) -> Draft:
    """The first draft with the chains and quotes of the second after it; a sentence that both quote is told once."""
    known = {(e.document_id, e.start, e.end) for e in first.evidence}
    added = tuple(e for e in second.evidence if (e.document_id, e.start, e.end) not in known)
    told = [first.text]
    for evidence in added:
        quote = " ".join(evidence.quote.split())
        against = say("answers", "dissent", place=place_of(evidence), quote=quote)
        telling = against if evidence.stance is Stance.AGAINST else as_sentence(quote)
        if not any(telling in earlier for earlier in told):
            told.append(telling)
    mode = Mode.MIXED if added or second.chains else first.mode
    return Draft(
        mode=mode,
        verdict=first.verdict,
        text=" ".join(told),
        confidence=first.confidence,
        chains=second.chains,
        evidence=(*first.evidence, *added),
        cut_at_hops=first.cut_at_hops or second.cut_at_hops,
        missing=tuple(dict.fromkeys((*first.missing, *second.missing))),
        reasons={"first": first.reasons, "second": second.reasons},
    )
