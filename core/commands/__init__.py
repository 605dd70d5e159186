"""The commands of `chatrecall`, one module a verb.

Each module has `configure(parser)`, which declares its arguments, and `run(arguments)`, which does
the work and returns the text to print. A failure is a `ChatRecallError`; progress goes to stderr.
"""
