"""The training of a net on the adapted encoder: AdamW, the rate rising first and then falling to little."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeVar

import numpy as np
import torch
from torch import nn

from models.adapted_trunk import TRUNK

_WEIGHT_DECAY: Final = 0.01
_LARGEST_GRADIENT: Final = 1.0

Example = TypeVar("Example")


class Schedule(NamedTuple):
    """How a net is trained.

    Attributes:
        epochs: How often all examples are seen.
        steps: Batches of all epochs.
        warm_up: Steps until the full rate.
        trunk_rate: Full rate of the encoder's changes.
        head_rate: Full rate of all else.
        last_rate: Share of the full rate that the last step has.
    """

    epochs: int
    steps: int
    warm_up: int
    trunk_rate: float
    head_rate: float
    last_rate: float


def fit(
    net: nn.Module,
    loss: Callable[[list[Example]], torch.Tensor],
    batches: Callable[[random.Random], Iterable[list[Example]]],
    schedule: Schedule,
    draw: random.Random,
    name: str = "",
) -> None:
    """Trains a net in place; the log goes to standard output.

    Args:
        net: Its encoder is its attribute `trunk`.
        loss: Of one batch.
        batches: All examples once, in an order that the given numbers decide.
        schedule: Rates and lengths.
        draw: Where random numbers for the batches come from.
        name: Begins the lines of the log, where several nets are trained side by side.
    """
    trunk = [value for name, value in net.named_parameters() if name.startswith(TRUNK) and value.requires_grad]
    head = [value for name, value in net.named_parameters() if not name.startswith(TRUNK)]
    groups = [{"params": trunk, "lr": schedule.trunk_rate}, {"params": head, "lr": schedule.head_rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=_WEIGHT_DECAY)
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(1.0, (step + 1) / schedule.warm_up) * max(schedule.last_rate, 1 - step / schedule.steps),
    )
    begun = time.monotonic()
    for epoch in range(schedule.epochs):
        net.train()
        losses = []
        for batch in batches(draw):
            value = loss(batch)
            optimizer.zero_grad()
            value.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), _LARGEST_GRADIENT)
            optimizer.step()
            rates.step()
            losses.append(value.item())
        told = f"loss {np.mean(losses):.4f}, {time.monotonic() - begun:.0f} s"
        print(f"{name}epoch {epoch + 1} of {schedule.epochs}: {told}", flush=True)
    net.eval()
