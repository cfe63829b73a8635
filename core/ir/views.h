// Views: buffers that are the memory of another under another shape, `T.reshape` and `T.view`.
//
//     s = T.alloc_fragment((128, 64), "float32")
//     t = T.alloc_fragment((128, 4, 16), "float32", view_of=s)
//     t[i, j, k] = 0                  becomes   s[i, j * 16 + k] = 0
//     T.copy(t[0, 0:4, 0:16], ...)    becomes   T.copy of a box of s, or a T.Parallel of elements
//
//     h = T.alloc_shared((64,), "float16")
//     w = T.alloc_shared((32,), "uint32", view_of=h)
//     w[i] = x                        becomes   h[i * 2], h[i * 2 + 1] = the halves of x's bits
//
// The front end and the reader resolve them, so that nothing behind knows of views: every access
// names one buffer, in one shape. Which of the shapes that is, operations decide: the one in which
// the fewest of them have an operand that is no box. A tensor keeps the shape of the parameter
// unless all extents are constant. An index that may lie outside of an axis that is no axis of the
// buffer is an error: it would name an element of the next row.
//
// Of views of several element types the narrowest stays, so that an element of any is written
// without those beside it; a tensor stays of its own type, and a part of one of its elements is
// never written alone. The first of several is in the lowest bits. What an operation is given of
// another type than stays goes element by element, or is an error.
//
// A view with strides (core/ir/strided_shapes.h) never gives the shape, and its buffer may have
// strides of its own.
//
// A view may be a row of its buffer, whose first axes then have indices of their own.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Null after an error was reported. The same pointer: there are no views.
const Function *resolveViews(Context &context, const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
