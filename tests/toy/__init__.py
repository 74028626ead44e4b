"""Picnic, a game outside the package: what a user's own game folder looks like, and the fixture of generic tests.

Each of 2 to 4 bears is dealt cards with food. On its turn a bear eats a card of its hand for its value, robs another
bear, or waits; then it draws a card. A robbed bear either buries a card of its hand face down, where nobody else
sees it, and the robber gets 1; or it growls: a die is rolled, and on a 5 or 6 the robber is out of the game and shows
its hand, on less it gets 2. The game ends when deck and hands are empty or one bear is left. Returns are what each
bear has eaten so far.
"""
