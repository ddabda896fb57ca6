"""Imported once by the process that workers are forked from: parses TextWorld's grammars, which it then keeps (1 s)."""

from textworld.generator.text_grammar import Grammar

Grammar()
