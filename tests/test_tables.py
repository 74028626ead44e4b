"""Named index spaces."""

import pytest

from bearenvs.tables import Section, Table, fixed


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_there_is_not_has_no_notation(seat: int) -> None:
    table = Table(
        [
            Section("wait", "wait", 1, fixed("wait")),
            Section("rob", "rob pS", 1, lambda _, seat: f"rob p{(seat + 1) % 3}"),
        ],
        3,
    )
    assert [table.text(1, each) for each in range(3)] == ["rob p1", "rob p2", "rob p0"]
    for ask in (lambda: table.text(1, seat), lambda: table.index("rob p1", seat), lambda: table.texts(seat)):
        with pytest.raises(IndexError, match=f"seat {seat} is outside this table: 0 to 2"):
            ask()
