"""An agent of forty lines on a world of Labyrinth, with the client of OpenAI: `python openai_loop.py MODEL [SEED]`."""

from __future__ import annotations

import sys

import gymnasium
import labyrinth_envs.gym  # noqa: F401  registers the worlds
from openai import OpenAI

RULES = "You play a text game. Answer with one action, in the words of the list, and nothing else."


def play(model: str, world: str = "labyrinth/TreasureHuntMedium-v0", **params: object) -> tuple[float, float, int]:
    """Plays one episode; returns score, highest score and steps. OPENAI_BASE_URL says where the model is."""
    client, env = OpenAI(), gymnasium.make(world, **params)
    observation, info = env.reset()
    chat = [{"role": "system", "content": f"{RULES}\nTask: {info['goal']}"}]
    steps, ended = 0, False
    while not ended:
        actions = info["valid_actions"] or []
        chat.append({"role": "user", "content": f"{observation}\n\nActions: {', '.join(actions)}"})
        reply = client.chat.completions.create(model=model, messages=chat[:1] + chat[-19:], temperature=0)
        said = (reply.choices[0].message.content or "").strip()
        chat.append({"role": "assistant", "content": said})
        action = next((each for each in actions if each.lower() == said.strip(".").lower()), "look")
        observation, _, won_or_lost, limit, info = env.step(action)
        steps, ended = steps + 1, won_or_lost or limit
    env.close()
    return info["score"], info["max_score"], steps


if __name__ == "__main__":
    score, most, taken = play(sys.argv[1], seed=int(sys.argv[2]) if len(sys.argv) > 2 else 0, step_limit=50)
    print(f"{score:g} of {most:g} in {taken} steps")
