"""What is measured: one module per figure, each with a `main` that prints it and the command that gives it."""
