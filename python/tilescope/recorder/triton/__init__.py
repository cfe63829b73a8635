"""Records what Triton's compiler does, as traces that Tilescope opens: README.md.

Triton changes a module in place, so what is recorded of a state is copied before the next pass runs: its text and its
operations. Nothing is read from the text but shapes and element types of memory descriptors, which the bindings give in
no other way. Nothing here is imported before something is recorded."""
