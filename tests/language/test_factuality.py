"""Word classes, clause bounds, and the polarity and modality of what a clause tells."""

from __future__ import annotations

import pytest

from language.clauses import Clauses
from language.factuality import of_clause, weaker
from language.sentences import SentenceReader
from language.word_classes import WordClass


def clauses(text: str) -> Clauses:
    (sentence,) = SentenceReader().read(text)
    return Clauses(sentence)


@pytest.mark.parametrize(
    ("text", "polarity", "modality"),
    [
        ("The alarm sounded.", "affirmed", "actual"),
        ("The alarm did not sound.", "negated", "actual"),
        ("The alarm never sounded.", "negated", "actual"),
        ("No alarm sounded.", "negated", "actual"),
        ("The alarm could not be heard.", "negated", "actual"),
        ("The alarm may have sounded.", "affirmed", "possible"),
        ("The alarm might not have sounded.", "negated", "possible"),
        ("The alarm probably sounded.", "affirmed", "possible"),
        ("The alarm will sound.", "affirmed", "planned"),
        ("The alarm would have sounded.", "affirmed", "hypothetical"),
        ("The alarm should sound.", "affirmed", "hypothetical"),
        ("The alarm failed to sound.", "negated", "actual"),
        ("The pump failed.", "affirmed", "actual"),
        ("Not only the alarm sounded.", "affirmed", "actual"),
    ],
)
def test_polarity_and_modality_of_a_clause(text: str, polarity: str, modality: str) -> None:
    sentence = clauses(text)
    told = of_clause(sentence, (0, len(sentence.tokens) - 1))
    assert (told.polarity, told.modality) == (polarity, modality)


def test_the_less_real_modality_wins() -> None:
    assert weaker("actual", "possible") == weaker("possible", "actual") == "possible"
    assert weaker("planned", "hypothetical") == "hypothetical"


@pytest.mark.parametrize(
    ("text", "word", "word_class"),
    [
        ("The fire detected in the hold destroyed the bridge.", "detected", WordClass.PARTICIPLE),
        ("The fire spread to the bridge.", "spread", WordClass.FINITE),
        ("The valve closed by hand was stuck.", "closed", WordClass.PARTICIPLE),
        ("The water rose by four metres.", "rose", WordClass.FINITE),
        ("The rule requires trains to stop.", "trains", WordClass.NOUN),
        ("The rule requires trains to stop.", "stop", WordClass.INFINITIVE),
        ("The ship's engine stopped.", "'s", WordClass.DETERMINER),
        ("The reduced speed was noted.", "reduced", WordClass.ADJECTIVE),
        ("The dam released water.", "dam", WordClass.NOUN),
        ("They want to inspect or repair the track.", "repair", WordClass.INFINITIVE),
    ],
)
def test_word_classes_without_a_tagger(text: str, word: str, word_class: WordClass) -> None:
    sentence = clauses(text)
    assert sentence.classes[sentence.words.index(word)] is word_class


def span_text(sentence: Clauses, span: tuple[int, int]) -> str:
    return " ".join(token.text for token in sentence.tokens[span[0] : span[1]])


def test_clause_before_and_after() -> None:
    sentence = clauses(
        "He said that the pump, which was old, failed when it started because a bearing had seized, and the crew left."
    )
    because = sentence.words.index("because")
    assert span_text(sentence, sentence.clause_before(because)) == "the pump , which was old , failed when it started"
    assert span_text(sentence, sentence.clause_after(because + 1)) == "a bearing had seized"


def test_subject_keeps_its_relative_clause_and_its_list() -> None:
    sentence = clauses("In 2012 the fault that the crew reported caused a fire.")
    assert span_text(sentence, sentence.subject(sentence.words.index("caused"))) == "the fault that the crew reported"
    sentence = clauses("The pump failed and the wind, the tide and the swell caused damage.")
    assert span_text(sentence, sentence.subject(sentence.words.index("caused"))).endswith("the tide and the swell")
