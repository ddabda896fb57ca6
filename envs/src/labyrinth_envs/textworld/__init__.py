"""TextWorld games (Côté et al. 2018): Treasure Hunt, Cleaning and Cooking of the AriGraph paper, and any game file.

One file a concern: `hunt`, `cleaning`, `cooking` make games as data; `rename` gives a game invented words; `cache`
compiles it once by the hash of its content; `guard` lets only single commands through; `engine` runs a compiled game,
`logic_engine` one by its rules alone, in which `mover` may carry things about; `texts` holds every text rule; `scoring`
the papers' rewards; `worlds` binds them to the contract of a world.
"""

import labyrinth_envs.parses  # noqa: F401  (first of all: it imports textworld, whose rules it keeps)
