"""Pictures: a game draws a :class:`~bearenvs.render.scene.Scene`, small backends turn any scene into a medium.

:mod:`~bearenvs.render.scene` has the shapes and :mod:`~bearenvs.render.palette` their colors; ``svg`` writes text,
``pixels`` images and the window, ``html`` a page that replays a game, ``film`` its film.
:func:`bearenvs.views.draw` draws a state from a seat's place, showing only what the seat knows.
"""
