"""ScienceWorld: 30 tasks of an elementary-school science laboratory, from the package `scienceworld`."""
