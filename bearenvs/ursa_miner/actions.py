"""Actions and chance outcomes of Ursa Miner: their tables."""

from bearenvs.tables import Section, Table
from bearenvs.ursa_miner.content import MAX_BEARS, UrsaMinerContent


def action_table(content: UrsaMinerContent, num_players: int) -> Table:
    """Return all actions. Other seats are numbered by how many places clockwise they sit."""
    num_cells = len(content.setup_for(num_players).mountain.cells)
    cards = [card.id for card in content.cards]
    others = num_players - 1

    def other(i: int, seat: int) -> str:
        return f"p{(seat + 1 + i) % num_players}"

    def move(i: int, _: int) -> str:
        return f"move b{i // num_cells} c{i % num_cells}"

    def rally(i: int, _: int) -> str:
        bear, target = divmod(i, MAX_BEARS - 1)
        return f"rally b{bear} b{target + (target >= bear)}"

    def shove(i: int, seat: int) -> str:
        bear, cell = divmod(i, num_cells)
        return f"shove {other(bear // MAX_BEARS, seat)}.b{bear % MAX_BEARS} c{cell}"

    return Table(
        [
            Section("place", "place cK", num_cells, lambda i, _: f"place c{i}", "set-up: both bears here (UM-S2)"),
            Section("move", "move bX cK", MAX_BEARS * num_cells, move, "a move action or own_move (UM-A2)"),
            Section("mine", "mine cK", num_cells, lambda i, _: f"mine c{i}", "take the top tile (UM-A3)"),
            Section("play", "play CARD", len(cards), lambda i, _: f"play {cards[i]}", "play a bonus card (UM-A6)"),
            Section("end", "end", 1, lambda _i, _s: "end", "end the Actions phase (UM-A1)"),
            Section("with", "with bX", MAX_BEARS, lambda i, _: f"with b{i}", "this bear takes part in mining (UM-A3)"),
            Section("stop", "stop", 1, lambda _i, _s: "stop", "own_move: go no further"),
            Section("pick", "pick cK", num_cells, lambda i, _: f"pick c{i}", "swap_tops, place_hardened: this cell"),
            Section("bear", "bear bX", MAX_BEARS, lambda i, _: f"bear b{i}", "refresh: this bear"),
            Section("from", "from pS", others, lambda i, seat: f"from {other(i, seat)}", "steal: from this player"),
            Section("hire", "hire bX", MAX_BEARS, lambda i, _: f"hire b{i}", "a new bear on bear X's stack (UM-H1)"),
            Section("skip", "skip", 1, lambda _i, _s: "skip", "hire nobody (UM-H1)"),
            Section("rally", "rally bX bY", MAX_BEARS * (MAX_BEARS - 1), rally, "rally: bear X goes to bear Y"),
            Section("shove", "shove pS.bX cK", others * MAX_BEARS * num_cells, shove, "shove: move that bear there"),
        ],
        num_players,
    )


def outcome_table(content: UrsaMinerContent) -> Table:
    """Return all chance outcomes."""
    faces = content.faces
    cards = [card.id for card in content.cards]
    return Table(
        [
            Section("tile", "tile T", len(faces), lambda i, _: f"tile {faces[i]}", "a top is revealed, public (UM-M3)"),
            Section("draw", "draw CARD", len(cards), lambda i, _: f"draw {cards[i]}", "a card drawn, private (UM-D1)"),
        ],
        1,
    )
