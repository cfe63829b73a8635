#include "passes/touched_buffers.h"

#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

bool touchesAny(Context &context, const Stmt &stmt, const std::set<BufferId> &buffers) {
  bool isFound = false;
  walk(&stmt, [&](const Stmt *part) {
    isFound |= llvm::any_of(accessesOf(context, part), [&](const BufferAccess &access) {
      return buffers.count(access.buffer) != 0;
    });
    return !isFound;
  });
  return isFound;
}

std::set<BufferId> registersTouchedBy(Context &context, const Function &function,
                                      const Stmt &stmt) {
  std::set<BufferId> registers;
  walk(&stmt, [&](const Stmt *part) {
    for (const BufferAccess &access : accessesOf(context, part))
      if (!isMemory(function.buffer(access.buffer).scope))
        registers.insert(access.buffer);
    return true;
  });
  return registers;
}

} // namespace tilescope
