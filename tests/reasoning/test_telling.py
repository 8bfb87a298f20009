"""How answers are told: denials beside what they deny, sentences that are whole, nothing twice, bounds admitted."""

from kg.records import Evidence, Modality, Mode, Stance, Verdict
from reasoning.answer import answer
from reasoning.arbiter import arbitrate
from reasoning.draft import Draft


def quotes(found, stance=Stance.FOR):
    return [evidence.quote for evidence in found.evidence if evidence.stance is stance]


def test_a_denial_of_a_cause_that_no_similarity_ties_is_not_overlooked(shelf, text, told, says, monkeypatch):
    heater, fire = told("a faulty heater", "heater"), told("The museum fire", "fire")
    room = shelf.room(
        text("one.md", "The museum fire was caused by a faulty heater.", (says(heater, fire),)),
        text("two.md", "On 12 March a faulty heater did not cause the museum fire.",
             (says(told("a faulty heater", "heater", "2024-03-12"), told("the museum fire", "fire", "2024-03-12"),
                   denied=True),)),
    )  # fmt: skip
    fires = {id_ for id_ in room.store.event_ids("main") if room.store.event("main", id_).kind == "fire"}
    similar = room.store.similar_events
    monkeypatch.setattr(
        room.store, "similar_events", lambda collection, id_: similar(collection, id_) if id_ in fires else []
    )
    found = answer("What caused the museum fire?", room)
    assert found.verdict is Verdict.CONTRADICTED
    assert quotes(found) == ["The museum fire was caused by a faulty heater."]
    assert quotes(found, Stance.AGAINST) == ["On 12 March a faulty heater did not cause the museum fire."]
    assert found.text.count("did not cause the museum fire") == 1
    assert "ruled out" not in found.text


def test_words_that_do_not_fit_are_told_by_their_sentence(shelf, text, told, says):
    snow, roof = told("Heavy snow", "snow"), told("the roof of the arena to collapse", "collapse")
    room = shelf.room(text("a.md", "Heavy snow caused the roof of the arena to collapse.", (says(snow, roof),)))
    for question in ("Why did the roof of the arena collapse?", "What followed from the heavy snow?"):
        assert answer(question, room).text == "Heavy snow caused the roof of the arena to collapse."


def test_what_opens_a_quotation_is_told_in_small_letters_but_for_a_name(shelf, text, told, says):
    words = "The note says: “The logs were lost because “Arlen shut down”."
    room = shelf.room(text("a.md", words, (says(told("Arlen shut down", "shut"), told("The logs were lost", "lost")),)))
    followed = answer("What followed after Arlen shut down?", room)
    assert followed.text == "Arlen shut down; as a result, the logs were lost."
    assert "because Arlen" in answer("Why were the logs lost?", room).text


def test_an_answer_says_that_the_graph_is_not_finished(shelf, text, told, says):
    leak, blast = told("A gas leak", "leak"), told("the explosion", "explosion")
    gas = text("gas.md", "A gas leak caused the explosion.", (says(leak, blast),))
    late = text("late.md", "The pump was off, and so the mill stopped.",
                (says(told("The pump was off", "off"), told("the mill stopped", "stopped")),))  # fmt: skip
    room = shelf.room(gas)
    assert not any("not all documents" in line.lower() for line in answer("Why did the mill stop?", room).missing)
    room.store.commit_document(shelf._bundle(late))
    for question in ("Why did the mill stop?", "Why did the explosion happen?"):
        assert any("not all documents" in line.lower() for line in answer(question, room).missing), question
    finished = answer("Why did the mill stop?", shelf.room())
    assert not any("not all documents" in line.lower() for line in finished.missing)


def test_a_hub_says_that_it_was_cut(shelf, text, told, says):
    blast = told("the explosion", "explosion")
    many = [
        text(f"{n}.md", f"Leak number {n} caused the explosion.", (says(told(f"Leak number {n}", "Leak"), blast),))
        for n in range(30)
    ]
    found = answer("What caused the explosion?", shelf.room(*many))
    assert found.verdict is Verdict.SUPPORTED
    assert any("fan out" in line for line in found.missing)


def test_a_sentence_that_two_drafts_quote_is_told_once():
    def quote(words, stance=Stance.FOR):
        return Evidence(document_id="d1", source="a.md", start=0, end=len(words), quote=words, page=None, line=1,
                        claim_id=None, stance=stance)  # fmt: skip

    fact, more = "The seal cracked because of frost.", "The pump may have failed because the seal cracked."
    text = Draft(mode=Mode.TEXT, verdict=Verdict.SUPPORTED, text=fact, confidence=0.9, evidence=(quote(fact),))
    graph = Draft(mode=Mode.GRAPH, verdict=Verdict.HYPOTHESISED, text=f"{fact} {more}", confidence=0.4,
                  evidence=(quote(fact), quote(more), quote("It did not.", Stance.AGAINST)))  # fmt: skip
    chosen, _ = arbitrate(graph, text, text)
    assert chosen.mode is Mode.MIXED
    assert chosen.text == f"{fact} {more} One account disagrees (a.md:1): “It did not.”"
    assert [evidence.quote for evidence in chosen.evidence] == [fact, more, "It did not."]


def test_a_question_in_a_document_is_no_answer(shelf, text):
    room = shelf.room(text("a.md", "Why did the council close the footbridge?"))
    for question in ("Council footbridge close", "Why did the council close the footbridge?"):
        found = answer(question, room)
        assert found.verdict is Verdict.INSUFFICIENT
        assert found.evidence == ()


def test_what_would_have_happened_is_not_told_from_what_happened(shelf, text, told, says):
    opened, flooded = told("gate 2 had opened", "opened"), told("The town flooded", "flooded")
    room = shelf.room(text("a.md", "The town flooded because gate 2 had opened.", (says(opened, flooded),)))
    found = answer("What if gate 2 had stayed closed?", room)
    assert (found.verdict, found.chains, found.evidence) == (Verdict.INSUFFICIENT, (), ())
    assert "otherwise" in found.text


def test_what_happened_is_not_told_as_what_did_not(shelf, text, told, says):
    rain, flooded = told("it rained", "rained"), told("The town flooded", "flooded")
    found = answer("Why did the town not flood?", shelf.room(text("a.md", "The town flooded because it rained.",
                   (says(rain, flooded),))))  # fmt: skip
    assert found.verdict is Verdict.CONTRADICTED
    assert found.text == "The documents say otherwise (a.md:1): “The town flooded because it rained.”"


def test_a_mere_denial_is_not_told_as_ruling_out(shelf, text, told, says):
    spill, deaths = told("the spill", "spill"), told("the fish deaths", "deaths")
    room = shelf.room(text("a.md", "The company denied that the spill caused the fish deaths.",
                           (says(spill, deaths, denied=True),)))  # fmt: skip
    found = answer("What caused the fish deaths?", room)
    assert "“the spill” is denied as a cause (a.md:1)." in found.missing
    assert "ruled out" not in found.text


def test_what_could_come_about_is_not_said_to_have_happened(shelf, text, told, says):
    strike, delay = told("The strike", "strike"), told("the delay of the launch", "delay")
    words = "The strike could cause the delay of the launch."
    room = shelf.room(text("a.md", words, (says(strike, delay, modality=Modality.POSSIBLE),)))
    found = answer("Why was the launch delayed?", room)
    assert found.verdict is Verdict.HYPOTHESISED
    assert found.text == "The delay of the launch may have happened because of the strike."


def test_what_is_missing_is_told_in_whole_sentences_and_never_more_than_is_known(shelf, text, told, says):
    rain, flooded = told("it rained", "rained", "2021-02-05"), told("The town flooded", "flooded", "2021-02-05")
    room = shelf.room(
        text("a.md", "The town flooded because it rained.", (says(rain, flooded),)),
        text("b.md", "The evacuation of the valley was slow."),
    )
    missing = {
        "Why did the mayor resign or flee?": "No event of the documents was recognised as the one that is asked about. "
        "Nothing that was found speaks of “mayor”, “resign” or “flee”.",
        # A document speaks of the evacuation, but of no cause or effect of it: that nothing matches it would be untrue.
        "How did the evacuation lead to the flooding of the town?": "No event of the documents was recognised as “the "
        "evacuation”.",
        "Why did the town flood in 2013?": "The documents tell causes or effects of it at another time (2021-02-05), "
        "not at the time asked about.",
        "Who wrote the novel?": "None of the sentences that were read was recognised as an answer.",
        "Why did the mill not burn?": "No statement was found of what kept it from happening.",
    }
    told_of = {question: answer(question, room).missing[0] for question in missing}
    assert {question: line[: len(missing[question])] for question, line in told_of.items()} == missing
