"""What Claude Code starts. Standard library only."""
