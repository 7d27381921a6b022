"""The commands of the shell."""
