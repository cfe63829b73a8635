// Do the lanes of a warp that an exchange, or a barrier of the warp, takes get to it together?
//
//     T.shuffle(r[0], v, 1)                      all lanes, and nothing around it keeps one away
//     if tx // 32 == 0: T.shuffle(...)           all lanes of the first warp
//     if tx % 32 < 16: T.shuffle(...)            no: half of them
//     if tx % 32 < 16: T.shuffle(..., mask=0xffff)
//     if A[tx] > 0: T.shuffle(...)               it is not known
#pragma once

#include "core/ir/module.h"

#include <optional>

namespace tilescope {

struct DivergentExchange {
  const OpStmt *op = nullptr;
  const Stmt *dividedBy = nullptr; // what keeps lanes away, or may; null: nothing does
  // The first thread whose warp is not there as it should be; nothing: it is not known.
  std::optional<int64_t> thread;
};

// In the order of the function, which may be as written or lowered.
std::vector<DivergentExchange> findDivergentExchanges(const Function &function);

} // namespace tilescope
