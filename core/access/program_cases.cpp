#include "core/access/program_cases.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// An If becomes the sequence of what runs.
static void decide(AccessNode &node, int64_t number) {
  if (node.kind == AccessNode::Kind::Loop) {
    node.minTrips = number;
    node.maxTrips = number;
  } else if (node.kind == AccessNode::Kind::If) {
    size_t branch = number != 0 ? 0 : 1;
    node.kind = AccessNode::Kind::Seq;
    node.children = branch < node.children.size() ? std::vector<uint32_t>{node.children[branch]}
                                                  : std::vector<uint32_t>();
    node.rangeLoop = node.guardLoop = StmtId();
  }
}

static std::vector<bool> reachedNodes(const AccessProgram &program) {
  std::vector<bool> isReached(program.nodes.size(), false);
  std::vector<uint32_t> next = {program.root};
  while (!next.empty()) {
    uint32_t index = next.back();
    next.pop_back();
    if (!isReached[index])
      llvm::append_range(next, program.nodes[index].children);
    isReached[index] = true;
  }
  return isReached;
}

// What nothing leads to does nothing, and is not to be found among the nodes.
static void clearUnreached(AccessProgram &program) {
  for (auto [node, isSeen] : llvm::zip(program.nodes, reachedNodes(program)))
    if (!isSeen)
      node = AccessNode();
}

// Its children stand where it stood.
static void unwrapSequences(AccessProgram &program, uint32_t index) {
  AccessNode &node = program.nodes[index];
  std::vector<uint32_t> children;
  for (uint32_t child : node.children) {
    unwrapSequences(program, child);
    if (node.kind == AccessNode::Kind::Seq && program.nodes[child].kind == AccessNode::Kind::Seq)
      llvm::append_range(children, program.nodes[child].children);
    else
      children.push_back(child);
  }
  node.children = std::move(children);
}

// Of the nodes that something leads to the order stays as it is.
static void dropUnreached(AccessProgram &program) {
  std::vector<uint32_t> numbers;
  std::vector<AccessNode> nodes;
  for (auto [node, isReached] : llvm::zip(program.nodes, reachedNodes(program))) {
    numbers.push_back(static_cast<uint32_t>(nodes.size()));
    if (isReached)
      nodes.push_back(std::move(node));
  }
  for (AccessNode &node : nodes)
    for (uint32_t &child : node.children)
      child = numbers[child];
  program.root = numbers[program.root];
  program.nodes = std::move(nodes);
}

AccessProgram flattened(AccessProgram program) {
  unwrapSequences(program, program.root);
  dropUnreached(program);
  return program;
}

std::vector<AccessProgram> casesOf(const AccessProgram &program) {
  if (program.cases < 1)
    return {program};
  std::vector<AccessProgram> cases(static_cast<size_t>(program.cases), program);
  for (size_t number = 0; number != cases.size(); ++number) {
    cases[number].cases = 0;
    for (AccessNode &node : cases[number].nodes) {
      if (number < node.byCase.size())
        decide(node, node.byCase[number]);
      node.byCase.clear();
    }
    clearUnreached(cases[number]);
  }
  return cases;
}

static bool hasOwnAccesses(const AccessNode &node) { return node.accessesOnZeros.has_value(); }

std::optional<AccessProgram> runOnZeros(const AccessProgram &program) {
  if (program.zeroed.empty() && llvm::none_of(program.nodes, hasOwnAccesses))
    return std::nullopt;
  AccessProgram run = program;
  run.cases = 0;
  run.zeroed.clear();
  for (AccessNode &node : run.nodes) {
    if (node.onZeros)
      decide(node, *node.onZeros);
    if (node.accessesOnZeros)
      node.accesses = *node.accessesOnZeros;
    node.onZeros.reset();
    node.accessesOnZeros.reset();
    node.byCase.clear();
  }
  clearUnreached(run);
  return run;
}

} // namespace tilescope
