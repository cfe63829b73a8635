// Whether threads have what they work on. From infer-layouts on, the layout of a parallel loop says
// which threads do an iteration, and that of a fragment which threads hold an element. Operations
// say it by what they do: who holds an element that a copy writes holds the one that it reads, who
// holds a result of a reduction holds a part of what it is of, and instructions dictate where their
// operands lie.
//
//     C = T.alloc_fragment((64,), "float32", layout="fragment(32@t1 2@r1)")
//     for i in T.Parallel(64, layout="fragment(2@r1 32@t1)"):
//         B[i] = C[i]         thread 1 does iteration 1, and thread 0 holds C[1]
//
// Left out: iterations under conditions and elements at indices that more than the loop's own
// variables decide, and operands at places that are not constant.
#pragma once

#include "core/exec/findings.h"
#include "core/target/target.h"

namespace tilescope {

// Of each access the first element that a thread reads and does not hold, or writes where others
// hold a copy that they do not write. `target`: whose instructions are chosen.
void findElementsHeldElsewhere(const Function &function, const Target &target, Findings &findings);

} // namespace tilescope
