#include "core/check/run_overwrites.h"

#include "core/check/lane_run.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

class Sequence {
public:
  Sequence(const AccessProgram &program, const LaneSteps &lanes) : from_(program), lanes_(lanes) {
    to_.buffers = program.buffers;
    to_.threads = program.threads;
    to_.root = to_.add({});
  }

  AccessProgram of(llvm::ArrayRef<MadeStep> made) {
    std::vector<uint32_t> steps;
    for (const MadeStep &at : made) {
      const LaneStep &step = lanes_.lanes[at.lane].steps[at.step];
      if (step.isOpaque)
        steps.push_back(copy(step.node, step));
      else if (from_.nodes[step.node].kind == AccessNode::Kind::Leaf)
        steps.push_back(copyLeaf(step));
    }
    to_.nodes[to_.root].children = std::move(steps);
    return std::move(to_);
  }

  // False: it is not known in which iterations a condition holds.
  bool isKnown() const { return isKnown_; }

private:
  // With all that stands under it, which synchronises nothing.
  uint32_t copy(uint32_t index, const LaneStep &step) {
    AccessNode node = from_.nodes[index];
    decide(node, step);
    for (uint32_t &child : node.children)
      child = copy(child, step);
    for (Access &access : node.accesses)
      access = atOnce(access);
    return to_.add(std::move(node));
  }

  // A condition that the iterations of loops decide becomes what runs.
  void decide(AccessNode &node, const LaneStep &step) {
    if (node.kind != AccessNode::Kind::If ||
        !(node.rangeLoop.isValid() || node.guardLoop.isValid()))
      return;
    isKnown_ &= node.rangeLoop == step.loop;
    bool holds = node.rangeBegin <= step.iteration && step.iteration < node.rangeEnd;
    size_t branch = holds ? 0 : 1;
    std::vector<uint32_t> runs;
    if (branch < node.children.size())
      runs.push_back(node.children[branch]);
    node.kind = AccessNode::Kind::Seq;
    node.children = std::move(runs);
  }

  uint32_t copyLeaf(const LaneStep &step) {
    AccessNode node = from_.nodes[step.node];
    for (auto [access, slot] : llvm::zip(node.accesses, step.slotsOf)) {
      access = atOnce(access);
      access.slot = slot == LaneStep::Unknown ? Slot{.kind = Slot::Kind::Dynamic}
                                              : Slot{.kind = Slot::Kind::Constant, .offset = slot};
    }
    return to_.add(std::move(node));
  }

  static Access atOnce(Access access) {
    access.async = false;
    access.mbarrier.reset();
    return access;
  }

  const AccessProgram &from_;
  const LaneSteps &lanes_;
  AccessProgram to_;
  bool isKnown_ = true;
};

} // namespace

std::vector<ArenaFault> findRunOverwrites(const AccessProgram &program,
                                          const std::vector<BufferBytes> &bytes,
                                          const LaneSteps &lanes,
                                          const std::function<bool()> &stop) {
  if (lanes.lanes.empty() || !lanes.problem.empty())
    return {};
  LaneRun run = runAbreast(program, lanes);
  if (!run.order.isKnown() || run.stuckAt.isValid())
    return {};
  Sequence sequence(program, lanes);
  AccessProgram made = sequence.of(run.made);
  return sequence.isKnown() ? checkArena(made, bytes, stop) : std::vector<ArenaFault>();
}

} // namespace tilescope
