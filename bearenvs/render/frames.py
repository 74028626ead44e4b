"""A playthrough as frames: the picture after each event, with what happened in plain words."""

from collections.abc import Iterator
from dataclasses import dataclass

from bearenvs import views
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.playthrough import Playthrough, Position, event_of
from bearenvs.render.scene import Scene
from bearenvs.views import Viewer
from bearenvs.words import YOU


@dataclass(frozen=True)
class Frame:
    """One picture of a replay. ``num_events``: events so far, of which the last, in ``turn``, is told in ``text``."""

    scene: Scene
    text: str
    turn: int
    num_events: int


def frames(playthrough: Playthrough, seat: Viewer) -> Iterator[Frame]:
    """Yield the frames that ``seat`` sees: none for what it does not notice."""
    position = Position(playthrough.game)
    yield _frame(position, seat, "the game begins", 0, 0)
    for number, recorded in enumerate(playthrough.events, 1):
        event = event_of(recorded)
        author, text = position.to_act, position.told(event, seat)
        turn = int(views.seen(position.game, position.states, seat)["turn"][0])
        position.play(event)
        if text is not None:
            who = YOU if author == seat else f"p{author}"
            yield _frame(position, seat, text if author == CHANCE else f"{who}: {text}", turn, number)


def _frame(position: Position, seat: Viewer, text: str, turn: int, num_events: int) -> Frame:
    if position.to_act == TERMINAL:
        scores = ", ".join(f"p{s} {r:+g}" for s, r in enumerate(views.returns(position.game, position.states)[0]))
        text += f". The game is over: {scores}"
    return Frame(views.draw(position.game, position.states, seat), text, turn, num_events)
