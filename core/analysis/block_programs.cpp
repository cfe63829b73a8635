#include "core/analysis/block_programs.h"

#include "core/access/program_cases.h"
#include "core/analysis/block_values.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

constexpr size_t MaxPrograms = 64;
constexpr size_t MaxNodesOfBlock = 1 << 14; // of one program

// The program of one block.
class BlockWriter {
public:
  BlockWriter(const AccessTree &tree, const BlockValues &values, size_t block)
      : tree_(tree), values_(values), block_(block) {
    for (auto [at, number] : llvm::enumerate(tree.numbers))
      numbersOf_[number.node].push_back(at);
  }

  // Nothing: it is too long.
  std::optional<AccessProgram> run() {
    const AccessProgram &program = tree_.program;
    made_ = program;
    made_.nodes.clear();
    made_.root = copy(program.root);
    return made_.nodes.size() > MaxNodesOfBlock ? std::nullopt
                                                : std::optional(flattened(std::move(made_)));
  }

private:
  uint32_t copy(uint32_t index) {
    if (made_.nodes.size() > MaxNodesOfBlock)
      return 0;
    AccessNode node = tree_.program.nodes[index];
    const auto *loop = llvm::dyn_cast_if_present<For>(tree_.sources[index].first);
    bool isLoop = node.kind == AccessNode::Kind::Loop;
    resolve(index, node);
    if (isLoop && loop && values_.isApart(loop))
      return copyIterations(node, *loop);
    if (node.kind == AccessNode::Kind::If)
      choose(node);
    for (uint32_t &child : node.children)
      child = copy(child);
    return made_.add(std::move(node));
  }

  uint32_t copyIterations(const AccessNode &node, const For &loop) {
    AccessNode seq;
    for (int64_t k = 0; k != node.minTrips; ++k) {
      iterations_[&loop] = k;
      ofStmt_[node.stmt] = {k, node.minTrips};
      for (uint32_t child : node.children)
        seq.children.push_back(copy(child));
    }
    iterations_.erase(&loop);
    ofStmt_.erase(node.stmt);
    return made_.add(std::move(seq));
  }

  // What is decided becomes the sequence of what runs.
  void choose(AccessNode &node) const {
    std::optional<bool> holds = decided_;
    if (auto at = ofStmt_.find(node.guardLoop); node.guardLoop.isValid() && at != ofStmt_.end())
      holds = at->second.k + node.guardDistance < at->second.trips;
    if (auto at = ofStmt_.find(node.rangeLoop); node.rangeLoop.isValid() && at != ofStmt_.end())
      holds = node.rangeBegin <= at->second.k && at->second.k < node.rangeEnd;
    if (!holds)
      return;
    size_t branch = *holds ? 0 : 1;
    node.kind = AccessNode::Kind::Seq;
    node.children = branch < node.children.size() ? std::vector<uint32_t>{node.children[branch]}
                                                  : std::vector<uint32_t>();
    node.rangeLoop = node.guardLoop = StmtId();
  }

  void resolve(uint32_t index, AccessNode &node) {
    decided_.reset();
    if (node.mbarrier)
      settle(node.mbarrier->counter);
    settle(node.parity.counter);
    for (Access &access : node.accesses) {
      settle(access.slot);
      if (access.mbarrier)
        settle(access.mbarrier->counter);
    }
    for (size_t number : numbersOf_.lookup(index))
      if (std::optional<int64_t> value = values_.valueOf(number, block_, iterations_))
        apply(tree_.numbers[number], *value, node);
  }

  // Of loops that are written out, what their iteration adds.
  void settle(LoopCounter &counter) const {
    llvm::erase_if(counter.terms, [&](const LoopCounter::Term &term) {
      auto at = ofStmt_.find(term.loop);
      if (at == ofStmt_.end())
        return false;
      counter.offset += term.step * at->second.k;
      return true;
    });
  }

  void settle(Slot &slot) const {
    if (slot.kind == Slot::Kind::Loop) {
      auto at = ofStmt_.find(slot.loop);
      if (at != ofStmt_.end() && slot.modulus > 0)
        slot = {Slot::Kind::Constant, (slot.offset + at->second.k) % slot.modulus, 1, {}, {}};
      return;
    }
    bool isOfLoops = !slot.counter.terms.empty();
    settle(slot.counter);
    if (isOfLoops && slot.counter.terms.empty())
      slot = {Slot::Kind::Constant, slot.counter.offset % slot.modulus, 1, {}, {}};
  }

  void apply(const BlockNumber &number, int64_t value, AccessNode &node) {
    LoopCounter counter = number.counter;
    counter.offset += value;
    settle(counter);
    if (number.kind == BlockNumber::Kind::Trips) {
      node.minTrips = std::max<int64_t>(value, 0);
      node.maxTrips = node.minTrips;
    } else if (number.kind == BlockNumber::Kind::Condition) {
      decided_ = value != 0;
    } else if (counter.offset < 0) {
      return;
    } else if (number.kind == BlockNumber::Kind::Parity) {
      node.parity = {counter, number.modulus};
    } else if (number.kind == BlockNumber::Kind::Mbarrier) {
      node.mbarrier = MbarrierRef{number.first, number.modulus, counter};
    } else if (number.kind == BlockNumber::Kind::CopyMbarrier) {
      node.accesses[number.access].mbarrier = MbarrierRef{number.first, number.modulus, counter};
    } else {
      node.accesses[number.access].slot =
          counter.terms.empty()
              ? Slot{Slot::Kind::Constant, counter.offset % number.modulus, 1, {}, {}}
              : Slot{Slot::Kind::Dynamic, 0, number.modulus, {}, counter};
    }
  }

  struct Iteration {
    int64_t k = 0;
    int64_t trips = 0;
  };

  const AccessTree &tree_;
  const BlockValues &values_;
  size_t block_;
  AccessProgram made_;
  llvm::DenseMap<uint32_t, llvm::SmallVector<size_t, 2>> numbersOf_; // by node
  llvm::DenseMap<const For *, int64_t> iterations_;                  // that are written out
  std::map<StmtId, Iteration> ofStmt_;                               // the same, by statement
  std::optional<bool> decided_;                                      // of the condition at hand
};

} // namespace

std::vector<AccessProgram> programsOfBlocks(Context &context, const Function &function,
                                            const AccessTree &tree) {
  BlockValues values(context, function, tree);
  if (!values.run())
    return {tree.program};
  std::vector<size_t> blocks = values.differentBlocks(MaxPrograms);
  std::vector<AccessProgram> programs;
  for (size_t block : blocks) {
    std::optional<AccessProgram> program = BlockWriter(tree, values, block).run();
    if (!program || blocks.size() > MaxPrograms)
      return {tree.program};
    programs.push_back(std::move(*program));
  }
  return programs;
}

} // namespace tilescope
