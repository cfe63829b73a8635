#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"
#include "core/support/philox.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

PhiloxState started(Number seed, Number sequence, Number offset) {
  PhiloxState state;
  state.init(static_cast<uint64_t>(seed.i), static_cast<uint64_t>(sequence.i),
             static_cast<uint64_t>(offset.i));
  return state;
}

} // namespace

void executeRngInit(const OpStmt &op, BlockFrame &frame) {
  TensorRegion state = frame.evaluate(op.regions[0]);
  Number seed = frame.evaluate(op.args[0]);
  Number sequence = frame.evaluate(op.args[1]);
  Number offset = frame.evaluate(op.args[2]);
  frame.reads().use();
  for (auto [at, word] : llvm::enumerate(started(seed, sequence, offset).words()))
    writeElement(frame, state, state.min[0] + static_cast<int64_t>(at), Number{.i = word});
}

void executeRngInit(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion state = group.evaluate(op.regions[0], lanes);
  LaneValues seeds = group.evaluate(op.args[0], lanes);
  LaneValues sequences = group.evaluate(op.args[1], lanes);
  LaneValues offsets = group.evaluate(op.args[2], lanes);
  for (uint32_t lane : lanes) {
    PhiloxState own = started(seeds[lane], sequences[lane], offsets[lane]);
    for (auto [at, word] : llvm::enumerate(own.words()))
      group.store(state, lane, static_cast<int64_t>(at), Number{.i = word});
  }
}

} // namespace tilescope
