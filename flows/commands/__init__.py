"""The verbs of the command line, ten lines each: parse, call, print path and verdict, exit code."""
