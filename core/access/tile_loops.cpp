#include "core/access/tile_loops.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

namespace tilescope {

namespace {

using Kind = AccessNode::Kind;

// All loops that a node names besides itself.
template <typename Visit> void visitLoops(AccessNode &node, Visit visit) {
  auto visitTerms = [&](LoopCounter &counter) {
    for (LoopCounter::Term &term : counter.terms)
      visit(term.loop);
  };
  for (StmtId *loop : {&node.guardLoop, &node.rangeLoop})
    if (loop->isValid())
      visit(*loop);
  visitTerms(node.parity.counter);
  if (node.mbarrier)
    visitTerms(node.mbarrier->counter);
  for (Access &access : node.accesses) {
    if (access.slot.loop.isValid())
      visit(access.slot.loop);
    visitTerms(access.slot.counter);
    if (access.mbarrier)
      visitTerms(access.mbarrier->counter);
  }
}

template <typename Visit> void visitMbarriers(AccessNode &node, Visit visit) {
  if (node.mbarrier)
    visit(*node.mbarrier);
  for (Access &access : node.accesses)
    if (access.mbarrier)
      visit(*access.mbarrier);
}

std::vector<uint32_t> nodesUnder(const AccessProgram &program, uint32_t index) {
  std::vector<uint32_t> found = {index};
  for (size_t at = 0; at != found.size(); ++at)
    llvm::append_range(found, program.nodes[found[at]].children);
  return found;
}

class TileFinder {
public:
  explicit TileFinder(const AccessProgram &program) : program_(program) {}

  std::optional<TileLoop> run() {
    if (program_.nodes.empty() || program_.cases != 0 || !isPlain())
      return std::nullopt;
    visit(program_.root, true);
    if (!isOne_ || !found_ || !findQuiet() || !isInOrder() || !areLoopsInside())
      return std::nullopt;
    return found_;
  }

private:
  // Each arrival ends a phase, and some mbarrier begins somewhere.
  bool isPlain() const {
    auto isPlainNode = [](const AccessNode &node) {
      bool isArrival = node.kind == Kind::Arrive;
      return node.kind != Kind::Roles && (!isArrival || (node.oneThread && node.count == 1));
    };
    return llvm::all_of(program_.nodes, isPlainNode) &&
           llvm::all_of(program_.mbarriers,
                        [](const AccessMbarrier &m) { return m.arrivals == 1; }) &&
           llvm::any_of(program_.nodes,
                        [](const AccessNode &node) { return node.begins.has_value(); });
  }

  bool touchesMbarriers(uint32_t index) const {
    return llvm::any_of(nodesUnder(program_, index), [&](uint32_t under) {
      AccessNode node = program_.nodes[under];
      bool does = node.begins.has_value();
      visitMbarriers(node, [&](const MbarrierRef &) { does = true; });
      return does;
    });
  }

  // `isSure`: nothing is around it but sequences.
  void visit(uint32_t index, bool isSure) {
    const AccessNode &node = program_.nodes[index];
    if (node.kind == Kind::Seq) {
      for (uint32_t child : node.children)
        visit(child, isSure);
    } else if (touchesMbarriers(index)) {
      bool isTiles = node.kind == Kind::Loop && node.minTrips != node.maxTrips &&
                     !node.isDivergent && node.stmt.isValid() && node.children.size() == 1 &&
                     program_.nodes[node.children[0]].kind == Kind::Seq;
      isOne_ &= isTiles && isSure && !found_;
      found_ = TileLoop{index};
    }
  }

  llvm::ArrayRef<uint32_t> body() const {
    return program_.nodes[program_.nodes[found_->loop].children[0]].children;
  }

  bool findQuiet() {
    for (uint32_t child : llvm::reverse(body())) {
      const AccessNode &node = program_.nodes[child];
      found_->quiet = child;
      if (node.kind == Kind::Barrier && node.scope == BarrierScope::Block && !node.oneThread)
        return true;
    }
    return false;
  }

  // Mbarriers begin, then are used, then comes the barrier.
  bool isInOrder() const {
    llvm::DenseSet<int64_t> begun;
    bool isUsed = false, isBehind = false, isFine = true;
    for (uint32_t child : body()) {
      AccessNode node = program_.nodes[child];
      isBehind |= child == found_->quiet;
      if (node.kind == Kind::Leaf && node.begins) {
        isFine &= !isUsed && !isBehind && node.oneThread && begun.insert(*node.begins).second;
        continue;
      }
      isFine &= !isBehind || !touchesMbarriers(child);
      isUsed |= touchesMbarriers(child);
      for (uint32_t under : nodesUnder(program_, child))
        isFine &= usesOnly(begun, under);
    }
    return isFine && llvm::all_of(begun, [&](int64_t number) {
             return number >= 0 && number < static_cast<int64_t>(program_.mbarriers.size());
           });
  }

  bool usesOnly(const llvm::DenseSet<int64_t> &begun, uint32_t index) const {
    AccessNode node = program_.nodes[index];
    bool isFine = !node.begins;
    visitMbarriers(node, [&](const MbarrierRef &ref) {
      isFine &= ref.modulus > 0 && ref.modulus <= static_cast<int64_t>(begun.size());
      for (int64_t at = 0; isFine && at != ref.modulus; ++at)
        isFine &= begun.contains(ref.first + at);
    });
    return isFine;
  }

  // Nothing depends on which tile it is. What stands in the loop names loops in it, what stands
  // outside names others, and what comes behind the barrier none.
  bool areLoopsInside() const {
    llvm::DenseSet<uint32_t> inside, behind;
    for (uint32_t index : nodesUnder(program_, program_.nodes[found_->loop].children[0]))
      inside.insert(index);
    const auto *quiet = llvm::find(body(), found_->quiet);
    for (uint32_t child : llvm::make_range(quiet, body().end()))
      for (uint32_t index : nodesUnder(program_, child))
        behind.insert(index);
    llvm::DenseSet<uint32_t> loops; // statements
    for (uint32_t index : inside)
      if (program_.nodes[index].kind == Kind::Loop)
        loops.insert(program_.nodes[index].stmt.value);
    const StmtId tiles = program_.nodes[found_->loop].stmt;
    bool isFine = true;
    for (auto [index, node] : llvm::enumerate(program_.nodes)) {
      const bool isIn = inside.contains(static_cast<uint32_t>(index));
      const bool isBehind = behind.contains(static_cast<uint32_t>(index));
      AccessNode copy = node;
      visitLoops(copy, [&](StmtId loop) {
        isFine &= loops.contains(loop.value) == isIn && loop != tiles && !isBehind;
      });
    }
    return isFine;
  }

  const AccessProgram &program_;
  std::optional<TileLoop> found_;
  bool isOne_ = true;
};

// A copy of what stands under a node, with loops and mbarriers of its own.
class TileCopier {
public:
  TileCopier(const AccessProgram &program, AccessProgram &into)
      : program_(program), into_(into), firstMbarrier_(into.mbarriers.size()) {
    for (const AccessNode &node : program.nodes)
      if (node.stmt.isValid())
        nextStmt_ = std::max(nextStmt_, node.stmt.value + 1);
    llvm::append_range(into_.mbarriers, program.mbarriers);
  }

  uint32_t copy(uint32_t index) {
    AccessNode node = program_.nodes[index];
    visitLoops(node, [&](StmtId &loop) { loop = loopFor(loop); });
    visitMbarriers(node,
                   [&](MbarrierRef &ref) { ref.first += static_cast<uint32_t>(firstMbarrier_); });
    if (node.kind == Kind::Loop)
      node.stmt = loopFor(node.stmt);
    if (node.begins)
      *node.begins += static_cast<int64_t>(firstMbarrier_);
    for (uint32_t &child : node.children)
      child = copy(child);
    uint32_t made = into_.add(std::move(node));
    copies_[index] = made;
    return made;
  }

  uint32_t copyOf(uint32_t index) const { return copies_.at(index); }
  const std::map<uint32_t, uint32_t> &copies() const { return copies_; }

private:
  StmtId loopFor(StmtId loop) {
    auto [known, isNew] = loops_.try_emplace(loop, StmtId(nextStmt_));
    nextStmt_ += isNew ? 1 : 0;
    return known->second;
  }

  const AccessProgram &program_;
  AccessProgram &into_;
  size_t firstMbarrier_;
  uint32_t nextStmt_ = 0;
  std::map<StmtId, StmtId> loops_;
  std::map<uint32_t, uint32_t> copies_; // by the node that was copied
};

// The loop of tiles with some of them.
AccessProgram withTiles(const AccessProgram &program, const TileLoop &tiles,
                        std::vector<uint32_t> children) {
  AccessProgram made = program;
  AccessNode &loop = made.nodes[tiles.loop];
  loop.kind = Kind::Seq;
  loop.minTrips = 0;
  loop.maxTrips.reset();
  loop.children = std::move(children);
  return made;
}

TileProgram twoTiles(const AccessProgram &program, const TileLoop &tiles) {
  uint32_t body = program.nodes[tiles.loop].children[0];
  TileProgram two{withTiles(program, tiles, {}), {}};
  TileCopier copier(program, two.program);
  two.program.nodes[tiles.loop].children = {copier.copy(body), body};
  two.quiet = {copier.copyOf(tiles.quiet), tiles.quiet};
  for (auto [from, to] : copier.copies()) {
    const AccessNode &node = program.nodes[from];
    bool isOpen = node.kind == Kind::Loop && node.minTrips != node.maxTrips;
    if (isOpen && synchronises(program, from))
      two.program = withLength(two.program, to, node.minTrips);
  }
  return two;
}

// The only step of a node.
std::optional<size_t> stepOf(llvm::ArrayRef<LaneStep> steps, uint32_t node) {
  auto isOf = [&](const LaneStep &step) { return step.node == node && !step.isOpaque; };
  const auto *found = llvm::find_if(steps, isOf);
  if (found == steps.end() || llvm::count_if(steps, isOf) != 1)
    return std::nullopt;
  return found - steps.begin();
}

bool isQuietAt(size_t at, const AccessProgram &program, const StepOrder &order) {
  llvm::ArrayRef<LaneStep> steps = order.lanes.lanes[0].steps;
  std::vector<int32_t> phases(program.mbarriers.size(), 0);
  for (const LaneStep &step : steps.take_front(at))
    if (program.nodes[step.node].kind == Kind::Arrive && !step.isOpaque)
      ++phases[static_cast<size_t>(step.mbarrier)];
  size_t strands = order.strands.size();
  for (size_t strand = 0; strand != strands; ++strand) {
    llvm::ArrayRef<int32_t> known = order.knownAt(strand, at + 1);
    for (int32_t made : known.take_front(strands))
      if (made < static_cast<int32_t>(at))
        return false;
    for (auto [ended, begun] : llvm::zip(known.drop_front(strands), phases))
      if (ended < begun)
        return false;
  }
  return true;
}

// Whoever makes a step that uses an mbarrier knows of the one at which it began.
bool haveBegun(const AccessProgram &program, const StepOrder &order) {
  llvm::ArrayRef<LaneStep> steps = order.lanes.lanes[0].steps;
  std::vector<int32_t> begins(program.mbarriers.size(), -1);
  auto isKnown = [&](size_t at, int mbarrier) {
    int32_t begin = mbarrier == LaneStep::Unknown ? -1 : begins[static_cast<size_t>(mbarrier)];
    for (size_t strand = 0; strand != order.strands.size(); ++strand)
      for (size_t other = 0; other != order.strands.size(); ++other)
        if (order.makes(program, strand, steps[at]) && order.strands[other].isElected &&
            order.knownAt(strand, at)[other] <= begin)
          return false;
    return begin >= 0;
  };
  for (auto [at, step] : llvm::enumerate(steps)) {
    const AccessNode &node = program.nodes[step.node];
    if (node.begins && !step.isOpaque)
      begins[static_cast<size_t>(*node.begins)] = static_cast<int32_t>(at);
    if (node.mbarrier && !isKnown(at, step.mbarrier))
      return false;
    for (auto [access, mbarrier] : llvm::zip(node.accesses, step.mbarriersOf))
      if (access.mbarrier && !isKnown(at, mbarrier))
        return false;
  }
  return true;
}

} // namespace

std::optional<TileLoop> findTileLoop(const AccessProgram &program) {
  return TileFinder(program).run();
}

std::vector<TileProgram> programsOfTiles(const AccessProgram &program, const TileLoop &tiles) {
  uint32_t body = program.nodes[tiles.loop].children[0];
  return {{withTiles(program, tiles, {}), {}},
          {withTiles(program, tiles, {body}), {tiles.quiet}},
          twoTiles(program, tiles)};
}

bool isQuiet(const TileProgram &tiles, const FollowedSteps &order) {
  return haveBegun(tiles.program, order.steps) && llvm::all_of(tiles.quiet, [&](uint32_t node) {
           std::optional<size_t> at = stepOf(order.steps.lanes.lanes[0].steps, node);
           return at && isQuietAt(*at, tiles.program, order.steps);
         });
}

AccessProgram withLength(const AccessProgram &program, uint32_t loop, int64_t length) {
  AccessProgram made = program;
  std::vector<bool> isInside(program.nodes.size(), false);
  for (uint32_t index : nodesUnder(program, loop))
    isInside[index] = true;
  AccessNode &node = made.nodes[loop];
  node.minTrips = length;
  node.maxTrips = length;
  for (auto [other, isIn] : llvm::zip(made.nodes, isInside)) {
    if (other.kind != Kind::If || isIn || other.guardLoop != node.stmt)
      continue;
    size_t branch = other.guardDistance < length ? 0 : 1;
    other.kind = Kind::Seq;
    other.children = branch < other.children.size() ? std::vector<uint32_t>{other.children[branch]}
                                                    : std::vector<uint32_t>();
    other.guardLoop = StmtId();
  }
  return made;
}

bool synchronises(const AccessProgram &program, uint32_t index) {
  return llvm::any_of(nodesUnder(program, index), [&](uint32_t under) {
    const AccessNode &node = program.nodes[under];
    bool isPlain = node.kind == Kind::Leaf || !isLeaf(node);
    return !isPlain ||
           llvm::any_of(node.accesses, [](const Access &a) { return a.mbarrier.has_value(); });
  });
}

} // namespace tilescope
