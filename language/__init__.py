"""What is known about English: sentences, tokens, times, cues."""
