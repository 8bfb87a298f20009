"""The claim reader that the settings name, and its version without loading heads or parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from extraction.causes import ClaimReader, claims_version
from extraction.parser_source import NONE, load_trees, parser_fingerprint
from extraction.strictness import STRICTNESS

if TYPE_CHECKING:
    from extraction.asking import Asking
    from extraction.llm import ModelReader
    from kg.store import Progress
    from models.counted_model import CountedModel
    from models.relation_heads import RelationHeads


class AskedModel(NamedTuple):
    """A language model that reads claims.

    Attributes:
        alone: Whether nothing else finds claims; the learned heads then only judge what it says.
        progress: Called with `windows of a document`, those that are answered and all, by one thread at a time.
    """

    model: CountedModel
    asking: Asking
    alone: bool
    progress: Progress | None = None


def claim_reader(strictness: str, parser: str, asked: AskedModel | None = None) -> ClaimReader:
    """Loads the rules with their parser, and the learned heads, which judge each other.

    Args:
        strictness: `strict`, `precise`, `balanced` or `generous`.
        parser: The setting `parser`.
        asked: The language model that reads too, or alone.

    Raises:
        ModelDamaged, ModelMissing: as `RelationHeads`, `EventPairs`, `FactualityHeads` and `load_trees`.
    """
    from models.event_pairs import EventPairs
    from models.factuality_heads import FactualityHeads
    from models.relation_heads import RelationHeads

    heads, point = RelationHeads(), STRICTNESS[strictness]
    model = _model_reader(asked, heads) if asked is not None else None
    if asked is not None and asked.alone:
        return ClaimReader(model=model, strictness=point, by_rules=False)
    pairs = EventPairs(heads.pairs, heads.fingerprint) if point.events else None
    tellings = FactualityHeads(heads.fingerprint) if point.everywhere else None
    return ClaimReader(heads, pairs, tellings, trees=load_trees(parser), model=model, strictness=point)


def claims_fingerprint(strictness: str, parser: str, asked: AskedModel | None = None) -> str:
    """The version that this reader has; neither heads nor parser are loaded for it.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    from models.event_pairs import events_fingerprint
    from models.factuality_heads import factuality_fingerprint
    from models.relation_heads import heads_fingerprint

    point = STRICTNESS[strictness]
    heads = heads_fingerprint()
    model = [_asking_fingerprint(asked, heads)] if asked is not None else []
    if asked is not None and asked.alone:
        return claims_version(*model, strictness=point, by_rules=False)
    events = [events_fingerprint()] if point.events else []
    tellings = [factuality_fingerprint()] if point.everywhere else []
    named = parser_fingerprint(parser)
    trees = [named] if named != NONE else []
    return claims_version(heads, *events, *tellings, *trees, *model, strictness=point, by_rules=True)


# The modules of language models are imported where one is asked.


def _model_reader(asked: AskedModel, judge: RelationHeads) -> ModelReader:
    from extraction.llm import ModelReader

    return ModelReader(asked.model, judge, asked.asking, asked.progress)


def _asking_fingerprint(asked: AskedModel, judge: str) -> str:
    from extraction.asking import asking_fingerprint

    return asking_fingerprint(asked.model, judge, asked.asking)
