"""Notifications: their words, and one module a system to show them."""
