"""What a Python process does at its start where TILESCOPE_RECORD is set; tilescope.pth imports it."""
