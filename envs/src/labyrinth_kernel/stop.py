"""Stop: what is sent to Deno, and what is said, when the user interrupts a cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labyrinth_kernel.cell import Cell, Stop
from labyrinth_kernel.deno import Deno

SAMPLE = 0.5
"""Seconds between two looks at what an interrupted cell does."""
PATIENCE = 3.0
"""Seconds that code listening for the hint gets to end by itself."""
BUSY = 0.6
"""Share of a sample from which a cell counts as busy: a loop shows 1, a pending await below 0.1."""


@dataclass
class Stopper:
    """Stops a cell in two stages. `force` sends Deno its own interrupt, `tell` shows a line in the cell."""

    deno: Deno
    force: Callable[[], None]
    tell: Callable[[Cell, str], None]

    def begin(self, cell: Cell | None, now: float) -> None:
        """First stage: a hint that code may listen to. The second stage follows only while the processor is busy."""
        self.deno.hint()
        if not cell or cell.reply:
            return
        if cell.stop:
            cell.stop.told = False
        else:
            cell.stop = Stop(now, self.deno.demand(), now)

    def look_at(self, cell: Cell, now: float) -> None:
        """Still running after the hint: Deno's own interrupt ends a busy loop, but in an await it hangs Deno."""
        stop = cell.stop
        if not stop or now <= stop.sampled + SAMPLE:
            return
        demand = self.deno.demand()
        share = (demand - stop.demand) / (now - stop.sampled) if demand is not None and stop.demand is not None else 0
        stop.demand, stop.sampled = demand, now
        if self.deno.listens() and now < stop.asked + PATIENCE:
            return
        if share > BUSY:
            stop.forced = True
            self.force()
        elif not stop.told:
            stop.told = True
            what = "was broken off and cannot go on" if stop.forced else "waits for something that does not react"
            self.tell(cell, f"Stop: the cell {what}; restart the kernel to give it up\n")
