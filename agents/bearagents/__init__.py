"""Agents for bearenvs: random, heuristics, policies trained by self-play, and an arena that rates them.

Uses the public interface of ``bearenvs`` only. Importing it does not import torch.
"""
