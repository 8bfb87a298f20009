"""Mentions as the coreference head reads them: the words that name the event, and the text around."""

from __future__ import annotations

import re
from typing import Final

from kg.records import Mention
from language.content_words import content_keys, key_of
from language.kinds import kind_of
from language.lemmas import lemma_of
from models.event_coreference import Characters, Telling

_AROUND: Final = 300
"""Characters of text that are read before and behind the sentence: about as much as an encoder's 512 tokens hold."""
_LONGEST_SENTENCE: Final = 600
"""Of a longer one, only what stands so near to the trigger is read."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def telling(text: str, document: str, trigger: Characters, sentence: Characters, lemma: str) -> Telling:
    """A mention with its surroundings.

    Args:
        text: The document's text.
        document: Id or name of the document.
        trigger: The characters of the words that name the event.
        sentence: The characters of the sentence.
        lemma: Of the word that names the event.
    """
    near = max(sentence[0], trigger[0] - _LONGEST_SENTENCE), min(sentence[1], trigger[1] + _LONGEST_SENTENCE)
    start, end = _at_words(text, near[0] - _AROUND, near[1] + _AROUND)
    around = text[start:end]
    inside = near[0] - start, near[1] - start
    return Telling(
        document=document,
        text=around,
        trigger=(trigger[0] - start, trigger[1] - start),
        sentence=inside,
        lemma=lemma,
        kind=kind_of(lemma),
        words=content_keys(around[slice(*inside)]) - {key_of(lemma)},
        around=content_keys(around),
    )


def telling_of(mention: Mention, text: str) -> Telling:
    """A mention of the graph with its surroundings; `text` is its document's."""
    sentence = mention.sentence_start, mention.sentence_end
    return telling(text, mention.document_id, trigger_of(mention), sentence, mention.lemma)


def trigger_of(mention: Mention) -> Characters:
    """The characters of the word that a mention's lemma stands for; all of its words when none can be found."""
    wanted = mention.lemma.split(" ", 1)[0]
    for word in _WORD.finditer(mention.text):
        lower = word.group().lower()
        if wanted in (lower, lemma_of(lower, "VERB"), lemma_of(lower, "NOUN")):
            return mention.start + word.start(), mention.start + word.end()
    return mention.start, mention.end


def _at_words(text: str, start: int, end: int) -> Characters:
    """The span without what it cuts of words at its ends, inside of the text."""
    start, end = max(start, 0), min(end, len(text))
    while 0 < start < end and not text[start - 1].isspace():
        start += 1
    while start < end < len(text) and not text[end].isspace():
        end -= 1
    return start, end
