#include "core/frontend/unwritten_buffers.h"

#include "core/ir/visit.h"

#include "llvm/ADT/MapVector.h"

namespace tilescope::frontend {

void warnOfUnwrittenBuffers(Context &context, const Function &function, Diagnostics &diagnostics) {
  struct Use {
    Span firstRead;
    bool isRead = false;
    bool isWritten = false;
  };
  llvm::MapVector<uint32_t, Use> uses;
  walk(function.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt)) {
      Use &use = uses[access.buffer.value];
      use.isWritten |= access.effect != Effect::Read;
      if (!use.isRead && access.effect == Effect::Read)
        use.firstRead = access.span;
      use.isRead |= access.effect == Effect::Read;
    }
    return true;
  });
  for (const auto &[id, use] : uses) {
    const Buffer &buffer = function.buffer(BufferId(id));
    bool isShared = buffer.scope == Scope::Shared || buffer.scope == Scope::SharedStatic;
    if (isShared && use.isRead && !use.isWritten)
      diagnostics.report(DiagId::BufferNeverWritten, use.firstRead, buffer.name);
  }
}

} // namespace tilescope::frontend
