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
//
// Where a block variable decides how long the pipelines of a tile are, as in causal attention, a
// block has the tile at the other end of the row in every other wave, so that two of them together
// are as long in all blocks:
//       bx = block % 16 if wave % 2 == 0 else 15 - block % 16
//       by = wave * 8 + block // 16
// What came before a tile is known without a count from tile to tile: of n(bx) steps
//       before = wave // 2 * (n(block % 16) + n(15 - block % 16)) + wave % 2 * n(block % 16)
#pragma once

#include "core/ir/visit.h"
#include "core/pass/pass.h"

#include <string>

namespace tilescope {

// Why the launch keeps a block for each tile, as the end of a sentence; empty: so many blocks at
// most can take its tiles. Their order is free: blocks run in any, and none waits for another.
std::string whyNotPersistent(PassContext &pass, const Function &function, const Launch &launch,
                             int64_t blocks);

struct TileWaves {
  const Launch *launch = nullptr;
  const For *loop = nullptr; // over the tiles of a block, the body of the launch
  Substitution names;        // bound in a tile, to what
  // The variable that decides how long tiles are, in waves of even number and of odd; empty: none.
  Substitution even, odd;
};

TileWaves withTiles(Context &context, const Function &function, const Launch &launch,
                    int64_t blocks);

// Iterations that a pipelined loop of a tile made in the tiles before, of the type of its variable.
const Expr *countBefore(Context &context, const TileWaves &waves, const For &loop);

} // namespace tilescope
