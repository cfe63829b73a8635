#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"
#include "core/support/philox.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

Number draw(const OpStmt &op, DType dtype, PhiloxState &state) {
  auto kind = static_cast<RngKind>(op.attr(Attr::Kind));
  if (kind == RngKind::Bits)
    return Number{.i = state.bits()};
  if (kind == RngKind::Uniform)
    return Number{.f = dtype.bits == 64 ? state.uniformDouble() : double{state.uniform()}};
  return Number{.f = dtype.bits == 64 ? state.normalDouble() : double{state.normal()}};
}

} // namespace

// Where all threads share out work, who draws which number is not the kernel's to say.
void executeRngDraw(const OpStmt &op, BlockFrame &frame) {
  TensorRegion words = frame.evaluate(op.regions[0]);
  if (words.copies.size() > 1)
    return frame.fail(op, "which thread draws which random number is left to the compiler");
  TensorRegion result = frame.evaluate(op.regions[1]);
  PhiloxState::Storage storage;
  for (auto [at, word] : llvm::enumerate(storage))
    word = static_cast<uint32_t>(frame.read(words, words.min[0] + static_cast<int64_t>(at)).i);
  frame.reads().use();
  PhiloxState state(storage);
  Number value = draw(op, result.tensor->dtype(), state);
  for (auto [at, word] : llvm::enumerate(state.words()))
    writeElement(frame, words, words.min[0] + static_cast<int64_t>(at), Number{.i = word});
  writeElement(frame, result, result.tensor->indexOf(result.min), value);
}

void executeRngDraw(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion words = group.evaluate(op.regions[0], lanes);
  LaneRegion result = group.evaluate(op.regions[1], lanes);
  for (uint32_t lane : lanes) {
    PhiloxState::Storage storage;
    for (auto [at, word] : llvm::enumerate(storage))
      word = static_cast<uint32_t>(group.load(words, lane, static_cast<int64_t>(at)).i);
    PhiloxState state(storage);
    Number value = draw(op, result.buffer->dtype, state);
    for (auto [at, word] : llvm::enumerate(state.words()))
      group.store(words, lane, static_cast<int64_t>(at), Number{.i = word});
    group.store(result, lane, 0, value);
  }
}

} // namespace tilescope
