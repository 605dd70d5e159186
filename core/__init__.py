"""What all rooms share: transcripts, database, capture, summaries, search, page, command line."""

VERSION = "0.1.0"
