#include "core/stages/role_loops.h"

#include "core/access/lane_steps.h"
#include "core/access/mbarrier_memory.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

// Iterations that are followed where their number is not known: enough to see phases alternate.
constexpr int64_t AssumedTrips = 8;

using Kind = AccessNode::Kind;

// Where a loop stands.
struct LoopPlace {
  uint32_t node = 0;
  const AccessNode *roles = nullptr; // nullptr: in none
  size_t lane = 0;
};

// By an explicit stack: a trace may nest as deep as it likes.
std::optional<LoopPlace> placeOfLoop(const AccessProgram &program, StmtId loop) {
  std::vector<LoopPlace> stack{{program.root, nullptr, 0}};
  while (!stack.empty() && !program.nodes.empty()) {
    LoopPlace place = stack.back();
    stack.pop_back();
    const AccessNode &node = program.nodes[place.node];
    if (node.kind == Kind::Loop && node.stmt == loop)
      return place;
    for (auto [index, child] : llvm::enumerate(node.children)) {
      LoopPlace inside{child, place.roles, place.lane};
      if (node.kind == Kind::Roles)
        inside = {child, &node, index};
      stack.push_back(inside);
    }
  }
  return std::nullopt;
}

std::optional<int64_t> knownTrips(const AccessNode &loop) {
  return loop.maxTrips == loop.minTrips ? loop.maxTrips : std::nullopt;
}

bool usesMbarriers(const AccessProgram &program, uint32_t index) {
  const AccessNode &node = program.nodes[index];
  auto isCounted = [](const Access &access) { return access.mbarrier.has_value(); };
  return node.mbarrier || llvm::any_of(node.accesses, isCounted) ||
         llvm::any_of(node.children, [&](uint32_t child) { return usesMbarriers(program, child); });
}

// Counts the phases of mbarriers as the threads of one lane see them.
class PhaseCounter {
public:
  PhaseCounter(const AccessProgram &program, const LaneSteps &lanes, size_t lane)
      : program_(program), lanes_(lanes), lane_(lane), ended_(program.mbarriers.size()),
        arrivals_(program.mbarriers.size()), isOurs_(program.mbarriers.size(), true) {
    for (auto [other, steps] : llvm::enumerate(lanes.lanes))
      for (const LaneStep &step : steps.steps)
        check(step, other == lane || step.isOutside);
  }

  // Of the steps of the lane, one after the other.
  void count(const LaneStep &step, RoleStep &result) {
    if (step.isOpaque || step.mbarrier == LaneStep::Unknown)
      return;
    result.mbarrier = step.mbarrier;
    const AccessNode &node = program_.nodes[step.node];
    if (node.kind == Kind::WaitPhase)
      wait(step, result);
    else
      arrive(step, node, result);
  }

private:
  // A trace is untrusted; sums over all steps do not overflow.
  static constexpr int64_t MaxCount = 1 << 16;

  // What cannot be followed may be any mbarrier.
  void check(const LaneStep &step, bool isOfLane) {
    const AccessNode &node = program_.nodes[step.node];
    if (step.isOpaque)
      isSure_ &= !usesMbarriers(program_, step.node);
    else if (node.mbarrier && step.mbarrier == LaneStep::Unknown)
      isSure_ = false;
    else if (node.kind == Kind::Arrive && node.mbarrier && !isOfLane)
      isOurs_[step.mbarrier] = false;
  }

  void wait(const LaneStep &step, RoleStep &result) {
    int64_t &ended = ended_[step.mbarrier];
    if (!isSure_ || step.parity == LaneStep::Unknown)
      return;
    result.passesAtOnce = step.parity != ended % 2;
    if (!result.passesAtOnce)
      result.phase = ended++;
  }

  void arrive(const LaneStep &step, const AccessNode &node, RoleStep &result) {
    int64_t needed = program_.mbarriers[step.mbarrier].arrivals;
    int64_t threads = node.oneThread   ? 1
                      : step.isOutside ? program_.threads
                                       : lanes_.lanes[lane_].threads;
    bool isKnown = isSure_ && isOurs_[step.mbarrier] && needed > 0 && threads > 0;
    if (!isKnown || threads > MaxCount || node.count > MaxCount) {
      if (node.kind == Kind::Arrive) // nor is the phase of what follows
        isOurs_[step.mbarrier] = false;
      return;
    }
    result.phase = arrivals_[step.mbarrier] / needed;
    if (node.kind == Kind::Arrive && node.count < 1)
      isOurs_[step.mbarrier] = false;
    else if (node.kind == Kind::Arrive)
      arrivals_[step.mbarrier] += node.count * threads;
  }

  const AccessProgram &program_;
  const LaneSteps &lanes_;
  size_t lane_;
  std::vector<int64_t> ended_, arrivals_; // per mbarrier: phases that have, by the lane so far
  std::vector<bool> isOurs_;              // per mbarrier: no other lane arrives
  bool isSure_ = true;
};

std::optional<int64_t> slotOf(const Slot &slot, const LaneStep &step) {
  if (slot.kind == Slot::Kind::Constant)
    return slot.offset;
  if (slot.kind != Slot::Kind::Loop || slot.loop != step.loop || slot.modulus < 1)
    return std::nullopt;
  return static_cast<int64_t>(
      (static_cast<uint64_t>(step.iteration) + static_cast<uint64_t>(slot.offset)) %
      static_cast<uint64_t>(slot.modulus));
}

// Nodes by their place in the program, outer ones first.
std::vector<uint32_t> preorderOf(const AccessProgram &program) {
  std::vector<uint32_t> places(program.nodes.size());
  std::vector<uint32_t> stack{program.root};
  for (uint32_t place = 0; !stack.empty(); ++place) {
    uint32_t index = stack.back();
    stack.pop_back();
    places[index] = place;
    for (uint32_t child : llvm::reverse(program.nodes[index].children))
      stack.push_back(child);
  }
  return places;
}

// The rows of one loop, by place and access.
class Rows {
public:
  explicit Rows(const AccessProgram &program) : places_(preorderOf(program)) {}

  // False: there are too many.
  bool add(uint32_t node, size_t access, const RoleStep &step) {
    RoleRow &row = rows_[{places_[node], access}];
    row.node = node;
    row.access = access;
    if (row.steps.empty() || row.steps.back().iteration < step.iteration)
      row.steps.push_back(step);
    return rows_.size() <= MaxRows;
  }

  std::vector<RoleRow> take() {
    std::vector<RoleRow> rows;
    rows.reserve(rows_.size());
    for (auto &[key, row] : rows_)
      rows.push_back(std::move(row));
    return rows;
  }

private:
  // A trace is untrusted: more rows than a picture holds.
  static constexpr size_t MaxRows = 256;

  std::vector<uint32_t> places_;
  std::map<std::pair<uint32_t, size_t>, RoleRow> rows_;
};

// The accesses of a step but those of `untold`, or the step itself.
bool addStep(Rows &rows, const AccessNode &node, const LaneStep &step, const RoleStep &what,
             llvm::ArrayRef<BufferId> untold) {
  if (node.accesses.empty())
    return step.isOpaque || rows.add(step.node, RoleRow::NoAccess, what);
  for (auto [index, access] : llvm::enumerate(node.accesses)) {
    if (llvm::is_contained(untold, access.buffer))
      continue;
    RoleStep touched = what;
    touched.slot = slotOf(access.slot, step);
    if (step.mbarriersOf[index] != LaneStep::Unknown)
      touched.mbarrier = step.mbarriersOf[index];
    if (!rows.add(step.node, index, touched))
      return false;
  }
  return true;
}

void fillRows(RoleLoop &loop, const AccessProgram &program, const LaneSteps &lanes) {
  PhaseCounter phases(program, lanes, loop.lane);
  Rows rows(program);
  std::vector<BufferId> mbarriers = buffersOfMbarriers(program); // their own rows tell of them
  int64_t last = -1;
  for (const LaneStep &step : lanes.lanes[loop.lane].steps) {
    RoleStep what;
    what.iteration = step.iteration;
    phases.count(step, what);
    // A loop around may run it again.
    if (step.loop != loop.loop || step.iteration < last)
      continue;
    last = step.iteration;
    if (!addStep(rows, program.nodes[step.node], step, what, mbarriers)) {
      loop.refusal = "the loop is too large to be unrolled";
      return;
    }
  }
  loop.rows = rows.take();
}

// The pipelined loops with a number of iterations each.
AccessProgram withTrips(AccessProgram program, const std::vector<PipelineRecord> &pipelines) {
  std::map<StmtId, bool> isPipelined;
  for (const PipelineRecord &record : pipelines)
    isPipelined[record.loop] = true;
  for (AccessNode &node : program.nodes)
    if (node.kind == Kind::Loop && isPipelined.count(node.stmt) && !knownTrips(node)) {
      node.minTrips = AssumedTrips;
      node.maxTrips = AssumedTrips;
    }
  return program;
}

// Of the pipelined loops that stand in roles, in program order.
std::vector<LoopPlace> placesInRoles(const AccessProgram &program,
                                     const std::vector<PipelineRecord> &pipelines) {
  std::vector<LoopPlace> places;
  for (const PipelineRecord &pipeline : pipelines)
    if (std::optional<LoopPlace> place = placeOfLoop(program, pipeline.loop); place && place->roles)
      places.push_back(*place);
  if (places.size() > 1) {
    std::vector<uint32_t> order = preorderOf(program);
    llvm::stable_sort(places, [&](const LoopPlace &a, const LoopPlace &b) {
      return order[a.node] < order[b.node];
    });
  }
  return places;
}

} // namespace

bool isInRole(const AccessProgram &program, StmtId loop) {
  std::optional<LoopPlace> place = placeOfLoop(program, loop);
  return place && place->roles;
}

std::vector<RoleLoop> roleLoopsOf(const TraceSnapshot &snapshot) {
  std::vector<RoleLoop> loops;
  for (const AccessRecord &record : *snapshot.accesses) {
    std::optional<AccessProgram> program;
    LaneSteps lanes;
    for (const LoopPlace &place : placesInRoles(record.program, *snapshot.pipelines)) {
      if (!program) {
        program = withTrips(record.program, *snapshot.pipelines);
        lanes = unrollLanes(*program);
      }
      RoleLoop &loop = loops.emplace_back();
      loop.accesses = &record;
      loop.loop = record.program.nodes[place.node].stmt;
      loop.lane = place.lane;
      loop.laneCount = place.roles->children.size();
      loop.trips = knownTrips(record.program.nodes[place.node]);
      loop.refusal = lanes.problem;
      if (!lanes.problem.empty() || loop.lane >= lanes.lanes.size())
        continue;
      loop.threads = lanes.lanes[loop.lane].threads;
      fillRows(loop, *program, lanes);
    }
  }
  return loops;
}

} // namespace tilescope
