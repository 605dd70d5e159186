"""Puts ChatRecall on a machine, part by part, and takes it off again. Standard library only."""
