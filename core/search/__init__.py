"""From a few words to the sessions that they bring back."""
