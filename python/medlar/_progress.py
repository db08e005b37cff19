"""What is shown while a fit runs: lines (verbose=1) or a bar of tqdm (verbose="tqdm")."""

from __future__ import annotations

import math
import sys
import time
from typing import Any

from ._native import Report, TracePoint


class Lines:
    """At most ten lines a second, and always the last."""

    def __init__(self) -> None:
        self.next = 0.0
        self.held: TracePoint | None = None

    def __call__(self, point: TracePoint) -> None:
        now = time.monotonic()
        self.held = None if now >= self.next else point
        if now >= self.next:
            self._print(point)
            self.next = now + 0.1

    def _print(self, point: TracePoint) -> None:
        print(f"{point.seconds:8.2f} s  {point.passes:6d} passes  objective {point.objective:.8g}  "
              f"relative gap {point.relative_gap:.1e}  {point.stage}", file=sys.stdout)

    def close(self, report: Report) -> None:
        if self.held is not None:
            self._print(self.held)
        print(report.message)


class Bar:
    """Digits of the relative gap that are reached, of those that are wanted."""

    def __init__(self, tolerance: float) -> None:
        from tqdm.auto import tqdm

        self.wanted = -math.log10(tolerance)
        self.bar = tqdm(total=round(self.wanted, 1), unit="digit", bar_format="{l_bar}{bar}| {elapsed} {postfix}")

    def __call__(self, point: TracePoint) -> None:
        reached = -math.log10(max(point.relative_gap, 1e-300)) if point.relative_gap > 0 else self.wanted
        self.bar.n = round(min(max(reached, 0.0), self.wanted), 1)
        self.bar.set_postfix_str(f"relative gap {point.relative_gap:.1e}")

    def close(self, report: Report) -> None:
        self.bar.set_postfix_str(f"relative gap {report.relative_gap:.1e}, {report.status}")
        self.bar.close()


def display_of(verbose: Any, tolerance: float) -> Lines | Bar | None:
    """What verbose asks for, or None."""
    if verbose == "tqdm":
        return Bar(tolerance)
    if isinstance(verbose, str) or verbose is None or verbose < 0:
        raise ValueError(f"verbose = {verbose!r}, but must be 0, 1 or 'tqdm'")
    return Lines() if verbose else None
