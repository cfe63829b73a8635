// A launch whose blocks take tile after tile, in an order that keeps neighbours together.
//
//     with T.Kernel(32, 16, threads=256) as (bx, by, tx):
//         body
// becomes, for at most 132 blocks,
//     with T.Kernel(128, threads=256) as (block, tx):
//         for wave in T.serial(4):
//             tile = wave * 128 + block
//             bx = tile // 8 % 32
//             by = tile // 256 * 8 + tile % 8
//             body
//
// Each block takes as many tiles, so that what mbarriers count is affine in `wave`. A copy role
// then fills slots for the next tile while this one is still stored (passes/warp_roles.h).
#pragma once

#include "core/pass/pass.h"

#include <string>

namespace tilescope {

// Why the launch keeps a block for each tile, as the end of a sentence; empty: so many blocks at
// most can take its tiles. Their order is free: blocks run in any, and none waits for another.
std::string whyNotPersistent(PassContext &pass, const Function &function, const Launch &launch,
                             int64_t blocks);

// The loop over tiles is the body of the launch.
const Launch *withTiles(Context &context, const Launch &launch, int64_t blocks);

} // namespace tilescope
