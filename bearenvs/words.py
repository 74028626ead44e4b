"""A game's notation in plain words: what choices are called, and what logs tell.

What has no phrase keeps its notation.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

YOU = "you"
"""Who reads, in the place of a seat's name."""


@dataclass(frozen=True)
class Words:
    """The phrases of one game, by the first word of the notation; ``{0}`` and ``{1}`` are the words behind it.

    An action is put as a request, ``build {0}``, which reads well behind a player's name too. An outcome is a sentence:
    ``{who}`` is whom it befalls, ``{s}`` ends the verb behind, as in ``{who} draw{s} {0}``.
    """

    actions: Mapping[str, str] = field(default_factory=dict)
    outcomes: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    """How single words read: ids of cards."""
    patterns: Mapping[str, str] = field(default_factory=dict)
    """The same for words of a kind: a regular expression, and what takes the place of the word that it matches."""
    unseen: str = "something happens by chance that you do not see"
    """An outcome that the reader does not learn."""

    def action(self, notation: str) -> str:
        """Return what an action does."""
        return self._read(self.actions, notation, "")

    def outcome(self, notation: str, who: str) -> str:
        """Return what happens by an outcome; ``who``: :data:`YOU` or a seat's name."""
        return self._read(self.outcomes, notation, who)

    def unseen_outcome(self, who: str) -> str:
        """Return what is told of an outcome to who does not learn it."""
        return _filled(self.unseen, [], who)

    def _read(self, phrases: Mapping[str, str], notation: str, who: str) -> str:
        verb, *rest = notation.split()
        return _filled(phrases[verb], map(self._thing, rest), who) if verb in phrases else notation

    def _thing(self, word: str) -> str:
        for pattern, words in self.patterns.items():
            if re.fullmatch(pattern, word):
                return re.sub(pattern, words, word)
        return self.names.get(word, word)


def counted(count: int, noun: str) -> str:
    """Return so many of something, as in ``1 bear``, ``2 bears``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _filled(phrase: str, things: Iterable[str], who: str) -> str:
    return phrase.format(*things, who=who, s="" if who == YOU else "s")
