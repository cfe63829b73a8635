"""Tilescope beside TileLang: what needs its Python."""
