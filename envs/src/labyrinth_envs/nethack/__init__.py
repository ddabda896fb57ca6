"""NetHack (Küttler et al. 2020) played by skills, for the NetHack study of the AriGraph paper.

The paper builds on NetPlay (Jeurissen et al. 2024), whose tracking, skills and texts are built anew here from their
description; the game itself is the package `nle`. One file a concern: `keys` and `screen` talk to the game; `glyphs`
says what a cell shows; `level` remembers a level, `rooms` cuts it into rooms and corridors with lasting numbers,
`paths` finds ways; `tracker` follows the whole dungeon and says what happened; `skills` turns a call into keys; `calls`
reads calls; `runner` runs one with its interrupts and limits; `describer` and `picture` show what is known, `offers`
what may be done; `world` binds them to the contract of a world.
"""
