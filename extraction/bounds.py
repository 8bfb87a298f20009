"""The bounds of an argument set right: whole phrases and whole clauses, with their subject and without layout."""

from __future__ import annotations

from typing import Final

from extraction.antecedents import NoArguments
from language.clause_words import Span
from language.clauses import Clauses
from language.factuality import factuality_lists
from language.framing import frame_of
from language.kinds import is_event_noun
from language.lemmas import is_past_or_participle
from language.time_nouns import time_nouns
from language.word_classes import WordClass

W = WordClass
_GROUP: Final = frozenset({W.AUXILIARY, W.MODAL})
_VERBS: Final = frozenset({W.AUXILIARY, W.MODAL, W.FINITE})
_VERBAL: Final = frozenset({W.AUXILIARY, W.MODAL, W.FINITE, W.GERUND, W.PARTICIPLE, W.INFINITIVE})
_NOMINAL: Final = frozenset({W.NOUN, W.PRONOUN, W.NUMBER, W.GERUND})
_QUOTES: Final = frozenset({"'", "''", '"', "‘", "’", "“", "”", "`", "``"})
_LONGEST_LABEL: Final = 4
_SUBJECT_PRONOUNS: Final = frozenset({"he", "she", "they", "we", "i", "who"})
_OF_A_NOUN: Final = frozenset({"about", "against", "between", "for", "from", "into", "of", "over", "to", "towards"})
"""Prepositions that join a noun to the one before, and no clause to another."""
_LATE: Final = frozenset(
    {"ago", "later", "earlier", "away", "ahead", "together", "apart", "alone", "here", "there", "now", "then", "back"}
    | {"again", "first", "once", "home"}
)
"""Adverbs that belong to the noun phrase or verb before them and not to the verb behind."""


def settled(clauses: Clauses, span: Span, cue: Span) -> Span:
    """The span with the bounds of whole phrases.

    Args:
        clauses: The sentence of the span.
        span: The argument as its construction found it, not empty.
        cue: The words of the cue in the same sentence; an empty span when the argument stands in another one.

    Raises:
        NoArguments: `layout`, `no_subject`, `unfinished` or `time_only`: what is left names no happening as a whole.
    """
    if clauses.skips_text(*span) or _in_capitals(clauses, span):
        raise NoArguments("layout")
    span = _without_frame(clauses, span, cue)
    span = _without_aside(clauses, _without_judgement(clauses, _without_label(clauses, span)), cue)
    span = _complete(clauses, span, cue)
    if not (span[0] < cue[1] and cue[0] < span[1]):
        span = _with_subject(clauses, span, cue)
    if span[0] >= span[1]:
        raise NoArguments("no_content")
    if _hangs(clauses, span) or _opens_inside_subject(clauses, span):
        raise NoArguments("unfinished")
    if _only_a_time(clauses, span):
        raise NoArguments("time_only")
    return span


def _opens_inside_subject(clauses: Clauses, span: Span) -> bool:
    """Whether a clause lacks the head of its subject: "protests against *the closure of the mine ended*"."""
    start, end = span
    cut = start > 1 and clauses.classes[start - 1] is W.PREPOSITION and clauses.words[start - 1] in _OF_A_NOUN
    nominal = cut and clauses.classes[start - 2] is W.NOUN and clauses.classes[start] in (W.DETERMINER, W.NOUN)
    return nominal and W.RELATIVE not in clauses.classes[start:end] and clauses.has_verb(start, end)


def _in_capitals(clauses: Clauses, span: Span) -> bool:
    """Whether three words in capitals open the span: the text of a figure or a heading run into a sentence."""
    texts = [token.text for token in clauses.tokens[span[0] : span[1]] if token.text.isalpha()][:3]
    return len(texts) == 3 and all(len(text) > 2 and text.isupper() for text in texts)


def _without_label(clauses: Clauses, span: Span) -> Span:
    """Without "Safety issue -", "Occurrence 02-106:", "Page 31" or the number of its paragraph at its start."""
    start, end = span
    if clauses.words[start] == "page" and clauses.classes[start + 1 : start + 2] == (W.NUMBER,):
        return clauses.trimmed(start + 2, end)
    opens = start == 0 or clauses.is_hard(start - 1)
    numbered = opens and end - start > 2 and clauses.classes[start] is W.NUMBER
    if numbered and clauses.classes[start + 1] is W.DETERMINER and clauses.tokens[start + 1].text[:1].isupper():
        return clauses.trimmed(start + 1, end)
    for place in range(start + 1, min(start + 1 + _LONGEST_LABEL, end - 1)):
        if clauses.classes[place] in _VERBS:
            break
        label = clauses.words[place] in (":", "-", "–") and clauses.tokens[place + 1].text[:1].isupper()
        if opens and label:
            return clauses.trimmed(place + 1, end)
    return span


def _without_judgement(clauses: Clauses, span: Span) -> Span:
    """Without how sure the text is of it: "*probable that* the wire had broken"."""
    start, end = span
    judged = clauses.words[start] in factuality_lists().modality and clauses.words[start + 1 : start + 2] == ["that"]
    return clauses.trimmed(start + 2, end) if judged and start + 2 < end else span


def _without_frame(clauses: Clauses, span: Span, cue: Span) -> Span:
    """Without what the sentence says of the statement as a whole: "*the claim that* the tank leaked"."""
    frame = frame_of(clauses, cue[0] if cue[0] < cue[1] else span[0])
    start, end = max(span[0], frame.inner[0]), min(span[1], frame.inner[1])
    return span if frame.is_plain or start >= end else clauses.trimmed(start, end)


def _without_aside(clauses: Clauses, span: Span, cue: Span) -> Span:
    """Without the sentence on the other side of a dash: "the valve to open - it did"."""
    for place in range(span[0] + 1, span[1] - 1):
        if clauses.words[place] != "-" or clauses.classes[place + 1] not in (W.PRONOUN, W.CONJUNCTION, W.DETERMINER):
            continue
        if clauses.has_verb(place + 1, span[1]) or clauses.has_verb(span[1], len(clauses.words)):
            return clauses.trimmed(place + 1, span[1]) if cue[0] >= span[1] else clauses.trimmed(span[0], place)
    return span


def _complete(clauses: Clauses, span: Span, cue: Span) -> Span:
    """Cut back to its last whole phrase."""
    start, end = span
    told = clauses.has_verb(start, end)
    cut = True
    while cut and start < end:
        cut = _dangles(clauses, start, end, cue)
        if cut:
            end = clauses.trimmed(start, end - 1)[1]
    if start < end and told and not clauses.has_verb(start, end) and not _names_event(clauses, start, end):
        raise NoArguments("unfinished")
    return start, end


def _dangles(clauses: Clauses, start: int, end: int, cue: Span) -> bool:
    """Whether the last word of a span only opens what is no longer in it."""
    last, word_class = end - 1, clauses.classes[end - 1]
    word, before = clauses.words[last], clauses.words[last - 1] if last > start else ""
    following = clauses.classes[end] if end < len(clauses.classes) else W.PUNCTUATION
    if last == start or (cue[0] <= last < cue[1]):
        return False
    if word_class in _GROUP:
        return "than" not in clauses.words[start:last] and "as" not in clauses.words[start:last]
    if word_class is W.ADVERB:
        at_cue = end == cue[0] or following in (W.FINITE, W.AUXILIARY, W.MODAL, W.GERUND, W.ADVERB)
        bare = not any(each in _VERBAL for each in clauses.classes[start:last])
        prepared = clauses.classes[last - 1] in (W.PREPOSITION, W.DETERMINER, W.CONJUNCTION)
        return word not in _LATE and (
            following is W.NUMBER
            or prepared
            or bare
            or (at_cue and (word == "almost" or word in factuality_lists().modality))
        )
    if word_class is W.NUMBER:
        return end == cue[0] < len(clauses.words) and clauses.tokens[end].lemma in time_nouns()
    if word_class is W.ADJECTIVE and clauses.classes[last - 1] in (W.PREPOSITION, W.DETERMINER):
        behind = clauses.classes[end + 1 : end + 2]
        return following in (W.NOUN, W.GERUND) or (
            end < len(clauses.words) and clauses.words[end] == "," and behind == (W.ADJECTIVE,)
        )
    if word_class is W.PRONOUN:
        return (
            word in _SUBJECT_PRONOUNS
            or (word in ("itself", "themselves") and before in ("in", "by"))
            or (word in ("this", "that", "it") and before in ("as", "that") and clauses.words[last - 2] != "such")
        )
    return False


def _names_event(clauses: Clauses, start: int, end: int) -> bool:
    return any(
        clauses.classes[place] in (W.GERUND, W.INFINITIVE)
        or (clauses.classes[place] is W.NOUN and is_event_noun(clauses.tokens[place].lemma))
        for place in range(start, end)
    )


def _with_subject(clauses: Clauses, span: Span, cue: Span) -> Span:
    """With the subject of the verb it starts with."""
    start, end = span
    first = next((place for place in range(start, end) if clauses.classes[place] is not W.ADVERB), start)
    carrier = _carrier(clauses, start, cue)
    if not _lacks_subject(clauses, span, first, carrier):
        return span
    if start == cue[1] and cue[0] < cue[1]:
        raise NoArguments("no_subject")
    verb = min(carrier, start) if carrier >= 0 else start
    found = _subject(clauses, verb)
    if found[0] >= found[1] or (found[0] < cue[1] and cue[0] < end):
        raise NoArguments("no_subject")
    if not any(clauses.classes[place] in _NOMINAL for place in range(*found)):
        raise NoArguments("no_subject")
    return found[0], end


def _carrier(clauses: Clauses, start: int, cue: Span) -> int:
    """First token of the auxiliaries right before a span, across a cue between them; -1 where there are none."""
    tells = any(clauses.classes[place] in _VERBAL for place in range(*cue))
    place, carrier = (cue[0] if start == cue[1] and not tells else start) - 1, -1
    while place >= 0 and clauses.classes[place] in (W.AUXILIARY, W.MODAL, W.ADVERB):
        if clauses.classes[place] is not W.ADVERB:
            carrier = place
        place -= 1
    return carrier


def _lacks_subject(clauses: Clauses, span: Span, first: int, carrier: int) -> bool:
    word_class = clauses.classes[first]
    if carrier >= 0 and clauses.words[span[0]] in ("not", "n't", "never"):
        return True
    behind = first + 1
    while behind < len(clauses.words) and clauses.words[behind] in _QUOTES:
        behind += 1
    following = clauses.classes[behind] if behind < len(clauses.classes) else W.PUNCTUATION
    if clauses.words[behind : behind + 1] == ["of"]:
        # "spread of rumours": a noun that is spelled like a verb.
        return False
    if word_class in _GROUP:
        # "Had the valve been open" has its subject behind.
        return following not in (W.DETERMINER, W.PRONOUN, W.NOUN)
    if word_class is W.INFINITIVE:
        return carrier >= 0
    if word_class is W.PARTICIPLE:
        return carrier >= 0 or following not in (W.NOUN, W.ADJECTIVE, W.PARTICIPLE, W.CONJUNCTION, W.GERUND)
    if word_class is not W.FINITE:
        return False
    before = clauses.classes[first - 1] if first else W.PUNCTUATION
    modifies = is_past_or_participle(clauses.words[first]) and following in (W.NOUN, W.ADJECTIVE)
    return not (modifies and before not in (W.NOUN, W.PRONOUN, W.ADVERB, W.CONJUNCTION))


def _subject(clauses: Clauses, verb: int) -> Span:
    """The subject of a verb, also of one whose relative pronoun or first coordinate stands before it."""
    while verb > 0 and clauses.classes[verb - 1] is W.ADVERB:
        verb -= 1
    before = clauses.classes[verb - 1] if verb else W.PUNCTUATION
    if before is W.RELATIVE:
        return clauses.noun_phrase_before(verb - 1)
    if before is W.CONJUNCTION:
        return clauses.clause_before(verb - 1)
    found = clauses.subject(verb)
    while found[0] < found[1] and found[0] > 1 and clauses.words[found[0] - 1] == ",":
        if clauses.classes[found[0]] not in (W.GERUND, W.PARTICIPLE):
            break
        found = clauses.noun_phrase_before(found[0] - 1)
    if found[0] < found[1] and clauses.classes[found[0]] is W.PREPOSITION:
        modifier = found[0] - 1
        reduced = modifier > 0 and clauses.classes[modifier] in (W.PARTICIPLE, W.FINITE)
        return clauses.noun_phrase_before(modifier) if reduced else (verb, verb)
    return found


def _hangs(clauses: Clauses, span: Span) -> bool:
    """Whether it only hangs from a noun before it: "*of the Act* allows", "rules on how *to stop a train* led to"."""
    start, end = span
    if clauses.classes[start] is W.TO:
        return start > 0 and clauses.words[start - 1] in ("how", "what", "where", "when")
    counts = clauses.classes[start + 1 : start + 2] == (W.NUMBER,) or clauses.words[start] in ("near", "over", "about")
    return clauses.classes[start] is W.PREPOSITION and not counts and not clauses.has_verb(start, end)


def _only_a_time(clauses: Clauses, span: Span) -> bool:
    nouns = [place for place in range(*span) if clauses.classes[place] is W.NOUN]
    told = any(clauses.classes[place] in _VERBAL for place in range(*span))
    return bool(nouns) and not told and all(clauses.tokens[at].lemma in time_nouns() for at in nouns)
