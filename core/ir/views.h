// Views: buffers that are the memory of another under another shape, `T.reshape` and `T.view`.
//
//     s = T.alloc_fragment((128, 64), "float32")
//     t = T.alloc_fragment((128, 4, 16), "float32", view_of=s)
//     t[i, j, k] = 0                  becomes   s[i, j * 16 + k] = 0
//     T.copy(t[0, 0:4, 0:16], ...)    becomes   T.copy of a box of s, or a T.Parallel of elements
//
// The front end and the reader resolve them, so that nothing behind knows of views: every access
// names one buffer, in one shape. Which of the shapes that is, operations decide: the one in which
// the fewest of them have an operand that is no box. A tensor keeps the shape of the parameter
// unless all extents are constant. An index that may lie outside of an axis that is no axis of the
// buffer is an error: it would name an element of the next row.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Null after an error was reported. The same pointer: there are no views.
const Function *resolveViews(Context &context, const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
