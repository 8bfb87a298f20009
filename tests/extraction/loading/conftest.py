from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail.errors import DocumentError
from causetrail.settings import Settings
from extraction.loading.load import Loaded, load_bytes

Items = list[Loaded | DocumentError]


@pytest.fixture(scope="session")
def settings() -> Settings:
    return Settings(max_document_bytes=20_000_000, max_document_characters=2_000_000, max_unpacked_bytes=10_000_000)


@pytest.fixture(scope="session")
def items_of(settings: Settings) -> Callable[[bytes, str], Items]:
    """All that a file of these bytes and this ending gives."""

    def items(data: bytes, ending: str) -> Items:
        return list(load_bytes(data, f"folder/file{ending}", ending, settings))

    return items


@pytest.fixture(scope="session")
def document_of(items_of: Callable[[bytes, str], Items]) -> Callable[[bytes, str], Loaded]:
    """The one document that a file gives."""

    def document(data: bytes, ending: str) -> Loaded:
        (item,) = items_of(data, ending)
        assert isinstance(item, Loaded), item
        return item

    return document


@pytest.fixture(scope="session")
def error_of(items_of: Callable[[bytes, str], Items]) -> Callable[[bytes, str], DocumentError]:
    """The one error that a file gives."""

    def error(data: bytes, ending: str) -> DocumentError:
        (item,) = items_of(data, ending)
        assert isinstance(item, DocumentError), item
        return item

    return error
