"""What the driver raises against the program's own work, as coded errors."""

from __future__ import annotations

import ssl
from dataclasses import dataclass

from neo4j import exceptions

from causetrail.errors import (
    DatabaseMissing,
    ServerAbsent,
    ServerBusy,
    ServerLogin,
    ServerLost,
    ServerMemory,
    ServerReadOnly,
    ServerRefused,
    StoreError,
)
from kg.addresses import not_an_address
from kg.neo4j_access import Neo4jAccess

_READ_ONLY_CODES = (
    "Neo.ClientError.Cluster.NotALeader",
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
)
_TOO_SLOW_CODES = (
    "Neo.ClientError.Transaction.TransactionTimedOut",
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
    "Neo.ClientError.Transaction.LockClientStopped",
    "Neo.TransientError.Transaction.LockClientStopped",
)
_UNAVAILABLE_CODES = (
    "Neo.TransientError.General.DatabaseUnavailable",
    "Neo.TransientError.Database.DatabaseUnavailable",
    "Neo.ClientError.Database.DatabaseUnavailable",
)
_MEMORY_LIMIT_CODES = (
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
    "Neo.TransientError.General.TransactionOutOfMemoryError",
)
_LIMIT_OF_ONE = "db.memory.transaction.max "
"""Names the setting in the server's message; the other limit is one of all transactions together, which passes."""


@dataclass(frozen=True, slots=True)
class Translator:
    """Makes coded errors of the driver's.

    Attributes:
        address: The server, as the user wrote it.
    """

    address: str
    access: Neo4jAccess

    def translate(
        self, error: exceptions.Neo4jError | exceptions.DriverError, *, reached: bool, seconds: float
    ) -> StoreError:
        """The coded error.

        Args:
            reached: Whether the server has ever answered.
            seconds: How long the work had been going on.
        """
        if isinstance(error, exceptions.DriverError):
            return self._of_the_driver(error, reached, seconds)
        code = error.code or ""
        access = self.access
        match error:
            case exceptions.AuthError():
                limited = code.endswith("AuthenticationRateLimit")
                wrong = "no password was given" if access.password is None else "user or password is wrong"
                reason = "too many wrong attempts; wait a little" if limited else wrong
                return ServerLogin(address=self.address, user=access.user, reason=reason)
            case exceptions.Forbidden():
                return self._read_only(f"the user {access.user} may not")
        if code.endswith(".CredentialsExpired"):
            reason = "the password has to be changed first (at the server: ALTER CURRENT USER SET PASSWORD)"
            return ServerLogin(address=self.address, user=access.user, reason=reason)
        if code in _READ_ONLY_CODES or isinstance(
            error, exceptions.NotALeader | exceptions.ForbiddenOnReadOnlyDatabase
        ):
            return self._read_only("it is a read replica")
        if code.endswith(".DatabaseNotFound"):
            return DatabaseMissing(database=access.database, address=self.address)
        if code in _UNAVAILABLE_CODES:
            return ServerAbsent(address=self.address, reason=f"its database {access.database} is not started")
        if code in _TOO_SLOW_CODES:
            reason = f"a transaction took longer than the {access.transaction_seconds:g} seconds that it may"
            return ServerBusy(address=self.address, reason=reason)
        if code in _MEMORY_LIMIT_CODES:
            return ServerMemory(address=self.address)
        if "OutOfMemory" in code:
            return ServerBusy(address=self.address, reason="its memory is used up")
        if code.startswith("Neo.TransientError."):
            return ServerBusy(address=self.address, reason="other work was in the way")
        if code.endswith("ConstraintValidationFailed"):
            return ServerRefused(address=self.address, reason="two nodes would have the same id")
        return ServerRefused(address=self.address, reason=f"status {code or 'unknown'}")

    def _of_the_driver(self, error: exceptions.DriverError, reached: bool, seconds: float) -> StoreError:
        match error:
            case exceptions.WriteServiceUnavailable():
                return self._read_only("no member that takes writes is to be found")
            case exceptions.UnsupportedServerProduct():
                return ServerAbsent(
                    address=self.address, reason="what answers there is no Neo4j server of a known version"
                )
            case exceptions.ConfigurationError():
                return not_an_address(self.address)
            case exceptions.ConnectionAcquisitionTimeoutError():
                used = f"all {self.access.pool} connections are in use (neo4j_pool)"
                reason = f"{used}, or it does not answer"
                return ServerBusy(address=self.address, reason=reason)
            case exceptions.ServiceUnavailable() | exceptions.SessionExpired() if reached:
                return ServerLost(address=self.address, seconds=f"{seconds:.1f}")
            case exceptions.ServiceUnavailable():
                return ServerAbsent(address=self.address, reason=_why_unreachable(error))
            case _:
                return ServerRefused(address=self.address, reason="the connection is in no state to be used")

    def _read_only(self, reason: str) -> ServerReadOnly:
        return ServerReadOnly(address=self.address, database=self.access.database, reason=reason)


def out_of_limit(error: BaseException) -> bool:
    """Whether a transaction needed more memory than the server lets one have, so that a repetition would as well."""
    if not isinstance(error, exceptions.Neo4jError):
        return False
    return error.code in _MEMORY_LIMIT_CODES and _LIMIT_OF_ONE in (error.message or "")


def _why_unreachable(error: BaseException) -> str:
    """What kept the connection from being made, from the chain of causes."""
    cause: BaseException | None = error
    while cause is not None:
        match cause:
            case ssl.SSLError():
                return "its certificate or its TLS cannot be used"
            case ConnectionRefusedError():
                return "nothing listens on that port"
            case TimeoutError():
                return "it does not answer in time"
        cause = cause.__cause__ or cause.__context__
    told = str(error)
    if "looks like HTTP" in told or "handshake" in told.lower():
        return "what answers there does not speak Bolt"
    return "its name is unknown" if "DNS resolve" in told else "it cannot be reached"
