"""Mentions of events with what they refer to, across documents: ECB+, and inside documents: GUM."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree

import conllu
from conllu.models import TokenList

from extraction.tellings import telling
from language.sentences import SentenceReader
from language.tokens import Sentence
from models.event_coreference import Telling
from training.ecb_plus import ACTIONS, NEGATED, members, validated_sentences

GUM: Final = "gum/gum_train.conllu"
DEVELOPMENT: Final = frozenset({"2", "5", "12", "18", "21", "34", "35"})
"""Topics of ECB+ that thresholds are chosen on; the usual ones (Cybulska and Vossen 2015, W15-0801)."""
_ATTACHED: Final = re.compile(r"^(?:[.,;:!?%)\]}]|''|'(?:s|re|ve|ll|d|m|t)?|n't)$", re.IGNORECASE)
"""Tokens that stand right behind the word before."""
_OPENING: Final = frozenset({"(", "[", "{", "$", "``", "`"})
_MARK: Final = re.compile(
    r"\((?P<opened>\d+)-(?P<kind>[a-z]+)-[^-()]*-[^-()]*-[^-()]*-(?P<heads>[\d,]+)[^()]*(?P<single>\))?|(?P<closed>\d+)\)"
)
"""One bracket of GUM's entities; `heads` are the numbers of the words that name it, counted inside its span."""

Characters = tuple[int, int]
"""First character of a span and one past its last."""


class GoldMention(NamedTuple):
    """One mention of an event.

    Attributes:
        document: Name of its document.
        topic: What the document is about; mentions of different topics refer to different events.
        trigger: The characters of the words that name the event, in the document's text.
        sentence: The characters of its sentence.
        chain: What it refers to; mentions of one chain tell of the same event.
        negated: Whether the text says that it did not happen; told by ECB+ alone.
    """

    document: str
    topic: str
    trigger: Characters
    sentence: Characters
    chain: str
    negated: bool = False


class GoldDocuments(NamedTuple):
    """Documents and the mentions in them.

    Attributes:
        texts: Text by name of the document.
        sentences: The characters of the sentences whose mentions are all annotated, by name of the document.
        mentions: By document and place in the text.
    """

    texts: Mapping[str, str]
    sentences: Mapping[str, Sequence[Characters]]
    mentions: Sequence[GoldMention]

    def of_topics(self, topics: frozenset[str]) -> GoldDocuments:
        """The documents of these topics alone."""
        mentions = [mention for mention in self.mentions if mention.topic in topics]
        kept = {name for name in self.texts if topic_of(name) in topics}
        return GoldDocuments(
            {name: self.texts[name] for name in sorted(kept)},
            {name: spans for name, spans in self.sentences.items() if name in kept},
            mentions,
        )


def topic_of(document: str) -> str:
    """The topic of a document of ECB+: `36` of `36_1ecb`."""
    return document.split("_", 1)[0]


def read_ecb_plus(archive: Path) -> GoldDocuments:
    """All of ECB+ in the sentences that were validated; mentions elsewhere were not annotated throughout.

    A mention without a relation of coreference refers to an event of its own.
    """
    texts: dict[str, str] = {}
    sentences: dict[str, Sequence[Characters]] = {}
    mentions: list[GoldMention] = []
    files = dict(members(archive))
    validated = validated_sentences(files)
    for path in sorted((path for path in files if path.suffix == ".xml"), key=lambda path: path.stem):
        name = path.stem
        text, spans, found = _read_document(name, files[path], validated.get(name, set()))
        texts[name], sentences[name] = text, spans
        mentions.extend(found)
    return GoldDocuments(texts, sentences, mentions)


def _read_document(name: str, xml: bytes, validated: set[int]) -> tuple[str, list[Characters], list[GoldMention]]:
    root = ElementTree.fromstring(xml)
    text, places, sentences = _joined(
        [(token.attrib["t_id"], int(token.attrib["sentence"]), token.text or "") for token in root.iter("token")]
    )
    chain_of: dict[str, str] = {}
    for relation in root.iter():
        if relation.tag in ("CROSS_DOC_COREF", "INTRA_DOC_COREF"):
            crossing = relation.tag == "CROSS_DOC_COREF"
            chain = relation.attrib["note"] if crossing else f"{name}/{relation.attrib['r_id']}"
            chain_of.update((source.attrib["m_id"], chain) for source in relation.iter("source"))
    mentions = []
    for markable in root.iter():
        anchors = [anchor.attrib["t_id"] for anchor in markable.findall("token_anchor")]
        if not markable.tag.startswith(ACTIONS) or not anchors:
            continue
        sentence = places[anchors[0]][1]
        if sentence not in validated:
            continue
        trigger = min(places[t][0][0] for t in anchors), max(places[t][0][1] for t in anchors)
        number = markable.attrib["m_id"]
        chain = chain_of.get(number, f"{name}/alone{number}")
        negated = markable.tag.startswith(NEGATED)
        mentions.append(GoldMention(name, topic_of(name), trigger, sentences[sentence], chain, negated))
    spans = [span for number, span in sorted(sentences.items()) if number in validated]
    return text, spans, sorted(mentions, key=lambda mention: mention.trigger)


def _joined(
    tokens: Sequence[tuple[str, int, str]],
) -> tuple[str, dict[str, tuple[Characters, int]], dict[int, Characters]]:
    """The text of tokens as it may have been written, and the characters of each token and of each sentence."""
    text, before, opened = "", -1, False
    places: dict[str, tuple[Characters, int]] = {}
    sentences: dict[int, Characters] = {}
    for number, sentence, word in tokens:
        if sentence != before:
            text += "\n" if text else ""
        elif not opened and not _ATTACHED.match(word):
            text += " "
        start = len(text)
        text += word
        places[number] = (start, len(text)), sentence
        first = sentences[sentence][0] if sentence in sentences else start
        sentences[sentence] = first, len(text)
        before, opened = sentence, word in _OPENING
    return text, places, sentences


def read_gum(path: Path) -> GoldDocuments:
    """The happenings among the entities of GUM; each document is a topic of its own."""
    texts: dict[str, str] = {}
    mentions: list[GoldMention] = []
    sentences: dict[str, list[Characters]] = {}
    name = ""
    with path.open(encoding="utf-8") as lines:
        for sentence in conllu.parse_incr(lines):
            name = sentence.metadata.get("newdoc id", name)
            start = len(texts.get(name, "")) + (1 if name in texts else 0)
            text, places = _spaced(sentence, start)
            texts[name] = f"{texts[name]}\n{text}" if name in texts else text
            span = start, start + len(text)
            sentences.setdefault(name, []).append(span)
            for entity, trigger in _happenings(sentence, places):
                mentions.append(GoldMention(name, name, trigger, span, f"{name}/{entity}"))
    return GoldDocuments(texts, sentences, mentions)


def _spaced(sentence: TokenList, start: int) -> tuple[str, dict[int, Characters]]:
    text = ""
    places: dict[int, Characters] = {}
    for row in sentence:
        if isinstance(row["id"], int):
            places[row["id"]] = start + len(text), start + len(text) + len(row["form"])
            text += row["form"] + ("" if (row["misc"] or {}).get("SpaceAfter") == "No" else " ")
    return text.rstrip(), places


def _happenings(sentence: TokenList, places: Mapping[int, Characters]) -> Iterator[tuple[str, Characters]]:
    """Each mention of a happening that ends in this sentence: its number in the document, and its first head word."""
    opened: dict[str, list[int]] = {}
    for row in sentence:
        if not isinstance(row["id"], int):
            continue
        for mark in _MARK.finditer((row["misc"] or {}).get("Entity", "")):
            number = mark["opened"] or mark["closed"]
            if mark["opened"] and mark["kind"] == "event":
                head = row["id"] + int(mark["heads"].split(",")[0]) - 1
                opened.setdefault(number, []).append(head)
            if (mark["single"] or mark["closed"]) and opened.get(number):
                head = opened[number].pop()
                if head in places:
                    yield number, places[head]


class HeadWord(NamedTuple):
    """The word of a trigger that names the event.

    Attributes:
        place: Its characters in the document's text.
        lemma: In lower case, as the sentence reader gives it.
    """

    place: Characters
    lemma: str


def head_words(gold: GoldDocuments, reader: SentenceReader) -> list[HeadWord]:
    """The head word of each mention, in their order: the first of its trigger that no other word of it governs."""
    read: dict[tuple[str, Characters], Sequence[Sentence]] = {}
    heads = []
    for mention in gold.mentions:
        text = gold.texts[mention.document]
        place = mention.document, mention.sentence
        if place not in read:
            read[place] = reader.read(text[slice(*mention.sentence)])
        start, end = mention.trigger
        whole = HeadWord(mention.trigger, text[start:end].lower())
        heads.append(_head_of(read[place], mention.sentence[0], mention.trigger) or whole)
    return heads


def tellings_of(gold: GoldDocuments, heads: Sequence[HeadWord]) -> list[Telling]:
    """The mentions as the coreference head reads them, in their order."""
    return [
        telling(gold.texts[mention.document], mention.document, word.place, mention.sentence, word.lemma)
        for mention, word in zip(gold.mentions, heads, strict=True)
    ]


def _head_of(sentences: Sequence[Sentence], offset: int, trigger: Characters) -> HeadWord | None:
    """The head of a trigger in sentences whose text begins at `offset`; none when they have no word there."""
    for sentence in sentences:
        tokens = sentence.tokens
        inside = [
            at
            for at, token in enumerate(tokens)
            if token.start + offset < trigger[1] and trigger[0] < token.end + offset
        ]
        for at in inside:
            if tokens[at].head == at or tokens[at].head not in inside:
                return HeadWord((tokens[at].start + offset, tokens[at].end + offset), tokens[at].lemma)
    return None
