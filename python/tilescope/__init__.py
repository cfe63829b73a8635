"""Tilescope for programs in Python."""
