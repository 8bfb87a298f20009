"""Examines a store of either kind, from its address to its graph, and says what to do about what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from kg.addresses import shown_address
from kg.examination import Finding, State
from kg.neo4j_access import Neo4jAccess


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """All that was looked at, in order; what could not be reached because of a failure is left out.

    Attributes:
        address: Address of the store.
        healthy: Whether nothing failed; warnings are no failures.
    """

    address: str
    healthy: bool
    findings: tuple[Finding, ...]


def examine(address: str, access: Neo4jAccess, *, lease_seconds: float) -> DoctorReport:
    """Examines the store at an address. Nothing in it is changed, and nothing is raised for what is wrong with it.

    Args:
        address: Of an embedded store or of a server, also one that cannot be used.
        access: How to reach a server.
        lease_seconds: How long a derivation may stay silent before another process takes it over.
    """
    if address.startswith("sqlite:") or "://" not in address:
        from kg.embedded_doctor import examine_file

        findings = tuple(examine_file(address, lease_seconds=lease_seconds))
    else:
        from kg.neo4j_doctor import examine_server

        findings = tuple(examine_server(address, access, lease_seconds=lease_seconds))
    healthy = all(finding.state is not State.FAILURE for finding in findings)
    return DoctorReport(shown_address(address), healthy, findings)
