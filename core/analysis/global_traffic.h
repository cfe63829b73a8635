// How many bytes a kernel moves between global memory and the SMs: a measure of work, for sizes of
// tiles to be compared by.
//
//     a GEMM of M x N x K, float16, tiles of m x n    (M / m) * (N / n) * (m + n) * K * 2 read,
//                                                     M * N * 2 written
#pragma once

#include "core/ir/module.h"

namespace tilescope {

// What all threads of all blocks ask for, before any cache: an element that several threads read
// counts for each, a box that one thread copies once. An atomic addition counts once. nullopt: the
// functions are not lowered, or how often something is executed depends on data or on what only the
// launch knows, or is too much to count.
std::optional<int64_t> computeGlobalBytes(const Module &module);

} // namespace tilescope
