// Barriers of some threads: which threads get to each, as far as their numbers decide.
//
//     if tx < 64:
//       named_barrier(1, threads=64)     threads 0 to 63, always: they meet
//     if tx < 64:
//       named_barrier(1, threads=128)    64 threads, where 128 are waited for: wrong
//     if A[tx] > 0:
//       named_barrier(2, threads=64)     not known
//     if tx < 64:
//       named_barrier(3, threads=128, waits=False)
//     else:
//       named_barrier(3, threads=128)    those of two places: not known whether always in turn
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace tilescope {

struct NamedBarrierPlace {
  enum class Meeting : uint8_t { Fixed, Unknown, Wrong };
  const OpStmt *op = nullptr;
  const Stmt *dividedBy = nullptr; // the innermost that keeps threads away; null: nothing does
  Meeting meeting = Meeting::Unknown;
  std::optional<int64_t> threads; // that get there, always the same; nothing: not known
  bool hasParts = false;          // of a warp, only some lanes; wrong
  bool isOfAll = false;           // Fixed: nothing divides threads, and it takes them all
};

// In the order of the function, which may be as written or lowered.
std::vector<NamedBarrierPlace> findNamedBarriers(const Function &function);

// Whether there is one of which it is not known who meets: what it orders is not known either.
bool hasUnknownMeeting(const Function &function);

// Barriers of warps to which one warp comes, all of it and always, and no other: they order what
// the threads do that come there. In a block of one warp there are none, it needs no others.
llvm::DenseSet<const OpStmt *> findBarriersOfOneWarp(const Function &function);

} // namespace tilescope
