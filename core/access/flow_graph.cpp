#include "core/access/flow_graph.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>

namespace tilescope {

namespace {

// Trip counts up to this are told apart one by one.
constexpr int64_t MaxExactTrips = 8;
constexpr int64_t MaxPeriod = 64;
constexpr int64_t MaxGuardDistance = 64;

// How finely the iterations of one loop are told apart.
struct LoopShape {
  uint32_t node = 0;
  int64_t period = 1; // k mod period decides every slot
  int64_t horizon =
      0; // iterations left are exact below it; `horizon` stands for "that many or more"
};

// What is known about one loop at the place that is being unrolled; -1: nothing.
struct LoopState {
  int64_t trips = -1; // before the loop: exact up to horizon; horizon + 1 means more
  int64_t phase = -1; // inside the loop
  int64_t left = -1;  // inside the loop: iterations after this one, capped at the horizon
};

using LoopStates = std::map<StmtId, LoopState>;

std::map<StmtId, LoopShape> findLoops(const AccessProgram &program) {
  std::map<StmtId, LoopShape> shapes;
  for (uint32_t index = 0; index != program.nodes.size(); ++index)
    if (program.nodes[index].kind == AccessNode::Kind::Loop)
      shapes[program.nodes[index].stmt].node = index;
  return shapes;
}

void chooseHorizon(LoopShape &shape, const AccessNode &loop) {
  int64_t minTrips = std::max<int64_t>(loop.minTrips, 0);
  bool fewTrips = loop.maxTrips && *loop.maxTrips <= MaxExactTrips;
  if (shape.period > 1 || shape.horizon > 0)
    shape.horizon = std::max(shape.horizon, std::min(minTrips, shape.period));
  if (fewTrips && (shape.period > 1 || shape.horizon > 0 || *loop.maxTrips <= 1))
    shape.horizon = std::max(shape.horizon, *loop.maxTrips);
}

std::map<StmtId, LoopShape> computeShapes(const AccessProgram &program) {
  std::map<StmtId, LoopShape> shapes = findLoops(program);
  for (const AccessNode &node : program.nodes) {
    auto guarded = shapes.find(node.guardLoop);
    if (guarded != shapes.end() && node.guardDistance <= MaxGuardDistance)
      guarded->second.horizon = std::max(guarded->second.horizon, node.guardDistance);
    for (const Access &access : node.accesses) {
      auto loop = shapes.find(access.slot.loop);
      if (access.slot.kind == Slot::Kind::Loop && loop != shapes.end() && access.slot.modulus > 0)
        if (int64_t period = std::lcm(loop->second.period, access.slot.modulus);
            period <= MaxPeriod)
          loop->second.period = period;
    }
  }
  for (auto &[id, shape] : shapes)
    chooseHorizon(shape, program.nodes[shape.node]);
  return shapes;
}

class GraphBuilder {
public:
  GraphBuilder(const AccessProgram &program, const HappensBefore &order, bool isExact,
               size_t vertexLimit)
      : program_(program), order_(order), vertexLimit_(vertexLimit) {
    shapes_ = isExact ? computeShapes(program) : findLoops(program);
    graph_.isExact = isExact;
    graph_.phases.emplace_back();
    pointOf_.assign(program.nodes.size(), -1);
    std::vector<uint32_t> leaves = leavesInOrder(program);
    for (size_t point = 0; point != leaves.size(); ++point)
      pointOf_[leaves[point]] = static_cast<int32_t>(point);
  }

  // Nothing when the limit was met.
  std::optional<FlowGraph> build() {
    uint32_t entry = addJunction();
    graph_.exit = program_.nodes.empty() ? entry : expand(program_.root, entry);
    if (overLimit_)
      return std::nullopt;
    return std::move(graph_);
  }

private:
  uint32_t addVertex(FlowVertex::Kind kind, uint32_t node, int32_t index) {
    overLimit_ |= graph_.vertices.size() >= vertexLimit_;
    graph_.vertices.push_back({kind, node, index, context_, {}});
    return static_cast<uint32_t>(graph_.vertices.size() - 1);
  }

  uint32_t addJunction() { return addVertex(FlowVertex::Kind::Junction, 0, 0); }

  void addEdge(uint32_t from, uint32_t to) {
    auto &successors = graph_.vertices[from].successors;
    if (!llvm::is_contained(successors, to))
      successors.push_back(to);
  }

  // Appends `node` behind vertex `entry` and returns the vertex behind which the program goes on.
  uint32_t expand(uint32_t index, uint32_t entry) {
    const AccessNode &node = program_.nodes[index];
    if (overLimit_)
      return entry;
    if (!node.redefinesAllSlots.empty()) {
      uint32_t kill = addVertex(FlowVertex::Kind::Redefine, index, 0);
      addEdge(entry, kill);
      entry = kill;
    }
    switch (node.kind) {
    case AccessNode::Kind::Seq:
      return expandSeq(index, 0, node.children.size(), entry);
    case AccessNode::Kind::Loop:
      return expandLoop(index, entry);
    case AccessNode::Kind::If:
      return expandIf(node, entry);
    case AccessNode::Kind::Roles:
      return expandRoles(node, entry);
    default:
      uint32_t leaf = addVertex(FlowVertex::Kind::Leaf, index, pointOf_[index]);
      addEdge(entry, leaf);
      return leaf;
    }
  }

  uint32_t expandSeq(uint32_t seq, size_t begin, size_t end, uint32_t entry) {
    const AccessNode &node = program_.nodes[seq];
    for (size_t at = begin; at != end;) {
      if (std::optional<std::pair<StmtId, size_t>> ahead = guardAhead(node, at, end)) {
        entry = expandPerTripCount(seq, at, ahead->second + 1, ahead->first, entry);
        at = ahead->second + 1;
        continue;
      }
      uint32_t site = addVertex(FlowVertex::Kind::Site, seq, static_cast<int32_t>(at));
      addEdge(entry, site);
      entry = expand(node.children[at], site);
      ++at;
    }
    if (end != node.children.size())
      return entry;
    uint32_t last = addVertex(FlowVertex::Kind::Site, seq, static_cast<int32_t>(end));
    addEdge(entry, last);
    return last;
  }

  // Children [begin, end) hold a loop and, before it, guards on its trip count: one copy per count
  // that the guards tell apart.
  uint32_t expandPerTripCount(uint32_t seq, size_t begin, size_t end, StmtId loop, uint32_t entry) {
    uint32_t join = addJunction();
    for (int64_t trips : tripClasses(shapes_[loop])) {
      states_[loop].trips = trips;
      uint32_t fork = addJunction();
      addEdge(entry, fork);
      const AccessNode &node = program_.nodes[seq];
      for (size_t at = begin; at != end; ++at) {
        uint32_t site = addVertex(FlowVertex::Kind::Site, seq, static_cast<int32_t>(at));
        addEdge(fork, site);
        fork = expand(node.children[at], site);
      }
      addEdge(fork, join);
    }
    states_[loop] = LoopState();
    return join;
  }

  // The first loop that stands in a later child than a guard on its trip count in child `at`.
  std::optional<std::pair<StmtId, size_t>> guardAhead(const AccessNode &node, size_t at,
                                                      size_t end) {
    if (!graph_.isExact)
      return std::nullopt;
    for (StmtId loop : guardsIn(node.children[at])) {
      if (states_[loop].trips >= 0 || states_[loop].left >= 0)
        continue;
      for (size_t later = at + 1; later != end; ++later)
        if (contains(node.children[later], shapes_[loop].node))
          return std::make_pair(loop, later);
    }
    return std::nullopt;
  }

  std::vector<StmtId> guardsIn(uint32_t index) const {
    const AccessNode &node = program_.nodes[index];
    std::vector<StmtId> found;
    if (isUsableGuard(node))
      found.push_back(node.guardLoop);
    for (uint32_t child : node.children)
      llvm::append_range(found, guardsIn(child));
    return found;
  }

  bool isUsableGuard(const AccessNode &node) const {
    return node.guardLoop.isValid() && shapes_.count(node.guardLoop) != 0 &&
           node.guardDistance <= MaxGuardDistance;
  }

  bool contains(uint32_t index, uint32_t wanted) const {
    return index == wanted || llvm::any_of(program_.nodes[index].children,
                                           [&](uint32_t child) { return contains(child, wanted); });
  }

  std::vector<int64_t> tripClasses(const LoopShape &shape) const {
    const AccessNode &loop = program_.nodes[shape.node];
    std::vector<int64_t> classes;
    for (int64_t trips = std::max<int64_t>(loop.minTrips, 0); trips <= shape.horizon; ++trips)
      if (!loop.maxTrips || trips <= *loop.maxTrips)
        classes.push_back(trips);
    if (!loop.maxTrips || *loop.maxTrips > shape.horizon)
      classes.push_back(shape.horizon + 1);
    return classes;
  }

  // 1: the guard holds, 0: it fails, -1: unknown.
  int guardValue(const AccessNode &node) {
    if (!graph_.isExact || !isUsableGuard(node))
      return -1;
    const LoopState &state = states_[node.guardLoop];
    if (state.left >= 0)
      return state.left >= node.guardDistance;
    if (state.trips >= 0)
      return state.trips > node.guardDistance;
    return -1;
  }

  uint32_t expandIf(const AccessNode &node, uint32_t entry) {
    int guard = guardValue(node);
    if (guard == 1)
      return expand(node.children[0], entry);
    if (guard == 0)
      return node.children.size() > 1 ? expand(node.children[1], entry) : entry;
    uint32_t fork = addJunction();
    addEdge(entry, fork);
    llvm::SmallVector<uint32_t, 4> ends;
    for (uint32_t child : node.children)
      ends.push_back(expand(child, fork));
    if (node.children.size() < 2)
      ends.push_back(fork);
    return joinOf(ends);
  }

  uint32_t expandRoles(const AccessNode &node, uint32_t entry) {
    const std::optional<RoleTail> &tail = order_.tail;
    uint32_t fork = addJunction();
    addEdge(entry, fork);
    llvm::SmallVector<uint32_t, 4> ends;
    for (size_t lane = 0; lane != node.children.size(); ++lane)
      ends.push_back(tail && tail->lane == lane
                         ? expandSeq(node.children[lane], 0, tail->firstChild, fork)
                         : expand(node.children[lane], fork));
    if (node.children.empty())
      ends.push_back(fork);
    uint32_t join = joinOf(ends);
    if (!tail)
      return join;
    uint32_t lane = node.children[tail->lane];
    return expandSeq(lane, tail->firstChild, program_.nodes[lane].children.size(), join);
  }

  uint32_t joinOf(llvm::ArrayRef<uint32_t> ends) {
    uint32_t join = addJunction();
    for (uint32_t end : ends)
      addEdge(end, join);
    return join;
  }

  struct Head {
    uint32_t vertex = 0;
    int64_t phase = 0;
    int64_t left = 0;
  };

  uint32_t expandLoop(uint32_t index, uint32_t entry) {
    const AccessNode &node = program_.nodes[index];
    const LoopShape shape = shapes_[node.stmt];
    int64_t known = states_[node.stmt].trips;
    std::vector<int64_t> classes = known >= 0 ? std::vector<int64_t>{known} : tripClasses(shape);
    std::vector<Head> heads;
    llvm::SmallVector<uint32_t, 4> leaving;
    for (int64_t trips : classes) {
      if (trips == 0)
        leaving.push_back(entry);
      else
        addEdge(entry, headFor(heads, node, shape, 0, trips - 1));
    }
    for (size_t at = 0; at != heads.size() && !overLimit_; ++at) {
      uint32_t last = expandIteration(node, heads[at]);
      connectNext(heads, node, shape, heads[at], last, leaving);
    }
    states_[node.stmt] = LoopState{known, -1, -1};
    uint32_t exit = addJunction();
    for (uint32_t vertex : leaving)
      addEdge(vertex, exit);
    return exit;
  }

  uint32_t expandIteration(const AccessNode &node, Head head) {
    uint32_t outer = context_;
    context_ = graph_.vertices[head.vertex].context;
    states_[node.stmt].phase = head.phase;
    states_[node.stmt].left = graph_.isExact ? head.left : -1;
    uint32_t last = head.vertex;
    for (uint32_t child : node.children)
      last = expand(child, last);
    context_ = outer;
    return last;
  }

  // `left` counts the iterations after this one; at the horizon it means "that many or more".
  void connectNext(std::vector<Head> &heads, const AccessNode &node, const LoopShape &shape,
                   Head head, uint32_t last, llvm::SmallVectorImpl<uint32_t> &leaving) {
    int64_t next = (head.phase + 1) % shape.period;
    bool isFew = head.left < shape.horizon;
    if (!isFew)
      addEdge(last, headFor(heads, node, shape, next, shape.horizon));
    if (!isFew && !mayStartCounting(node, shape, next))
      return;
    if (head.left == 0)
      leaving.push_back(last);
    else
      addEdge(last, headFor(heads, node, shape, next, head.left - 1));
  }

  // With a known trip count the iteration that has `horizon - 1` left has a known phase.
  static bool mayStartCounting(const AccessNode &node, const LoopShape &shape, int64_t next) {
    if (!node.maxTrips || *node.maxTrips != node.minTrips)
      return true;
    int64_t iteration = *node.maxTrips - shape.horizon;
    return iteration >= 0 && iteration % shape.period == next;
  }

  uint32_t headFor(std::vector<Head> &heads, const AccessNode &node, const LoopShape &shape,
                   int64_t phase, int64_t left) {
    for (const Head &head : heads)
      if (head.phase == phase && head.left == left)
        return head.vertex;
    uint32_t outer = context_;
    if (shape.period > 1) {
      auto phases = graph_.phases[context_];
      phases.push_back({node.stmt, phase, shape.period});
      graph_.phases.push_back(std::move(phases));
      context_ = static_cast<uint32_t>(graph_.phases.size() - 1);
    }
    heads.push_back({addJunction(), phase, left});
    context_ = outer;
    return heads.back().vertex;
  }

  const AccessProgram &program_;
  const HappensBefore &order_;
  size_t vertexLimit_;
  bool overLimit_ = false;
  FlowGraph graph_;
  std::map<StmtId, LoopShape> shapes_;
  LoopStates states_;
  std::vector<int32_t> pointOf_;
  uint32_t context_ = 0;
};

} // namespace

SlotRange FlowGraph::slotsOf(const Access &access, int64_t versions,
                             const FlowVertex &vertex) const {
  const Slot &slot = access.slot;
  versions = std::max<int64_t>(versions, 1);
  if (slot.kind == Slot::Kind::Constant)
    return {slot.offset, slot.offset + 1};
  if (slot.kind == Slot::Kind::Dynamic || slot.modulus <= 0)
    return {0, versions};
  if (slot.modulus == 1)
    return {0, 1};
  for (const LoopPhase &loop : phases[vertex.context])
    if (loop.loop == slot.loop && loop.period % slot.modulus == 0) {
      int64_t number = (loop.phase + slot.offset) % slot.modulus;
      number = number < 0 ? number + slot.modulus : number;
      return {number, number + 1};
    }
  return {0, slot.modulus};
}

FlowGraph buildFlowGraph(const AccessProgram &program, size_t vertexLimit) {
  HappensBefore order = computeHappensBefore(program);
  std::optional<FlowGraph> graph = GraphBuilder(program, order, true, vertexLimit).build();
  if (!graph)
    graph = GraphBuilder(program, order, false, ~size_t(0)).build();
  graph->order = std::move(order);
  return std::move(*graph);
}

} // namespace tilescope
