// T.Persistent: the tiles of a domain, one wave of them after the other, by blocks that stay.
//
//   for x, y in T.Persistent([m, n], wave, block, group)
//
//   for w in range(ceildiv(tiles, wave)):       tiles: m * n, n rounded up to whole groups
//       tile = w * wave + block
//       x = tile // group % m                   columns of `group` tiles, walked along x: what they
//       y = tile // group // m * group          read of the last axis stays in the L2
//           + tile % group
//       if tile < tiles and y < n:              the last wave and the last group are not whole
#pragma once

#include "core/frontend/control_flow.h"
#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// `body` is run once, with the coordinates of a tile.
Flow execPersistent(Evaluation &evaluation, const LoopObject &loop,
                    llvm::ArrayRef<std::string> names, Span span,
                    llvm::function_ref<Flow(llvm::ArrayRef<Value>)> body);

} // namespace tilescope::frontend
