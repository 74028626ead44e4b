"""Honey Wars."""
