"""What is checked of any answer at the end, whichever strategy gave it: by rule, each change a step of the trace."""

from __future__ import annotations

from reasoning.another_one import of_the_one_asked
from reasoning.denied_in_part import without_partial_denials
from reasoning.draft import Draft
from reasoning.excluded_cause import without_excluded
from reasoning.material import Material
from reasoning.rival_accounts import beside_rivals
from reasoning.trace import BY_RULE
from reasoning.unsaid import as_far_as_said


def checked(draft: Draft, material: Material, *, tells_text: bool) -> Draft:
    """What stands of a draft when the words of the question are held against what its quotes say.

    Args:
        draft: What would be given.
        material: The question, and what was read for it.
        tells_text: Whether the strategy tells what passages say.
    """
    asked, read, quoter = material.asked, material.read, material.quoter
    draft = _traced("excluded cause", draft, without_excluded(draft, asked, read, quoter), material)
    draft = _traced("partial denial", draft, without_partial_denials(draft, material), material)
    draft = _traced("another one", draft, of_the_one_asked(draft, asked, read, quoter), material)
    with material.recorder.stage("arbitration"):
        beside = beside_rivals(draft, asked, read, material.room, quoter, tells_text=tells_text)
    draft = _traced("accounts", draft, beside, material)
    return _traced("unsaid", draft, as_far_as_said(draft, material), material)


def _traced(step: str, before: Draft, after: Draft, material: Material) -> Draft:
    if after is not before:
        material.recorder.add(step, judge=BY_RULE, **after.traced())
    return after
