"""The process that holds the Cypher view and runs queries on it, one at a time.

The library that reads the view can be led to use any amount of memory, to overrun its time, and to crash. So it runs
in a process of its own, which may take a bounded amount of memory, opens no file once the view is loaded, and is ended
by the system's clock. It speaks JSON: a line on standard input is a request, a line on standard output its answer.
"""

from __future__ import annotations

import datetime
import json
import re
import resource
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.cypher_values import (
    Capped,
    Json,
    Row,
    clock_text,
    duration_text,
    node_value,
    number_value,
    offset_text,
    path_value,
    relationship_value,
)

if TYPE_CHECKING:
    from kglite import KnowledgeGraph

QUERY_BYTES = 1_500_000_000
"""Memory that a query may take on top of the view."""
WORK_UNITS = 50_000_000
"""Rows and items that a query may hold or walk."""
GRACE_SECONDS = 1.0
"""How long a query may overrun its time before the process is ended."""
OPERATIONS_REFUSED = re.compile(r"LoadCsv|Show|Create|Delete|Set|Merge|Remove|Drop|Foreach|Insert|Write", re.IGNORECASE)
"""Steps of a plan that do more than read the view."""
OPTIMISATIONS = frozenset(
    {"push_where_into_match.1", "push_where_into_match.2", "fold_or_to_in", "reorder_match_clauses"}
    | {"reorder_match_patterns", "push_limit_into_match", "optimize_nested_queries"}
)
"""What the library may do to a query for speed: find where to start. Others of its steps change the answer."""
START_ANYWHERE = frozenset({"optimize_pattern_start_node"})
"""What lets it walk a pattern from its end; it then gives the links of a named path backwards."""
TWIN = "_twin_"
"""Between the label of the schema and a number, in the label of a node that has its id from elsewhere."""
GUARD = "causetrail:"
"""Before the name of a guard, in what a query is made to fail with."""
STRUCTURAL = frozenset({"title", "type"})
"""Properties that the library shows on every node and the graph does not have."""


def main() -> None:
    """Loads the view whose file is the first argument, says so, and answers until its input ends."""
    import kglite

    kglite.set_query_warning_policy("silent")
    graph = kglite.load(sys.argv[1])
    graph.read_only(True)
    _shut_in()
    _say({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        signal.setitimer(signal.ITIMER_REAL, request["seconds"] + GRACE_SECONDS)
        answer = _answer(graph, request)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _say(answer)


def _shut_in() -> None:
    """Takes from this process what no query needs: memory without end, files, dumps of memory."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    statm = Path("/proc/self/statm")
    if statm.exists():
        space = int(statm.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (space + QUERY_BYTES, space + QUERY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _say(answer: Json) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _answer(graph: KnowledgeGraph, request: dict[str, Any]) -> Json:
    import kglite

    allowed = OPTIMISATIONS | (frozenset() if request["in_order"] else START_ANYWHERE)
    options = {
        "params": request["parameters"],
        "timeout_ms": max(1, int(request["seconds"] * 1_000)),
        "max_work_units": WORK_UNITS,
        "hide_structural_keys": True,
        "disabled_passes": [name for name in kglite.cypher_pass_names() if name not in allowed],
    }
    try:
        plan: Any = graph.cypher(f"EXPLAIN {request['query']}", **options)
        for step in plan:
            if OPERATIONS_REFUSED.search(str(step["operation"]).partition(" ")[0]):
                return {"error": "refused"}
        found: Any = graph.cypher(request["query"], row_limit=request["rows"] + 1, **options)
        kept = Capped(request["rows"], request["size"])
        for row in _rows(found):
            if not kept.take(row):
                break
    except kglite.ReadOnlyError:
        return {"error": "refused"}
    except kglite.CypherSyntaxError as error:
        return {"error": "syntax"} | _place(graph, request["written"], error)
    except kglite.CypherTimeoutError:
        return {"error": "time"}
    except (MemoryError, RecursionError):
        return {"error": "memory"}
    except Exception as error:
        undefined = re.search(r"Undefined variable '(\w+)'", str(error))
        return {"error": _kind(str(error)), "name": undefined[1] if undefined else None}
    return {"columns": list(found.columns), "rows": kept.rows(), "truncated": kept.truncated}


_ONE_NAME = "Multiple result columns with the same name"


def _place(graph: KnowledgeGraph, written: str, error: Any) -> dict[str, Any]:
    """Where the query as it was written cannot be read; `written` when it is the changed one alone that cannot."""
    import kglite

    prefix = len("EXPLAIN ")
    try:
        graph.cypher(f"EXPLAIN {written}")
    except kglite.CypherSyntaxError as found:
        if _ONE_NAME in str(found):
            return {"error": "columns"}
        error = found
    except Exception:
        return {}
    else:
        return {"error": "written"}
    # The prefix stands on the first line.
    return {"line": error.line, "column": (error.col or prefix) - (prefix if error.line == 1 else 0)}


def _kind(message: str) -> str:
    """What an error of the library is about; its words stay here."""
    guard = re.search(rf"{GUARD}([a-z-]+)", message)
    if guard:
        return guard[0]
    for kind, words in _KINDS:
        if re.search(words, message):
            return kind
    return "values"


_KINDS = (
    ("work", r"max_work_units|safety limit|backstop|memory"),
    ("parameters", r"Missing parameter|[Pp]arameter .* (?:outside|unsupported|not supported)"),
    ("zero", r"by zero"),
    ("overflow", r"[Oo]verflow"),
    ("function", r"Unknown function|not supported|unsupported"),
    ("name", r"Undefined variable|not defined"),
    ("property", r"Unknown property"),
    ("aggregate", r"Aggregate function"),
)


def _rows(found: Any) -> Iterator[Row]:
    names = list(found.columns)
    for row in found:
        yield tuple(_value(row[name]) for name in names)


def _value(value: Any) -> Json:
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return number_value(value)
        case list() | tuple():
            return [_value(part) for part in value]
        case dict():
            return _entity(value)
        case datetime.datetime():
            day, clock = value.date().isoformat(), value.timetz()
            return f"{day}T{_clock(clock)}"
        case datetime.date():
            return value.isoformat()
        case datetime.time():
            return _clock(value)
    return str(value)


def _entity(value: dict[str, Any]) -> Json:
    match value:
        case {"id": int(), "labels": [*labels], "properties": dict(properties)} if len(value) == 3:
            told = {key: _value(part) for key, part in properties.items() if key not in STRUCTURAL}
            return node_value(str(labels[0]).partition(TWIN)[0], told)
        case {"id": int(), "start": int(), "end": int(), "type": str(name), "properties": dict(properties)}:
            return relationship_value(name, {key: _value(part) for key, part in properties.items()})
        case {"nodes": [*nodes], "relationships": [*relationships]} if len(value) == 2:
            return path_value([_value(node) for node in nodes], [_value(part) for part in relationships])
        case {"months": int(months), "days": int(days), "seconds": int(seconds), **rest} if not rest.keys() - {
            "nanoseconds"
        }:
            return duration_text(months, days, seconds, int(rest.get("nanoseconds", 0)))
    return {key: _value(value[key]) for key in sorted(value)}


def _clock(value: datetime.time) -> str:
    offset = value.utcoffset()
    zone = "" if offset is None else offset_text(offset.total_seconds())
    return clock_text(value.hour, value.minute, value.second, value.microsecond * 1_000) + zone
