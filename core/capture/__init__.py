"""From transcripts to exchanges: what Claude Code wrote, taken in once and completely."""
