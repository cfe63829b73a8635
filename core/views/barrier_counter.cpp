#include "core/views/barrier_counter.h"

#include "core/plan/barrier_plan.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

size_t barriersOf(const AccessProgram &program) {
  return llvm::count_if(program.nodes, [](const AccessNode &node) {
    return node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block;
  });
}

bool isPlanned(const TraceSnapshot &snapshot, const std::string &function) {
  return llvm::any_of(*snapshot.arenas, [&](const ArenaRecord &arena) {
    return arena.function == function && !arena.preview;
  });
}

} // namespace

BarrierCounter::BarrierCounter(const Trace &trace, const ArenaFacts &facts) : facts_(facts) {
  const std::string &function = facts.arena().function;
  const AccessRecord *planned = nullptr, *last = nullptr;
  for (const TracePass &pass : trace.passes) {
    const TraceSnapshot &snapshot = trace.snapshots[pass.snapshot];
    last = accessesOf(snapshot, function);
    if (!planned && isPlanned(snapshot, function))
      planned = last;
  }
  if (!planned || !last)
    return;
  planned_ = planned->program;
  // Hazards of one buffer alone are settled.
  for (AccessNode &node : planned_.nodes)
    for (Access &access : node.accesses)
      access.sameThreadToken = 1;
  size_t now = countWith(std::nullopt);
  if (barriersOf(planned_) + now == barriersOf(last->program))
    now_ = now;
}

std::optional<int64_t> BarrierCounter::moreWith(const BufferBytes &moved) const {
  if (!now_)
    return std::nullopt;
  return static_cast<int64_t>(countWith(moved)) - static_cast<int64_t>(*now_);
}

size_t BarrierCounter::countWith(const std::optional<BufferBytes> &moved) const {
  std::vector<BufferBytes> bytes;
  for (const ArenaBuffer &buffer : facts_.arena().problem.buffers)
    if (std::optional<BufferBytes> place = facts_.bytesOf(buffer.id))
      bytes.push_back(moved && moved->buffer == buffer.id ? *moved : *place);
  return planBarriers(planned_, bytes).sites.size();
}

} // namespace tilescope
