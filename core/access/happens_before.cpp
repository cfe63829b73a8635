#include "core/access/happens_before.h"

#include "core/access/beside_roles.h"
#include "core/access/loop_lengths.h"
#include "core/access/mbarrier_uses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>
#include <set>

namespace tilescope {

namespace {

// What stops the search for more: what is known by then is true.
constexpr int MaxRounds = 64;
constexpr size_t MaxFigures = 1 << 21; // bounds that are kept, all steps of all strands
constexpr size_t MaxWork = 1 << 28;    // bounds that are looked at; past it nothing is known

constexpr int32_t Never = std::numeric_limits<int32_t>::max();

class OrderSolver {
public:
  OrderSolver(const AccessProgram &program, const LaneSteps &lanes, bool meetsAtBarriers)
      : program_(program), lanes_(lanes), meetsAtBarriers_(meetsAtBarriers), uses_(program, lanes),
        strands_(uses_.strands()), mbarrierCount_(program.mbarriers.size()),
        holdsCopy_(program.nodes.size(), false) {
    markCopies(program.root);
  }

  HappensBefore run() {
    size_t figures = 0;
    for (const Strand &strand : strands_)
      figures += (uses_.stepsOf(strand).size() + 1) * width();
    if (figures <= MaxFigures)
      solve();
    if (figures > MaxFigures || isSpent()) {
      result_ = HappensBefore();
      uses_.gaps.push_back({{}, "what so many steps of its roles order"});
    } else {
      result_.steps.strands = strands_.vec();
      result_.steps.known = std::move(known_);
      result_.steps.arrivals = std::move(needs_);
    }
    result_.gaps = std::move(uses_.gaps);
    return std::move(result_);
  }

private:
  const AccessNode &nodeOf(const LaneStep &step) const { return uses_.nodeOf(step); }
  llvm::ArrayRef<LaneStep> stepsOf(const Strand &strand) const { return uses_.stepsOf(strand); }
  bool runs(const Strand &strand, const LaneStep &step) const { return uses_.runs(strand, step); }
  bool hasRoles() const { return uses_.hasRoles(); }
  size_t mbarrierAt(size_t mbarrier) const { return strands_.size() + mbarrier; }
  size_t width() const { return strands_.size() + mbarrierCount_; }

  void solve() {
    findMeetings();
    do
      spread();
    while (breakFailing());
    collectNeeds();
    collectArrived();
    if (lanes_.lanes.size() == 2)
      findTail();
  }

  void spend(size_t work) const { work_ += work; }
  bool isSpent() const { return work_ > MaxWork; }

  // ---- Where all threads of a lane, or of the block, meet ----

  // The steps at which each strand comes to one barrier, in order.
  struct Meeting {
    std::vector<std::vector<size_t>> steps; // per strand
  };
  // Which time it is that a strand comes to a barrier.
  struct Coming {
    const Meeting *meeting = nullptr;
    size_t time = 0;
  };

  void findMeetings() {
    std::set<int64_t> unclear = unclearBarriers();
    comings_.resize(strands_.size());
    for (auto [strand, at] : llvm::enumerate(strands_)) {
      for (auto [index, step] : llvm::enumerate(stepsOf(at))) {
        std::optional<int64_t> key = meetingOf(at, step, unclear);
        if (!key)
          continue;
        Meeting &meeting = meetings_[*key];
        meeting.steps.resize(strands_.size());
        comings_[strand][index] = {&meeting, meeting.steps[strand].size()};
        meeting.steps[strand].push_back(index);
      }
    }
  }

  // Ids of which it is not certain that one lane uses them, always with all of its threads.
  std::set<int64_t> unclearBarriers() const {
    std::set<int64_t> unclear;
    for (const AccessNode &node : program_.nodes)
      if (node.kind == AccessNode::Kind::NamedBarrier && node.barrierId < 0)
        unclear.insert(node.barrierId);
    if (!meetsAtBarriers_)
      unclear.insert({0, BlockBarrier});
    std::map<int64_t, size_t> laneOf;
    std::set<uint32_t> opaque;
    for (auto [number, lane] : llvm::enumerate(lanes_.lanes))
      for (const LaneStep &step : lane.steps)
        if (!step.isOpaque)
          collectUnclear(step, number, laneOf, unclear);
        else if (opaque.insert(step.node).second)
          collectUnder(step.node, unclear);
    return unclear;
  }

  void collectUnclear(const LaneStep &step, size_t number, std::map<int64_t, size_t> &laneOf,
                      std::set<int64_t> &unclear) const {
    const AccessNode &node = nodeOf(step);
    if (node.kind != AccessNode::Kind::NamedBarrier)
      return;
    bool isOutside = step.isOutside && hasRoles();
    size_t user = isOutside ? lanes_.lanes.size() : number;
    int64_t threads = isOutside ? program_.threads : lanes_.lanes[number].threads;
    if (laneOf.try_emplace(node.barrierId, user).first->second != user || node.oneThread ||
        threads == 0 || node.threads != threads)
      unclear.insert(node.barrierId);
  }

  void collectUnder(uint32_t index, std::set<int64_t> &unclear) const {
    const AccessNode &node = program_.nodes[index];
    if (node.kind == AccessNode::Kind::NamedBarrier)
      unclear.insert(node.barrierId);
    for (uint32_t child : node.children)
      collectUnder(child, unclear);
  }

  static constexpr int64_t BlockBarrier = std::numeric_limits<int64_t>::min();

  std::optional<int64_t> meetingOf(const Strand &strand, const LaneStep &step,
                                   const std::set<int64_t> &unclear) const {
    const AccessNode &node = nodeOf(step);
    if (step.isOpaque || node.oneThread || !runs(strand, step))
      return std::nullopt;
    if (node.kind == AccessNode::Kind::NamedBarrier && !unclear.count(node.barrierId))
      return node.barrierId;
    bool isOfAll = !hasRoles() || step.isOutside || node.isOfAllLanes;
    if (node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block && isOfAll &&
        !unclear.count(BlockBarrier))
      return BlockBarrier;
    return std::nullopt;
  }

  // ---- What each step knows ---------------------------------------------------------------------

  llvm::MutableArrayRef<int32_t> knownAt(size_t strand, size_t step) {
    return {known_[strand].data() + step * width(), width()};
  }
  llvm::ArrayRef<int32_t> knownAt(size_t strand, size_t step) const {
    return {known_[strand].data() + step * width(), width()};
  }

  void spread() {
    known_.clear();
    for (const Strand &strand : strands_)
      known_.emplace_back((stepsOf(strand).size() + 1) * width(), 0);
    bool isNew = true;
    for (int round = 0; round != MaxRounds && isNew && !isSpent(); ++round) {
      isNew = false;
      for (size_t strand = 0; strand != strands_.size(); ++strand)
        isNew |= passStrand(strand);
    }
  }

  bool passStrand(size_t strand) {
    const Strand &who = strands_[strand];
    llvm::ArrayRef<LaneStep> steps = stepsOf(who);
    Knowledge now(width(), 0);
    bool isNew = false;
    for (size_t at = 0; !isSpent(); ++at) {
      spend(width());
      llvm::MutableArrayRef<int32_t> before = knownAt(strand, at);
      isNew |= !llvm::equal(before, now);
      llvm::copy(now, before.begin());
      if (at == steps.size())
        return isNew;
      if (runs(who, steps[at])) {
        learn(steps[at], now);
        learnFromMeeting(strand, at, now);
      }
      if (who.threads == 1)
        now[strand] = static_cast<int32_t>(at + 1);
    }
    return false;
  }

  void learn(const LaneStep &step, Knowledge &now) const {
    if (nodeOf(step).kind != AccessNode::Kind::WaitPhase || step.isOpaque ||
        step.mbarrier == LaneStep::Unknown || step.parity == LaneStep::Unknown ||
        uses_.isBroken(step.mbarrier))
      return;
    int32_t ended = now[mbarrierAt(step.mbarrier)];
    if (ended % 2 == step.parity)
      join(now, endOf(step.mbarrier, ended + 1));
  }

  // What is known where `phases` phases of an mbarrier have ended.
  Knowledge endOf(size_t mbarrier, int32_t phases) const {
    Knowledge known(width(), 0);
    known[mbarrierAt(mbarrier)] = phases;
    if (phases > uses_.phases(mbarrier))
      return known;
    spend(strands_.size() * width());
    for (size_t strand = 0; strand != strands_.size(); ++strand) {
      llvm::ArrayRef<Tally> arrivals = uses_.of(strand, mbarrier).arrivals;
      int64_t share = MbarrierUse::totalOf(arrivals) / uses_.phases(mbarrier);
      if (share == 0)
        continue;
      auto last = llvm::partition_point(
          arrivals, [&](const Tally &arrival) { return arrival.total < share * phases; });
      join(known, knownAt(strand, last->step));
      known[strand] = std::max(known[strand], static_cast<int32_t>(last->step + 1));
    }
    return known;
  }

  void learnFromMeeting(size_t strand, size_t at, Knowledge &now) {
    auto coming = comings_[strand].find(at);
    if (coming == comings_[strand].end())
      return;
    auto [meeting, time] = coming->second;
    spend(strands_.size() * width());
    for (size_t other = 0; other != strands_.size(); ++other)
      if (time < meeting->steps[other].size()) {
        size_t step = meeting->steps[other][time];
        join(now, knownAt(other, step));
        now[other] = std::max(now[other], static_cast<int32_t>(step));
      }
  }

  // Takes out all mbarriers of which the bounds do not show what they stand on; false: there is
  // none.
  bool breakFailing() {
    bool isAny = false;
    for (size_t mbarrier = 0; mbarrier != mbarrierCount_ && !isSpent(); ++mbarrier)
      if (!uses_.isBroken(mbarrier))
        isAny |= waitsTooLong(mbarrier) || arrivesTooEarly(mbarrier);
    return isAny && !isSpent();
  }

  bool waitsTooLong(size_t mbarrier) {
    for (size_t strand = 0; strand != strands_.size(); ++strand)
      if (knownAt(strand, stepsOf(strands_[strand]).size())[mbarrierAt(mbarrier)] >
          uses_.phases(mbarrier)) {
        uses_.breakOff(
            mbarrier, uses_.firstUse(mbarrier),
            llvm::formatv("more than its {0} phases are waited for", uses_.phases(mbarrier)));
        return true;
      }
    return false;
  }

  bool arrivesTooEarly(size_t mbarrier) {
    for (size_t strand = 0; strand != strands_.size(); ++strand) {
      llvm::ArrayRef<Tally> arrivals = uses_.of(strand, mbarrier).arrivals;
      int64_t share = arrivals.empty() ? 1 : arrivals.back().total / uses_.phases(mbarrier);
      for (const Tally &arrival : arrivals) {
        int64_t phase = (arrival.total + share - 1) / share - 1;
        if (knownAt(strand, arrival.step)[mbarrierAt(mbarrier)] >= phase)
          continue;
        uses_.breakOff(mbarrier, nodeOf(stepsOf(strands_[strand])[arrival.step]).stmt,
                       "an arrival for its next phase may come before a phase has ended");
        return true;
      }
    }
    return false;
  }

  // ---- What follows -----------------------------------------------------------------------------

  // Per lane and step: the ends of phases that its copies have arrived by.
  void collectNeeds() {
    for (const Lane &lane : lanes_.lanes)
      needs_.emplace_back(lane.steps.size());
    for (size_t strand = 0; strand != strands_.size(); ++strand)
      for (size_t mbarrier = 0; mbarrier != mbarrierCount_; ++mbarrier)
        collectNeeds(strand, mbarrier);
    if (hasRoles())
      copyNeedsOutside();
    // Copies of an unknown number never arrive.
    for (auto [lane, needs] : llvm::zip(lanes_.lanes, needs_))
      for (auto [step, need] : llvm::zip(lane.steps, needs))
        if (step.isOpaque ? holdsCopy_[step.node] : holdsCopy_[step.node] && need.empty())
          need.push_back({PhaseNeed::Nothing, Never});
  }

  // Every lane makes the steps outside of the roles; those of the first have what was found.
  void copyNeedsOutside() {
    auto outsideOf = [&](size_t lane) {
      std::vector<size_t> steps;
      for (auto [at, step] : llvm::enumerate(lanes_.lanes[lane].steps))
        if (step.isOutside)
          steps.push_back(at);
      return steps;
    };
    std::vector<size_t> first = outsideOf(0);
    for (size_t lane = 1; lane != lanes_.lanes.size(); ++lane)
      for (auto [from, to] : llvm::zip(first, outsideOf(lane)))
        needs_[lane][to] = needs_[0][from];
  }

  void collectNeeds(size_t strand, size_t mbarrier) {
    const MbarrierUse &use = uses_.of(strand, mbarrier);
    std::vector<int64_t> expected; // by the end of each phase
    bool isUsed = !use.copies.empty() && !uses_.isBroken(mbarrier);
    for (int32_t phases = 1; phases <= uses_.phases(mbarrier) && isUsed && !isSpent(); ++phases)
      expected.push_back(MbarrierUse::totalBefore(use.expects, endOf(mbarrier, phases)[strand]));
    for (const Tally &copy : use.copies) {
      auto first = llvm::lower_bound(expected, copy.total);
      int32_t phases =
          first == expected.end() ? Never : static_cast<int32_t>(first - expected.begin()) + 1;
      needs_[strands_[strand].lane][copy.step].push_back({static_cast<int>(mbarrier), phases});
    }
  }

  bool markCopies(uint32_t index) {
    const AccessNode &node = program_.nodes[index];
    bool holds =
        llvm::any_of(node.accesses, [](const Access &a) { return a.mbarrier.has_value(); });
    for (uint32_t child : node.children)
      holds |= markCopies(child);
    holdsCopy_[index] = holds;
    return holds;
  }

  bool isMet(const PhaseNeed &need, llvm::ArrayRef<int32_t> known) const {
    return need.mbarrier >= 0 && need.phases <= known[mbarrierAt(need.mbarrier)];
  }

  // The needs of one copy so far: the most phases of each mbarrier.
  using Needs = std::map<int, int32_t>;

  void collectArrived() {
    copyNumbers_.resize(program_.nodes.size());
    for (uint32_t leaf : leavesInOrder(program_))
      if (holdsCopy_[leaf]) {
        copyNumbers_[leaf] = result_.copies.size();
        result_.copies.push_back(leaf);
      }
    result_.arrived.resize(program_.nodes.size());
    for (size_t strand = 0; strand != strands_.size(); ++strand)
      collectArrived(strand);
  }

  void collectArrived(size_t strand) {
    const Strand &who = strands_[strand];
    std::vector<Needs> needs(result_.copies.size());
    for (size_t lane = 0; lane != lanes_.lanes.size(); ++lane)
      for (auto [step, need] : llvm::zip(lanes_.lanes[lane].steps, needs_[lane]))
        if (hasRoles() && !step.isOutside && (lane != who.lane || who.isOutside))
          addNeeds(step.node, need, needs);
    for (auto [at, step] : llvm::enumerate(stepsOf(who))) {
      if (isSpent())
        return;
      // Threads that are all here are those of the lanes.
      if (runs(who, step) && (!who.isOutside || nodeOf(step).oneThread))
        noteArrived(step.node, needs, knownAt(strand, at));
      if (!who.isOutside || step.isOutside)
        addNeeds(step.node, needs_[who.lane][at], needs);
      if (step.isOpaque && holdsCopy_[step.node] && !who.isOutside)
        noteArrived(step.node, needs, knownAt(strand, at));
    }
  }

  void addNeeds(uint32_t index, llvm::ArrayRef<PhaseNeed> more, std::vector<Needs> &needs) const {
    const AccessNode &node = program_.nodes[index];
    spend(1 + more.size());
    if (isSpent())
      return;
    if (isLeaf(node) && holdsCopy_[index])
      for (const PhaseNeed &need : more) {
        int32_t &phases = needs[copyNumbers_[index]][need.mbarrier];
        phases = std::max(phases, need.phases);
      }
    for (uint32_t child : node.children)
      addNeeds(child, more, needs);
  }

  // For all leaves under `index`.
  void noteArrived(uint32_t index, llvm::ArrayRef<Needs> needs, llvm::ArrayRef<int32_t> known) {
    spend(1 + result_.copies.size());
    for (uint32_t child : program_.nodes[index].children)
      noteArrived(child, needs, known);
    if (!isLeaf(program_.nodes[index]))
      return;
    llvm::BitVector &arrived = result_.arrived[index];
    if (arrived.empty())
      arrived.resize(result_.copies.size(), true);
    for (unsigned copy : arrived.set_bits())
      if (!llvm::all_of(needs[copy],
                        [&](const auto &need) { return isMet({need.first, need.second}, known); }))
        arrived.reset(copy);
  }

  // ---- Roles that end one after the other -------------------------------------------------------

  // What must be known for a lane to have done all that it does.
  struct LaneEnd {
    bool isKnown = true;
    std::vector<int32_t> steps; // per strand
    std::vector<PhaseNeed> needs;
  };

  LaneEnd endOfLane(size_t number) const {
    LaneEnd end;
    end.steps.resize(strands_.size(), 0);
    const Lane &lane = lanes_.lanes[number];
    for (auto [at, step] : llvm::enumerate(lane.steps)) {
      if (step.isOutside)
        continue;
      llvm::append_range(end.needs, needs_[number][at]);
      end.isKnown &= !holdsAsyncOfQueue(step.node);
      if (!holdsPlainAccess(step.node))
        continue;
      for (auto [strand, who] : llvm::enumerate(strands_))
        if (who.lane == number && !who.isOutside && runs(who, step))
          end.steps[strand] = static_cast<int32_t>(at + 1);
    }
    return end;
  }

  // Its waits are those of the threads that issued it.
  bool holdsAsyncOfQueue(uint32_t index) const {
    const AccessNode &node = program_.nodes[index];
    return llvm::any_of(node.accesses,
                        [](const Access &access) { return access.async && !access.mbarrier; }) ||
           llvm::any_of(node.children, [&](uint32_t child) { return holdsAsyncOfQueue(child); });
  }

  bool holdsPlainAccess(uint32_t index) const {
    const AccessNode &node = program_.nodes[index];
    return llvm::any_of(node.accesses, [](const Access &access) { return !access.async; }) ||
           llvm::any_of(node.children, [&](uint32_t child) { return holdsPlainAccess(child); });
  }

  bool isOver(const LaneEnd &end, llvm::ArrayRef<int32_t> known) const {
    for (auto [needed, made] : llvm::zip(end.steps, known))
      if (made < needed)
        return false;
    return end.isKnown &&
           llvm::all_of(end.needs, [&](const PhaseNeed &need) { return isMet(need, known); });
  }

  void findTail() {
    for (size_t lane : {0, 1}) {
      LaneEnd other = endOfLane(1 - lane);
      llvm::ArrayRef<size_t> begins = lanes_.lanes[lane].childBegins;
      for (size_t child = 0; child + 1 < begins.size() && !result_.tail && !isSpent(); ++child) {
        bool isTail = true;
        spend((other.needs.size() + other.steps.size()) * strands_.size());
        for (auto [strand, who] : llvm::enumerate(strands_))
          if (who.lane == lane && !who.isOutside)
            isTail &= isOver(other, knownAt(strand, begins[child]));
        if (isTail)
          result_.tail = RoleTail{lane, child};
      }
    }
  }

  const AccessProgram &program_;
  const LaneSteps &lanes_;
  bool meetsAtBarriers_;
  MbarrierUses uses_;
  llvm::ArrayRef<Strand> strands_;
  size_t mbarrierCount_;
  std::vector<bool> holdsCopy_;                   // per node: it, or what stands in it
  std::vector<size_t> copyNumbers_;               // per leaf with copies: in result_.copies
  std::map<int64_t, Meeting> meetings_;           // by id of the named barrier
  std::vector<std::map<size_t, Coming>> comings_; // per strand, by step
  std::vector<std::vector<int32_t>> known_;       // per strand: of each step, before it
  std::vector<std::vector<std::vector<PhaseNeed>>> needs_; // per lane and step
  HappensBefore result_;
  mutable size_t work_ = 0;
};

} // namespace

std::optional<size_t> HappensBefore::copyOf(uint32_t leaf) const {
  auto found = llvm::find(copies, leaf);
  return found == copies.end() ? std::nullopt : std::optional<size_t>(found - copies.begin());
}

std::vector<uint32_t> HappensBefore::besideOthers(const AccessProgram &program,
                                                  const AccessNode &roles, size_t lane) const {
  std::vector<uint32_t> found = besideRoles;
  if (lane >= roles.children.size())
    return found;
  if (!tail || tail->lane != lane) {
    found.push_back(roles.children[lane]);
  } else {
    llvm::ArrayRef<uint32_t> children = program.nodes[roles.children[lane]].children;
    llvm::append_range(found, children.take_front(tail->firstChild));
  }
  return found;
}

// What holds in all of them. A copy or node that one of them lacks says nothing there.
static HappensBefore inAll(const AccessProgram &program, llvm::ArrayRef<OfLength> lengths) {
  HappensBefore order;
  order.meetsAtBarriers = lengths.front().order.meetsAtBarriers;
  order.arrived.resize(program.nodes.size());
  for (uint32_t leaf : leavesInOrder(program))
    if (llvm::any_of(program.nodes[leaf].accesses,
                     [](const Access &access) { return access.mbarrier.has_value(); }))
      order.copies.push_back(leaf);
  for (const OfLength &one : lengths)
    for (auto [all, arrived] : llvm::zip(order.arrived, one.order.arrived)) {
      if (arrived.empty())
        continue;
      if (all.empty())
        all.resize(order.copies.size(), true);
      for (auto [copy, leaf] : llvm::enumerate(order.copies))
        if (std::optional<size_t> own = one.order.copyOf(leaf); own && !arrived[*own])
          all.reset(copy);
    }
  return order;
}

HappensBefore computeHappensBefore(const AccessProgram &program) {
  bool isConcerned = llvm::any_of(program.nodes, [](const AccessNode &node) {
    return node.kind == AccessNode::Kind::WaitPhase || node.kind == AccessNode::Kind::Roles;
  });
  if (isConcerned) {
    std::vector<OfLength> lengths = followLengths(program);
    return lengths.empty() ? followSteps(program) : inAll(program, lengths);
  }
  HappensBefore order;
  order.meetsAtBarriers = meetsAtBarriers(program);
  return order;
}

HappensBefore followSteps(const AccessProgram &program) {
  HappensBefore order;
  bool meets = meetsAtBarriers(program);
  LaneSteps lanes = unrollLanes(program);
  if (lanes.problem.empty() && !lanes.lanes.empty())
    order = OrderSolver(program, lanes, meets).run();
  std::string problem = lanes.problem;
  StmtId problemStmt = lanes.problemStmt;
  order.steps.lanes = std::move(lanes);
  order.meetsAtBarriers = meets;
  if (llvm::any_of(program.nodes,
                   [](const AccessNode &node) { return node.kind == AccessNode::Kind::Roles; })) {
    order.besideRoles = besideRolesOf(program, meets);
    if (!order.besideRoles.empty())
      order.tail.reset();
  }
  if (!problem.empty())
    order.gaps.push_back({problemStmt, "how the roles of warps wait for each other: " + problem});
  llvm::sort(order.gaps, [](const OrderGap &a, const OrderGap &b) {
    return std::tie(a.stmt, a.why) < std::tie(b.stmt, b.why);
  });
  order.gaps.erase(std::unique(order.gaps.begin(), order.gaps.end()), order.gaps.end());
  return order;
}

} // namespace tilescope
