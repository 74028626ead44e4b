"""Bears, a mountain of honeycomb, and the royal jelly at its core.

# Ursa Miner

A tile game for 2 to 4 players on a mountain of hexagonal stacks. Bears move and mine; deeper tiles pay more and need
more bears. Whoever has the most royal jelly at the end wins. Bonus cards are hidden in hands; a tile's face is not
known before it is uncovered.

    >>> from bearenvs import ursa_miner_v0
    >>> env = ursa_miner_v0.env(num_players=2)
    >>> env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> observation["observation"].shape, observation["action_mask"].shape
    ((762,), (439,))

**Reconstruction.** The rulebook prints neither the tiles' faces nor the 28 bonus cards, and shows the core's shape only
in a picture. All faces, all cards and the core are this project's own reconstruction, not the published ones; the
numbers of tiles, cards and bears are the rulebook's. `content=PATH` plays with another file of the same form.

## The rules in brief

Rule ids (UM-...) are those that tests name; (R) marks a ruling made where the rulebook is silent.

- **Mountain** (UM-M1 to UM-M4). A core of black tiles, gray on and around it, brown on and around that: 30 stacks for
  two or three players, 36 for four. Tops are face up; what lies under them nobody knows but by its color (R). Stacks
  whose cells share an edge are neighbours, whatever their heights. Cells are numbered by r ascending, then by q
  ascending, in the axial coordinates (q, r) of the core below: `c0`, `c1` ...
- **Setup** (UM-S1, UM-S2). 20, 21 or 28 of the bonus cards are in play. Everybody draws one, then in turn puts both
  starting bears on one stack without bears. Three more bears wait to be hired. If the deck runs out here (own content
  only), everybody has one turn (UM-E5).
- **Actions** (UM-A1 to UM-A7). Each bear may move and mine once each, in any order, or move twice; never mine twice.
  Bears may take turns freely. A bear moves to any neighbouring stack. Mining takes the top of a stack on which no bear
  stands, with exactly as many of one's own bears next to it as its mining number; a stack's last tile must stay where
  taking it would split the mountain. Honey is currency (R: change is always available), royal jelly is the score. One
  bonus card may be played a turn, its cost paid first, if what its effect needs is there (R; listed below).
- **Hire** (UM-H1). After the actions, once: pay 3 honey to put a waiting bear on the stack of one of one's own. It acts
  from the next turn; in this one it counts as having made two moves, and as not having mined. Cards may move it.
- **Draw** (UM-D1). Draw a bonus card, if one is left. There is no hand limit.
- **End** (UM-E1, UM-E2). When the last card is drawn everyone has one more turn. The most royal jelly wins, then the
  most honey; what is still tied shares the win. After `max_turns` turns the game is truncated (UM-E4).
- **Sleepy bears** (`sleepy_bears`, UM-X1). A bear that has mined makes no more move actions that turn.
- **Honey burst** (`honey_burst`, UM-X2). Further cards may be played in a turn, each for 1 honey more than its cost,
  also one that has returned to the hand in the same turn.

Bears of one player that stand together, have made as many move actions this turn and agree on having mined are
interchangeable: the lowest-numbered is offered (UM-A7). Bears are numbered as they come into play. If more bears could
mine than are needed, `with` asks which, until all that are left are needed.

The effects of bonus cards, out of which a content file composes its own, and what each needs to be played:

- `own_move n`: one of your bears moves 1 to n spaces and spends none of its uses. `stop` ends it early. Needs a bear
  with a neighbouring stack.
- `shove`: an opposing bear moves one space, where you say. Needs one with a neighbouring stack.
- `swap_tops`: two tops without bears change places. Needs two such with different figures, whatever their colors; after
  the first pick the second may be any other.
- `place_hardened`: a Hardened Honey tile goes on a stack without bears or on an empty cell of the outline next to the
  mountain. It covers what was there, which stays known. A mined one does not come back (R). Needs a tile that is left,
  and such a cell.
- `mine_discount n`: the next mining this turn needs n bears fewer, at least 1. Several add up; the next mining uses all
  of them, even where it needs none; they lapse with the turn. Needs a bear that has its mine use left, whether or not
  there is something for it to mine.
- `refresh`: a bear that has mined this turn counts as not having mined: it may mine again, or move instead. Needs one.
- `steal n`: take up to n honey from another player. Needs one who has some.
- `hire`: place a waiting bear as in Hire, for the card's cost alone; hiring for honey stays possible. Needs a waiting
  bear.
- `rally`: one of your bears moves to the stack of another. Needs bears on two stacks.

## Rewards

With w winners of n players each winner's return is (1/w - 1/n) n/(n-1), every other player's -1/(n-1): a sole winner
has +1, and the sum is 0 (UM-E3). All are 0 when truncated. A reward is the change of the return, so it comes with the
move that ends the game.

## What each player knows

All tops, heights and colors, what was mined, covered tiles that were seen before, all totals, the size of every hand,
the own hand, the discard pile, and the cards that returned to a hand for all to see. Not the faces of buried tiles,
the tiles and cards left in the box, the rest of the other hands, nor the deck's order. No state holds the face of an
unseen tile: it is drawn when it is uncovered.

## The mountain as a graph

`observation[game.layout["cells"]].reshape(num_cells, -1)` gives features for each cell, in the order of the notation's
`c0`, `c1` ...; `bearenvs.ursa_miner.observe.neighbor_table` gives each cell's six neighbours.

## Version history

- v0: first version.

<!-- generated from the code by `python -m bearenvs.docs`: do not edit below -->

## Settings

| Setting | Values | Default | Meaning |
| --- | --- | --- | --- |
| `num_players` | one of 2, 3, 4 | `2` | players at the table (UM-S1) |
| `sleepy_bears` | True or False | `False` | a bear that has mined cannot make a move action any more that turn (UM-X1) |
| `honey_burst` | True or False | `False` | more than one card a turn, each further one for 1 honey on top (UM-X2) |
| `max_turns` | an integer from 1 to 30000 | `200` | player turns after which the game is truncated (UM-E4) |
| `content` | path of a TOML file | the default content | cards and set-up numbers to play with |

## Actions

439 actions with 2 players and the default content, 879 with 4. Seats S in the notation are numbered from 0.

| First | Number | Notation | Meaning |
| --- | --- | --- | --- |
| 0 | 30 | `place cK` | set-up: both bears here (UM-S2) |
| 30 | 150 | `move bX cK` | a move action or own_move (UM-A2) |
| 180 | 30 | `mine cK` | take the top tile (UM-A3) |
| 210 | 10 | `play CARD` | play a bonus card (UM-A6) |
| 220 | 1 | `end` | end the Actions phase (UM-A1) |
| 221 | 5 | `with bX` | this bear takes part in mining (UM-A3) |
| 226 | 1 | `stop` | own_move: go no further |
| 227 | 30 | `pick cK` | swap_tops, place_hardened: this cell |
| 257 | 5 | `bear bX` | refresh: this bear |
| 262 | 1 | `from pS` | steal: from this player |
| 263 | 5 | `hire bX` | a new bear on bear X's stack (UM-H1) |
| 268 | 1 | `skip` | hire nobody (UM-H1) |
| 269 | 20 | `rally bX bY` | rally: bear X goes to bear Y |
| 289 | 150 | `shove pS.bX cK` | shove: move that bear there |

## Chance outcomes

| First | Number | Notation | Meaning |
| --- | --- | --- | --- |
| 0 | 9 | `tile T` | a top is revealed, public (UM-M3) |
| 9 | 10 | `draw CARD` | a card drawn, private (UM-D1) |

## Observation

float32 in [0, 1]: 762 values with 2 players, 1284 with 4. Sections in order, each in C order:

| Section | Shape, 2 players | Shape, 4 players | Values |
| --- | --- | --- | --- |
| `cells` | 30 x 22 | 36 x 32 | per cell: is in the mountain; its top's honey, jelly and mining number / the largest; the same three of the covered tile under it, if that was seen; height / 7; has a buried gray, a buried black; its last tile, face up, cannot be taken, since the mountain would split; is the cell in progress; then for each seat, for each bear: stands here |
| `bears` | 5 x 5 | 5 x 5 | per own bear: is on the mountain; has a move action left; has its mine use left; is moved by the card in progress; move actions made / 2 |
| `seats` | 2 x 5 | 4 x 5 | per seat: honey, jelly / all there are on the tiles; hand / deck size; bears waiting / all bears; whose turn it is |
| `hand` | 10 | 10 | share of each card's copies in the own hand |
| `shown` | 1 x 10 | 3 x 10 | per other seat: share of each card's copies known to be in its hand |
| `discard` | 10 | 10 | share of each card's copies in the discard pile |
| `card` | 10 | 10 | one-hot: the card in progress |
| `unseen` | 11 | 11 | share of each kind of tile that is buried or in the box |
| `phase` | 9 | 9 | one-hot: what is asked |
| `turn` | 7 | 7 | a card was played this turn; mining discount / largest mining number; bears to choose or spaces to move left / 9; Hardened Honey left / all; deck left / deck size; turns left / players in the last round, else 1; turns played / max_turns |

## Default content

The rulebook prints neither the tiles' faces nor the 28 bonus cards, and shows the core's shape only in a picture. All faces, all cards and the core are this project's reconstruction, not the published ones.

### bears

| Number | Value |
| --- | --- |
| `total` | 5 |
| `starting` | 2 |
| `hire_cost` | 3 |

### hardened_honey

| Number | Value |
| --- | --- |
| `tiles` | 4 |
| `value` | 1 |
| `bears` | 2 |

### setup

| num_players | deck_size | core |
| --- | --- | --- |
| 2 | 20 | (0, 0), (1, 0), (0, 1), (1, 1) |
| 3 | 21 | (0, 0), (1, 0), (0, 1), (1, 1) |
| 4 | 28 | (0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1) |

### tiles

| color | resource | value | bears | copies |
| --- | --- | --- | --- | --- |
| brown | honey | 1 | 1 | 16 |
| brown | honey | 2 | 2 | 8 |
| brown | jelly | 1 | 2 | 8 |
| brown | honey | 3 | 3 | 4 |
| gray | honey | 2 | 2 | 5 |
| gray | honey | 3 | 3 | 4 |
| gray | jelly | 2 | 3 | 6 |
| gray | jelly | 3 | 4 | 3 |
| black | jelly | 3 | 3 | 2 |
| black | jelly | 4 | 4 | 2 |
| black | jelly | 5 | 5 | 2 |

### cards

| name | copies | cost | effect | n | after |
| --- | --- | --- | --- | --- | --- |
| Sugar Rush | 4 | 0 | own_move | 1 | discard |
| Stampede | 2 | 1 | own_move | 3 | discard |
| Bear Hug | 3 | 0 | shove |  | discard |
| Cave-In | 3 | 1 | swap_tops |  | discard |
| Hardened Honey | 3 | 0 | place_hardened |  | discard |
| Sharp Claws | 3 | 1 | mine_discount | 1 | discard |
| Second Wind | 3 | 1 | refresh |  | discard |
| Sticky Paws | 3 | 0 | steal | 1 | discard |
| Word of Mouth | 2 | 1 | hire |  | discard |
| Scent Trail | 2 | 1 | rally |  | return |
"""

from bearenvs.env import env_makers

env, raw_env = env_makers("ursa_miner")
