"""What stands beside strict reading: guesses at what the caller left open, refusals of files that would be read as
something else, and cautions about graphs that do not look like friendships.
"""
