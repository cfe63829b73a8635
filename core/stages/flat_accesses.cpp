#include "core/stages/flat_accesses.h"

namespace tilescope {

namespace {

// By an explicit stack: a trace may nest as deep as it likes.
class Flattening {
public:
  explicit Flattening(const AccessProgram &program) : program_(program) {}

  FlatAccesses run() {
    if (program_.root >= program_.nodes.size())
      return {};
    flat_.program = &program_;
    flat_.parents.assign(program_.nodes.size(), program_.root);
    stack_.push_back({program_.root, TripGuard::None, NoLoop, false, false});
    while (!stack_.empty()) {
      Step step = stack_.back();
      stack_.pop_back();
      step.closes ? close(step) : visit(step);
    }
    for (size_t i = 0; i != flat_.loops.size(); ++i)
      flat_.loops[i].scope = loopParents_[i] == NoLoop ? LiveInterval{0, point()}
                                                       : flat_.loops[loopParents_[i]].points;
    return std::move(flat_);
  }

private:
  static constexpr size_t NoLoop = SIZE_MAX;
  struct Step {
    uint32_t node;
    size_t guard;
    size_t loop; // around it; of a step that closes one: that one
    bool isConditional;
    bool closes;
  };

  ProgramPoint point() const { return static_cast<ProgramPoint>(flat_.leaves.size()); }

  void close(const Step &step) { flat_.loops[step.loop].points.end = point(); }

  void visit(Step step) {
    const AccessNode &node = program_.nodes[step.node];
    if (node.kind >= AccessNode::Kind::Leaf)
      flat_.leaves.push_back({&node, step.node, step.guard, step.isConditional});
    if (node.kind == AccessNode::Kind::Loop) {
      flat_.loops.push_back({&node, step.node, {point(), point()}, {}});
      loopParents_.push_back(step.loop);
      step.loop = flat_.loops.size() - 1;
      stack_.push_back({step.node, step.guard, step.loop, step.isConditional, true});
    }
    for (size_t i = node.children.size(); i-- > 0;) {
      Step child = step;
      child.node = node.children[i];
      flat_.parents[child.node] = step.node;
      if (node.kind == AccessNode::Kind::If)
        addCondition(node, i, child);
      stack_.push_back(child);
    }
  }

  void addCondition(const AccessNode &node, size_t child, Step &step) {
    if (!node.guardLoop.isValid()) {
      step.isConditional = true;
      return;
    }
    flat_.guards.push_back({step.guard, node.guardLoop, node.guardDistance, child != 0});
    step.guard = flat_.guards.size() - 1;
  }

  const AccessProgram &program_;
  FlatAccesses flat_;
  std::vector<size_t> loopParents_;
  std::vector<Step> stack_;
};

} // namespace

FlatAccesses flatten(const AccessProgram &program) { return Flattening(program).run(); }

} // namespace tilescope
