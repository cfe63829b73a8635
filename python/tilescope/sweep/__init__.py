"""What TileLang's autotuner would try, compiled by Tilescope: `python -m tilescope sweep`.

`configs` needs TileLang, `table` does not."""
