"""What every test server has: where it is reached, waiting until it answers, and emptying it."""

from __future__ import annotations

import random
import socket
import time
from abc import ABC, abstractmethod

import neo4j
from neo4j.exceptions import ClientError, DriverError, Neo4jError

from kg.neo4j_schema import LABELS

USER = "neo4j"
PASSWORD = "a password for tests"
START_SECONDS = 180.0
SETTINGS = {
    "dbms.usage_report.enabled": "false",
    "client.allow_telemetry": "false",
    # Wrong passwords of one test do not lock the user out of the next.
    "dbms.security.auth_max_failed_attempts": "0",
    "server.memory.pagecache.size": "64m",
    "db.tx_log.preallocate": "false",
    # Each test fills an empty database, and would have every query planned anew: a third of the processor's time.
    "dbms.cypher.min_replan_interval": "1h",
    # A stop does not wait ten seconds for threads of drivers that are idle.
    "internal.server.bolt.thread_pool_shutdown_wait_time": "0s",
}
"""Settings of every test server, beside its addresses."""


class ServerFailed(Exception):
    """The server did not start; the message carries its log."""


class Neo4jTestServer(ABC):
    """One server with one home; stopped or killed, it is started again on the same home and the same ports.

    Attributes:
        address: With routing, as users write it.
        user: The administrator.
    """

    def __init__(self) -> None:
        self.bolt_port, self.http_port = _free_port(), _free_port()
        self.address = f"neo4j://127.0.0.1:{self.bolt_port}"
        self.browser = f"http://127.0.0.1:{self.http_port}/browser/"
        self.user = USER
        self.password = PASSWORD

    @property
    @abstractmethod
    def running(self) -> bool:
        """Whether the server's process is alive."""

    @property
    @abstractmethod
    def log(self) -> str:
        """What the server has told since it was made."""

    @abstractmethod
    def launch(self) -> None:
        """Starts the process and returns at once."""

    @abstractmethod
    def stop(self) -> None:
        """Ends the server in good order, or by force when it takes too long; nothing when it does not run."""

    @abstractmethod
    def kill(self) -> None:
        """Ends the server as a power cut would, by SIGKILL; nothing when it does not run."""

    @abstractmethod
    def remove(self) -> None:
        """Ends the server and deletes its home."""

    def start(self) -> None:
        """Starts the server and waits until it answers a query; nothing when it runs.

        Raises:
            ServerFailed: it ended, or did not answer in time.
        """
        if self.running:
            return
        self.launch()
        patience = time.monotonic() + START_SECONDS
        while not self._answers():
            if not self.running or time.monotonic() > patience:
                self.kill()
                raise ServerFailed(f"The server at {self.address} did not start:\n{self.log[-4000:]}")
            time.sleep(0.1)

    def number_labels(self) -> None:
        """Numbers the labels of the program first, as its schema does in every database of a user.

        A node shows its labels by their numbers, which no `wipe` takes back: a test that made a node by hand would
        otherwise settle for all that follow which of two labels comes first.
        """
        with neo4j.GraphDatabase.driver(self.address, auth=(self.user, self.password)) as driver:
            for label in LABELS:
                driver.execute_query("CALL db.createLabel($label)", label=label)

    def wipe(self, *, schema: bool = False) -> None:
        """Deletes all nodes, and with `schema` all constraints and indexes but those that a new database has."""
        with neo4j.GraphDatabase.driver(self.address, auth=(self.user, self.password)) as driver:
            with driver.session() as session:
                # In an own transaction each, so that a large graph fits the small heap.
                session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()
            if schema:
                for kind, kinds in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
                    told = driver.execute_query(f"SHOW {kinds} YIELD name, type WHERE type <> 'LOOKUP' RETURN name")
                    for (name,) in told.records:
                        driver.execute_query("DROP {} `{}` IF EXISTS".format(kind, name.replace("`", "``")))

    def _answers(self) -> bool:
        """Whether a query is answered; a server that has never run gets its password on the way."""
        bolt = f"bolt://127.0.0.1:{self.bolt_port}"
        try:
            with (
                neo4j.GraphDatabase.driver(bolt, auth=(self.user, self.password)) as driver,
                driver.session(database="neo4j") as session,
            ):
                # Without the driver's retries, which would go on for half a minute.
                session.run("RETURN 1").consume()
        except ClientError as refused:
            if refused.code == "Neo.ClientError.Security.Unauthorized":
                self._set_first_password(bolt)
            return False
        except (DriverError, Neo4jError):
            return False
        return True

    def _set_first_password(self, bolt: str) -> None:
        try:
            with neo4j.GraphDatabase.driver(bolt, auth=(USER, "neo4j")) as driver:
                driver.execute_query(
                    "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $password",
                    password=self.password,
                    database_="system",
                )
        except (DriverError, Neo4jError):
            return


def _free_port() -> int:
    """A port that nothing listens on, below those that the system gives to outgoing connections.

    One of the latter could be taken by a client of another test while the server is down.
    """
    for port in random.SystemRandom().sample(range(20_000, 32_000), 1_000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise ServerFailed("No port is free.")
