"""What touches the database as a whole: backup, repair, and forgetting for good."""
