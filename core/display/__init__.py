"""What a person sees of it: the page in the browser, the text in the terminal."""
