"""The desktop that the tray app is on: one module a system, with the same functions."""
