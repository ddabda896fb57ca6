"""Worlds of Labyrinth as a task of Inspect: `inspect eval inspect_task.py --model openai/gpt-4o -T seeds=5`.

The agent is Inspect's own `react`, which acts by a tool. Score and steps are in its log.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import labyrinth_envs.gym  # noqa: F401  registers the worlds
from inspect_ai import Task, task
from inspect_ai.agent import AgentPrompt, react
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, tool
from inspect_ai.util import store

RULES = "Play the text game with the tool act. Call submit once the episode has ended."
GAMES: dict[str, Any] = {}
"""Sample → its world; a log holds no process."""


@task
def labyrinth(world: str = "labyrinth/TreasureHuntMedium-v0", seeds: int = 1, steps: int = 50) -> Task:
    """One game for each seed, of at most so many steps."""
    games = [Sample(input=world, id=f"seed {seed}", metadata={"seed": seed, "steps": steps}) for seed in range(seeds)]
    agent = react(prompt=AgentPrompt(instructions=RULES), tools=[act()])
    return Task(dataset=games, setup=opened(), solver=agent, scorer=game_score(), message_limit=4 * steps + 20)


@solver
def opened() -> Solver:
    """Opens the world of a sample and shows its first observation."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        env = gymnasium.make(state.input_text, seed=state.metadata["seed"], step_limit=state.metadata["steps"])
        observation, info = env.reset()
        GAMES[state.uuid] = env
        store().set("game", state.uuid)
        store().set("result", {"score": info["score"], "max_score": info["max_score"], "steps": 0, "end": None})
        state.user_prompt.text = f"{info['goal']}\n\n{shown(observation, info)}"
        return state

    return solve


@tool
def act() -> Tool:
    """The tool by which the agent acts."""

    async def execute(action: str) -> str:
        """Takes one action in the game.

        Args:
            action: One of the actions that are listed.
        """
        result = dict(store().get("result"))
        if result["end"] is not None:
            return "The episode has ended. Call submit."
        observation, _, _, _, info = GAMES[store().get("game")].step(action)
        taken = {"score": info["score"], "end": info["end"], "steps": result["steps"] + 1}
        store().set("result", result | taken)
        return shown(observation, info) if info["end"] is None else f"{observation}\n\nThe episode has ended."

    return execute


@scorer(metrics=[mean(), stderr()])
def game_score() -> Scorer:
    """The share of the highest score."""

    async def score(state: TaskState, target: Target) -> Score:
        result = store().get("result")
        GAMES.pop(store().get("game")).close()
        return Score(value=result["score"] / result["max_score"], metadata=result)

    return score


def shown(observation: str, info: dict[str, Any]) -> str:
    """An observation with the actions that are possible."""
    return f"{observation}\n\nActions: {', '.join(info['valid_actions'] or [])}"
