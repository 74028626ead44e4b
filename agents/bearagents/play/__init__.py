"""Sitting down at a table: a game in progress whose seats people and agents hold, in the terminal and in the browser.

:mod:`~bearagents.play.session` is the table itself; ``terminal`` and ``web`` show it (both need the extra ``play``).
"""
