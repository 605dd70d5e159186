"""From quiet sessions to summaries, at a known price."""
