#include "core/access/happens_before.h"

#include "core/access/arrived_copies.h"
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
constexpr size_t MaxFigures = 1 << 22; // bounds that are kept, all steps of all strands
constexpr size_t MaxWork = 1 << 28;    // bounds that are looked at; past it nothing is known

constexpr int32_t Never = std::numeric_limits<int32_t>::max();

class OrderSolver {
public:
  OrderSolver(const AccessProgram &program, const LaneSteps &lanes, bool meetsAtBarriers)
      : program_(program), lanes_(lanes), meetsAtBarriers_(meetsAtBarriers), uses_(program, lanes),
        strands_(uses_.strands()), mbarrierCount_(program.mbarriers.size()),
        holdsCopy_(nodesWithCopies(program)) {}

  FollowedSteps run() {
    size_t figures = 0;
    for (const Strand &strand : strands_)
      figures += (uses_.stepsOf(strand).size() + 1) * width();
    if (figures <= MaxFigures)
      solve();
    if (figures > MaxFigures || isSpent()) {
      result_ = FollowedSteps();
      uses_.gaps.push_back({{}, "what so many steps of its roles order"});
    } else {
      result_.steps.strands = strands_.vec();
      result_.steps.known = allKnown();
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
    findLessons();
    do
      spread();
    while (breakFailing());
    collectNeeds();
  }

  void spend(size_t work) const { work_ += work; }
  bool isSpent() const { return work_ > MaxWork; }

  // ---- Where all threads of a lane, or of the block, meet ----

  // The steps at which each strand comes to one barrier, in order.
  struct Meeting {
    std::vector<std::vector<size_t>> steps; // per strand
  };
  // A step at which a strand may learn what others know.
  struct Lesson {
    size_t step = 0;
    const Meeting *meeting = nullptr; // null: it waits for a phase
    size_t time = 0;                  // of the strand at this barrier
  };

  void findLessons() {
    std::set<int64_t> unclear = unclearBarriers();
    lessons_.resize(strands_.size());
    lessonsBefore_.resize(strands_.size());
    for (auto [strand, at] : llvm::enumerate(strands_)) {
      lessonsBefore_[strand].reserve(stepsOf(at).size() + 1);
      for (auto [index, step] : llvm::enumerate(stepsOf(at))) {
        lessonsBefore_[strand].push_back(lessons_[strand].size());
        std::optional<int64_t> key = meetingOf(at, step, unclear);
        if (key)
          lessons_[strand].push_back(comeTo(meetings_[*key], strand, index));
        else if (isWait(step) && runs(at, step))
          lessons_[strand].push_back({index, nullptr, 0});
      }
      lessonsBefore_[strand].push_back(lessons_[strand].size());
    }
  }

  Lesson comeTo(Meeting &meeting, size_t strand, size_t step) {
    meeting.steps.resize(strands_.size());
    meeting.steps[strand].push_back(step);
    return {step, &meeting, meeting.steps[strand].size() - 1};
  }

  bool isWait(const LaneStep &step) const {
    return nodeOf(step).kind == AccessNode::Kind::WaitPhase && !step.isOpaque &&
           step.mbarrier != LaneStep::Unknown && step.parity != LaneStep::Unknown;
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
    bool isNamed = node.kind == AccessNode::Kind::NamedBarrier;
    bool isOfBlock = node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block;
    if (!(isNamed || isOfBlock) || step.isOpaque || node.oneThread || !runs(strand, step))
      return std::nullopt;
    if (isNamed && !unclear.count(node.barrierId))
      return node.barrierId;
    bool isOfAll = !hasRoles() || step.isOutside || node.isOfAllLanes;
    if (isOfBlock && isOfAll && !unclear.count(BlockBarrier))
      return BlockBarrier;
    return std::nullopt;
  }

  // ---- What each step knows ---------------------------------------------------------------------

  // From one lesson to the next a strand knows the same, but for what it makes itself.
  llvm::MutableArrayRef<int32_t> knownBefore(size_t strand, size_t lesson) {
    return {known_[strand].data() + lesson * width(), width()};
  }
  // Of its own steps, a strand of one thread has made more than that says.
  llvm::ArrayRef<int32_t> knownAt(size_t strand, size_t step) const {
    return {known_[strand].data() + lessonsBefore_[strand][step] * width(), width()};
  }

  void spread() {
    known_.clear();
    for (const auto &lessons : lessons_)
      known_.emplace_back((lessons.size() + 1) * width(), 0);
    bool isNew = true;
    for (int round = 0; round != MaxRounds && isNew && !isSpent(); ++round) {
      isNew = false;
      for (size_t strand = 0; strand != strands_.size(); ++strand)
        isNew |= passStrand(strand);
    }
  }

  bool passStrand(size_t strand) {
    llvm::ArrayRef<Lesson> lessons = lessons_[strand];
    Knowledge now(width(), 0);
    bool isNew = false;
    spend((stepsOf(strands_[strand]).size() + 1) * width());
    for (size_t at = 0; !isSpent(); ++at) {
      llvm::MutableArrayRef<int32_t> before = knownBefore(strand, at);
      isNew |= !llvm::equal(before, now);
      llvm::copy(now, before.begin());
      if (at == lessons.size())
        return isNew;
      const Lesson &lesson = lessons[at];
      if (lesson.meeting)
        learnFromMeeting(lesson, now);
      else
        learnFromWait(stepsOf(strands_[strand])[lesson.step], now);
      if (strands_[strand].threads == 1)
        now[strand] = static_cast<int32_t>(lesson.step + 1);
    }
    return false;
  }

  void learnFromWait(const LaneStep &step, Knowledge &now) const {
    int32_t ended = now[mbarrierAt(step.mbarrier)];
    if (ended % 2 == step.parity && !uses_.isBroken(step.mbarrier))
      learnOfEnd(step.mbarrier, ended + 1, now);
  }

  // What is known where `phases` phases of an mbarrier have ended.
  void learnOfEnd(size_t mbarrier, int32_t phases, Knowledge &now) const {
    now[mbarrierAt(mbarrier)] = std::max(now[mbarrierAt(mbarrier)], phases);
    if (phases > uses_.phases(mbarrier))
      return;
    spend(strands_.size() * width());
    for (size_t strand = 0; strand != strands_.size(); ++strand)
      if (const Tally *last = lastArrival(strand, mbarrier, phases)) {
        join(now, knownAt(strand, last->step));
        now[strand] = std::max(now[strand], static_cast<int32_t>(last->step + 1));
      }
  }

  // Null: no arrival of the strand is for one of them.
  const Tally *lastArrival(size_t strand, size_t mbarrier, int32_t phases) const {
    llvm::ArrayRef<Tally> arrivals = uses_.of(strand, mbarrier).arrivals;
    const Tally *next = llvm::partition_point(
        arrivals, [&](const Tally &arrival) { return arrival.phase < phases; });
    return next == arrivals.begin() ? nullptr : next - 1;
  }

  // Of the steps of `strand`, how many are known to be made where so many phases have ended.
  int32_t madeByEnd(size_t mbarrier, int32_t phases, size_t strand) const {
    int32_t made = 0;
    spend(strands_.size() * width());
    for (size_t other = 0; other != strands_.size(); ++other)
      if (const Tally *last = lastArrival(other, mbarrier, phases)) {
        made = std::max(made, knownAt(other, last->step)[strand]);
        if (other == strand)
          made = std::max(made, static_cast<int32_t>(last->step + 1));
      }
    return made;
  }

  void learnFromMeeting(const Lesson &lesson, Knowledge &now) const {
    spend(strands_.size() * width());
    for (auto [other, steps] : llvm::enumerate(lesson.meeting->steps))
      if (lesson.time < steps.size()) {
        size_t step = steps[lesson.time];
        join(now, knownAt(other, step));
        now[other] = std::max(now[other], static_cast<int32_t>(step));
      }
  }

  // Of all steps.
  std::vector<std::vector<int32_t>> allKnown() const {
    std::vector<std::vector<int32_t>> all(strands_.size());
    for (auto [strand, who] : llvm::enumerate(strands_)) {
      size_t count = stepsOf(who).size() + 1;
      all[strand].resize(count * width());
      int32_t *row = all[strand].data();
      for (size_t step = 0; step != count; ++step, row += width()) {
        llvm::copy(knownAt(strand, step), row);
        if (who.threads == 1)
          row[strand] = static_cast<int32_t>(step);
      }
    }
    return all;
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
      for (const Tally &arrival : uses_.of(strand, mbarrier).arrivals) {
        if (knownAt(strand, arrival.step)[mbarrierAt(mbarrier)] >= arrival.phase)
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
      expected.push_back(
          MbarrierUse::totalBefore(use.expects, madeByEnd(mbarrier, phases, strand)));
    for (const Tally &copy : use.copies) {
      auto first = llvm::lower_bound(expected, copy.total);
      int32_t phases =
          first == expected.end() ? Never : static_cast<int32_t>(first - expected.begin()) + 1;
      needs_[strands_[strand].lane][copy.step].push_back({static_cast<int>(mbarrier), phases});
    }
  }

  const AccessProgram &program_;
  const LaneSteps &lanes_;
  bool meetsAtBarriers_;
  MbarrierUses uses_;
  llvm::ArrayRef<Strand> strands_;
  size_t mbarrierCount_;
  std::vector<bool> holdsCopy_;                    // per node: it, or what stands in it
  std::map<int64_t, Meeting> meetings_;            // by id of the named barrier
  std::vector<std::vector<Lesson>> lessons_;       // per strand
  std::vector<std::vector<size_t>> lessonsBefore_; // per strand and step, and before its end
  std::vector<std::vector<int32_t>> known_;        // per strand: before each lesson, and at the end
  std::vector<std::vector<std::vector<PhaseNeed>>> needs_; // per lane and step
  FollowedSteps result_;
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
static HappensBefore inAll(const AccessProgram &program, std::vector<OfLength> lengths) {
  HappensBefore order;
  order.meetsAtBarriers = lengths.front().order.meetsAtBarriers;
  order.arrived.resize(program.nodes.size());
  for (uint32_t leaf : leavesInOrder(program))
    if (llvm::any_of(program.nodes[leaf].accesses,
                     [](const Access &access) { return access.mbarrier.has_value(); }))
      order.copies.push_back(leaf);
  for (OfLength &length : lengths) {
    HappensBefore one = withArrivals(length.program, std::move(length.order));
    for (auto [all, arrived] : llvm::zip(order.arrived, one.arrived)) {
      if (arrived.empty())
        continue;
      if (all.empty())
        all.resize(order.copies.size(), true);
      for (auto [copy, leaf] : llvm::enumerate(order.copies))
        if (std::optional<size_t> own = one.copyOf(leaf); own && !arrived[*own])
          all.reset(copy);
    }
  }
  return order;
}

static HappensBefore ofSteps(const AccessProgram &program) {
  HappensBefore order = withArrivals(program, followSteps(program));
  if (llvm::any_of(program.nodes,
                   [](const AccessNode &node) { return node.kind == AccessNode::Kind::Roles; })) {
    order.besideRoles = besideRolesOf(program, order.meetsAtBarriers);
    if (!order.besideRoles.empty())
      order.tail.reset();
  }
  return order;
}

HappensBefore computeHappensBefore(const AccessProgram &program) {
  bool isConcerned = llvm::any_of(program.nodes, [](const AccessNode &node) {
    return node.kind == AccessNode::Kind::WaitPhase || node.kind == AccessNode::Kind::Roles;
  });
  if (isConcerned) {
    std::vector<OfLength> lengths = followLengths(program);
    return lengths.empty() ? ofSteps(program) : inAll(program, std::move(lengths));
  }
  HappensBefore order;
  order.meetsAtBarriers = meetsAtBarriers(program);
  return order;
}

FollowedSteps followSteps(const AccessProgram &program) {
  FollowedSteps order;
  bool meets = meetsAtBarriers(program);
  LaneSteps lanes = unrollLanes(program);
  if (lanes.problem.empty() && !lanes.lanes.empty())
    order = OrderSolver(program, lanes, meets).run();
  std::string problem = lanes.problem;
  StmtId problemStmt = lanes.problemStmt;
  order.steps.lanes = std::move(lanes);
  order.meetsAtBarriers = meets;
  if (!problem.empty())
    order.gaps.push_back({problemStmt, "how the roles of warps wait for each other: " + problem});
  llvm::sort(order.gaps, [](const OrderGap &a, const OrderGap &b) {
    return std::tie(a.stmt, a.why) < std::tie(b.stmt, b.why);
  });
  order.gaps.erase(std::unique(order.gaps.begin(), order.gaps.end()), order.gaps.end());
  return order;
}

} // namespace tilescope
