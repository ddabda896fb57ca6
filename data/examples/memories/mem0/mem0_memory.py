"""The package `mem0ai` with its embedded Qdrant, unpatched, as a memory of Labyrinth.

Set up its environment with `uv sync --project data/examples/memories/mem0`, and play it as
`python:data/examples/memories/mem0/mem0_memory.py`.
"""

from __future__ import annotations

import os

os.environ["MEM0_TELEMETRY"] = "False"

from labyrinth_memory import Cue, Memory, Perception, Recollection
from mem0 import Memory as Mem0
from openai import OpenAI

AGENT = {"user_id": "agent"}


class Mem0Memory(Memory):
    """Adds each observation as a message of the user, and recalls by a search for the observation and the plan."""

    def __init__(self, k: int = 10, threshold: float = 0.1) -> None:
        self.k, self.threshold = k, threshold
        [probe] = OpenAI().embeddings.create(model="lab", input=["probe"], encoding_format="float").data
        store = {"path": os.path.abspath("qdrant"), "embedding_model_dims": len(probe.embedding)}
        self.mem0 = Mem0.from_config(
            {
                "llm": {"provider": "openai", "config": {"model": "lab", "temperature": 0}},
                "embedder": {"provider": "openai", "config": {"model": "lab"}},
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": os.path.abspath("history.sqlite"),
            }
        )

    def observe(self, perception: Perception) -> None:
        """One call of `add`, which asks its model what is worth keeping."""
        action = f"I did: {perception.action}\n" if perception.action else ""
        inventory = f"\n{perception.inventory}" if perception.inventory else ""
        text = f"{action}{perception.observation}{inventory}"
        self.mem0.add([{"role": "user", "content": text}], **AGENT)

    def recall(self, cue: Cue) -> Recollection:
        """One call of `search`."""
        query = f"{cue.plan}\n{cue.observation}".strip()
        found = self.mem0.search(query, filters=AGENT, top_k=self.k, threshold=self.threshold)["results"]
        facts = [each["memory"].replace("\n", " ") for each in found]
        return Recollection({"Memories": "\n".join(f"- {fact}" for fact in facts)}, recalled={"memories": facts})

    def save(self) -> list[str]:
        """The texts of all memories, in the order in which they were made."""
        found = self.mem0.get_all(filters=AGENT, top_k=10_000)["results"]
        return [each["memory"] for each in sorted(found, key=lambda each: each["created_at"])]

    def load(self, body: list[str]) -> None:
        """Puts the texts back as they were."""
        for text in body:
            self.mem0.add([{"role": "user", "content": text}], infer=False, **AGENT)
