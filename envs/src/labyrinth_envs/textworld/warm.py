"""Imported once by the process that workers are forked from: parses the rules of cooking (0.3 s), which it keeps."""

from labyrinth_envs.textworld import cooking

cooking.parse_rules()
