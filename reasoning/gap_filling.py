"""A draft whose gaps are searched for once more: the second half of the framework that `gaps` names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from causetrail.errors import DeadlinePassed, PassageTooLong
from kg.records import Chain, Evidence, Mode, Stance, Verdict
from reasoning.draft import Draft
from reasoning.evidence import span_of
from reasoning.fact_draft import asks_for_fact
from reasoning.gap_reasoners import Reasoned, gap_reasoner
from reasoning.gaps import Gap
from reasoning.knowledge import KnowledgeBase, knowledge_of, search_bases, without_repeats
from reasoning.links import Link, late_of, strength_of, verdict_of
from reasoning.material import Material
from reasoning.passages import ChosenPassages
from reasoning.quotable import word_cover
from reasoning.same_happening import tells_of_same
from reasoning.sentence_draft import draft_of_sentences
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence, late_told, say, steps_told


@dataclass(frozen=True, slots=True)
class GapStages:
    """Which stages run; all of them but in an ablation.

    Attributes:
        reasoning: Gaps are looked for; without them the question itself is the query of the second search.
        search: There is a second search.
        knowledge: The mode whose second search this is; that of the settings, whose first search it was, where none is
            given.
    """

    reasoning: bool = True
    search: bool = True
    knowledge: KnowledgeBase | None = None


ALL_STAGES: Final = GapStages()


def fill_gaps(draft: Draft, material: Material, stages: GapStages = ALL_STAGES, known: Sequence[Gap] = ()) -> Draft:
    """The draft, with what a second search found of its gaps.

    What is found is told as sentences of the documents, behind the chain or between two chains, so an answer from the
    graph becomes a mixed one. What is not found stays missing; so does a gap whose query is longer than the encoder
    reads, and the trace says so.

    Args:
        draft: The first answer: Y1.
        material: The question, what was found and read.
        stages: Which stages run.
        known: What is known to be missing; it is searched for before what is found to be.

    Raises:
        ModelError: a judge cannot judge at all.
    """
    whole = Reasoned("", [Gap("question", "", material.asked.text, material.asked)], "no reasoning")
    reasoned = gap_reasoner(material).reason(draft, material) if stages.reasoning else whole
    gaps = [*known, *reasoned.gaps][: thresholds().gaps.queries]
    knowledge = stages.knowledge or knowledge_of(material.room)
    final, steps = draft, []
    for gap in gaps if stages.search else ():
        if material.deadline.passed():
            # What was found until then stands, and the trace says what was not looked for.
            material.recorder.add("warning", of="gaps", code=DeadlinePassed.code, action="the search ends")
            break
        try:
            found = _searched(gap, material, knowledge)
        except PassageTooLong as error:
            material.recorder.add("warning", of="gaps", code=error.code, action="a query is left out", query=gap.query)
            continue
        filled = _read(gap, found, material)
        told = None if filled is None else _filled(final, gap, filled, material)
        steps.append(
            {
                "kind": gap.kind,
                "missing": gap.missing,
                "query": gap.query,
                "found": [hit.id for hit in found.hits],
                "read_by": _reads(gap, material),
                "filled": filled.text if filled is not None and told is not None else "",
                "quotes": [span_of(one) for one in filled.evidence] if filled is not None and told is not None else [],
            }
        )
        final = told or final
    material.recorder.add(
        "gaps",
        first=draft.text,
        rationale=[span_of(one) for one in draft.evidence],
        thought=" ".join(
            [*(gap.missing for gap in known), *([reasoned.thought] if reasoned.gaps or not known else [])]
        ),
        reasoned_by=reasoned.origin,
        judge=bool(gaps),
        knowledge=knowledge.value,
        gaps=steps,
        answer=final.text,
    )
    return final


def _searched(gap: Gap, material: Material, knowledge: KnowledgeBase) -> ChosenPassages:
    """The best passages for the query of a gap, those in front that were not read."""
    room, known = material.room, material.read.passages
    most = thresholds().gaps.passages
    new = search_bases(room, gap.query, most, knowledge.later, material.quoter, known)
    passages = room.store.passages(room.collection, [hit.id for hit in new])
    read = {hit.id: passages[hit.id] for hit in new if hit.id in passages}
    both = [*material.read.hits, *(hit for hit in new if hit.id in read)]
    kept = {hit.id for hit in without_repeats(both, {**known, **read}, material.quoter)}
    return ChosenPassages([hit for hit in new if hit.id in kept], read, None)


def _read(gap: Gap, found: ChosenPassages, material: Material) -> Draft | None:
    """What the found passages, and those that were read before, say of the gap as a fact."""
    both = ChosenPassages(
        [*found.hits, *material.read.hits],
        {**material.read.passages, **found.passages},
        material.read.judged,
        material.read.bridges,
    )
    told = draft_of_sentences(gap.asked, both, material.room, material.quoter)
    return told if told is not None and told.verdict is Verdict.SUPPORTED else None


def _reads(gap: Gap, material: Material) -> dict[str, str]:
    """What judges whether a sentence fills a gap, with its version."""
    if not asks_for_fact(gap.asked):
        return {"rule": "a cue of the sentence states it as a fact"}
    judges = material.bench.judges
    return {"relevance": judges.relevance.fingerprint, "sufficiency": judges.sufficiency.fingerprint}


def _filled(draft: Draft, gap: Gap, filled: Draft, material: Material) -> Draft | None:
    """The draft with what fills its gap; none where that is known already."""
    known = {(e.document_id, e.start, e.end) for e in draft.evidence if e.stance is not Stance.CONTEXT}
    new = [e for e in filled.evidence if (e.document_id, e.start, e.end) not in known]
    if not new:
        return None
    if gap.kind == "bridge":
        return _bridged(gap, filled, material)
    if draft.verdict is Verdict.INSUFFICIENT:
        return filled
    told = _telling(gap, draft)
    if told is not None and not all(tells_of_same(gap.asked.focus, told, one, material.quoter) for one in new):
        return None
    telling = " ".join(" ".join(one.quote.split()) for one in new)
    return replace(
        draft,
        mode=draft.mode if draft.mode is Mode.TEXT else Mode.MIXED,
        text=f"{draft.text} {say('answers', 'behind', telling=telling)}",
        confidence=round(draft.confidence * filled.confidence, 6),
        evidence=(*draft.evidence, *new),
        missing=tuple(one for one in draft.missing if one != gap.missing),
    )


def _telling(gap: Gap, draft: Draft) -> Evidence | None:
    """The quote that tells most of what a gap is about; none where the draft has no quote."""
    quotes = [one for one in draft.evidence if one.stance is Stance.FOR]
    return max(quotes, key=lambda one: word_cover(gap.asked.focus, one.quote, frozenset()), default=None)


def _bridged(gap: Gap, filled: Draft, material: Material) -> Draft:
    """The chain before the bridge, the sentence that is the bridge, and the chain behind it."""
    before, after = _told(gap.before, material), _told(gap.after, material)
    links = [*before, *after]
    quotes = [
        [material.quoter.claim(link.best.claim, Stance.FOR) for link in part if link.best is not None]
        for part in (before, after)
    ]
    texts = [as_sentence(steps_told(before))] if before else []
    texts += [filled.text]
    texts += [as_sentence(steps_told(after))] if after else []
    late = list(dict.fromkeys(late_told(one) for one in late_of(links)))
    return Draft(
        mode=Mode.MIXED,
        verdict=verdict_of(links) if links else filled.verdict,
        text=" ".join((*texts, *late)),
        confidence=round(filled.confidence * strength_of(links), 6),
        chains=tuple(chain for chain in (gap.before, gap.after) if chain is not None),
        evidence=(*quotes[0], *filled.evidence, *quotes[1]),
        missing=tuple(late),
        reasons={"bridge": filled.reasons},
    )


def _told(chain: Chain | None, material: Material) -> Sequence[Link]:
    return () if chain is None else material.reader.chain(chain)
