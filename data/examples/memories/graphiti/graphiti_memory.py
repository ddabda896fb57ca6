"""The package `graphiti-core` with its embedded store Kuzu, unpatched, as a memory of Labyrinth.

Set up its environment with `uv sync --project data/examples/memories/graphiti`, and play it as
`python:data/examples/memories/graphiti/graphiti_memory.py`.
"""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime, timedelta

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"

from graphiti_core import Graphiti
from graphiti_core.driver.driver import GraphProvider
from graphiti_core.driver.kuzu_driver import KuzuDriver
from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig
from graphiti_core.graph_queries import get_fulltext_indices
from graphiti_core.llm_client.config import LLMConfig
from graphiti_core.llm_client.openai_generic_client import OpenAIGenericClient
from graphiti_core.nodes import EpisodeType
from labyrinth_memory import Cue, Memory, Perception, Recollection

START = datetime(2000, 1, 1, tzinfo=UTC)
"""Time of step 0; a step takes a minute. The clock of the machine would make each prompt another one."""

WORDS = 100
"""Words of a query: the package's search for full text finds nothing for a longer one than 128."""


class GraphitiMemory(Memory):
    """Adds each observation as an episode, and recalls the facts that a search for observation and plan finds."""

    RESERVES = True  # Kuzu reserves 8 TiB of address space

    def __init__(self, k: int = 10) -> None:
        self.k = k
        self.loop = asyncio.new_event_loop()
        key, address = os.environ["OPENAI_API_KEY"], os.environ["OPENAI_BASE_URL"]
        config = LLMConfig(model="lab", small_model="lab", api_key=key, base_url=address)
        self.graphiti = Graphiti(
            graph_driver=KuzuDriver(db=":memory:"),
            llm_client=OpenAIGenericClient(config=config),
            embedder=OpenAIEmbedder(config=OpenAIEmbedderConfig(embedding_model="lab")),
        )
        self.loop.run_until_complete(self._index())

    async def _index(self) -> None:
        """Builds the indices; those for full text are not among what the package builds for Kuzu itself."""
        await self.graphiti.build_indices_and_constraints()
        for query in get_fulltext_indices(GraphProvider.KUZU):
            await self.graphiti.driver.execute_query(query)

    def observe(self, perception: Perception) -> None:
        """One call of `add_episode`."""
        action = f"Action: {perception.action}\n" if perception.action else ""
        self.loop.run_until_complete(
            self.graphiti.add_episode(
                name=f"step {perception.step}",
                episode_body=f"{action}{perception.observation}",
                source=EpisodeType.text,
                source_description="an observation in a text game",
                reference_time=START + timedelta(minutes=perception.step),
            )
        )

    def recall(self, cue: Cue) -> Recollection:
        """One call of `search`."""
        query = " ".join(f"{cue.observation} {cue.plan}".split()[:WORDS])
        found = self.loop.run_until_complete(self.graphiti.search(query, num_results=self.k))
        facts = [edge.fact for edge in found if edge.invalid_at is None]
        return Recollection({"Facts": "\n".join(f"- {fact}" for fact in facts)}, recalled={"facts": facts})
