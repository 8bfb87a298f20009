"""What a judge raises of one judgement that it cannot give; the others go on."""

from __future__ import annotations

from typing import Final

from causetrail.errors import ModelRefused, OutputCut, OutputInvalid, PassageTooLong, PromptTooLong

UNJUDGED: Final = (PassageTooLong, PromptTooLong, OutputInvalid, OutputCut, ModelRefused)
"""Too long for it, refused by it, or answered in a form that it was not asked for."""
