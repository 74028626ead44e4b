"""Checks of the rules: tables, states, actions, chance, observations, and both ways to run a kernel."""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.rng import seed_words
from bearenvs.sets import listed, new_set
from bearenvs.tables import Table
from bearenvs.testing.bounds import bernstein
from bearenvs.testing.lab import (
    POISON,
    CheckFailed,
    Lab,
    Moment,
    differing_fields,
    is_chance,
    is_decision,
)
from bearenvs.views import States

MAX_TABLE = 32767
"""Lists of actions and logs of outcomes are int16."""


def check_tables(lab: Lab) -> None:
    """Every entry of both tables, for every seat, has one line of text that leads back to it."""
    _check_table("action", lab.game.actions, lab.seats)
    _check_table("outcome", lab.game.outcomes, range(1))


def _check_table(kind: str, table: Table, seats: range) -> None:
    if not 0 < len(table) <= MAX_TABLE:
        raise CheckFailed(f"the {kind} table has {len(table)} entries; 1 to {MAX_TABLE} are possible")
    for seat in seats:
        for index in range(len(table)):
            text = table.text(index, seat)
            if text != " ".join(text.split()) or not text.isprintable() or text[:1] in ("", "#", "?"):
                raise CheckFailed(f"{kind} {index} reads {text!r} for p{seat}: not a line of words with single spaces")
            if table.index(text, seat) != index:
                raise CheckFailed(f"{kind} {index} reads {text!r} for p{seat}, which is {table.index(text, seat)}")


def check_states(lab: Lab) -> None:
    """Headers go on as they should, laws hold, returns are finite, and every game ends."""
    for record in lab.records:
        for k, event in enumerate(record.events):
            _check_header(record.moment(k), record.states[k : k + 1], record.states[k + 1 : k + 2], event >= 0)
    for moment in lab.moments(600):
        law = lab.broken_law(moment.states)
        moment.require(law is None, f"the law {law!r} is broken")
        block = np.full((3, lab.game.num_players), np.nan)
        lab.game.bind(drivers.returns_rows)(lab.game.record, moment.states, block[1:2])
        moment.require(np.isfinite(block[1]).all(), f"the returns are {block[1]}: not all written, or not finite")
        moment.require(np.isnan(block[[0, 2]]).all(), "returns() writes outside its array")
        if lab.game.is_cooperative:
            moment.require((block[1] == block[1, 0]).all(), f"the game is cooperative, but the returns are {block[1]}")


def _check_header(moment: Moment, before: States, after: States, is_action: bool) -> None:
    old, new = before[0], after[0]
    num_players = moment.lab.game.num_players
    what = f"the {'action' if is_action else 'outcome'} that comes next"
    moment.require(int(new.ply) - int(old.ply) == is_action, f"{what} changes ply from {old.ply} to {new.ply}")
    moment.require(new.turn >= old.turn, f"{what} turns turn back from {old.turn} to {new.turn}")
    moment.require((new.is_out >= old.is_out).all(), f"{what} brings back a seat that is out: {new.is_out}")
    moment.require(set(new.is_out.tolist()) <= {0, 1}, f"{what} makes is_out {new.is_out}: not 0 or 1")
    moment.require(not new.is_out[num_players:].any(), f"{what} puts a seat out that is not there: {new.is_out}")
    moment.require(TERMINAL <= new.to_act < num_players, f"{what} makes to_act {new.to_act}")
    moment.require(new.to_act < 0 or not new.is_out[new.to_act], f"{what} asks p{new.to_act}, who is out")
    moment.require(new.truncated in (0, 1), f"{what} makes truncated {new.truncated}")
    moment.require(not new.truncated or new.to_act == TERMINAL, f"{what} truncates, and the game goes on")


def check_actions(lab: Lab) -> None:
    """Legal actions are ascending, unique and in the table; each of them, and each possible outcome, applies.

    Applying is deterministic, keeps the laws, and changes nothing but the state.
    """
    game = lab.game
    content = game.record.tobytes()
    for moment in lab.moments(200, where=is_decision):
        _check_legal(moment, game)
    for moment in [*lab.moments(100, where=is_decision), *lab.moments(100, where=is_chance)]:
        for event in lab.possible(moment.states):
            text = lab.event_text(moment.states, event)
            after = lab.applied(moment.states, event)
            again = lab.applied(moment.states, event)
            moment.require(
                after.tobytes() == again.tobytes(),
                f"{text!r} gives two different states, in {differing_fields(after, again)}",
            )
            _check_header(moment, moment.states, after, moment.to_act != CHANCE)
            law = lab.broken_law(after)
            moment.require(law is None, f"{text!r} breaks the law {law!r}")
            moment.require(after["to_act"][0] == TERMINAL or lab.possible(after), f"after {text!r} nothing is possible")
            moment.require(game.record.tobytes() == content, f"{text!r} changes the content")


def _check_legal(moment: Moment, game: Game) -> None:
    before = moment.states.tobytes()
    block = np.repeat(new_set(game.max_actions), 3)
    game.bind(drivers.legal_row)(game.record, moment.states, block[1:2])
    found = listed(block["actions"][1])
    limit = game.max_legal
    moment.require(1 <= len(found) <= limit, f"legal() finds {len(found)} actions; 1 to {limit} are possible")
    moment.require(found[-1] < game.num_actions, f"the legal actions {found} leave the table")
    moment.require(not block["actions"][[0, 2]].any(), "legal() writes outside its set")
    moment.require(moment.states.tobytes() == before, "legal() changes the state")


def check_chance(lab: Lab) -> None:
    """``sample_chance`` draws outcomes as often as the weights of ``chance`` say, and none that has no weight."""
    game = lab.game
    moments = lab.moments(60, where=is_chance)
    draws, size = lab.size(3000), len(game.outcomes)
    comparisons = (len(moments) + 1) * size
    sums = np.zeros((3, size))  # drawn, expected, variance over all moments
    for moment in moments:
        weights = _weights(moment, game)
        states = np.repeat(moment.states, draws)
        drawn = lab.sample_chance(states, lab.rng)
        moment.require(states.tobytes() == moment.states.tobytes() * draws, "sample_chance() changes the state")
        moment.require(((drawn >= 0) & (drawn < size)).all(), "sample_chance() draws what is not in the outcome table")
        odds = weights / weights.sum()
        counts = np.bincount(drawn, minlength=size)
        sums += counts, draws * odds, draws * odds * (1 - odds)
        impossible = np.flatnonzero((counts > 0) & (weights == 0)).tolist()
        if impossible:
            moment.fail(f"sample_chance() draws {game.outcomes.text(impossible[0])!r}, whose weight is 0")
        for outcome in np.flatnonzero(weights).tolist():
            text = game.outcomes.text(outcome)
            expected = draws * odds[outcome]
            moment.require(
                abs(counts[outcome] - expected) <= bernstein(expected * (1 - odds[outcome]), comparisons),
                f"sample_chance() drew {text!r} {counts[outcome]} times of {draws}; its weight says {expected:.0f}",
            )
    for outcome, (counted, expected, variance) in enumerate(sums.T):
        if abs(counted - expected) > bernstein(variance, comparisons):
            raise CheckFailed(
                f"over {len(moments)} moments sample_chance() drew {game.outcomes.text(outcome)!r} {counted:.0f} times;"
                f" the weights say {expected:.0f}"
            )


def _weights(moment: Moment, game: Game) -> npt.NDArray[np.int64]:
    block = np.full(len(game.outcomes) + 2 * POISON, POISON, np.int64)
    weights = block[POISON:-POISON]
    before = moment.states.tobytes()
    game.bind(drivers.chance_row)(game.record, moment.states, weights)
    moment.require((np.delete(block, slice(POISON, -POISON)) == POISON).all(), "chance() writes outside its array")
    moment.require(moment.states.tobytes() == before, "chance() changes the state")
    return weights


def check_observation(lab: Lab) -> None:
    """Every entry is written, finite and in [0, 1], for every seat at every moment; the sections have their sizes."""
    layout, size = lab.game.layout, lab.game.observation_size
    if layout.size != size or sum(section.size for section in layout) != size:
        raise CheckFailed(f"the layout's sections sum to {sum(s.size for s in layout)} entries, not to {size}")
    for moment in lab.moments(300):
        before = moment.states.tobytes()
        for seat in lab.seats:
            seen = [_observe(moment, seat, np.float32(poison)) for poison in (np.nan, POISON)]
            moment.require(moment.states.tobytes() == before, "observe() changes the state")
            for section in layout:
                one, other = (values[layout[section.name]] for values in seen)
                bad = np.flatnonzero(~((one >= 0) & (one <= 1) & (one == other)))
                if bad.size:
                    moment.fail(
                        f"what p{seat} observes in section {section.name!r} at {bad[0]} of {section.size} is"
                        f" {one[bad[0]]} in a buffer of NaN and {other[bad[0]]} in one of {POISON}:"
                        " not written, or not in [0, 1]"
                    )


def _observe(moment: Moment, seat: int, poison: np.float32) -> npt.NDArray[np.float32]:
    """Observe into the middle one of three rows."""
    game = moment.lab.game
    block = np.full((3, game.observation_size), poison)
    game.bind(drivers.observe_rows)(game.record, moment.states, seat, block[1:2])
    around = block[[0, 2]]
    moment.require(np.array_equal(around, np.full_like(around, poison), equal_nan=True), "observe() writes outside")
    row: npt.NDArray[np.float32] = block[1]
    return row


def check_compiled(lab: Lab) -> None:
    """Compiled and interpreted, every kernel gives the same bytes, and interpreted no small integer overflows."""
    if not lab.game.bind.compiled:
        return
    game = lab.game
    twin = type(game)(game.settings, game.content, compiled=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for moment in lab.moments(150):
            ours, theirs = _all_kernels(moment, game), _all_kernels(moment, twin)
            for name, value in ours.items():
                if value != theirs[name]:
                    moment.fail(f"{name} differs between compiled and interpreted: {_difference(value, theirs[name])}")


def _difference(one: Any, other: Any) -> str:
    """Say where two results differ: of two lists, in which place."""
    if not isinstance(one, list) or len(one) != len(other):
        return f"{one!r} and {other!r}"
    place = next(k for k in range(len(one)) if one[k] != other[k])
    return f"[{place}] is {_difference(one[place], other[place])}"


def _all_kernels(moment: Moment, game: Game) -> dict[str, Any]:
    """Return what every kernel of the contract gives at ``moment``, by name."""
    lab, states = moment.lab, moment.states
    rng = seed_words((lab.seed, moment.number))
    events = lab.possible(states) if moment.to_act != TERMINAL else []
    event = np.array(events[moment.number % len(events) :][:1] if events else [], np.int64)
    after = states[: len(event)].copy()
    given: dict[str, Any] = {
        "legal": views.legal_actions(game, states),
        "chance": views.chance_weights(game, states).tolist(),
        "returns": views.returns(game, states).tolist(),
        "hide": [views.hidden(game, states, seat).tobytes() for seat in lab.seats],
        "determinize": [views.determinized(game, states, seat, rng).tobytes() for seat in lab.seats],
        "event_seen_by": [game.bind(drivers.seen_by_row)(game.record, states, one) for one in events],
    }
    for seat in lab.seats:
        seen = views.observation(game, states, seat)[0]
        given |= {f"observe for p{seat}: {one.name}": seen[game.layout[one.name]].tolist() for one in game.layout}
    game.bind(drivers.apply_rows)(game.record, after, event)
    given["apply"] = after.tobytes()
    if moment.to_act == CHANCE:
        out = np.zeros(1, np.int64)
        game.bind(drivers.sample_chance_rows)(game.record, states, rng, out)
        given["sample_chance"] = int(out[0])
    return given | {"the generator after determinize() and sample_chance": rng.tolist()}
