#include "core/exec/box_stores.h"

#include "core/exec/arithmetic.h"
#include "core/exec/thread_group.h"
#include "core/ir/atomic_attrs.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

BoxStoresInFlight::Thread &BoxStoresInFlight::threadOf(const ThreadGroup &group, uint32_t lane) {
  return threads_[group.first_ + lane];
}

void BoxStoresInFlight::start(ThreadGroup &group, const OpStmt &op, uint32_t lane) {
  Thread &thread = threadOf(group, lane);
  thread.boxes.push_back({&op, group.evaluate(op.regions[0], {lane}),
                          group.evaluate(op.regions[1], {lane}), thread.commits, momentOf(group)});
}

void BoxStoresInFlight::commit(const ThreadGroup &group, uint32_t lane) {
  ++threadOf(group, lane).commits;
}

// What is outside of the tensor is left out.
void BoxStoresInFlight::finish(ThreadGroup &group, uint32_t lane, const Box &box) {
  group.setStatement(*box.op);
  const Tensor &tensor = group.block().launch.global.memory.tensors.at(box.destination.buffer->id);
  std::vector<Number> values;
  {
    llvm::SaveAndRestore proxy(group.asyncSince_);
    if (group.block().launch.hasBarriers)
      group.asyncSince_ = box.begun;
    for (int64_t element = 0; element != box.source.size(); ++element)
      values.push_back(group.load(box.source, lane, element));
  }
  for (int64_t element = 0; element != box.destination.size(); ++element)
    if (tensor.indexOf(group.placeOf(box.destination, lane, element).coordinates) >= 0)
      arrive(group, lane, box, element, values[static_cast<size_t>(element)]);
}

void BoxStoresInFlight::arrive(ThreadGroup &group, uint32_t lane, const Box &box, int64_t element,
                               Number value) {
  if (!box.op->operand(1).isAtomic)
    return group.store(box.destination, lane, element, value);
  AtomicKind kind = atomicKindOf(box.op->attr(Attr::Kind));
  group.update(box.destination, lane, element, AtomicAccess::Update, [&](Number old) {
    return atomicOf(kind, box.destination.buffer->dtype, old, value);
  });
}

void BoxStoresInFlight::wait(ThreadGroup &group, uint32_t lane, int64_t pending) {
  Thread &thread = threadOf(group, lane);
  while (!thread.boxes.empty() && thread.boxes.front().group < thread.commits - pending) {
    finish(group, lane, thread.boxes.front());
    thread.boxes.pop_front();
  }
}

void BoxStoresInFlight::findLeft(ThreadGroup &group) const {
  for (const auto &[number, thread] : threads_) {
    if (number < group.first_ || number >= group.first_ + group.count_)
      continue;
    for (const Box &box : thread.boxes) {
      group.setStatement(*box.op);
      group.find(FindingKind::EndInFlight, number - group.first_, box.destination.buffer->name);
    }
  }
}

} // namespace tilescope
