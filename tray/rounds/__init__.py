"""The rounds that sweep and summarize: when they are due, and the processes that run them."""
