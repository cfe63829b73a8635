// Which statements make one leaf of an AccessProgram, and what that leaf accesses.
#pragma once

#include "core/analysis/access_builder.h"
#include "core/analysis/thread_ownership.h"
#include "core/analysis/thread_uniform.h"

#include "llvm/ADT/DenseSet.h"

#include <functional>

namespace tilescope {

struct GroupQuery {
  Context &context;
  const Function &function;
  const Launch *launch = nullptr;
  const Role *role = nullptr; // in the launch, whose threads run the group
  AccessDetail detail = AccessDetail::Groups;
  // Some threads of the block, or of the role, may not run the group: nothing is written fully.
  bool isDivergent = false;
  std::function<Slot(const Expr *slot, int64_t versions)> slotOf;
  // Which mbarrier an operand is.
  std::function<MbarrierRef(const BufferRegion &)> mbarrierOf;
  // Buffers whose rows are their slots (`buffer_rows.h`), and how many.
  llvm::DenseMap<uint32_t, int64_t> rows = llvm::DenseMap<uint32_t, int64_t>();
  int64_t slotsOf(const Buffer &buffer) const {
    auto found = rows.find(buffer.id.value);
    return found == rows.end() ? buffer.versions : found->second;
  }
  // Global buffers to follow besides shared memory.
  llvm::DenseSet<uint32_t> globals = {};
  // Null: accesses get no `box`.
  IrAffine *affine = nullptr;
  // Null: accesses get no `sameThreadToken`.
  const ThreadOwnership *ownership = nullptr;
  OwnerTokens *tokens = nullptr;
};

struct GroupAccesses {
  std::vector<Access> accesses;
  const Stmt *firstAccessing = nullptr; // in program order, at any depth; null without accesses
  bool isOfOneThread = false;           // all of it
};

// The accesses of siblings as one leaf; nullopt if they must be taken apart: they synchronise, hold
// several tile operations, or depend on each other through shared memory.
std::optional<GroupAccesses> accessesOfGroup(const GroupQuery &query, StmtList stmts);

// What an `if` or a loop reads by itself: its condition or bounds.
GroupAccesses accessesOfHead(const GroupQuery &query, const Stmt &stmt);

} // namespace tilescope
