// The meaning of an AccessProgram by plain execution: every decision (branches, trip counts, slots
// chosen at run time) is enumerated, every path is a flat list of steps. Slow, obvious, and shares
// no code with the analyses that it judges.
#pragma once

#include "core/access/access_program.h"

#include <functional>
#include <map>
#include <vector>

namespace tilescope::test {

struct PathAccess {
  const Access *access = nullptr;
  size_t buffer = 0;
  int64_t slot = 0;
};

struct PathStep {
  uint32_t node = 0;
  ProgramPoint point = 0;
  std::vector<PathAccess> accesses;
};

using Path = std::vector<PathStep>;

class PathEnumerator {
public:
  PathEnumerator(const AccessProgram &program, int64_t maxTrips)
      : program_(program), maxTrips_(maxTrips) {
    std::vector<uint32_t> leaves = leavesInOrder(program);
    for (size_t point = 0; point != leaves.size(); ++point)
      pointOf_[leaves[point]] = static_cast<ProgramPoint>(point);
  }

  // All paths; false if there are more than `limit`.
  bool forEachPath(size_t limit, const std::function<void(const Path &)> &visit) {
    for (size_t count = 0; count != limit; ++count) {
      path_.clear();
      used_ = 0;
      trips_.clear();
      iteration_.clear();
      run(program_.root);
      visit(path_);
      if (!nextDecisions())
        return true;
    }
    return false;
  }

private:
  struct Decision {
    int64_t value = 0;
    int64_t choices = 1;
  };

  int64_t decide(int64_t choices) {
    if (used_ == decisions_.size())
      decisions_.push_back({0, choices});
    return decisions_[used_++].value;
  }

  bool nextDecisions() {
    decisions_.resize(used_);
    while (!decisions_.empty() && decisions_.back().value + 1 >= decisions_.back().choices)
      decisions_.pop_back();
    if (decisions_.empty())
      return false;
    ++decisions_.back().value;
    return true;
  }

  const AccessNode &loopNode(StmtId id) const {
    for (const AccessNode &node : program_.nodes)
      if (node.kind == AccessNode::Kind::Loop && node.stmt == id)
        return node;
    std::abort();
  }

  int64_t tripsOf(StmtId id) {
    if (auto known = trips_.find(id); known != trips_.end())
      return known->second;
    const AccessNode &loop = loopNode(id);
    int64_t last = std::max(loop.minTrips, std::min(loop.maxTrips.value_or(maxTrips_), maxTrips_));
    return trips_[id] = loop.minTrips + decide(last - loop.minTrips + 1);
  }

  void run(uint32_t index) {
    const AccessNode &node = program_.nodes[index];
    switch (node.kind) {
    case AccessNode::Kind::Seq:
    case AccessNode::Kind::Roles:
      for (uint32_t child : node.children)
        run(child);
      return;
    case AccessNode::Kind::Loop: {
      int64_t trips = tripsOf(node.stmt);
      for (int64_t k = 0; k != trips; ++k) {
        iteration_[node.stmt] = k;
        for (uint32_t child : node.children)
          run(child);
      }
      iteration_.erase(node.stmt);
      trips_.erase(node.stmt);
      return;
    }
    case AccessNode::Kind::If: {
      size_t branch = takenBranch(node);
      if (branch < node.children.size())
        run(node.children[branch]);
      return;
    }
    default:
      record(index, node);
    }
  }

  size_t takenBranch(const AccessNode &node) {
    if (!node.guardLoop.isValid())
      return static_cast<size_t>(decide(2));
    int64_t k = iteration_.count(node.guardLoop) ? iteration_[node.guardLoop] : 0;
    return k + node.guardDistance < tripsOf(node.guardLoop) ? 0 : 1;
  }

  void record(uint32_t index, const AccessNode &node) {
    PathStep step{index, pointOf_[index], {}};
    for (const Access &access : node.accesses) {
      size_t buffer = *indexOf(program_, access.buffer);
      int64_t slot = access.slot.offset;
      if (access.slot.kind == Slot::Kind::Dynamic)
        slot = decide(program_.buffers[buffer].versions);
      if (access.slot.kind == Slot::Kind::Loop)
        slot = (iteration_[access.slot.loop] + slot) % access.slot.modulus;
      step.accesses.push_back({&access, buffer, slot});
    }
    path_.push_back(std::move(step));
  }

  const AccessProgram &program_;
  int64_t maxTrips_;
  std::map<uint32_t, ProgramPoint> pointOf_;
  std::vector<Decision> decisions_;
  size_t used_ = 0;
  std::map<StmtId, int64_t> trips_;
  std::map<StmtId, int64_t> iteration_;
  Path path_;
};

// For an access of `path[from]` through `queue`: the step of the wait that covers it, or the length
// of the path.
inline size_t arrivalOf(const AccessProgram &program, const Path &path, size_t from,
                        uint32_t queue) {
  int64_t commits = 0;
  for (size_t step = from + 1; step != path.size(); ++step) {
    const AccessNode &node = program.nodes[path[step].node];
    if (node.queue != queue)
      continue;
    commits += node.kind == AccessNode::Kind::Commit;
    if (node.kind == AccessNode::Kind::Wait && commits > node.pending)
      return step;
  }
  return path.size();
}

} // namespace tilescope::test
