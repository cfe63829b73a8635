#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitVote(const OpStmt &op, CudaWriter &writer) {
  // In the order of VoteKind.
  static constexpr llvm::StringRef Functions[] = {"__any_sync", "__all_sync", "__ballot_sync",
                                                  "__match_any_sync"};
  auto kind = static_cast<VoteKind>(op.attr(Attr::Kind));
  std::string function = kind == VoteKind::MatchAll ? writer.call(Helper::MatchAll)
                                                    : Functions[op.attr(Attr::Kind)].str();
  writer.line(writer.assignment(op.regions[0],
                                llvm::formatv("{0}({1}, {2})", function,
                                              op.args[1] ? writer.value(op.args[1]) : "0xffffffffu",
                                              writer.value(op.args[0]))));
}

} // namespace tilescope
