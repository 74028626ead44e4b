"""Actions and chance outcomes of Honey Wars: their tables, and the ids that kernels use."""

from bearenvs.honey_wars.content import MAX_HIVES, HoneyWarsContent
from bearenvs.tables import Section, Table, fixed

# The actions without an argument come first in the table, in this order.
WORDS = {
    "roll": "Defend: roll the die without the Buddy (HW-D4)",
    "use": "Defend or Harvest: use the Buddy (HW-D4, HW-H4)",
    "pass": "Harvest: keep the Buddy (HW-H4)",
    "end": "Spend: end the step (HW-P5)",
    "keep": "Draw: discard nothing (HW-W1)",
    "discard_hand": "Draw: pay to discard the whole hand (HW-W1)",
}
A_ROLL, A_USE, A_PASS, A_END, A_KEEP, A_DISCARD_HAND = range(len(WORDS))


def action_table(content: HoneyWarsContent, num_players: int) -> Table:
    """Return all actions. Attacks are numbered by threat, then by the target's distance clockwise, then hive."""
    cards = content.card_ids
    hives = cards[: len(content.hives)]
    buddies = cards[len(hives) : len(hives) + len(content.buddies)]
    threats = cards[len(hives) + len(buddies) :]
    others = num_players - 1

    def attack(i: int, seat: int) -> str:
        aim, hive = divmod(i, MAX_HIVES)
        threat, other = divmod(aim, others)
        return f"attack {threats[threat]} p{(seat + 1 + other) % num_players}.{hive}"

    words = [Section(word, word, 1, fixed(word), meaning) for word, meaning in WORDS.items()]
    return Table(
        [
            *words,
            Section("build", "build HIVE", len(hives), lambda i, _: f"build {hives[i]}", "Spend (HW-P3)"),
            Section("hire", "hire BUDDY", len(buddies), lambda i, _: f"hire {buddies[i]}", "Spend (HW-P4)"),
            Section(
                "discard",
                "discard CARD",
                len(cards),
                lambda i, _: f"discard {cards[i]}",
                "Draw: one card (HW-W1)",
            ),
            Section(
                "attack",
                "attack THREAT pS.H",
                len(threats) * others * MAX_HIVES,
                attack,
                "Spend: put a threat on hive H of seat S (HW-P2)",
            ),
        ],
        num_players,
    )


def outcome_table(content: HoneyWarsContent) -> Table:
    """Return all chance outcomes."""
    cards = content.card_ids
    return Table(
        [
            Section(
                "draw",
                "draw CARD",
                len(cards),
                lambda i, _: f"draw {cards[i]}",
                "a card drawn, private (HW-S4, HW-W2)",
            ),
            Section(
                "lose",
                "lose CARD",
                len(cards),
                lambda i, _: f"lose {cards[i]}",
                "a card lost at random, public (HW-D3)",
            ),
            Section("die", "die K", content.setup.die_sides, lambda i, _: f"die {i + 1}", "the bare roll (HW-D1)"),
        ],
        1,
    )
