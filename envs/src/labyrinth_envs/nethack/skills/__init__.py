"""The catalogue of skills."""

from labyrinth_envs.nethack.skills import exploring, fighting, items, moving, plain
from labyrinth_envs.nethack.skills.base import Skill

CATALOGUE: dict[str, Skill] = {
    skill.name: skill for skill in (*exploring.SKILLS, *moving.SKILLS, *fighting.SKILLS, *items.SKILLS, *plain.SKILLS)
}
"""Name → skill, in the order in which agents are told of them."""
