"""What is not kept: secrets, excluded projects, what was said in a pause."""
