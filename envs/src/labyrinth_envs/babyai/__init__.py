"""BabyAI as the GraphMind paper extends it: coloured doors that hide what lies beyond, on the minigrid package.

One file a concern: `layouts` reads and checks a map; `level` plays it; `sight` says what the agent sees, `texts` and
`art` show it; `dsl` reads an action, and `actor` carries it out by what `survey` has kept; `truth` is for measuring;
`world` binds them to the contract of a world, with what `parameters` say. `draw`, `filters` and `oracle` make new
layouts, by the command `python -m labyrinth_envs.babyai`; `maze` draws larger ones, which `sized` plays at once.
"""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # minigrid imports pygame, which would print to stdout
os.environ.pop("BABYAI_DONE_ACTIONS", None)  # with it minigrid would count no mission as done without a word of it
