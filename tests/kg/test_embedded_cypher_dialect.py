"""What kglite would answer otherwise than a server is written anew, or refused with what to write instead."""

from __future__ import annotations

import re

import pytest

from causetrail import Causetrail
from causetrail.errors import CypherInvalid, CypherUnsupported
from kg.embedded_cypher_regex import server_regex

MENDED = (
    ("round(-2.5)", -2.0),
    ("round(-0.5)", 0.0),
    ("round(0.285001, 2)", 0.29),
    ("round(-2.5, 0)", -2.0),
    ("round(-0.5, $zero)", 0.0),
    ("round(2.5, 0) + 1", 4.0),
    ("round(0.49999999999999994)", 0.0),
    ("date('2014-01-01') + duration('P1Y2M3D')", "2015-03-04"),
    ("date('2014-01-03') - duration({days: 2})", "2014-01-01"),
    ("trim(' é\\t')", "é"),
    ("toInteger('Zoë')", None),
    ("left('abc', 1 + 1) + right('abc', size('a'))", "abc"),
    ("'a' + 'b' + 1", "ab1"),
    ("[true] + 'a'", [True, "a"]),
    ("'aab' =~ 'a*?b' AND 'aa' =~ '(?:a){2}' AND 'aaa' =~ '[a]{1,}'", True),
    ("4 IN [x IN range(0, 100) WHERE x % 2 = 0]", True),
    ("any(x IN [y IN [1, 2] | y + 1] WHERE x IN [z IN [3] | z])", True),
    ("[1] + null", None),
    ("null + [1]", None),
    ("[1] + 2 + [3]", [1, 2, 3]),
    ("'É' =~ '(?i)é'", False),
    ("'ABC' =~ '(?i)a[b-c]+'", True),
    ("'é' =~ '\\\\w'", False),
    ("'٣' =~ '\\\\d+'", False),
    ("'a\\nb' =~ 'a.b'", False),
    ("'a\\nb' =~ '(?s)a.b'", True),
    ("7 / 2 * 2.0", 6.0),
    ("toString(1000000.5)", "1000000.5"),
)
REFUSED = (
    *("0.0 / 0.0", "1 / 0.0", "5 % 0.0", "sqrt(-1)", "log(0)", "log10(-1.0)", "round(1.005, 2)", "round(1e300)"),
    *("round(1.5, 0, 'DOWN')", "toString(1e7)", "toString(0.0001)", "'a' + 1e20", "toInteger(1e300)"),
    *("toFloat(' 1.5 ')", "toFloat('1d')", "toFloat('inf')", "toBoolean(' true ')", "split('a,b', [','])"),
    *("'a' =~ '(?=a)a'", "'aa' =~ '(a)\\\\1'", "'a' =~ 'a*+'", "'a' =~ '\\\\p{L}'", "'a' =~ toLower('A')"),
    *("9007199254740993 = 9007199254740992.0", "1_000", "{a: 1} < {a: 2}", "date('2020-01-01').weekday"),
    *("date('2020-01-01') = '2020-01-01'", "date('2020-01-01') = datetime('2020-01-01T00:00:00Z')"),
    *("datetime('2020-01-01T12:00:00+02:00')", "datetime('2020-01-01T10:00:00.123456789Z')"),
    *("toString(datetime('2020-01-01T10:00:00Z'))", "date('2020-03-01') - date('2020-02-01')"),
    *("date('2014-01-01') + duration('PT25H')", "date('2014-01-01') - duration({hours: 48})"),
    *("date('2014-01-01') + duration({days: 1.5})", "date('2014-01-01') + duration($text)"),
    *("trim('\u00a0a')", "ltrim(' \u0085')", "rtrim('a\u2007 ')", "trim('\u001ca')", "toInteger('1٣')"),
    *("left('abc', -1)", "right('abc', 1 - 2)", "substring('abc', -1)", "substring('abc', 0, $negative)"),
    *("'a' + true", "head([true]) + 'a'", "'a' =~ 'a**'", "'a' =~ '*a'", "'a' =~ '(+a)'", "'a' =~ 'a{1}{2}'"),
    *("'a' =~ 'a{,2}'", "'a' =~ 'a|?'"),
    *("duration('P2D') / 2", "sum(duration('P1D'))"),
)
REFUSED_QUERIES = (
    "UNWIND [1, 1.0] AS x RETURN DISTINCT x",
    "UNWIND [1, 1.0] AS x RETURN count(DISTINCT x) AS n",
    "UNWIND $list AS x RETURN collect(DISTINCT x) AS n",
    "UNWIND [[1], [1.0]] AS x RETURN x, count(*) AS n",
    "RETURN 1 AS a UNION RETURN 1.0 AS a",
    "UNWIND [{a: 2}, {a: 1}] AS x RETURN x ORDER BY x",
    "UNWIND [{a: 2}, {a: 1}] AS x RETURN min(x) AS y",
    "UNWIND [duration('P1D'), duration('PT25H')] AS x RETURN max(x) AS y",
    "UNWIND [duration('P1D'), duration('PT25H')] AS x RETURN x ORDER BY x",
    "UNWIND [1, 2, 3, 4] AS x RETURN stdev(x), stdevp(x), avg(x)",
    "CALL db.labels()",
    "CALL `db`.`labels`()",
    "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType",
)


@pytest.mark.parametrize(("expression", "value"), MENDED)
def test_it_is_computed_as_on_a_server(expression: str, value: object, flood: Causetrail) -> None:
    assert flood.cypher(f"RETURN {expression} AS x", {"zero": 0}).rows == ((value,),)


@pytest.mark.parametrize("query", [*(f"RETURN {expression} AS x" for expression in REFUSED), *REFUSED_QUERIES])
def test_it_is_refused_with_what_to_write(query: str, flood: Causetrail) -> None:
    with pytest.raises(CypherUnsupported) as refusal:
        flood.cypher(query, {"list": [1, 1.0], "text": "PT25H", "negative": -1})
    assert re.match(r"[A-Z].*\.$", refusal.value.fix)


def test_the_deviation_of_nothing_is_a_row(flood: Causetrail) -> None:
    asked = "UNWIND {} AS x RETURN stDev(x) AS a, stDevP(x) AS b"
    assert flood.cypher(asked.format("[]")).rows == ((None, None),)
    assert flood.cypher(asked.format("[1]")).rows == ((0.0, 0.0),)
    assert flood.cypher(asked.format("[1, 3]")).rows == ((pytest.approx(2**0.5), 1.0),)


def test_columns_keep_the_names_that_were_written(flood: Causetrail) -> None:
    result = flood.cypher("RETURN 1 +  2 , round( 2.5 ), [1] + null AS c, 6 / (1 + 1) ORDER BY c")
    assert result.columns == ("1 +  2", "round( 2.5 )", "c", "6 / (1 + 1)")
    assert result.rows == ((3, 3.0, None, 3),)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("RETURN 1 2", "cannot be read at line 1, column 10, near '2'"),
        ("MATCH (n)\nRETRUN n", "cannot be read at line 2, column 1, near 'RETRUN'"),
        ("MATCH (n RETURN n", "a bracket is not closed that opens at line 1, column 7, near '('"),
        ("RETURN [1, 2)", "a bracket is closed that is not open at line 1, column 13, near ')'"),
        ("MATCH (e:Event) WHERE e.x / 2 = RETURN e", "at line 1, column 33, near 'RETURN'"),
        ("MATCH (n) RETURN m", "a name that it does not define at line 1, column 18, near 'm'"),
        ("RETURN", "it ends where something should follow at line 1, column 7"),
        ("RETURN 1 +  ", "it ends where something should follow at line 1, column 11"),
        ("MATCH (e:Event) RETURN e.kind, e.kind", "two columns have one name"),
    ],
)
def test_faults_are_told_by_their_place(query: str, told: str, flood: Causetrail) -> None:
    with pytest.raises(CypherInvalid) as fault:
        flood.cypher(query)
    assert told in fault.value.message


@pytest.mark.parametrize(
    ("quantifier", "written"),
    [("{1,3}", "*1..3"), ("{2}", "*2"), ("{,3}", "*0..3"), ("{2,}", "*2..10"), ("+", "*1..10"), ("*", "*0..10")],
)
def test_the_length_of_a_path_is_told_as_it_was_meant(quantifier: str, written: str, flood: Causetrail) -> None:
    with pytest.raises(CypherUnsupported) as refusal:
        flood.cypher(f"MATCH (a)-[:CAUSES]->{quantifier}(b) RETURN a")
    assert f"-[:CAUSES{written}]->" in refusal.value.fix


def test_durations_are_sorted_by_what_they_are_added_to(flood: Causetrail) -> None:
    asked = "UNWIND [2, 1] AS d RETURN datetime('2014-01-01T00:00:00Z') + duration({hours: d}) AS x ORDER BY x"
    assert flood.cypher(asked).rows == (("2014-01-01T01:00:00Z",), ("2014-01-01T02:00:00Z",))


def test_a_slip_of_a_name_is_told(flood: Causetrail) -> None:
    result = flood.cypher("MATCH (n:Evnt) RETURN n")
    assert result.rows == ()
    assert result.notes == ("The graph has no label 'Evnt' (line 1, column 10); did you mean Event?",)
    with pytest.raises(CypherUnsupported) as refusal:
        flood.cypher("MATCH (n:Event {kid: 'x'}) RETURN n")
    assert "did you mean kind?" in refusal.value.fix


def test_a_regex_is_written_as_java_reads_it() -> None:
    assert server_regex(r"(?i)a[^b-c]\d") == r"[aA][^\x{62}-\x{63}\x{42}-\x{43}][0-9]"
    assert server_regex("^(a|b)$") == "(a|b)"
    for unknown in ("a$b", "a^", "(?<n>a)", "[a&&b]", "[[a]]", "\\b", "a\\", "[z-a]"):
        with pytest.raises(CypherUnsupported):
            server_regex(unknown)
