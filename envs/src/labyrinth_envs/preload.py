"""Imported once by the process that workers are forked from (`multiprocessing.set_forkserver_preload`)."""

from labyrinth_envs.worker import preload

preload()
