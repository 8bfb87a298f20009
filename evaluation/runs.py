"""A strategy on a file of questions, question by question, side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from causetrail.errors import ArgumentInvalid, CausetrailError, DeadlinePassed, QuestionError
from evaluation.questions_file import AskedItem, Item
from evaluation.records import QuestionRecord, RecordFile
from evaluation.scores import answered, score_answer, score_choice
from kg.records import Answer
from kg.store import Progress
from reasoning.choice_report import Choice

Ask = Callable[[Item], Answer | Choice]
"""Answers one question: an `Answer` to an asked one, a `Choice` among offered causes. Called from several threads."""

_OF_THE_QUESTION = (QuestionError, DeadlinePassed, ArgumentInvalid)
"""Errors of one question; the others end the run, since they would end every question."""


def run_strategy(
    items: Sequence[Item],
    ask: Ask,
    file: RecordFile,
    *,
    strategy: str,
    concurrency: int = 1,
    progress: Progress | None = None,
) -> list[QuestionRecord]:
    """Asks what was not asked yet, and gives the records of all in the order of the questions.

    Args:
        items: The questions.
        ask: Answers one.
        file: Where the records are kept: a question that has one there is not asked again.
        strategy: Names the stage of the progress.
        concurrency: Questions at once.
        progress: Called with the strategy, questions done, and questions there are.

    Raises:
        CausetrailError: the store, a model or the disk fails; what was answered is kept.
    """
    records = file.read()
    waiting = [item for item in items if item.id not in records]
    done = len(items) - len(waiting)
    if progress is not None:
        progress(strategy, done, len(items))
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        running: set[Future[QuestionRecord]] = set()
        try:
            while waiting or running:
                # One at a time into the pool, so that an error leaves no queue behind that has to be asked first.
                while waiting and len(running) < concurrency:
                    running.add(pool.submit(_record, waiting.pop(0), ask))
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    record = future.result()
                    file.append(record)
                    records[record.id] = record
                    done += 1
                    if progress is not None:
                        progress(strategy, done, len(items))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [records[item.id] for item in items]


def _record(item: Item, ask: Ask) -> QuestionRecord:
    begin = time.perf_counter()
    try:
        told = ask(item)
    except _OF_THE_QUESTION as error:
        return _failed(item, error, time.perf_counter() - begin)
    given = answered(told)
    return QuestionRecord(
        id=item.id,
        group=item.group,
        scores=_scores(item, told),
        confidence=told.confidence if isinstance(told, Answer) or given else 0.0,
        answered=given,
        verdict=told.verdict,
        mode=told.mode if given else None,
        seconds=round(time.perf_counter() - begin, 6),
        tokens=told.usage.tokens,
        answer=told if isinstance(told, Answer) else None,
        choice=told if isinstance(told, Choice) else None,
    )


def _scores(item: Item, told: Answer | Choice) -> dict[str, float]:
    if isinstance(item, AskedItem) and isinstance(told, Answer):
        return score_answer(item, told)
    if not isinstance(item, AskedItem) and isinstance(told, Choice):
        return score_choice(item.right, frozenset(told.chosen))
    raise TypeError("an asked question is answered, and offered causes are chosen from")


def _failed(item: Item, error: CausetrailError, seconds: float) -> QuestionRecord:
    return QuestionRecord(
        id=item.id,
        group=item.group,
        scores={},
        confidence=0.0,
        answered=False,
        verdict=None,
        mode=None,
        seconds=round(seconds, 6),
        tokens=0,
        error=error.code,
    )
