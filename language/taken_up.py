"""What "the collision" takes up where the sentence before tells it with its verb: "two ships collided"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from language.clause_words import VERBAL
from language.clauses import Clauses
from language.content_words import content_keys, key_of, question_words
from language.facts import supposes
from language.factuality import of_clause
from language.kinds import is_event_noun
from language.lemmas import lemma_of
from language.pointed_happenings import count_of_clauses
from language.tokens import Sentence
from language.word_classes import WordClass

_REPORT: Final = re.compile(
    r"(?:.*\b(?:found|concluded|said|says|show(?:ed|s)|revealed|confirmed|established|determined|reported|stated)"
    r"(?: that)? )",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"(?:the|this|that)\s+([^\W\d_]+)(?:\s+(?:was|were|ha[sd]\s+been|happened|occurred|took\s+place))?", re.IGNORECASE
)
_REACH: Final = 3
"""Sentences before, within which that stands which a noun takes up."""
_DEFINITE: Final = frozenset({"the", "this", "that"})
_VERBS: Final = VERBAL | {WordClass.PARTICIPLE}


def taken_up(asked: str, clause: str, sentence: Sentence, around: Sequence[Sentence]) -> Sentence | None:
    """The sentence, up to three before, of which a clause takes up the asked happening by its noun alone.

    Args:
        asked: The happening that is asked about.
        clause: A side of a cue.
        sentence: The sentence with that clause.
        around: The sentences of the passage, this one among them.
    """
    earlier = [one for one in around if one.end <= sentence.start][-_REACH:]
    return next((one for one in reversed(earlier) if takes_up(asked, clause, one, around)), None)


def without_report(clause: str) -> str:
    """A clause without who found or said it: "the board found that *the derailment*"."""
    return _REPORT.sub("", clause.strip(" ,.;"), count=1)


def takes_up(asked: str, clause: str, before: Sentence | None, around: Sequence[Sentence]) -> bool:
    """Whether a clause names the asked happening by its noun alone, and the sentence before tells it as a fact.

    Args:
        asked: The happening that is asked about.
        clause: A side of a cue.
        before: The sentence before; none where the clause opens its text.
        around: The sentences of the passage: where another one tells of such a happening, either may be meant.
    """
    named = _NAMED.fullmatch(without_report(clause))
    if named is None or before is None or not is_event_noun(lemma_of(named[1].lower(), "NOUN")):
        return False
    kind, wanted = key_of(named[1]), frozenset(question_words(asked))
    if kind not in wanted or len(wanted) == 1 or not wanted <= content_keys(before.text):
        return False
    return _tells(before, kind, wanted) and not any(
        _tells_another(one, kind) for one in around if one.start != before.start
    )


def _tells(sentence: Sentence, kind: str, wanted: frozenset[str]) -> bool:
    """Whether a sentence of one clause tells, with the verb of a kind, of what the question names as its subject."""
    if not sentence.prose or sentence.text.rstrip("\"'”’) ").endswith("?") or supposes(sentence.text):
        return False
    clauses = Clauses(sentence)
    told = of_clause(clauses, (0, len(sentence.tokens)))
    verbs = _places(sentence, kind)
    if (told.polarity, told.modality) != ("affirmed", "actual") or len(verbs) != 1 or count_of_clauses(clauses) != 1:
        return False
    if clauses.classes[verbs[0]] not in _VERBS:
        # "Bellworth reported *a loss* of 40 million."
        return clauses.words[verbs[0] - 1] in ("a", "an")
    subject = clauses.subject(clauses.verb_group(verbs[0], frozenset()))
    return not content_keys(" ".join(clauses.words[slice(*subject)])).isdisjoint(wanted - {kind})


def _tells_another(sentence: Sentence, kind: str) -> bool:
    """Whether a sentence names a happening of a kind otherwise than as a known one: "another crash"."""
    return any(place == 0 or sentence.tokens[place - 1].lower not in _DEFINITE for place in _places(sentence, kind))


def _places(sentence: Sentence, kind: str) -> list[int]:
    return [place for place, token in enumerate(sentence.tokens) if key_of(token.text) == kind]
