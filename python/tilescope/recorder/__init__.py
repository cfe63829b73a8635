"""Records what TileLang's own compiler does, as traces that Tilescope opens.

While TileLang lowers, references to the functions after each pass are held and nothing else is done: they are immutable,
so they are printed and walked when it is over, and what is compiled cannot depend on it. Buffers, accesses and offsets
come from TVM's objects. The printed text is for display and nothing is read from it. Lifetimes, plans and verdicts are
Tilescope's to compute from these records. Format: core/trace_file/README.md.

Nothing here is imported before something is recorded: TileLang takes seconds to load."""
