"""The installer's commands of `chatrecall`, made like those in `core/commands`."""
