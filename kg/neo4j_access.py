"""How to reach a Neo4j server."""

from __future__ import annotations

from dataclasses import dataclass, field

from causetrail.errors import SettingInvalid


@dataclass(frozen=True, slots=True)
class Neo4jAccess:
    """Who speaks to the server, and within which bounds.

    Attributes:
        password: None for a server that asks for none.
        pool: Most connections open at once.
        connect_seconds: Longest time that making one connection may take.
        transaction_seconds: Longest time that one transaction may take at the server.
        ca_file: PEM file of certificates that the server's own is checked against; those of the system when not given.
        adopt: Take a database that holds nodes of other programs under the labels of the graph.

    Raises:
        SettingInvalid: user, password or database hold a lone surrogate, which cannot be sent.
    """

    user: str = "neo4j"
    password: str | None = field(default=None, repr=False)
    database: str = "neo4j"
    pool: int = 16
    connect_seconds: float = 10.0
    transaction_seconds: float = 120.0
    ca_file: str | None = None
    adopt: bool = False

    def __post_init__(self) -> None:
        """Refuses what the driver would fail to encode, and then repeat."""
        for name, value in (("user", self.user), ("password", self.password or ""), ("database", self.database)):
            if any("\ud800" <= character <= "\udfff" for character in value):
                reason = "it holds a lone surrogate, which is no character"
                raise SettingInvalid(name=f"neo4j_{name}", value="what was given", reason=reason)
