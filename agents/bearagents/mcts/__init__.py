"""Monte Carlo search for games of chance and hidden hands, compiled, for every game.

:class:`MctsAgent` is single-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search", 2012): one tree over what has been played since the decision; every
iteration draws a fresh determinization of what the seat cannot know and goes down the tree by UCB1 (Auer,
Cesa-Bianchi and Fischer, 2002; on trees, Kocsis and Szepesvari, 2006) with availability counts, since which actions
are legal depends on the draw. Each seat maximises its own return (max-n; Luckhardt and Irani, 1986). Chance is
sampled and does not branch (open loop; Perez Liebana et al., 2015), so private draws cannot tell the tree what an
opponent holds.

Large numbers of actions: a node opens more of them the more often it is visited (progressive widening; Coulom, 2007;
Chaslot et al., 2008), first the one that the game's heuristic would play, which a bonus that fades with its visits
favours (a predictor; Rosin, 2011). Rollouts follow the heuristic and may end early in a forecast (Lorentz, 2008).
All bonuses are in units of the spread of the returns found, so they fit a game's returns whatever they are. Several
threads grow a tree each and add up the visits (root parallelisation; Cazenave and Jouandeau, 2007).

:class:`FlatAgent` is the same with a tree of one level: flat Monte Carlo.

Both see a seat's view only: hidden rows go in, so what the seat cannot know is not there to be used.
"""

from bearagents.mcts.agents import FlatAgent, MctsAgent
from bearagents.mcts.budget import Budget
from bearagents.mcts.searcher import Searcher, Tree, merge

__all__ = ["Budget", "FlatAgent", "MctsAgent", "Searcher", "Tree", "merge"]
