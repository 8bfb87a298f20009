"""Documents with their events and the causal links between them, of five corpora in one form."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree

from training.ecb_plus import ACTIONS, ECB_PLUS, TEST, members, validated_sentences
from training.relation_sets import Characters, Example, training_set

FILES: Final = {
    "eventstoryline": ("eventstoryline/eventstoryline_v1.5.tar.gz",),
    "ecb": (ECB_PLUS,),
    "cnc": ("causal_news_corpus/train_subtask1.csv", "causal_news_corpus/train_subtask2.csv"),
    "because": ("unicausal/because_train.csv",),
    "meci": ("meci/meci_en_train.jsonl",),
    "timebank": ("timebank/Causal-TimeBank-CAT.zip",),
}

Trigger = tuple[int, Characters]
"""The sentence of an event, and the characters in it that name the event."""
Link = tuple[Trigger, Trigger]
"""Cause and effect."""


class EventDocument(NamedTuple):
    """One document.

    Attributes:
        corpus: A key of `FILES`.
        group: What is never parted by a split: a topic, an article or the document itself.
        sentences: Their texts; tokens are parted by single blanks where the corpus has its own.
        triggers: The annotated events; none of corpora that annotate spans.
        read: Sentences in which every event is annotated.
        links: Causal links between triggers.
        spans: Of corpora that annotate spans: cause and effect by their sentence and characters.
        unlinked: Pairs that the annotators looked at and did not link; none where they looked at all of them.
    """

    corpus: str
    group: str
    sentences: tuple[str, ...]
    triggers: tuple[Trigger, ...]
    read: frozenset[int]
    links: frozenset[Link]
    spans: tuple[Link, ...] = ()
    unlinked: frozenset[Link] = frozenset()


def read_corpus(data: Path, corpus: str) -> list[EventDocument]:
    """The documents of a corpus that may be trained on.

    Args:
        data: Folder of the labelled sets.
        corpus: A key of `FILES`.
    """
    return list(_READERS[corpus](data))


def _eventstoryline(data: Path) -> Iterator[EventDocument]:
    for path, content in members(data / FILES["eventstoryline"][0]):
        if path.suffix == ".xml" and path.parent.name not in TEST:
            yield _annotated(ElementTree.fromstring(content), path.parent.name, _plot_links)


def _plot_links(root: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """Cause and effect of each plot link by the ids of their events.

    Where the annotators did not say which of the two causes the other, a precondition comes before what it makes
    possible, and a falling action after what it follows from (Caselli and Vossen 2017, W17-2711, section 3).
    """
    for link in root.iter("PLOT_LINK"):
        first, second = _ends(link, "m_id")
        if link.get("CAUSES") == "TRUE":
            yield first, second
        elif link.get("CAUSED_BY") == "TRUE" or link.get("relType") == "FALLING_ACTION":
            yield second, first
        elif link.get("relType") == "PRECONDITION":
            yield first, second


def _ecb(data: Path) -> Iterator[EventDocument]:
    files = dict(members(data / ECB_PLUS))
    validated = validated_sentences(files)
    for path, content in sorted(files.items()):
        if path.suffix == ".xml" and path.stem in validated and path.parent.name not in TEST:
            document = _annotated(ElementTree.fromstring(content), path.parent.name, lambda _: ())
            yield document._replace(corpus="ecb", read=frozenset(validated[path.stem]))


def _annotated(
    root: ElementTree.Element, group: str, links: Callable[[ElementTree.Element], Iterable[tuple[str, str]]]
) -> EventDocument:
    """A document in the format of the CAT tool, with the ids of EventStoryLine and ECB+."""
    texts, places = _tokens(root, "t_id")
    triggers: dict[str, Trigger] = {}
    for markable in root.find("Markables") or ():
        anchors = [places[anchor.attrib["t_id"]] for anchor in markable.findall("token_anchor")]
        if anchors and markable.tag.startswith(ACTIONS):
            triggers[markable.attrib["m_id"]] = _joined(anchors)
    found = {(triggers[one], triggers[other]) for one, other in links(root) if one in triggers and other in triggers}
    return EventDocument(
        "eventstoryline",
        group,
        texts,
        tuple(sorted(set(triggers.values()))),
        frozenset(sentence for sentence, _ in triggers.values()),
        frozenset(link for link in found if link[0] != link[1]),
    )


def _timebank(data: Path) -> Iterator[EventDocument]:
    with zipfile.ZipFile(data / FILES["timebank"][0]) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith(".xml"):
                continue
            root = ElementTree.fromstring(archive.read(name))
            texts, places = _tokens(root, "id")
            triggers = {
                event.attrib["id"]: _joined([places[anchor.attrib["id"]] for anchor in event.findall("token_anchor")])
                for event in root.iter("EVENT")
            }
            links = [_ends(link, "id") for link in root.iter("CLINK")]
            yield EventDocument(
                "timebank",
                name,
                texts,
                tuple(sorted(set(triggers.values()))),
                frozenset(range(len(texts))),
                frozenset((triggers[one], triggers[other]) for one, other in links),
            )


def _tokens(root: ElementTree.Element, key: str) -> tuple[tuple[str, ...], dict[str, Trigger]]:
    """The sentences, and where each token stands, by its id."""
    sentences: dict[int, str] = {}
    places: dict[str, Trigger] = {}
    numbers = {int(token.attrib["sentence"]) for token in root.iter("token")}
    sentences = dict.fromkeys(range(max(numbers) + 1), "")
    for token in root.iter("token"):
        number, text = int(token.attrib["sentence"]), token.text or ""
        before = sentences[number] + (" " if sentences[number] else "")
        sentences[number] = before + text
        places[token.attrib[key]] = number, (len(before), len(before) + len(text))
    return tuple(sentences.values()), places


def _joined(anchors: Sequence[Trigger]) -> Trigger:
    """The first token of an event and those that follow it directly: "broke out", but "broke" of "broke it out"."""
    sentence, (start, end) = anchors[0]
    for number, (first, last) in anchors[1:]:
        if number == sentence and first == end + 1:
            end = last
    return sentence, (start, end)


def _ends(link: ElementTree.Element, key: str) -> tuple[str, str]:
    source, target = link.find("source"), link.find("target")
    if source is None or target is None:
        raise ValueError(f"a {link.tag} without its ends")
    return source.attrib[key], target.attrib[key]


def _meci(data: Path) -> Iterator[EventDocument]:
    for line in (data / FILES["meci"][0]).read_text(encoding="utf-8").splitlines():
        yield of_passage(json.loads(line))


def of_passage(passage: Mapping[str, Any]) -> EventDocument:
    """A passage of MECI: its sentences are parted by tabs."""
    triggers = triggers_of(passage)
    pairs = {
        name: frozenset((triggers[one], triggers[other]) for one, other in passage[name] if one != other)
        for name in ("causes", "norel")
    }
    texts = tuple(passage["text"].split("\t"))
    return EventDocument(
        "meci",
        str(passage["id"]).rsplit("_chunk_", maxsplit=1)[0],
        texts,
        tuple(sorted(set(triggers.values()))),
        frozenset(range(len(texts))),
        frozenset((one, other) for one, other in pairs["causes"] if one != other),
        unlinked=pairs["norel"],
    )


def triggers_of(passage: Mapping[str, Any]) -> dict[str, Trigger]:
    """The events of a passage of MECI by their names; its offsets count from the start of the passage."""
    texts = passage["text"].split("\t")
    starts = [sum(len(one) + 1 for one in texts[:place]) for place in range(len(texts))]
    triggers: dict[str, Trigger] = {}
    for name, event in passage["events"].items():
        sentence = max(place for place, start in enumerate(starts) if start <= event["start"])
        first = event["start"] - starts[sentence]
        triggers[name] = sentence, (first, min(event["end"] - starts[sentence], len(texts[sentence])))
    return triggers


def _of_spans(corpus: str) -> Callable[[Path], Iterator[EventDocument]]:
    def read(data: Path) -> Iterator[EventDocument]:
        for example in training_set(data, [corpus]):
            # Of causal sentences without annotated spans it is not known which events are linked.
            if example.relations or not example.causal:
                yield of_example(example)

    return read


def of_example(example: Example) -> EventDocument:
    """A sentence whose causes and effects are annotated as spans; its events are not."""
    links = tuple(((0, relation.cause), (0, relation.effect)) for relation in example.relations)
    return EventDocument(example.corpus, example.text, (example.text,), (), frozenset(), frozenset(), links)


_READERS: Final[Mapping[str, Callable[[Path], Iterable[EventDocument]]]] = {
    "eventstoryline": _eventstoryline,
    "ecb": _ecb,
    "cnc": _of_spans("cnc"),
    "because": _of_spans("because"),
    "meci": _meci,
    "timebank": _timebank,
}
