"""A memory that asks a model about each observation, and keeps quiet about errors, as many packages do."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from typing import Any

from labyrinth_memory import Cue, Memory, Perception, Recollection


def post(path: str, body: dict[str, Any], patience: float | None = None, times: int | None = None) -> Any:
    """Asks up to `times` times, each for `patience` seconds, as OpenAI's client does."""
    headers = {"Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}", "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + path, json.dumps(body).encode(), headers)
    for _ in range(times or 1000):
        try:
            with urllib.request.urlopen(request, timeout=patience) as answer:
                return json.load(answer)
        except TimeoutError:
            continue
    raise RuntimeError("no answer")


class Asks(Memory):
    def __init__(self, patience: float | None = None, times: int | None = None) -> None:
        self.facts: list[str] = []
        self.patience, self.times = patience, times

    def observe(self, perception: Perception) -> None:
        messages = [{"role": "user", "content": f"What is worth keeping? {perception.observation}"}]
        try:
            for _ in range(2):
                body = {"model": "any", "messages": messages, "temperature": 0.5}
                answer = post("/chat/completions", body, self.patience, self.times)
                self.facts.append(answer["choices"][0]["message"]["content"])
        except urllib.error.HTTPError as error:
            self.facts.append(f"nothing ({error.code})")

    def recall(self, cue: Cue) -> Recollection:
        answer = post("/embeddings", {"model": "any", "input": [cue.observation, "a"]})
        sizes = [len(item["embedding"]) for item in answer["data"]]
        return Recollection({"Facts": "\n".join(self.facts), "Sizes": str(sizes)})
