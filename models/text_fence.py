"""Text of documents inside a prompt: between marks that it cannot close, and without the marks of chat templates."""

from __future__ import annotations

import hashlib

FENCE_DIGITS = 12
TEMPLATE_MARKS = (
    # What chat templates put around turns; a tokeniser reads them as such wherever they stand, in a document too.
    "<|",  # ChatML, Qwen, SmolLM, Phi, and Llama 3
    "|>",
    "<\N{FULLWIDTH VERTICAL LINE}",  # DeepSeek
    "\N{FULLWIDTH VERTICAL LINE}>",
    "[INST]",  # Llama 2, Mistral
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "<start_of_turn>",  # Gemma
    "<end_of_turn>",
    "<start_of_image>",
    "<bos>",
    "<eos>",
    "<s>",
    "</s>",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "</tool_response>",
    "[TOOL_CALLS]",
    "[TOOL_RESULTS]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[gMASK]",
    "<sop>",
    "<unk>",
    "<pad>",
)
"""Each is broken by a space behind its first character."""


def fenced(text: str) -> str:
    """The text between two lines that name it as data.

    The lines carry a digest of the text: the same text has the same fence, and no text can hold its own.
    """
    data = without_template_marks(text)
    digest = hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()[:FENCE_DIGITS]
    return f"<<<DATA {digest}\n{data}\nDATA {digest}>>>"


def without_template_marks(text: str) -> str:
    """The text with a space in each mark of a chat template, so that it cannot end its turn and begin another."""
    for mark in TEMPLATE_MARKS:
        text = text.replace(mark, f"{mark[0]} {mark[1:]}")
    return text
