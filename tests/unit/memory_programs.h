// The memory of an AccessProgram as a problem, a plan of it as bytes, and its barriers.
#pragma once

#include "core/access/arena_plan.h"
#include "core/access/lifetimes.h"
#include "core/check/arena_check.h"
#include "core/plan/barrier_plan.h"

namespace tilescope::test {

// Version sizes differ from buffer to buffer, so that a wrong place shows.
inline ArenaProblem problemOf(const AccessProgram &program) {
  Lifetimes lifetimes = computeLifetimes(program);
  ArenaProblem problem;
  for (size_t index = 0; index != program.buffers.size(); ++index) {
    ArenaBuffer buffer;
    buffer.id = program.buffers[index].id;
    buffer.name = program.buffers[index].name;
    buffer.versions = program.buffers[index].versions;
    buffer.strideBytes = 16 * (1 + static_cast<int64_t>(index));
    buffer.sizeBytes = buffer.versions * buffer.strideBytes;
    buffer.live = lifetimes.buffers[index].intervals;
    problem.buffers.push_back(buffer);
  }
  return problem;
}

inline std::vector<BufferBytes> bytesOf(const ArenaProblem &problem, const ArenaPlan &plan) {
  std::vector<BufferBytes> bytes;
  for (size_t index = 0; index != plan.placements.size(); ++index)
    bytes.push_back({plan.placements[index].id, plan.placements[index].offsetBytes,
                     problem.buffers[index].strideBytes, problem.buffers[index].strideBytes});
  return bytes;
}

inline AccessProgram insertBarriers(AccessProgram program, const BarrierPlan &plan) {
  for (size_t at = plan.sites.size(); at-- != 0;) {
    AccessNode barrier;
    barrier.kind = AccessNode::Kind::Barrier;
    barrier.stmt = StmtId(1000 + static_cast<uint32_t>(at));
    uint32_t index = program.add(barrier);
    auto &children = program.nodes[plan.sites[at].seq].children;
    children.insert(children.begin() + plan.sites[at].before, index);
  }
  return program;
}

} // namespace tilescope::test
