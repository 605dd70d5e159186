"""The search box: a small window for a few words, and the sessions that they bring back."""
