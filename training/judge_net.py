"""Judges of one trunk as a torch module, with the losses they learn by.

Names of parameters are those of `models.judges`, which runs them with numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from models.judges import OUTPUTS, Task
from training.low_rank_trunk import WIDTH, Dropout, LowRankTrunk, learned_tensors

_DROPOUT: Final = 0.1
_TRUNK_DROPOUT: Final = 0.1
_EACH: Final = 0.2
"""Weight of each pair's own probability beside the choice inside its group."""


class EncodedGroup(NamedTuple):
    """The pairs of an example in tokens.

    Attributes:
        ids: Token ids of each pair.
        gold: As in `training.judge_sets.JudgeExample`.
    """

    task: Task
    ids: Sequence[Sequence[int]]
    gold: Sequence[int]


class JudgeNet(nn.Module):
    """Trunk and heads."""

    def __init__(self, graph: Path, rank: int, tasks: Sequence[Task]) -> None:
        """Loads the trunk from the packaged graph; the heads start at random.

        Args:
            graph: `model.onnx` of the packaged encoder.
            rank: Rank of each change of its weights.
            tasks: What is judged on it.
        """
        super().__init__()
        self.trunk = LowRankTrunk(graph, rank, _TRUNK_DROPOUT)
        self.heads = nn.ModuleDict({str(task): nn.Linear(2 * WIDTH, OUTPUTS[task]) for task in tasks})
        self._dropout = Dropout(_DROPOUT)

    def loss(self, groups: Sequence[EncodedGroup]) -> torch.Tensor:
        """The loss of one batch, all of one task."""
        task = groups[0].task
        scores = self.heads[task](self._dropout(self._pooled([ids for group in groups for ids in group.ids])))
        if task is Task.ENTAILMENT:
            gold = torch.tensor([group.gold[0] for group in groups])
            return functional.cross_entropy(scores, gold)
        right = torch.tensor([float(value) for group in groups for value in group.gold])
        each = functional.binary_cross_entropy_with_logits(scores[:, 0], right)
        if task is Task.SUFFICIENCY:
            return each
        chosen, first = [], 0
        for group in groups:
            among = scores[first : first + len(group.ids), 0]
            gold = right[first : first + len(group.ids)]
            first += len(group.ids)
            if 0 < gold.sum() < len(gold):
                # The probability that a right one is chosen, whichever of them it is.
                chosen.append(among.logsumexp(0) - among[gold > 0].logsumexp(0))
        return torch.stack(chosen).mean() + _EACH * each if chosen else _EACH * each

    def tensors(self) -> dict[str, NDArray[np.float16]]:
        """All that was learned, by the names that `models.judges` reads behind that of the trunk."""
        return learned_tensors(self, self.trunk)

    def _pooled(self, pairs: Sequence[Sequence[int]]) -> torch.Tensor:
        longest = max(map(len, pairs))
        ids = torch.zeros(len(pairs), longest, dtype=torch.long)
        mask = torch.zeros(len(pairs), longest)
        for row, tokens in enumerate(pairs):
            ids[row, : len(tokens)] = torch.tensor(tokens)
            mask[row, : len(tokens)] = 1
        states = self.trunk(ids, mask)
        means = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return torch.cat([states[:, 0], means], dim=1)
