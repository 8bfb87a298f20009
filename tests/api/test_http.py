"""The HTTP door, through the application and its guard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.http import create_app
from api.problems import MEDIA_TYPE
from causetrail import Causetrail
from causetrail.settings import load_settings

WHY = "Why did the council close the footbridge?"
KEY = "a-key-of-some-length"
HOME = "http://127.0.0.1:8017"


def client_of(trail: Causetrail) -> TestClient:
    """A client that sees what a real one would see, also of unexpected errors."""
    return TestClient(create_app(trail), base_url=HOME, raise_server_exceptions=False)


@pytest.fixture
def client(flood: Causetrail) -> Iterator[TestClient]:
    """Over the flood documents; only for reading."""
    with client_of(flood) as client:
        yield client


@pytest.fixture
def own(own_flood: Causetrail) -> Iterator[TestClient]:
    """Over a copy of the flood documents, for writing."""
    with client_of(own_flood) as client:
        yield client


def is_problem(response: object, status: int, code: str) -> bool:
    """Checks a problem+json answer in full."""
    assert response.status_code == status, response.text  # type: ignore[attr-defined]
    assert response.headers["content-type"] == MEDIA_TYPE  # type: ignore[attr-defined]
    body = response.json()  # type: ignore[attr-defined]
    assert sorted(body) == ["code", "detail", "fix", "status", "title", "type"]
    assert (body["status"], body["code"], body["type"]) == (status, code, f"urn:causetrail:{code}")
    assert "Traceback" not in json.dumps(body)
    assert "pydantic" not in json.dumps(body)
    return True


def test_an_answer_is_the_record_of_the_facade(client: TestClient, flood: Causetrail) -> None:
    told = client.post("/v1/ask", json={"question": WHY})
    assert told.status_code == 200
    body = told.json()
    body.pop("usage")
    assert body == flood.ask(WHY).model_dump(mode="json", exclude={"usage"})


def test_why_effects_and_chains_answer(client: TestClient) -> None:
    why = client.post("/v1/why", json={"event": "the council closed the footbridge"}).json()
    assert why["verdict"] == "supported"
    event = why["chains"][0]["events"][0]["id"]
    assert client.post("/v1/effects", json={"event": event}).json()["verdict"] == "supported"
    pair = {"cause": "the release of water from the Arlen dam", "effect": "the council closed the footbridge"}
    assert client.post("/v1/chains", json=pair).json()["verdict"] == "supported"


def test_lists_come_in_parts(client: TestClient) -> None:
    for path in ("events", "claims", "documents"):
        whole = client.get(f"/v1/{path}", params={"limit": 1000}).json()["items"]
        part = client.get(f"/v1/{path}", params={"limit": 2, "offset": 1}).json()
        assert part == {"items": whole[1:3], "limit": 2, "offset": 1}


def test_single_things_are_found(client: TestClient, flood: Causetrail) -> None:
    event = flood.events(limit=1)[0]
    claim = flood.claims(limit=1)[0]
    document = next(flood.documents())
    assert client.get(f"/v1/events/{event.id}").json() == event.model_dump(mode="json")
    assert client.get(f"/v1/claims/{claim.id}").json() == claim.model_dump(mode="json")
    assert client.get(f"/v1/documents/{document.id}").json() == document.model_dump(mode="json")
    assert client.get(f"/v1/documents/{document.id}/text").text == flood.text(document.id)


def test_claims_are_filtered(client: TestClient) -> None:
    denied = client.get("/v1/claims", params={"polarity": "negated"}).json()["items"]
    assert denied
    assert {claim["polarity"] for claim in denied} == {"negated"}


def test_a_text_goes_in_and_out(own: TestClient) -> None:
    body = {"name": "valve.txt", "text": "The valve stuck. As a result, the tank overflowed on 3 May 2021."}
    report = own.post("/v1/documents", json=body, params={"collection": "notes"})
    assert report.status_code == 201
    assert report.json()["added"] == 1
    question = {"question": "Why did the tank overflow?"}
    assert own.post("/v1/ask", json=question, params={"collection": "notes"}).json()["verdict"] == "supported"
    found = own.get("/v1/documents", params={"collection": "notes"}).json()["items"]
    assert [document["sources"] for document in found] == [["valve.txt"]]
    path = f"/v1/documents/{found[0]['id']}"
    assert own.delete(path, params={"collection": "notes"}).status_code == 204
    assert is_problem(own.get(path, params={"collection": "notes"}), 404, "CT-D014")


def test_a_file_goes_in_by_its_bytes(own: TestClient) -> None:
    page = b"<html><head><title>Valve</title></head><body><p>The valve stuck.</p></body></html>"
    report = own.post("/v1/documents/upload", params={"name": "valve.html", "published": "2021-05-04"}, content=page)
    assert report.status_code == 201
    found = [d for d in own.get("/v1/documents").json()["items"] if d["sources"] == ["valve.html"]]
    assert found[0]["doc_title"] == "Valve"
    assert found[0]["published"] == "2021-05-04T00:00:00Z"


def test_pairs_go_in_where_they_are_called_pairs(own: TestClient) -> None:
    page = b"question,answer\nWho repairs the weir?,The warden does.\nwho repairs the weir?,The warden does.\n"
    report = own.post("/v1/documents/upload", params={"name": "faq.csv", "pairs": "true"}, content=page).json()
    assert (report["added"], report["pairs"], report["repeated_pairs"], report["claims"]) == (1, 1, 1, 0)
    assert is_problem(own.post("/v1/documents/upload", params={"name": "faq.csv"}, content=page), 422, "CT-D012")
    bad = own.post("/v1/documents/upload", params={"name": "b.csv", "pairs": "true"}, content=b"a,b\n1,2\n")
    assert is_problem(bad, 422, "CT-D018")


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [("a.txt", b"", "CT-D001"), ("a.txt", bytes(range(256)) * 20, "CT-D002"), ("a.xyz", b"text", "CT-D011")],
)
def test_a_file_that_cannot_be_read_is_a_problem(own: TestClient, name: str, content: bytes, code: str) -> None:
    assert is_problem(own.post("/v1/documents/upload", params={"name": name}, content=content), 422, code)


def test_a_path_of_the_server_is_never_read(own: TestClient, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("The secret leaked because the door was open.")
    body = {"name": str(tmp_path / "secret.txt"), "text": "Nothing to see."}
    assert own.post("/v1/documents", json=body).status_code == 201
    for document in own.get("/v1/documents").json()["items"]:
        assert "secret leaked" not in own.get(f"/v1/documents/{document['id']}/text").text


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/v1/ask", {"question": ""}, 422, "CT-Q001"),
        ("POST", "/v1/ask", {"question": "x" * 3_000}, 422, "CT-Q002"),
        ("POST", "/v1/ask", {"question": "a\u0000b"}, 422, "CT-Q003"),
        ("POST", "/v1/ask", {"question": WHY, "strategy": "guess"}, 422, "CT-C003"),
        ("POST", "/v1/ask", {}, 422, "CT-A003"),
        ("POST", "/v1/ask", {"question": 7}, 422, "CT-A003"),
        ("POST", "/v1/ask", {"question": WHY, "more": 1}, 422, "CT-A003"),
        ("POST", "/v1/ask", [WHY], 422, "CT-A003"),
        ("POST", "/v1/ask?collection=../x", {"question": WHY}, 422, "CT-A003"),
        ("GET", "/v1/events?limit=0", None, 422, "CT-A003"),
        ("GET", "/v1/events?unknown=1", None, 422, "CT-A003"),
        ("POST", "/v1/ask?colection=notes", {"question": WHY}, 422, "CT-A003"),
        ("DELETE", "/v1/documents/nonsense?colection=notes", None, 422, "CT-A003"),
        ("GET", "/v1/events?text=", None, 422, "CT-Q001"),
        ("GET", "/v1/events?text=" + "x" * 3_000, None, 422, "CT-Q002"),
        ("GET", "/v1/events?text=a%00b", None, 422, "CT-Q003"),
        ("GET", "/v1/claims?event=nonsense", None, 404, "CT-S008"),
        ("GET", "/v1/documents/", None, 404, "CT-A006"),
        ("POST", "/v1/documents", {"name": "a.txt", "text": "a\u0000b"}, 422, "CT-D013"),
        ("GET", "/v1/claims?relation=HELPS", None, 422, "CT-A003"),
        ("GET", "/v1/events/e000000000000000000000000", None, 404, "CT-S008"),
        ("GET", "/v1/claims/nonsense", None, 404, "CT-S008"),
        ("DELETE", "/v1/documents/nonsense", None, 404, "CT-D014"),
        ("GET", "/v1/nothing", None, 404, "CT-A006"),
        ("GET", "/docs", None, 404, "CT-A006"),
        ("PUT", "/v1/ask", None, 405, "CT-A007"),
    ],
)
def test_every_fault_is_a_problem(
    client: TestClient, method: str, path: str, body: object, status: int, code: str
) -> None:
    assert is_problem(client.request(method, path, json=body), status, code)


def test_a_body_that_is_no_json_is_a_problem(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    assert is_problem(client.post("/v1/ask", content=b'{"question": ', headers=headers), 422, "CT-A003")
    assert is_problem(client.post("/v1/ask", content=b'{"question": "\\ud800"}', headers=headers), 422, "CT-Q003")
    told = client.post("/v1/ask", content=b"\xff\xfe", headers=headers)
    assert is_problem(told, 422, "CT-A003")
    assert told.json()["detail"] == "The request is not valid: the body is not JSON."
    half = b'{"name": "a.txt", "text": "The valve \\ud800 stuck."}'
    assert is_problem(client.post("/v1/documents", content=half, headers=headers), 422, "CT-D013")


@pytest.mark.parametrize("sent_as", ["application/x-www-form-urlencoded", "text/plain", None])
def test_a_body_that_is_not_sent_as_json_is_told_so(client: TestClient, sent_as: str | None) -> None:
    headers = {"content-type": sent_as} if sent_as else {}
    told = client.post("/v1/ask", content=json.dumps({"question": WHY}).encode(), headers=headers)
    assert is_problem(told, 415, "CT-A010")
    assert "Content-Type: application/json" in told.json()["fix"]


def test_an_unexpected_error_tells_no_more_than_its_kind(
    client: TestClient, flood: Causetrail, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret words of a library")

    monkeypatch.setattr(flood, "counts", fail)
    monkeypatch.setattr(flood, "claim", fail)
    told = client.get("/v1/claims/c1")
    assert is_problem(told, 500, "CT-X000")
    assert "secret" not in told.text
    assert "ZeroDivisionError" in told.text


def test_health_is_told_without_a_store(tmp_path: Path) -> None:
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail, client_of(trail) as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()) == (200, {"status": "empty", "generation": 0, "pending": 0})
        assert is_problem(client.post("/v1/ask", json={"question": WHY}), 404, "CT-S011")
        assert is_problem(client.get("/v1/documents"), 404, "CT-S011")
    assert list(tmp_path.iterdir()) == []


def test_ready_tells_the_generation(client: TestClient, flood: Causetrail) -> None:
    assert client.get("/readyz").json() == {"status": "ok", "generation": flood.health()[0], "pending": 0}


def test_a_request_that_is_too_large_is_refused_by_its_length_and_by_its_bytes(tmp_path: Path) -> None:
    settings = load_settings(store=f"sqlite:///{tmp_path}/trail.db", max_request_bytes=1_000)
    with Causetrail(settings=settings) as trail, client_of(trail) as client:
        for content in (b"x" * 1_001, iter([b"x" * 600, b"x" * 600])):
            told = client.post("/v1/documents/upload", params={"name": "a.txt"}, content=content)
            assert is_problem(told, 413, "CT-A004")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8017", "127.0.0.1.evil.example", "", "[bad"])
def test_without_a_key_only_loopback_names_are_answered(client: TestClient, host: str) -> None:
    assert is_problem(client.get("/v1/documents", headers={"host": host}), 403, "CT-A005")


@pytest.mark.parametrize("host", ["localhost", "localhost:8017", "127.0.0.1", "[::1]:8017", "127.1.2.3:80"])
def test_loopback_names_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/v1/documents", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9999", "http://[bad", ""])
def test_pages_of_other_origins_are_refused(client: TestClient, origin: str) -> None:
    told = client.post("/v1/documents/upload", params={"name": "a.txt"}, content=b"x", headers={"origin": origin})
    assert is_problem(told, 403, "CT-A005")


def test_a_page_of_its_own_is_answered(client: TestClient) -> None:
    assert client.get("/v1/documents", headers={"origin": HOME}).status_code == 200


def test_a_key_is_asked_of_every_address_but_health(flood_folder: Path) -> None:
    settings = load_settings(store=f"sqlite:///{flood_folder}/trail.db", api_key=KEY)
    with Causetrail(settings=settings) as trail, client_of(trail) as client:
        for path in ("/v1/documents", "/openapi.json", "/nothing"):
            assert is_problem(client.get(path), 401, "CT-A002")
            assert is_problem(client.get(path, headers={"X-API-Key": KEY[:-1]}), 401, "CT-A002")
            assert is_problem(client.get(path, headers={"X-API-Key": "ü".encode()}), 401, "CT-A002")
        good = {"X-API-Key": KEY, "host": "trail.example"}
        assert client.get("/v1/documents", headers=good).status_code == 200
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 200


def test_the_description_has_examples_and_problems(client: TestClient) -> None:
    description = client.get("/openapi.json").json()
    schemas = description["components"]["schemas"]
    assert "examples" in schemas["QuestionIn"]["properties"]["question"]
    assert schemas["Answer"]["properties"]["text"]["description"] == "The answer in words."
    for path, methods in description["paths"].items():
        for method, entry in methods.items():
            assert entry["description"], (method, path)
            if path.startswith("/v1"):
                assert MEDIA_TYPE in entry["responses"]["422"]["content"], (method, path)
