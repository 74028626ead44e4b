"""A playthrough as frames: the picture after each event, with what happened in plain words."""

from collections.abc import Iterator
from dataclasses import dataclass

from bearenvs import views
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.playthrough import Playthrough, Position
from bearenvs.render.scene import Scene


@dataclass(frozen=True)
class Frame:
    """One picture of a replay. ``num_events``: events so far, of which the last is told in ``text``."""

    scene: Scene
    text: str
    turn: int
    num_events: int


def frames(playthrough: Playthrough, seat: int | None) -> Iterator[Frame]:
    """Yield the frames of the whole truth, or those that ``seat`` sees: none for what it does not notice."""
    position = Position(playthrough.game)
    yield _frame(position, seat, "the game begins", 0)
    for number, recorded in enumerate(playthrough.events, 1):
        event = recorded if recorded >= 0 else ~recorded
        is_chance = position.to_act == CHANCE
        is_seen = seat is None or position.is_seen_by(event, seat)
        text = _words(position, event) if is_seen else "something happens by chance that you do not see"
        position.play(event)
        if is_seen or is_chance:
            yield _frame(position, seat, text, number)


def _frame(position: Position, seat: int | None, text: str, num_events: int) -> Frame:
    if position.to_act == TERMINAL:
        scores = ", ".join(f"p{s} {r:+g}" for s, r in enumerate(views.returns(position.game, position.states)[0]))
        text += f". The game is over: {scores}"
    rows = position.states if seat is None else views.hidden(position.game, position.states, seat)
    return Frame(views.draw(position.game, rows, seat), text, int(rows["turn"][0]), num_events)


def _words(position: Position, event: int) -> str:
    """Return the notation of ``event`` in readable form: ``p1: attack varroa mites p2.0``."""
    who = "chance" if position.to_act == CHANCE else f"p{position.to_act}"
    return f"{who}: {position.text(event).replace('_', ' ')}"
