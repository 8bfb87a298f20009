"""How good answers are: strategies on files of questions whose answers are known."""
