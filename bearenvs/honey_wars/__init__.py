"""Hives, honey, and what threatens them.

# Honey Wars

A card and dice game for 2 to 4 players about hives, honey and what threatens them. Whoever first has three hives and
12 honey wins. Hands are hidden; a die decides whether an attack strikes.

    >>> from bearenvs import honey_wars_v0
    >>> env = honey_wars_v0.env(num_players=3)
    >>> env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> observation["observation"].shape, observation["action_mask"].shape
    ((277,), (111,))

**Reconstruction.** The rulebook prints no card list. It gives the set-up, the number of cards of each type, the Small
Hive's bonus and the effect of Varroa Mites; every other figure on a card here is this project's own reconstruction,
not the published game. `content=PATH` plays with another file of the same form.

## The rules in brief

A turn has four steps. Rule ids (HW-...) are those that tests name; (R) marks a ruling made where the rulebook is
silent.

- **Setup.** Everybody starts with one Small Hive out of the hive cards and 3 honey (HW-S2, HW-S3); the rest of the
  cards are shuffled and 4 dealt to each (HW-S4). There are 50 honey cubes in all, a hard limit (R). With
  `late_seat_honey` every seat but the first starts with that much more.
- **Defend** (HW-D1 to HW-D6). For each of your hives under a threat, from the left, roll the die. Less than the
  threat's level: its effect strikes, and it is discarded unless it is continuous. Otherwise it is discarded. Before a
  roll you may use a shield Buddy. A loss never takes more than there is. When a hive is lost its threat goes with it,
  those to its right move up with theirs, and each threat is still rolled at most once (R).
- **Harvest** (HW-H1 to HW-H5). Gain 2 honey, 1 more for every reshuffle so far, plus your hives' bonuses, as far as
  the pot goes (R). Before that you may use a dipper Buddy.
- **Spend** (HW-P1 to HW-P5). Attack a hive that bears no threat; build one hive (at most three); hire one Buddy (at
  most one in play, not usable this turn). Each is paid to the pot in full.
- **Draw** (HW-W1 to HW-W3). Discard nothing, or one card, or pay 3 to discard the whole hand; then draw up to 4. An
  empty deck is replaced by the shuffled discard pile when a card must be drawn; if both are empty, drawing stops (R).
- **End** (HW-V1, HW-V2). The first with three hives and 12 honey wins at once, on anyone's turn. If one event makes
  several qualify, whose turn it is comes first, then clockwise; an effect and the discard of its threat are one event
  (R). After `max_turns` turns the game is truncated.

Further rulings: "no bonuses" blocks all of a player's hives and what a Buddy adds to bonuses; "no harvest" skips the
step and asks about no Buddy; a usable Buddy is asked about even if it would change nothing; an only hive is never
lost, its owner loses 3 honey instead; two copies of a threat may sit on two hives of one player.

## Rewards

The winner's return is +1, every other player's -1/(n-1); 0 for all when truncated (HW-V3). A reward is the change of
the return, so it comes with the move that ends the game.

## What each player knows

Everything on the table, all discards, the size of every hand, the own hand. Not the other hands, nor the deck's
order. At a reshuffle the new deck becomes known as a multiset, so the other hands together do too: those cards are
kept apart (`held_over` in the observation). With three or more players, which of the cards that later leave a hand
were held since then is not public; keeping it is an accepted approximation (R).

## Version history

- v0: first version.

<!-- generated from the code by `python -m bearenvs.docs`: do not edit below -->

## Settings

| Setting | Values | Default | Meaning |
| --- | --- | --- | --- |
| `num_players` | one of 2, 3, 4 | `2` | players at the table (HW-S1) |
| `max_turns` | an integer from 1 to 30000 | `200` | player turns after which the game is truncated (HW-V2) |
| `late_seat_honey` | an integer from 0 to 20 | `0` | honey that every seat but the first starts with on top (HW-S3) |
| `content` | path of a TOML file | the default content | cards and set-up numbers to play with |

## Actions

72 actions with 2 players and the default content, 150 with 4. Seats S in the notation are numbered from 0.

| First | Number | Notation | Meaning |
| --- | --- | --- | --- |
| 0 | 1 | `roll` | Defend: roll the die without the Buddy (HW-D4) |
| 1 | 1 | `use` | Defend or Harvest: use the Buddy (HW-D4, HW-H4) |
| 2 | 1 | `pass` | Harvest: keep the Buddy (HW-H4) |
| 3 | 1 | `end` | Spend: end the step (HW-P5) |
| 4 | 1 | `keep` | Draw: discard nothing (HW-W1) |
| 5 | 1 | `discard_hand` | Draw: pay to discard the whole hand (HW-W1) |
| 6 | 3 | `build HIVE` | Spend (HW-P3) |
| 9 | 4 | `hire BUDDY` | Spend (HW-P4) |
| 13 | 20 | `discard CARD` | Draw: one card (HW-W1) |
| 33 | 39 | `attack THREAT pS.H` | Spend: put a threat on hive H of seat S (HW-P2) |

## Chance outcomes

| First | Number | Notation | Meaning |
| --- | --- | --- | --- |
| 0 | 20 | `draw CARD` | a card drawn, private (HW-S4, HW-W2) |
| 20 | 20 | `lose CARD` | a card lost at random, public (HW-D3) |
| 40 | 8 | `die K` | the bare roll (HW-D1) |

## Observation

float32 in [0, 1]: 192 values with 2 players, 356 with 4. Sections in order, each in C order:

| Section | Shape, 2 players | Shape, 4 players | Values |
| --- | --- | --- | --- |
| `phase` | 4 | 4 | one-hot: Defend, Harvest, Spend or Draw choice of the seat whose turn it is; else 0 |
| `turn_seat` | 2 | 4 | one-hot: whose turn it is |
| `cursor` | 3 | 3 | one-hot in Defend: the hive about to be defended |
| `turn_flags` | 5 | 5 | has built, no bonuses, no harvest, no build, skip Spend: each 0 or 1, this turn |
| `supply` | 4 | 4 | pot / cubes; deck / cards; base harvest so far / 10; turns played / max_turns (each at most 1) |
| `attackers` | 2 x 3 x 0 | 4 x 3 x 4 | per seat and place: one-hot seat that played the threat; none with two players, where it is the other |
| `hand` | 20 | 20 | copies of each card in the own hand / hand size, at most 1 |
| `unseen` | 20 | 20 | share of each card's copies unseen: in the deck, or drawn by others since the last reshuffle |
| `held_over` | 20 | 20 | copies in other hands since before the last reshuffle / hand size, at most 1 |
| `seats` | 2 x 5 | 4 x 5 | per seat: honey / cubes; honey / winning honey; hives / 3; hand and held over / hand size; at most 1 |
| `hives` | 2 x 3 x 3 | 4 x 3 x 3 | per seat and place: one-hot kind of hive |
| `threats` | 2 x 3 x 13 | 4 x 3 x 13 | per seat and place: one-hot kind of threat |
| `buddies` | 2 x 4 | 4 x 4 | per seat: one-hot kind of buddy |

## Default content

The rulebook prints no card list. All figures on the cards but the Small Hive's bonus and the effect of Varroa Mites are this project's reconstruction, not the published cards.

### setup

| Number | Value |
| --- | --- |
| `starting_hive` | Small Hive |
| `starting_honey` | 3 |
| `honey_cubes` | 50 |
| `hand_size` | 4 |
| `die_sides` | 8 |
| `base_harvest` | 2 |
| `winning_honey` | 12 |
| `discard_hand_cost` | 3 |
| `only_hive_loss` | 3 |

### hives

| name | copies | cost | bonus |
| --- | --- | --- | --- |
| Small Hive | 8 | 5 | 1 |
| Medium Hive | 6 | 8 | 2 |
| Large Hive | 4 | 11 | 3 |

### buddies

| name | copies | type | cost | ability | n |
| --- | --- | --- | --- | --- | --- |
| Hive Inspector | 2 | shield | 2 | auto_defend |  |
| Smoke Keeper | 2 | shield | 1 | roll_bonus | 3 |
| Honey Hauler | 2 | dipper | 1 | gain | 3 |
| Master Extractor | 2 | dipper | 2 | double_bonus |  |

### threats

| name | copies | level | cost | continuous | effect | n |
| --- | --- | --- | --- | --- | --- | --- |
| Varroa Mites | 4 | 6 | 2 | yes | no_bonus |  |
| Nosema | 4 | 5 | 1 | yes | lose_honey | 2 |
| Poor Nutrition | 4 | 4 | 1 | no | lose_honey | 3 |
| Kid with a Stick | 4 | 5 | 1 | no | lose_cards | 2 |
| Pesticides | 4 | 6 | 2 | no | no_harvest |  |
| Hungry Bear | 4 | 7 | 3 | no | lose_half |  |
| Small Hive Beetles | 4 | 5 | 1 | yes | no_build |  |
| Wax Moths | 4 | 4 | 2 | no | lose_honey | 5 |
| Robber Bees | 4 | 5 | 1 | no | pay_attacker | 3 |
| Yellowjackets | 4 | 5 | 1 | no | lose_cards | 3 |
| American Foulbrood | 2 | 7 | 4 | no | lose_hive |  |
| Deformed Wing Virus | 3 | 6 | 2 | yes | lose_honey | 3 |
| Drought | 3 | 5 | 1 | no | skip_spend |  |
"""

from bearenvs.env import env_makers

env, raw_env = env_makers("honey_wars")
