#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

std::string messageOf(const OpStmt &op) {
  llvm::StringRef text =
      textOfNumber(op.attr(Attr::Message)).take_until([](char c) { return c == '\n'; });
  return text.empty() ? "its condition is false" : text.str();
}

} // namespace

void executeDeviceAssert(const OpStmt &op, BlockFrame &frame) {
  if (!frame.evaluateInt(op.args[0]))
    frame.fail(op, "an assertion does not hold: " + messageOf(op), FindingKind::FailedAssertion);
}

void executeDeviceAssert(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  llvm::SmallVector<uint32_t, 32> holds = group.where(op.args[0], lanes);
  for (uint32_t lane : lanes)
    if (!llvm::is_contained(holds, lane))
      group.find(FindingKind::FailedAssertion, lane, "", messageOf(op));
}

} // namespace tilescope
