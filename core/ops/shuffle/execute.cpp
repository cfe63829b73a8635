// As "shfl.sync" of the PTX ISA says, which takes five bits of the operand.
#include "core/exec/exchange.h"

namespace tilescope {

namespace {

uint32_t sourceOf(const OpStmt &op, uint32_t lane, int64_t operand) {
  auto width = static_cast<uint32_t>(op.attr(Attr::Width));
  uint32_t number = static_cast<uint32_t>(operand) % LanesOfWarp;
  uint32_t first = lane - lane % width;
  switch (static_cast<ShuffleKind>(op.attr(Attr::Kind))) {
  case ShuffleKind::Index:
    return first + number % width;
  case ShuffleKind::Up:
    return lane - first >= number ? lane - number : lane;
  case ShuffleKind::Down:
    return lane - first + number < width ? lane + number : lane;
  case ShuffleKind::Xor:
    return (lane ^ number) < first + width ? lane ^ number : lane;
  }
  return lane;
}

// What lanes hold that take no part nobody can say.
void shuffle(const OpStmt &op, llvm::MutableArrayRef<ExchangeThread> warp) {
  for (uint32_t lane = 0; lane != warp.size(); ++lane) {
    if (!warp[lane].takesPart)
      continue;
    uint32_t source = sourceOf(op, lane, warp[lane].args[1].i);
    bool isThere = source < warp.size() && warp[source].takesPart;
    warp[lane].result = isThere ? warp[source].args[0] : warp[lane].args[0];
    warp[lane].isResultDefined = isThere && warp[source].isDefined;
  }
}

} // namespace

void executeShuffle(const OpStmt &op, BlockFrame &frame) { exchange(op, frame, shuffle); }

void executeShuffle(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  exchange(op, group, lanes, shuffle);
}

} // namespace tilescope
