// Whether the threads that hold the elements of fragments are those that touch them.
//
//     for i in T.Parallel(256):          iteration i runs on thread i % 128
//         f[255 - i] = A[i]              f in full on 128 threads: held, but 127 copies stay stale
#pragma once

#include "core/analysis/fragment_digits.h"
#include "core/analysis/layouts/parallel_access.h"

namespace tilescope {

// Why a thread that runs an iteration of a loop with layout `loop` does not hold the element that
// the iteration touches; empty if it does, for every iteration and every copy of it.
std::string whyNotHeld(const FragmentAccess &access, const Layout &fragment, const Layout &loop);

// Why a thread that holds the element which an iteration writes does not run the iteration; empty
// if all do. Of accesses whose elements are held (see above) by the threads that touch them.
std::string whyCopiesStale(const FragmentAccess &access, const Layout &fragment,
                           const Layout &loop);

} // namespace tilescope
