"""A hypothesis from the question to the undo, through the doors: written, shown in Cypher, not traversed, accepted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.cli import run
from causetrail import Causetrail
from kg.records import Hypothesis, Verdict

LINKED = (
    "MATCH (c:Event)<-[:WOULD_LINK_CAUSE]-(h:Hypothesis)-[:WOULD_LINK_EFFECT]->(e:Event) "
    "WHERE h.collection = $collection RETURN h.id AS id, c.id AS cause, e.id AS effect"
)
PREMISE = "Because the fuse blew, the pump stopped."
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
