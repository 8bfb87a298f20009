"""Calls side by side: in order, no more at once than allowed, none begun after one has failed or who waits has gone."""

from __future__ import annotations

import signal
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import ModelCancelled, ModelRefused
from models.call_deadline import CallDeadline
from models.side_by_side import ask_side_by_side


def interrupt_main_thread() -> None:
    ident = threading.main_thread().ident
    assert ident is not None
    signal.pthread_kill(ident, signal.SIGINT)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(), max_size=12), st.integers(1, 5))
def test_answers_come_in_the_order_of_what_was_asked(each: list[int], concurrency: int) -> None:
    running, most, lock = 0, 0, threading.Lock()

    def ask(number: int, given_up: threading.Event) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.0005 * (number % 3))
        with lock:
            running -= 1
        return -number

    assert ask_side_by_side(ask, each, concurrency, "tiny") == [-number for number in each]
    assert most <= concurrency


def test_after_a_failure_none_is_begun_and_those_that_run_end() -> None:
    begun: list[int] = []
    ended: list[int] = []
    failed = threading.Event()

    def ask(number: int, given_up: threading.Event) -> int:
        begun.append(number)
        if number == 1:
            failed.set()
            raise ModelRefused(model="tiny")
        failed.wait(5)
        time.sleep(0.1)
        ended.append(number)
        return number

    with pytest.raises(ModelRefused):
        ask_side_by_side(ask, range(8), 2, "tiny")
    assert sorted(begun) == [0, 1]
    assert ended == [0]


def test_a_call_that_was_given_up_is_not_told_before_the_one_that_failed() -> None:
    first = threading.Event()

    def ask(number: int, given_up: threading.Event) -> int:
        if number == 0:
            first.wait(5)
            raise ModelCancelled(model="tiny")
        first.set()
        raise ModelRefused(model="tiny")

    with pytest.raises(ModelRefused):
        ask_side_by_side(ask, range(2), 2, "tiny")


def test_what_a_call_asks_deeper_down_is_given_up_by_the_event_that_it_knows() -> None:
    deeper = threading.Event()

    def ask(number: int, _: threading.Event) -> int:
        if number:
            time.sleep(0.3)
            interrupt_main_thread()
        assert deeper.wait(10)
        return number

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ask_side_by_side(ask, range(2), 2, "tiny", deeper)
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("own", [None, threading.Event()])
def test_whoever_interrupts_the_waiting_gives_up_what_runs_and_what_is_queued(own: threading.Event | None) -> None:
    begun: list[int] = []
    ended: list[type[BaseException]] = []

    def ask(number: int, given_up: threading.Event) -> int:
        begun.append(number)
        if len(begun) == 2:
            # The other thread waits by then.
            time.sleep(0.3)
            interrupt_main_thread()
        deadline = CallDeadline(20, own).or_when(given_up)
        try:
            while True:
                deadline.check("tiny")
                time.sleep(0.01)
        except Exception as error:
            ended.append(type(error))
            raise

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ask_side_by_side(ask, range(8), 2, "tiny")
    assert time.monotonic() - begin < 5
    assert sorted(begun) == [0, 1]
    assert ended == [ModelCancelled] * 2
