"""What a question leaves out of its answer is read by its first word."""

from __future__ import annotations

import pytest

from language.left_out import left_out


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Did anything other than the storm cause the fire?", "storm"),
        ("What apart from ice did the board name?", "ice"),
        ("Was it caused by something else than arson?", "arson"),
        ("Did anything but a short circuit cause the fire?", "short"),
        ("Which factors, besides ice, led to the crash?", "ice"),
        ("Was any more than a tenth of it lost?", ""),
        ("What did the board say but not prove?", ""),
        ("Why was the ship lost?", ""),
    ],
)
def test_the_first_word_of_what_is_left_out(question: str, word: str) -> None:
    assert left_out(question) == word
