"""Actions and chance outcomes of Outrun the Bear: their tables, and the ids that kernels use."""

from bearenvs.outrun_the_bear.board import space_name
from bearenvs.outrun_the_bear.content import CAMP, NUM_TRAILS, ROWS, OutrunTheBearContent
from bearenvs.tables import Section, Table, fixed

# The actions without an argument come first in the table, in this order.
WORDS = {
    "pass": "Terrain: do nothing (OB-T1); reaction: play none (OB-A1, OB-A3, OB-A4)",
    "crawl": "Action step: move a little, then choose the steps (OB-T2)",
    "sprint": "Action step: then choose the discards and the steps (OB-T2)",
    "stop": "Moving: go no further (OB-M1)",
}
A_PASS, A_CRAWL, A_SPRINT, A_STOP = range(len(WORDS))


def action_table(content: OutrunTheBearContent, num_players: int, lot: int, last_column: int, *, passes: bool) -> Table:
    """Return all actions. Sections are in an order in which every decision's actions ascend.

    ``lot`` is the parking lot's space, -1 without one; ``passes``: whether runners are chosen.
    """
    cards, runners = content.card_ids, content.runner_ids
    first_reaction = len(content.actions)
    first_equipment = first_reaction + len(content.reactions)
    last_space = lot if lot >= 0 else (last_column + 1) * ROWS - 1
    num_runners = len(runners) if passes else 0

    def each(name: str, notation: str, ids: tuple[str, ...], meaning: str) -> Section:
        return Section(name, notation, len(ids), lambda i, _: f"{name} {ids[i]}", meaning)

    words = [Section(word, word, 1, fixed(word), meaning) for word, meaning in WORDS.items()]
    return Table(
        [
            *words,
            each("play", "play CARD", cards[:first_reaction], "Action step: an action card (OB-T5)"),
            each("react", "react CARD", cards[first_reaction:first_equipment], "a reaction (OB-A1, OB-A3, OB-A4)"),
            each("equip", "equip CARD", cards[first_equipment:], "Terrain or action step (OB-T1, OB-T2, OB-T4)"),
            each("swap", "swap CARD", cards, "Terrain: discard it, then draw (OB-T1)"),
            each("discard", "discard CARD", cards, "for a sprint (OB-T2), or by discard_half"),
            Section(
                "target",
                "target pS",
                num_players - 1,
                lambda i, seat: f"target p{(seat + 1 + i) % num_players}",
                "whom the card just played aims at: numbered by distance clockwise",
            ),
            Section(
                "step",
                "step SPACE",
                last_space - CAMP + 1,
                lambda i, _: f"step {space_name(CAMP + i, lot)}",
                "Moving: camp, cCrR (column, row) or lot (OB-M1, OB-M5)",
            ),
            Section(
                "runner",
                "runner NAME",
                num_runners,
                lambda i, _: f"runner {runners[i]}",
                "Set-up, with park_pass (OB-X1)",
            ),
        ],
        num_players,
    )


def outcome_table(content: OutrunTheBearContent) -> Table:
    """Return all chance outcomes."""
    cards = content.card_ids
    gear = cards[len(content.actions) + len(content.reactions) :]

    def each(name: str, ids: tuple[str, ...], meaning: str) -> Section:
        return Section(name, f"{name} CARD", len(ids), lambda i, _: f"{name} {ids[i]}", meaning)

    return Table(
        [
            Section(
                "trail",
                "trail N.side",
                NUM_TRAILS * 2,
                lambda i, _: f"trail {i // 2 + 1}.{'ab'[i % 2]}",
                "Set-up: the next trail tile and its side up (OB-B4)",
            ),
            each("gear", gear, "Set-up: the equipment a player starts with (OB-X3)"),
            each("draw", cards, "a card drawn from the unseen deck, private unless the hand is full (OB-T3)"),
            each("steal", cards, "a card stolen, seen by both unless the thief's hand is full"),
            each("reveal", cards, "a card turned over for the Bear, public (OB-E2)"),
        ],
        1,
    )
