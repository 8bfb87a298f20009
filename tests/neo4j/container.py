"""A test server in a container, for machines with Docker and without Java."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.neo4j.server import SETTINGS, Neo4jTestServer

if TYPE_CHECKING:
    from docker.models.containers import Container

IMAGE = "neo4j:5.26-community"
STOP_SECONDS = 60


def docker_answers() -> bool:
    """Whether Docker's engine is there and lets this user in."""
    import docker
    from docker.errors import DockerException

    try:
        client = docker.from_env(timeout=10)
        try:
            return bool(client.ping())
        finally:
            client.close()
    except DockerException:
        return False


class Neo4jServerContainer(Neo4jTestServer):
    """Neo4j Community from its image; a container that watches the test run removes it when the run is no more."""

    def __init__(self) -> None:
        from testcontainers.core.container import DockerContainer

        super().__init__()
        advertised = {
            "server.bolt.advertised_address": f"127.0.0.1:{self.bolt_port}",
            "server.http.advertised_address": f"127.0.0.1:{self.http_port}",
        }
        self._made = DockerContainer(IMAGE, env={"NEO4J_AUTH": f"{self.user}/{self.password}"})
        for name, value in (SETTINGS | advertised).items():
            self._made.with_env("NEO4J_" + name.replace("_", "__").replace(".", "_"), value)
        self._made.with_bind_ports(7687, self.bolt_port).with_bind_ports(7474, self.http_port)
        self._container: Container | None = None

    @property
    def running(self) -> bool:
        if self._container is None:
            return False
        self._container.reload()
        return str(self._container.status) == "running"

    @property
    def log(self) -> str:
        return self._container.logs().decode(errors="replace") if self._container is not None else ""

    def launch(self) -> None:
        if self._container is None:
            self._made.start()
            self._container = self._made.get_wrapped_container()
        else:
            self._container.start()

    def stop(self) -> None:
        if self._container is not None and self.running:
            self._container.stop(timeout=STOP_SECONDS)

    def kill(self) -> None:
        if self._container is not None and self.running:
            self._container.kill("SIGKILL")
            self._container.wait()

    def remove(self) -> None:
        self._made.stop()
