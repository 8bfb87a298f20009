import pytest

from causetrail.errors import DeadlinePassed
from traversal.deadline import Deadline


def test_a_deadline_passes_when_its_seconds_are_over():
    now = [100.0]
    deadline = Deadline(5.0, clock=lambda: now[0])
    now[0] = 104.9
    assert not deadline.passed()
    deadline.check()
    now[0] = 105.0
    assert deadline.passed()
    with pytest.raises(DeadlinePassed, match="5"):
        deadline.check()
