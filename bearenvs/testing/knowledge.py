"""Checks of hidden information: what a seat can see, and what it is told about what it cannot."""

import numpy as np
import numpy.typing as npt

from bearenvs import drivers, views
from bearenvs.batch import Batch
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.sets import new_set
from bearenvs.testing.bounds import symmetric
from bearenvs.testing.lab import (
    CheckFailed,
    Lab,
    Moment,
    byte_rows,
    differing_fields,
    field_at,
    is_decision,
)
from bearenvs.views import States

MANY = 100
"""So many times may something happen by chance before its never happening counts."""
FACTOR = 20
"""By so much may others' choices, which count as uninformative, change how likely a hidden fact is."""


def check_no_peeking(lab: Lab) -> None:
    """What a seat cannot know changes nothing that it sees.

    Two truths that differ only in that are made by hiding and determinizing, and by letting chance or another seat
    do something else that the seat does not see. Hidden row, observation, legal actions, description and picture are
    compared.
    """
    for moment in lab.moments(300, where=lambda states: states["to_act"] != TERMINAL):
        _compare_unseen_events(moment)
    for moment in lab.moments(200):
        for seat in lab.seats:
            _compare_with_determinization(moment, seat)
    for moment in lab.moments(30):
        for seat in lab.seats:
            _compare_pictures(moment, seat)


def _compare_with_determinization(moment: Moment, seat: int) -> None:
    lab, game, truth = moment.lab, moment.lab.game, moment.states
    hidden = views.hidden(game, truth, seat)
    other = lab.determinized(hidden, seat)
    for name, row in (("it again", hidden), ("a determinization of it", other)):
        twice = views.hidden(game, row, seat)
        moment.require(
            twice.tobytes() == hidden.tobytes(),
            f"hiding a state for p{seat}, and hiding {name}, differ in {differing_fields(twice, hidden)}",
        )
    moment.require(hidden["to_act"][0] == moment.to_act or moment.to_act != seat, f"p{seat} cannot see that it acts")
    for name, row in (("hidden row", hidden), ("determinization", other)):
        seen, instead = views.observation(game, truth, seat)[0], views.observation(game, row, seat)[0]
        places = np.flatnonzero(seen.view(np.uint32) != instead.view(np.uint32))
        if places.size:
            section = next(s.name for s in game.layout if places[0] < game.layout[s.name].stop)
            moment.fail(f"p{seat} observes its {name} and the truth differently, in section {section!r}")
        if moment.to_act == seat:
            moment.require(
                views.legal_actions(game, row) == views.legal_actions(game, truth),
                f"p{seat} has other legal actions in its {name} than in the truth",
            )


def _compare_pictures(moment: Moment, seat: int) -> None:
    """Compare description and picture: made of the same hidden row, they differ only by what is not in it."""
    game, truth = moment.lab.game, moment.states
    other = moment.lab.determinized(views.hidden(game, truth, seat), seat)
    for name, make in (("description", views.describe), ("picture", views.draw)):
        moment.require(
            make(game, truth, seat) == make(game, other, seat),
            f"the {name} for p{seat} is not the same in the truth and in a determinization",
        )


def _compare_unseen_events(moment: Moment) -> None:
    """Of all that could happen now unseen by a seat, it must not see which did.

    But a game that waits for another seat's secret decision, where it could as well have gone on, gives that away by
    waiting. What leads there is left out.
    """
    lab, game = moment.lab, moment.lab.game
    seen_by = {event: lab.seen_by(moment.states, event) for event in lab.possible(moment.states)}
    for event, mask in seen_by.items():
        moment.require(
            0 <= mask < 1 << game.num_players and (moment.to_act < 0 or mask >> moment.to_act & 1),
            f"event_seen_by({lab.event_text(moment.states, event)!r}) is {mask:#b}: not its author and other seats",
        )
    for seat in lab.seats:
        unseen = {event: lab.applied(moment.states, event) for event, mask in seen_by.items() if not mask >> seat & 1}
        unseen = {event: after for event, after in unseen.items() if not _waits_for_secret(lab, after, seat)}
        if len(unseen) < 2:
            continue
        first, after = next(iter(unseen)), np.concatenate(list(unseen.values()))
        rows = views.hidden(game, after, seat)
        seen = views.observation(game, after, seat)
        for k, event in enumerate(unseen):
            which = " and ".join(repr(lab.event_text(moment.states, each)) for each in (first, event))
            moment.require(
                (byte_rows(rows)[k] == byte_rows(rows)[0]).all(),
                f"p{seat} does not see which of {which} happens, but its hidden rows differ in"
                f" {differing_fields(rows[:1], rows[k : k + 1])}",
            )
            moment.require(
                seen[k].tobytes() == seen[0].tobytes(),
                f"p{seat} does not see which of {which} happens, but its observations differ",
            )


def _waits_for_secret(lab: Lab, states: States, seat: int) -> bool:
    """Tell whether another seat is to act that can do something unseen by ``seat``."""
    if states["to_act"][0] in (CHANCE, TERMINAL, seat):
        return False
    return any(not lab.seen_by(states, action) >> seat & 1 for action in lab.possible(states))


def check_determinize(lab: Lab) -> None:
    """A determinization is a possible truth that can be played on, and it is not the truth itself.

    Where a seat has few possibilities, the truth is among them.
    """
    game = lab.game
    has_secrets, is_truth = [False] * game.num_players, [True] * game.num_players
    for moment in lab.moments(200):
        events = lab.possible(moment.states) if moment.to_act != TERMINAL else []
        truth = all_views(lab, moment.states)[0].tobytes()
        for seat in lab.seats:
            has_secrets[seat] |= sum(not lab.seen_by(moment.states, event) >> seat & 1 for event in events) > 1
            hidden = views.hidden(game, moment.states, seat)
            others = lab.determinized(np.repeat(hidden, lab.size(100)), seat)
            _play_on(moment, seat, others[:1].copy())
            found = _by_views(lab, others)
            is_truth[seat] &= found.keys() == {truth}
            _require_truth_among_few(moment, seat, hidden, truth, found)
    for seat in lab.seats:
        if has_secrets[seat] and is_truth[seat]:
            raise CheckFailed(f"there is something that p{seat} does not see, but its determinizations are the truth")


def _play_on(moment: Moment, seat: int, states: States) -> None:
    """Play a determinization at random to its end."""
    lab, game = moment.lab, moment.lab.game
    law = lab.broken_law(states)
    moment.require(law is None, f"a determinization for p{seat} breaks the law {law!r}")
    game.bind(drivers.random_playout)(game.record, states, new_set(game.max_actions), lab.rng, lab.size(2000))
    law = lab.broken_law(states)
    moment.require(law is None, f"a determinization for p{seat}, played on, breaks the law {law!r}")


def _require_truth_among_few(
    moment: Moment, seat: int, hidden: States, truth: bytes, found: dict[bytes, States]
) -> None:
    """Pass a truth that is told like one drawn: what two other seats know of each other is for them alone."""
    lab = moment.lab
    num_rounds = 0
    while len(found) <= 8 and truth not in found and num_rounds < 20:
        found = found | _by_views(lab, lab.determinized(np.repeat(hidden, lab.size(1000)), seat))
        num_rounds += 1
    if len(found) > 8 or truth in found:
        return
    told = views.describe(lab.game, moment.states, "all")
    if all(views.describe(lab.game, states, "all") != told for states in found.values()):
        moment.fail(
            f"p{seat} has {len(found)} possibilities by {20 * lab.size(1000)} determinizations;"
            " the truth is none of them"
        )


def _by_views(lab: Lab, states: States) -> dict[bytes, States]:
    """Return one of ``states`` (1,) for each way in which all seats can see them."""
    return {row.tobytes(): states[i : i + 1] for i, row in enumerate(all_views(lab, states))}


def check_chances_of_the_hidden(lab: Lab) -> None:
    """Hidden facts are as frequent in determinizations as in the truths they stand for.

    Exactly so at the first decision, before anybody has chosen anything. Later others' choices, which determinize
    does not interpret, shift frequencies: there, what is frequent on one side must not be missing on the other.
    """
    batch = Batch(lab.game, lab.size(4000), seed=lab.seed)
    batch.reset()
    first = batch.states.copy()
    for seat in lab.seats:
        _compare_frequencies(lab, seat, first, is_first=True)
    later = _random_moments(lab)
    for seat in lab.seats:
        _compare_frequencies(lab, seat, later, is_first=False)


def _random_moments(lab: Lab) -> States:
    """Return a decision each of many independent random games."""
    batch = Batch(lab.game, lab.size(3000), seed=lab.seed + 1_000_000)
    batch.reset()
    typical = int(np.median([int(is_decision(record.states).sum()) for record in lab.records]))
    stops = lab.random.integers(0, typical + typical // 2 + 1, batch.num_envs)
    rows = batch.states.copy()
    for step in range(1, stops.max() + 1):
        batch.step(batch.random_actions())
        now = np.flatnonzero(stops == step)
        rows[now] = batch.states[now]
    return rows


def all_views(lab: Lab, states: States) -> npt.NDArray[np.uint8]:
    """Return what all seats together know of states (n,): bytes (n, num_players * itemsize).

    That is the truth without what has no meaning to anybody, such as scratch space.
    """
    return np.concatenate([byte_rows(views.hidden(lab.game, states, seat)) for seat in lab.seats], axis=1)


def _compare_frequencies(lab: Lab, seat: int, truths: States, *, is_first: bool) -> None:
    hidden = views.hidden(lab.game, truths, seat)
    true = all_views(lab, truths)
    drawn, again = (all_views(lab, lab.determinized(hidden, seat)) for _ in range(2))
    facts = [
        (column, int(value))
        for column in np.flatnonzero((true != drawn).any(axis=0))
        for value in np.unique(np.concatenate([true[:, column], drawn[:, column]]))
    ]
    pairs = lab.random.integers(0, max(len(facts), 1), (200 if is_first and facts else 0, 2))
    comparisons = lab.game.num_players * (len(facts) + len(pairs) + 1)

    def compare(what: str, in_truth: npt.NDArray[np.bool_], in_drawn: npt.NDArray[np.bool_]) -> None:
        more, less = int((in_truth & ~in_drawn).sum()), int((in_drawn & ~in_truth).sum())
        too_far = (
            abs(more - less) > symmetric(more + less, comparisons)
            if is_first
            else max(more - FACTOR * less, less - FACTOR * more) > MANY
        )
        if too_far:
            raise CheckFailed(
                f"{'at the first decision' if is_first else 'at some moment'} of {len(truths)} games, what p{seat}"
                f" cannot see is unlike its determinizations: {what} in the truth only in {more} games, in the"
                f" determinization only in {less}"
            )

    for column, value in facts:
        what = f"{_column_name(lab, int(column))} is {value}"
        compare(what, true[:, column] == value, drawn[:, column] == value)
    for one, other in pairs:
        (a, u), (b, v) = facts[one], facts[other]
        what = f"{_column_name(lab, int(a))} is {u} and {_column_name(lab, int(b))} is {v}"
        compare(what, (true[:, a] == u) & (true[:, b] == v), (drawn[:, a] == u) & (drawn[:, b] == v))
    if is_first:
        compare("a second determinization is the same", (true == again).all(axis=1), (drawn == again).all(axis=1))


def _column_name(lab: Lab, column: int) -> str:
    knower, offset = divmod(column, lab.game.state_dtype.itemsize)
    return f"{field_at(lab.game.state_dtype, offset)} (as p{knower} knows it)"
