"""ALFWorld as text: the official games where a user has them, and households of our own.

The rules of the world (domain and grammar) are those of the alfworld package, read from it and never copied. Games of
others come from files; ours are drawn by a seeded generator, and 134 of them are frozen in `households.jsonl`.
"""

import labyrinth_envs.alfworld.package  # noqa: F401  (first of all: it refuses, with the remedy, where they are absent)
