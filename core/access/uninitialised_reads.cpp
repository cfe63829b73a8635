#include "core/access/uninitialised_reads.h"

#include "core/access/slot_bits.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace tilescope {

namespace {

// Vertices that questions about first runs may go through, all together. Beyond that no answer is
// certain.
constexpr size_t MaxReadVisits = size_t(1) << 23;

// What holds before a vertex.
struct FlowFacts {
  SlotMatrix written;   // on some path to here
  SlotMatrix unwritten; // on some path to here nothing was written
  llvm::BitVector reached;
};

class UninitialisedReads {
public:
  explicit UninitialisedReads(const AccessProgram &program)
      : program_(program), graph_(buildFlowGraph(program)), bits_(program),
        writes_(graph_.vertices.size(), bits_.count()),
        reads_(graph_.vertices.size(), bits_.count()), copies_(program.nodes.size()),
        writtenBeside_(program.nodes.size()) {
    for (size_t index = 0; index != graph_.vertices.size(); ++index)
      collectEffects(index);
    if (!program.nodes.empty())
      collectRoles(program.root, {});
  }

  std::vector<UninitialisedRead> list() {
    std::vector<UninitialisedRead> found;
    FlowFacts facts = solve(std::nullopt);
    for (uint32_t node : leavesInOrder(program_)) {
      std::optional<FlowFacts> firstRun;
      llvm::SmallSet<size_t, 4> asked;
      for (const Access &access : program_.nodes[node].accesses) {
        std::optional<size_t> buffer = indexOf(program_, access.buffer);
        bool isNew = buffer && access.kind == AccessKind::Read && asked.insert(*buffer).second;
        if (!isNew || !mayBeUnwritten(facts, node, *buffer))
          continue;
        if (!findsNothing(facts, node, *buffer)) {
          if (!firstRun)
            firstRun = solveFirstRun(node);
          if (!firstRun || !findsNothing(*firstRun, node, *buffer))
            continue;
        }
        found.push_back({node, access.buffer});
      }
    }
    return found;
  }

private:
  void collectEffects(size_t index) {
    const FlowVertex &vertex = graph_.vertices[index];
    if (vertex.kind != FlowVertex::Kind::Leaf)
      return;
    copies_[vertex.node].push_back(index);
    for (const Access &access : program_.nodes[vertex.node].accesses)
      if (std::optional<size_t> buffer = indexOf(program_, access.buffer)) {
        SlotRange slots = graph_.slotsOf(access, program_.buffers[*buffer].versions, vertex);
        auto [first, last] = bits_.of(*buffer, slots);
        (access.kind == AccessKind::Write ? writes_ : reads_).set(index, first, last);
      }
  }

  // `beside`: buffers that roles write which run at the same time as the node.
  void collectRoles(uint32_t index, const llvm::BitVector &beside) {
    const AccessNode &node = program_.nodes[index];
    writtenBeside_[index] = beside;
    for (uint32_t child : node.children) {
      llvm::BitVector besideChild = beside;
      if (node.kind == AccessNode::Kind::Roles)
        for (uint32_t other : node.children)
          if (other != child)
            collectWritten(other, besideChild);
      collectRoles(child, besideChild);
    }
  }

  void collectWritten(uint32_t index, llvm::BitVector &written) const {
    written.resize(program_.buffers.size());
    for (const Access &access : program_.nodes[index].accesses)
      if (std::optional<size_t> buffer = indexOf(program_, access.buffer);
          buffer && access.kind == AccessKind::Write)
        written.set(*buffer);
    for (uint32_t child : program_.nodes[index].children)
      collectWritten(child, written);
  }

  // True if `next` learned something.
  bool pass(FlowFacts &facts, size_t index, size_t next) {
    uint64_t learned = !facts.reached.test(next);
    facts.reached.set(next);
    for (size_t word = 0; word != facts.written.wordsPerRow(); ++word) {
      uint64_t writes = writes_.row(index)[word];
      uint64_t written = facts.written.row(index)[word] | writes;
      uint64_t unwritten = facts.unwritten.row(index)[word] & ~writes;
      learned |= written & ~facts.written.row(next)[word];
      learned |= unwritten & ~facts.unwritten.row(next)[word];
      facts.written.row(next)[word] |= written;
      facts.unwritten.row(next)[word] |= unwritten;
    }
    return learned != 0;
  }

  // `end`: a leaf behind which nothing is followed.
  FlowFacts solve(std::optional<uint32_t> end) {
    size_t vertices = graph_.vertices.size();
    FlowFacts facts{SlotMatrix(vertices, bits_.count()), SlotMatrix(vertices, bits_.count()),
                    llvm::BitVector(vertices)};
    facts.unwritten.set(0, 0, bits_.count());
    facts.reached.set(0);
    llvm::BitVector stale(vertices);
    stale.set(0);
    while (stale.any())
      for (unsigned index : stale.set_bits()) {
        stale.reset(index);
        const FlowVertex &vertex = graph_.vertices[index];
        if (end && vertex.kind == FlowVertex::Kind::Leaf && vertex.node == *end)
          continue;
        for (uint32_t next : vertex.successors)
          if (pass(facts, index, next))
            stale.set(next);
      }
    return facts;
  }

  std::optional<FlowFacts> solveFirstRun(uint32_t node) {
    visits_ += graph_.vertices.size();
    if (visits_ > MaxReadVisits)
      return std::nullopt;
    return solve(node);
  }

  bool mayBeUnwritten(const FlowFacts &facts, uint32_t node, size_t buffer) const {
    return llvm::any_of(
        copies_[node], [&](size_t vertex) { return readsSomeOf(facts.unwritten, vertex, buffer); });
  }

  bool findsNothing(const FlowFacts &facts, uint32_t node, size_t buffer) const {
    const llvm::BitVector &beside = writtenBeside_[node];
    return (beside.empty() || !beside.test(buffer)) &&
           llvm::none_of(copies_[node],
                         [&](size_t vertex) { return readsSomeOf(facts.written, vertex, buffer); });
  }

  bool readsSomeOf(const SlotMatrix &slots, size_t vertex, size_t buffer) const {
    for (unsigned bit = bits_.first[buffer]; bit != bits_.first[buffer + 1]; ++bit)
      if (reads_.test(vertex, bit) && slots.test(vertex, bit))
        return true;
    return false;
  }

  const AccessProgram &program_;
  FlowGraph graph_;
  SlotBits bits_;
  SlotMatrix writes_; // what passing a vertex does, perhaps or in part
  SlotMatrix reads_;
  std::vector<std::vector<size_t>> copies_;    // per node: its vertices
  std::vector<llvm::BitVector> writtenBeside_; // per node, over buffers; empty: by nobody
  size_t visits_ = 0;
};

} // namespace

std::vector<UninitialisedRead> computeUninitialisedReads(const AccessProgram &program) {
  return UninitialisedReads(program).list();
}

} // namespace tilescope
