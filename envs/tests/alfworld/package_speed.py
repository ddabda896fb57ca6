"""How fast ALFWorld's own environment steps a household of ours: `package_speed.py STEPS`, with nothing of Labyrinth.

It prints the actions that it takes again and again as a line of JSON, `{"cycle": […]}`, and one
`{"stepsPerSecond": …}` of `STEPS` steps for each line of standard input.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CYCLE_STEPS = 50
GAME = """
import json
from labyrinth_envs.alfworld.frozen import households
game = households()[0].game()
print(json.dumps({"pddl_domain": game.domain, "grammar": game.grammar, "pddl_problem": game.problem}))
"""


def main() -> None:
    """Plays rounds until standard input ends."""
    steps = int(sys.argv[1])
    told = subprocess.run([sys.executable, "-c", GAME], stdout=subprocess.PIPE, check=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ALFWORLD_DATA"] = folder  # else the package makes a folder in the user's home
        import textworld
        from alfworld.agents.environment.alfred_tw_env import AlfredDemangler, AlfredInfos

        path = Path(folder, "game.tw-pddl")
        path.write_text(told, encoding="utf-8")
        wanted = textworld.EnvInfos(won=True, admissible_commands=True, extras=["gamefile"])
        env = textworld.start(str(path), wanted, wrappers=[AlfredDemangler, AlfredInfos])
        draw = random.Random(0)
        cycle: list[str] = []
        state = env.reset()
        while len(cycle) < CYCLE_STEPS:
            cycle.append(draw.choice(sorted(state["admissible_commands"])))
            state, _, done = env.step(cycle[-1])
            if done:
                raise SystemExit("the actions drawn win the game; draw others")
        print(json.dumps({"cycle": cycle}), flush=True)
        taken = 0
        for _ in sys.stdin:
            start = time.monotonic()
            for number in range(taken, taken + steps):
                if number % CYCLE_STEPS == 0:
                    env.reset()
                env.step(cycle[number % CYCLE_STEPS])
            taken += steps
            print(json.dumps({"stepsPerSecond": steps / (time.monotonic() - start)}), flush=True)


if __name__ == "__main__":
    main()
