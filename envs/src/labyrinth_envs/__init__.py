"""Worlds for language-model agents, behind one ZeroMQ server: `python -m labyrinth_envs serve`."""
