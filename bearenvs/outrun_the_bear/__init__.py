"""A race through a park, with a bear behind: you need not be the fastest, only not the slowest.

# Outrun the Bear

A race for 2 to 6 players along a trail of hexagons, out of the park or at least ahead of each other. What is discarded
first drives the Bear. Hands are hidden; some cards answer another player's move.

    >>> from bearenvs import outrun_the_bear_v0
    >>> env = outrun_the_bear_v0.env(num_players=4)
    >>> env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> observation["observation"].shape, observation["action_mask"].shape
    ((746,), (193,))

**Reconstruction.** The rulebook prints neither the trail maps, nor the cards, nor the Park Passes. All of these, and
where paw prints lie, are this project's reconstruction, not the published game. `content=PATH` plays with another file
of the same form.

## The rules in brief

Rule ids (OB-...) are those that tests name; (R) marks a ruling made where the rulebook is silent.

- **Park** (OB-B1 to OB-B4). Campsite tile, three of the four trail tiles in random order with a random side up, parking
  tile. Columns of four hexagons (R), counted along the Bear's path from 0; odd columns sit half a space lower. Campsite
  and parking lot are one big space each, which hold any number of runners; every other space holds one.
- **Rounds** (OB-S1, OB-R1, OB-R2). The Bear's token starts with the last seat, so seat 0 begins. Every runner takes a
  turn, from the left of the token's holder on; then the Bear. The token passes to the right to the next one running (R).
- **Terrain step** (OB-T1), by the space you stand on: campsite and rest area, you may equip, or discard a card and draw
  one; river, forward 1; slope, back to a free space that is no slope; bramble, no sprint. A space entered in this step
  has no effect.
- **Action step** (OB-T2): crawl, sprint (discard 4 cards in your order, then move), play an action card, or equip.
- **Draw step** (OB-T3): draw 2. With 7 cards in hand a drawn card is discarded instead.
- **Movement** (OB-M1 to OB-M5). Own moves are chosen space by space, in any direction, up to the number. A step into
  another runner's space is free and passes that runner, no runner twice in a movement (R); it must lead on to a free
  space (R). Nobody enters a column at or behind the Bear's. River, slope and being moved back are mandatory: a single
  possible step is made, of several whose turn it is chooses. Who enters the parking lot has escaped at once (R).
- **The Bear's turn** (OB-E1 to OB-E5). For each paw print behind the lead runner, an escaped one included (R), the
  oldest discard is taken, then cards off the deck. The Bear advances by the sum of their values. It stops in the first
  column in which runners remain after their reactions: they are caught. All discards go under the deck, those taken
  first (R), in an order that all know.
- **Reactions** (OB-A1 to OB-A4). To an action card, before it takes effect: `cancel_card`, or `cancel_on_me` by its
  target. To the Bear in your column: `dash`. To having been passed, at the end of the movement: `slipstream`. Everyone
  who holds a card that applies is asked once; nobody sees whether others were asked. No reactions to reactions (R).
- **End** (OB-V1 to OB-V4). When nobody runs any more, or all but one have been caught: that one has survived. After
  `max_rounds` rounds the game is truncated. Who is caught or has escaped is out at once, with its return.

Variants: `park_pass` (OB-X1), each player chooses a runner with an ability; `coop` (OB-X2), all escape or all lose, on
1 to 4 trail tiles, and a `bear_skip` card leaves the game; `equipment_for_all` (OB-X3), everybody starts with a random
equipment card; `last_one_standing` (OB-X4), no parking lot: when a movement ends in the last column, the first trail tile
is flipped and added at the end, all columns drop by 8, and so does the Bear's, but not below 0 (R).

Card effects, out of which a content file composes its own (targets are other runners still running):

- `self_move n`: move up to n. `target_back n`: the target moves back n, whose turn it is choosing the way.
  `target_move n`: a runner beside you is moved up to n, at least 1, if it can move. `swap_places`: no movement.
- `steal n`: n random cards from the target's hand. `discard_half`: the target discards half of its hand, rounded down,
  of its choice. `draw n`.
- `bear_skip`: the Bear stays on its next turn; two do not add up. `bear_advance n`: it advances now.
- Reactions: `cancel_on_me` (the target's part is void, the rest happens), `cancel_card`, `dash n` (up to n forward, at
  least 1), `slipstream n` (draw n).
- Equipment: `crawl_bonus n`, `sprint_discount n` (cards), `draw_bonus n` (draw step), `sure_footed` (slope and bramble
  do nothing), `bear_spray` (discarded when the Bear would reach you: it stops one column short).
- Park Passes also: `sprint_bonus n`, `deal_bonus n`, `hand_bonus n`, `river_bonus n`, `rest_bonus n` (draws at campsite
  and rest area), `back_resistance n` (`target_back` by others moves you n less).

## Rewards

Who has escaped or survived returns +1, who was caught -1, from that moment on; 0 for who still runs when the game is
truncated. In co-op all get +1 if all escape, -1 as soon as one is caught, 0 when truncated.

A seat is out (`is_out`) with its reward, and is never asked again; in co-op nobody is before the end. By default its
agent terminates with the others at the end of the game; `early_termination=True` follows PettingZoo's dead-agent
protocol instead.

## What each player knows

The park, the Bear, all runners and equipment, the discards and the order of the cards under the deck, every hand's size,
the own hand. A card drawn from that known part is known to all, a stolen card to both sides. Not other hands, nor the
unseen part of the deck; who is out takes its hand along unseen.

A theft makes what others knew of the victim's hand uncertain: one of those cards may be with the thief. What the two
then shed tells more. If the thief sheds a Trip that was known, either this was the stolen card and the victim has all
the others, or the thief had one of its own and the victim has its Trip still. All that is kept for the last theft that
touched a hand, and forgotten with the next one: an accepted approximation (R).

In a reaction window a seat's view shows that reactions may be played to the card, the Bear or the passing, never who is
asked; passing leaves no trace, and plies do not count it. But a state at rest in a window shows that somebody is asked,
and where only one seat could be, who; AEC's `agent_selection` shows it by construction.

## Balance

The hand-written heuristic in every seat on `normal`, 1,000 games each with 2 / 3 / 4 / 5 / 6 players: 4.2 / 5.2 / 5.8 /
6.2 / 6.2 rounds, 52 / 40 / 39 / 44 / 46% of runners escape or survive, 68 / 113 / 158 / 205 / 248 decisions a game, 4.3
legal actions a decision, at most 10. Somebody is caught in 95 to 99% of games, everybody in under 1%. Alone among random
players it wins 99 / 96 / 97% of games with 2 / 3 / 4 players, where each of the others wins 1 / 2 / 1%; a random player
alone among heuristics wins 1 / 0.1 / 0%.

Co-op is won by 40 / 62 / 74 / 73 / 70% of teams of 2 / 3 / 4 / 5 / 6 heuristics (2,000 games each), by 88 / 94 / 96 / 96 /
92% on `first` and by 29 / 48 / 59 / 59 / 57% on `hard` (1,000 games each). A team wins by driving the Bear: cheap cards
are the first to be discarded in a round, the lead runner waits at paw prints, nobody is left behind. The shares are half
of 1 plus the mean return that this prints, with `--set difficulty=hard` and so on:

    bearenvs arena outrun_the_bear --agents heuristic --num-players 4 --games 2000 --set coop=true --json

## Version history

- v0: first version.

<!-- generated from the code by `python -m bearenvs.docs`: do not edit below -->

## Settings

| Setting | Values | Default | Meaning |
| --- | --- | --- | --- |
| `num_players` | one of 2, 3, 4, 5, 6 | `4` | players at the table (OB-S1) |
| `difficulty` | one of 'first', 'normal', 'hard' | `normal` | paw prints on the outer tiles (OB-B4, OB-X5) |
| `trail_tiles` | an integer from 1 to 4 | `3` | trail tiles laid out; other than 3 only with coop (OB-B4, OB-X2) |
| `park_pass` | True or False | `False` | players choose runners, whose abilities hold (OB-X1) |
| `coop` | True or False | `False` | all win if all escape; all lose once one is caught (OB-X2) |
| `equipment_for_all` | True or False | `False` | each player starts with an equipment card (OB-X3) |
| `last_one_standing` | True or False | `False` | all four trail tiles and no parking lot: the park goes on and on (OB-X4) |
| `max_rounds` | an integer from 1 to 30000 | `100` | rounds after which the game is truncated (OB-V3) |
| `content` | path of a TOML file | the default content | cards and set-up numbers to play with |

## Actions

193 actions with 4 players and the default content, 195 with 6. Seats S in the notation are numbered from 0.

| First | Number | Notation | Meaning |
| --- | --- | --- | --- |
| 0 | 1 | `pass` | Terrain: do nothing (OB-T1); reaction: play none (OB-A1, OB-A3, OB-A4) |
| 1 | 1 | `crawl` | Action step: move a little, then choose the steps (OB-T2) |
| 2 | 1 | `sprint` | Action step: then choose the discards and the steps (OB-T2) |
| 3 | 1 | `stop` | Moving: go no further (OB-M1) |
| 4 | 11 | `play CARD` | Action step: an action card (OB-T5) |
| 15 | 4 | `react CARD` | a reaction (OB-A1, OB-A3, OB-A4) |
| 19 | 5 | `equip CARD` | Terrain or action step (OB-T1, OB-T2, OB-T4) |
| 24 | 20 | `swap CARD` | Terrain: discard it, then draw (OB-T1) |
| 44 | 20 | `discard CARD` | for a sprint (OB-T2), or by discard_half |
| 64 | 3 | `target pS` | whom the card just played aims at: numbered by distance clockwise |
| 67 | 126 | `step SPACE` | Moving: camp, cCrR (column, row) or lot (OB-M1, OB-M5) |
| 193 | 0 | `runner NAME` | Set-up, with park_pass (OB-X1) |

## Chance outcomes

| First | Number | Notation | Meaning |
| --- | --- | --- | --- |
| 0 | 8 | `trail N.side` | Set-up: the next trail tile and its side up (OB-B4) |
| 8 | 5 | `gear CARD` | Set-up: the equipment a player starts with (OB-X3) |
| 13 | 20 | `draw CARD` | a card drawn from the unseen deck, private unless the hand is full (OB-T3) |
| 33 | 20 | `steal CARD` | a card stolen, seen by both unless the thief's hand is full |
| 53 | 20 | `reveal CARD` | a card turned over for the Bear, public (OB-E2) |

## Observation

float32 in [0, 1]: 746 values with 4 players, 828 with 6. Sections in order, each in C order:

| Section | Shape, 4 players | Shape, 6 players | Values |
| --- | --- | --- | --- |
| `decision` | 9 | 9 | one-hot: what the observer is asked now: runner; terrain; action step; a step of its own; a step of another's; target; discard; reaction to a card or a passing; reaction to the Bear; else 0 |
| `movement` | 4 | 4 | of the movement under way, a sprint's from its discards on: spaces left / 6, at most 1; is mandatory; only back; only forward |
| `card` | 11 | 11 | one-hot: the action card being played |
| `card_seats` | 2 x 4 | 2 x 6 | one-hot each: who plays it; its target |
| `hand` | 20 | 20 | copies of each card in the own hand / 4, at most 1 |
| `unseen` | 20 | 20 | share of each card's copies unseen: in the deck or another's hand |
| `pile` | 20 | 20 | share of each card's copies in the discard pile |
| `under` | 20 | 20 | share of each card's copies in the known part under the deck |
| `next` | 2 x 20 | 2 x 20 | one-hot: the next cards to draw, when all know them |
| `oldest` | 12 x 2 | 12 x 2 | the oldest discards, which the Bear takes: is there; bear value / 4, at most 1 |
| `race` | 12 | 12 | the Bear's column / last; own column / last, 0 when caught; columns between / 16; paw prints behind the lead runner / 12; sum of the discards that many / 16; cards they lack / 12; the Bear skips its turn; no sprint this turn; unseen deck, known part under it, discard pile, each / all cards; rounds / 20; at most 1 |
| `column` | 40 | 40 | one-hot: column of the runner who moves, or of the own one |
| `row` | 4 | 4 | one-hot: its row; 0 in campsite and parking lot |
| `seats` | 4 x 14 | 6 x 14 | per seat: running; escaped; caught; column / last; 1/2 + columns ahead of the own runner / 32; columns ahead of the Bear / 16; one-hot row; touches the own runner; cards in hand / 11; has the turn; holds the Bear's token |
| `equipment` | 4 x 5 | 6 x 5 | per seat: one-hot kind of equipment |
| `known` | 3 x 20 | 5 x 20 | per other seat: copies it is known to hold / 4, at most 1 |
| `columns` | 14 x 3 | 14 x 3 | columns from 3 behind the own runner, or the Bear that caught it, to 10 ahead: has a print; the Bear is here or beyond; is a big space |
| `park` | 14 x 4 x 6 | 14 x 4 x 6 | columns from 3 behind the own runner, or the Bear that caught it, to 10 ahead, by row: can be entered; river; slope; bramble; rest area; another runner is here |
| `runners` | 4 x 0 | 6 x 0 | with park_pass, per seat: one-hot Park Pass |

## Default content

The rulebook prints neither the trail maps, nor the cards, nor the Park Passes. All of these, and where paw prints lie, are this project's reconstruction, not the published game.

### setup

| Number | Value |
| --- | --- |
| `deal` | 2 |
| `hand_limit` | 7 |
| `crawl` | 2 |
| `sprint` | 5 |
| `sprint_cost` | 4 |
| `draw` | 2 |

### difficulties

| name | campsite | parking |
| --- | --- | --- |
| first | 1 | 1 |
| normal | 2 | 1 |
| hard | 2 | 2 |

### trails

| a | b |
| --- | --- |
| ..~.#...<br>.#..R../<br>...#./..<br>./..~..# 3 | ./..#..~<br>...~../.<br>.R.#..#.<br>..~../.. 2, 6 |
| .#..~../<br>...#..#.<br>.R...#..<br>.~../.~. 5 | ..R...#.<br>.#.#.#..<br>./.~../.<br>..~./.~. 1 |
| ./.#../.<br>..R.#.~.<br>.#..~..#<br>..~.../. 4 | .~..~.#.<br>..##..R.<br>.R..../.<br>...//..# 2, 5 |
| ...#..~.<br>.~.#./..<br>.~.#..#.<br>..R.../.  | #..R.../<br>..//..#.<br>.#..~..~<br>..~..#.. 3 |

### actions

| name | copies | bear | effects |
| --- | --- | --- | --- |
| Startle | 6 | 2 | target_back 3, self_move 2 |
| Delicious Ham | 2 | 0 | bear_skip |
| Burst of Speed | 7 | 1 | self_move 3 |
| Shortcut | 5 | 2 | self_move 4 |
| Trip | 5 | 2 | target_back 3, self_move 1 |
| Shove | 5 | 1 | target_move 2, self_move 2 |
| Switcheroo | 3 | 3 | swap_places |
| Pickpocket | 4 | 1 | steal 1, self_move 2 |
| Spilled Pack | 3 | 2 | discard_half, self_move 2 |
| Trail Mix | 4 | 1 | draw 2, self_move 2 |
| Bear Call | 2 | 3 | bear_advance 3 |

### reactions

| name | copies | bear | effect | n |
| --- | --- | --- | --- | --- |
| Alert | 6 | 1 | cancel_on_me |  |
| No Way | 4 | 2 | cancel_card |  |
| Adrenaline | 4 | 1 | dash | 2 |
| Slipstream | 2 | 1 | slipstream | 2 |

### equipment

| name | copies | bear | ability | n |
| --- | --- | --- | --- | --- |
| Hiking Boots | 3 | 1 | crawl_bonus | 1 |
| Trekking Poles | 2 | 1 | sure_footed |  |
| Backpack | 3 | 1 | draw_bonus | 1 |
| Headband | 2 | 2 | sprint_discount | 1 |
| Bear Spray | 2 | 0 | bear_spray |  |

### runners

| name | ability | n |
| --- | --- | --- |
| Sprinter | sprint_bonus | 1 |
| Hiker | crawl_bonus | 1 |
| Scout | deal_bonus | 2 |
| Ranger | sure_footed |  |
| Packer | hand_bonus | 2 |
| Kayaker | river_bonus | 1 |
| Camper | rest_bonus | 1 |
| Anchor | back_resistance | 1 |
"""

from bearenvs.env import env_makers

env, raw_env = env_makers("outrun_the_bear")
