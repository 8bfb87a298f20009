"""A hypothesis from the question to the undo, through the doors: written, shown in Cypher, not traversed, accepted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.cli import run
from api.http import create_app
from causetrail import Causetrail
from causetrail.corrections import propose
from kg.records import Answer, Hypothesis, Stance, Verdict
from tests.conftest import EXAMPLES

LINKED = (
    "MATCH (c:Event)<-[:WOULD_LINK_CAUSE]-(h:Hypothesis)-[:WOULD_LINK_EFFECT]->(e:Event) "
    "WHERE h.collection = $collection RETURN h.id AS id, c.id AS cause, e.id AS effect"
)
PREMISE = "Because the fuse blew, the pump stopped."
LIKE_DENIAL = "The fuse blew, but this did not cause the pump to stop."
"""Tells the two happenings in other words than the documents that the hypothesis is of."""
BY = {"reason": "seen", "by": "ann"}


@pytest.fixture
def trail(tmp_path: Path) -> Iterator[Causetrail]:
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        trail.ingest_text("The fuse blew because the cable was wet.", "fuse.txt")
        trail.ingest_text("The cellar flooded because the pump stopped.", "cellar.txt")
        yield trail


@pytest.fixture
def proposed(trail: Causetrail, monkeypatch: pytest.MonkeyPatch) -> Hypothesis:
    """That the fuse stopped the pump, as an answer would assume it."""
    fuse = next(one.id for one in trail.events() if "fuse" in one.description)
    pump = next(one.id for one in trail.events() if "pump" in one.description)
    assumed = Hypothesis(
        id=Hypothesis.id_of(fuse, pump, PREMISE),
        collection="main",
        cause=fuse,
        effect=pump,
        premise=PREMISE,
        entailment=0.1,
        plausibility=0.8,
        retrieval=0.5,
        contradiction=0.0,
        score=0.71,
        model="judge",
        created_at=None,
    )
    told = trail.ask("Why did the pump stop?")
    with monkeypatch.context() as patched:
        answer = told.model_copy(update={"premises": (assumed,)})
        patched.setattr(Causetrail, "ask", lambda self, question, strategy, progress: answer)
        (written,) = trail.propose("Why did the pump stop?")
    return written


def test_written_shown_not_traversed_accepted_undone(trail: Causetrail, proposed: Hypothesis) -> None:
    why = "Why did the pump stop?"
    assert proposed.created_at is not None
    assert trail.cypher(LINKED).rows == ((proposed.id, proposed.cause, proposed.effect),)
    before = trail.ask(why, strategy="causal-graph")
    assert before.verdict is not Verdict.SUPPORTED
    exported = list(trail.export())
    decision = trail.accept_hypothesis(proposed.id, **BY)
    after = trail.ask(why, strategy="causal-graph")
    assert after.verdict is Verdict.SUPPORTED
    assert after.text.startswith("The pump stopped because the fuse blew")
    assert after.evidence[0].source == f"accepted-hypotheses/{proposed.id}"
    assert after.evidence[0].quote.startswith("ann accepts as true, on ")
    assert [trail.event(id_).mention_count for id_ in (proposed.cause, proposed.effect)] == [2, 2]
    assert trail.verify().faults == ()
    assert [one.decided for one in trail.hypotheses()] == [decision]
    trail.undo(decision.id)
    assert [line for line in trail.export() if '"record":"decision"' not in line] == exported
    assert trail.ask(why, strategy="causal-graph").verdict is before.verdict
    assert [one.decided for one in trail.hypotheses()] == [None]
    assert trail.verify().faults == ()


def test_the_command_line_lists_decides_and_undoes(
    trail: Causetrail, proposed: Hypothesis, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ["--store", trail.settings.store]
    assert run([*store, "hypotheses", "list"]) == 0
    assert capsys.readouterr().out.startswith(f"{proposed.id}  open  0.71  {proposed.premise}")
    assert run([*store, "--json", "hypotheses", "reject", proposed.id, "--reason", "no", "--by", "bob"]) == 0
    decision = json.loads(capsys.readouterr().out)
    assert (decision["kind"], decision["subject"]) == ("reject_hypothesis", [proposed.id])
    assert run([*store, "hypotheses", "accept", proposed.id]) == 2
    assert "stands" in capsys.readouterr().err
    assert run([*store, "--json", "hypotheses", "list"]) == 0
    assert json.loads(capsys.readouterr().out)["decided"] == decision
    assert run([*store, "decisions", "undo", decision["id"]]) == 0
    assert run([*store, "hypotheses", "accept", proposed.id, "--by", "bob"]) == 0
    assert "accept_hypothesis" in capsys.readouterr().out
    assert run([*store, "hypotheses", "accept", "h" + 24 * "0"]) == 4


def same(one: Answer, other: Answer) -> bool:
    """Whether two answers tell the same, whatever their traces."""
    return one.model_dump(exclude={"usage", "trace"}) == other.model_dump(exclude={"usage", "trace"})


@pytest.mark.parametrize("strategy", ["default", "causal-graph", "abductive"])
def test_it_is_traversed_only_when_asked_and_never_looks_like_a_fact(
    trail: Causetrail, proposed: Hypothesis, strategy: str
) -> None:
    why = "Why did the pump stop?"
    assert proposed.premise not in trail.ask(why, strategy=strategy).text
    assert trail.ask(why, strategy=strategy).chains == ()
    told = trail.ask(why, strategy=strategy, with_hypotheses=True)
    assert told.verdict is Verdict.HYPOTHESISED
    assert told.text == (
        "The documents alone do not answer this. "
        f"Assumed, stated by no document (hypothesis {proposed.id}): Because the fuse blew, the pump stopped. "
        "The fuse blew because the cable was wet."
    )
    assert told.premises == (proposed,)
    assert told.confidence <= proposed.score
    (chain,) = told.chains
    assert chain.assumed == (None, proposed.id)
    assert (chain.edges[1].claims, chain.edges[1].support) == ((), 0)
    # What tells of its ends is context; only the stated link is proved.
    assert [(one.source, one.stance) for one in told.evidence] == [
        ("cellar.txt", Stance.CONTEXT),
        ("fuse.txt", Stance.FOR),
    ]
    step = told.trace[-1]
    assert (step.step, step.detail["followed"]) == ("hypotheses", [proposed.id])
    assert [one["hypothesis"] for one in step.detail["used"]] == [proposed.id]
    assert trail.replay(told).same
    assert trail.replay(Answer.model_validate_json(told.model_dump_json())).same


@pytest.mark.parametrize(
    ("question", "assumed"),
    [
        ("What followed after the fuse blew?", ("h", None)),
        ("How did the wet cable lead to the cellar flooding?", (None, "h", None)),
        ("Did the wet cable cause the cellar to flood?", (None, "h", None)),
    ],
)
def test_a_chain_goes_over_it_whatever_is_asked(
    trail: Causetrail, proposed: Hypothesis, question: str, assumed: tuple[str | None, ...]
) -> None:
    assert trail.ask(question).verdict is Verdict.INSUFFICIENT
    told = trail.ask(question, with_hypotheses=True)
    assert told.verdict is Verdict.HYPOTHESISED
    assert [one and one[0] for one in told.chains[0].assumed] == list(assumed)
    assert f"stated by no document (hypothesis {proposed.id})" in told.text


def test_what_is_stated_comes_first_and_what_if_leaves_hypotheses_out(trail: Causetrail, proposed: Hypothesis) -> None:
    stated = trail.ask("Why did the cellar flood?")
    assert stated.verdict is Verdict.SUPPORTED
    told = trail.ask("Why did the cellar flood?", with_hypotheses=True)
    assert same(told, stated)
    assert told.trace[-1].detail == {"used": [], "action": "what is stated answers it"}
    trail.ingest_text("The pump stopped because a valve jammed.", "valve.txt")
    told = trail.ask("Why did the pump stop?", with_hypotheses=True)
    assert (told.verdict, told.premises) == (Verdict.SUPPORTED, ())
    assert all(one.event.id != proposed.effect for one in trail.what_if(proposed.cause).fallen)
    asked = "What if the fuse had not blown?"
    assert same(trail.ask(asked, with_hypotheses=True), trail.ask(asked))
    asked = "Why did the pump stop?"
    assert same(trail.ask(asked, "text-only", with_hypotheses=True), trail.ask(asked, "text-only"))


def test_one_that_was_decided_or_that_documents_deny_is_not_traversed(trail: Causetrail, proposed: Hypothesis) -> None:
    why = "Why did the pump stop?"
    rejected = trail.reject_hypothesis(proposed.id, **BY)
    assert same(trail.ask(why, with_hypotheses=True), trail.ask(why))
    trail.undo(rejected.id)
    assert trail.ask(why, with_hypotheses=True).premises == (proposed,)
    accepted = trail.accept_hypothesis(proposed.id, **BY)
    told = trail.ask(why, "causal-graph", with_hypotheses=True)
    assert (told.verdict, told.premises) == (Verdict.SUPPORTED, ())
    trail.undo(accepted.id)
    for denial in ("It is not true that the pump stopped because the fuse blew.", LIKE_DENIAL):
        trail.ingest_text(denial, "denial.txt")
        told = trail.ask(why, with_hypotheses=True)
        assert (told.premises, told.chains) == ((), ())
        assert told.trace[-1].detail["stated_or_denied"] == [proposed.id]


def test_the_fewest_assumptions_and_then_the_best_chain_are_told(trail: Causetrail, proposed: Hypothesis) -> None:
    cellar = next(one.id for one in trail.events() if "cellar" in one.description)
    texts = {"The mast fell.": 0.4, "The wind rose.": 0.3}
    for text, score in texts.items():
        trail.ingest_text(f"{text[:-1]} because the ground shook.", f"{text}txt")
        cause = next(one.id for one in trail.events() if one.description == text[:-1])
        premise = f"{text[:-1]} and the pump stopped."
        other = proposed.model_copy(
            update={
                "id": Hypothesis.id_of(cause, proposed.effect, premise),
                "cause": cause,
                "premise": premise,
                "score": score,
            }
        )
        propose(trail._parts.store(), "main", [other])
    told = trail.ask("Why did the pump stop?", "causal-graph", with_hypotheses=True)
    assert told.premises[0] == proposed
    assert told.confidence <= min(one.score for one in told.premises)
    assert all(sum(one is not None for one in chain.assumed) == 1 for chain in told.chains)
    assert cellar not in {one.id for chain in told.chains for one in chain.events}


def test_every_door_asks_for_it(trail: Causetrail, proposed: Hypothesis, capsys: pytest.CaptureFixture[str]) -> None:
    why, flag = "Why did the pump stop?", "--with-hypotheses"
    told = trail.ask(why, with_hypotheses=True)
    store = ["--store", trail.settings.store]
    assert run([*store, "--json", "ask", why, flag]) == 0
    assert same(Answer.model_validate_json(capsys.readouterr().out), told)
    assert run([*store, "ask", why, flag, "--trace"]) == 0
    shown = capsys.readouterr().out
    assert "hypothesised (" in shown
    assert f"assumed, in no document: {proposed.premise}" in shown
    client = TestClient(create_app(trail), base_url="http://127.0.0.1:8017")
    body = client.post("/v1/ask", json={"question": why, "with_hypotheses": True}).json()
    assert body["premises"][0]["id"] == proposed.id
    assert client.post("/v1/ask", json={"question": why}).json()["premises"] == []


def test_the_example_of_the_docs_writes_one_and_answers_with_it(tmp_path: Path) -> None:
    why = "Why will the retention job be changed?"
    page = (EXAMPLES.parent / "docs" / "correcting.md").read_text("utf-8")
    assert f'hypotheses propose "{why}"' in page
    with Causetrail(f"sqlite:///{tmp_path}/outage.db") as trail:
        trail.ingest(EXAMPLES / "outage")
        (written,) = trail.propose(why)
        assert written.premise in " ".join(page.split())
        assert trail.ask(why).verdict is Verdict.INSUFFICIENT
        assert trail.ask(why, with_hypotheses=True).premises == (written,)
