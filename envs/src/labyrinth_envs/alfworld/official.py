"""Prints the official sets of games as JSON: of each its folder, its whole games there, and how many it should have."""

import json

from labyrinth_envs.alfworld.files import OFFICIAL_GAMES, official_state

if __name__ == "__main__":
    states = {split: (*official_state(split), published) for split, published in OFFICIAL_GAMES.items()}
    told = [{"split": s, "path": str(path), "found": n, "published": all_} for s, (path, n, all_) in states.items()]
    print(json.dumps(told))
