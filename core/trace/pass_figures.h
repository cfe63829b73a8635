// The figures of a pass: lines that it added and removed, shared bytes after it.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// The first pass of the group that ends with `index`; `index` itself for a pass that is no group.
//
//   index  depth  name
//     3      1    simplify     <- of 5
//     4      1    vectorize
//     5      0    tidy(simplify,vectorize)
size_t firstOfGroup(const Trace &trace, size_t index);

// Whether a pass is nothing but the passes inside it. One of another compiler may run passes and
// then change the program itself.
bool isOnlyGroup(const Trace &trace, size_t index);

// As recorded; counted from the snapshots where an older trace has none.
PassFigures figuresOf(const Trace &trace, size_t index);

// What the highest arena after the pass may use: static shared memory is taken off. Where there is
// none, what a block may use. 0: unlimited.
int64_t capacityAfter(const Trace &trace, size_t index);

} // namespace tilescope
