"""Memories in Python for agents of Labyrinth: what a memory is given, what it gives back, and a check that it fits.

    from labyrinth_memory import Cue, Memory, Perception, Recollection

    class LastThing(Memory):
        def __init__(self) -> None:
            self.last = ""

        def observe(self, perception: Perception) -> None:
            self.last = perception.observation

        def recall(self, cue: Cue) -> Recollection:
            return Recollection({"Last observation": self.last})

A study names it by its file, `python:my_memory.py`, or as `python:package.module:Class`. It runs in a process of its
own for each episode. `OPENAI_BASE_URL` and `OPENAI_API_KEY` lead to the models of the study.
"""

from labyrinth_memory.types import Cue, Memory, Perception, Recollection

__all__ = ["Cue", "Memory", "Perception", "Recollection"]
