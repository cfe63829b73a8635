#include "core/check/lane_run.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <map>

namespace tilescope {

namespace {

constexpr size_t MaxFigures = 1 << 21; // of what is known, all steps of all threads
constexpr int64_t BlockBarrier = std::numeric_limits<int64_t>::min();

// What is noted of an execution.
enum class Noted : uint8_t {
  Knowledge, // of each thread at each step
  Abreast,   // that, and the steps; threads go abreast
  Stuck,     // only whether it comes to its end
};

class Runner {
public:
  Runner(const AccessProgram &program, const LaneSteps &lanes, size_t outsideLane, Noted noted)
      : program_(program), lanes_(lanes), isAbreast_(noted == Noted::Abreast),
        notesKnowledge_(noted != Noted::Stuck), madeOf_(lanes.lanes.size(), 0) {
    run_.order.outsideLane = outsideLane;
    for (auto [number, lane] : llvm::enumerate(lanes.lanes))
      addThreads(number, lane.threads);
    for (const AccessMbarrier &mbarrier : program.mbarriers) {
      isFollowed_ &= mbarrier.arrivals > 0;
      mbarriers_.push_back({mbarrier.arrivals, 0, 0, Knowledge(width(), 0), {}});
    }
    size_t steps = 0;
    for (const Actor &actor : actors_)
      steps += stepsOf(actor).size() + 1;
    isFollowed_ &= steps * (actors_.size() + program.mbarriers.size()) <= MaxFigures;
  }

  LaneRun run() {
    if (isAbreast_)
      findTurns();
    for (size_t at = 0; isFollowed_ && at != actors_.size(); ++at) {
      actors_[at].now.assign(width(), 0);
      run_.order.known.emplace_back((stepsOf(actors_[at]).size() + 1) * width(), 0);
    }
    for (const Lane &lane : lanes_.lanes)
      run_.order.arrivals.emplace_back(notesKnowledge_ ? lane.steps.size() : 0);
    for (bool isMoving = isFollowed_; isMoving && isFollowed_;) {
      isMoving = false;
      for (size_t at = 0; at != actors_.size(); ++at)
        isMoving |= advance(at);
    }
    for (size_t at = 0; isFollowed_ && at != actors_.size() && !run_.stuckAt.isValid(); ++at)
      if (actors_[at].at != stepsOf(actors_[at]).size())
        run_.stuckAt = program_.nodes[stepsOf(actors_[at])[actors_[at].at].node].stmt;
    if (!isFollowed_)
      run_ = {};
    else if (notesKnowledge_)
      run_.order.lanes = lanes_;
    return std::move(run_);
  }

private:
  struct Actor {
    int64_t weight = 1; // threads that do the same at the same time
    size_t at = 0;
    bool hasCome = false; // to the barrier where it stands
    Knowledge now;
  };
  struct Mbarrier {
    int64_t pending = 0, bytes = 0;
    int32_t ended = 0;
    Knowledge arrived; // of who arrived in this phase and before
    Knowledge over;    // where the last phase that ended is known
  };
  struct Meeting {
    int64_t threads = 0;
    std::vector<size_t> who;
    Knowledge known;
  };

  // Two of the others tell what any two of them do to each other.
  void addThreads(size_t lane, int64_t threads) {
    isFollowed_ &= threads > 0;
    auto add = [&](bool isElected, int64_t weight) {
      run_.order.strands.push_back({lane, isElected, false, 1});
      actors_.push_back({.weight = weight});
    };
    add(true, 1);
    if (threads > 1)
      add(false, 1);
    if (threads > 2)
      add(false, threads - 2);
  }

  // Of what a thread knows.
  size_t width() const {
    return notesKnowledge_ ? run_.order.strands.size() + program_.mbarriers.size() : 0;
  }
  const Lane &laneOf(size_t index) const { return lanes_.lanes[run_.order.strands[index].lane]; }
  llvm::ArrayRef<LaneStep> stepsOf(const Actor &actor) const {
    return laneOf(static_cast<size_t>(&actor - actors_.data())).steps;
  }

  // Up to the next step that the thread makes, so that all of a lane keep abreast; false: no step.
  bool advance(size_t index) {
    Actor &actor = actors_[index];
    llvm::ArrayRef<LaneStep> steps = stepsOf(actor);
    size_t before = actor.at;
    bool isMade = false;
    while (isFollowed_ && !isMade && actor.at != steps.size()) {
      if (isAbreast_ && isAhead(index))
        break;
      const LaneStep &step = steps[actor.at];
      isMade = !program_.nodes[step.node].oneThread ||
               makes(program_, run_.order.strands[index], step, lanes_.lanes.size() > 1,
                     run_.order.outsideLane);
      if (isMade && !make(index, step))
        break;
      if (isMade && isAbreast_)
        noteMade(index);
      pass(index);
      isMade |= isAbreast_;
    }
    return actor.at != before;
  }

  // ---- Threads that go abreast

  // 2n for step n of those outside of the roles, and 2n - 1 for all inside that come before it.
  void findTurns() {
    for (const Lane &lane : lanes_.lanes) {
      turns_.emplace_back();
      size_t outside = 0;
      for (const LaneStep &step : lane.steps)
        turns_.back().push_back(step.isOutside ? 2 * ++outside : 2 * outside + 1);
      turns_.back().push_back(2 * outside + 3);
    }
  }

  size_t turnOf(const Actor &actor) const {
    size_t index = static_cast<size_t>(&actor - actors_.data());
    return turns_[run_.order.strands[index].lane][actor.at];
  }

  // Others of its lane have not come so far, or those of other lanes not that far outside of the
  // roles.
  bool isAhead(size_t index) const {
    const Actor &actor = actors_[index];
    return llvm::any_of(llvm::enumerate(actors_), [&](auto other) {
      bool isMate = run_.order.strands[other.index()].lane == run_.order.strands[index].lane;
      return turnOf(other.value()) < turnOf(actor) || (isMate && other.value().at < actor.at);
    });
  }

  // What all make outside of the roles, the first lane notes.
  void noteMade(size_t index) {
    size_t lane = run_.order.strands[index].lane, at = actors_[index].at;
    const LaneStep &step = lanes_.lanes[lane].steps[at];
    bool isNoted = at < madeOf_[lane] || (step.isOutside && turns_[lane][at] <= outsideTurn_);
    if (isNoted)
      return;
    madeOf_[lane] = at + 1;
    if (step.isOutside)
      outsideTurn_ = turns_[lane][at];
    run_.made.push_back({lane, at});
  }

  void pass(size_t index) {
    ++actors_[index].at;
    actors_[index].hasCome = false;
    if (!notesKnowledge_)
      return;
    actors_[index].now[index] = static_cast<int32_t>(actors_[index].at);
    note(index);
  }

  // What the thread knows before the step where it stands.
  void note(size_t index) {
    const Actor &actor = actors_[index];
    std::copy(actor.now.begin(), actor.now.end(),
              run_.order.known[index].begin() + static_cast<ptrdiff_t>(actor.at * width()));
  }

  // False: the thread has to wait.
  bool make(size_t index, const LaneStep &step) {
    const AccessNode &node = program_.nodes[step.node];
    if (step.isOpaque) {
      isFollowed_ &= !holdsSynchronisation(step.node);
      return true;
    }
    switch (node.kind) {
    case AccessNode::Kind::WaitPhase:
      return waitPhase(index, step);
    case AccessNode::Kind::Arrive:
      arrive(index, step, node);
      return true;
    case AccessNode::Kind::Expect:
      addBytes(index, step, step.mbarrier, node.bytes);
      return true;
    case AccessNode::Kind::Barrier:
      isFollowed_ &= node.scope == BarrierScope::Block || hasSeveralWarps(index);
      return node.scope != BarrierScope::Block || meet(index, BlockBarrier, program_.threads);
    case AccessNode::Kind::NamedBarrier:
      isFollowed_ &= node.threads > 0 && node.barrierId > 0;
      return meet(index, node.barrierId, node.threads);
    default:
      for (auto [at, access] : llvm::enumerate(node.accesses))
        if (access.mbarrier)
          copy(index, step, step.mbarriersOf[at], access.bytes);
      return true;
    }
  }

  // Threads of other warps are not ordered by what a warp does.
  bool hasSeveralWarps(size_t index) const { return laneOf(index).threads > 32; }

  bool holdsSynchronisation(uint32_t index) const {
    const AccessNode &node = program_.nodes[index];
    // What becomes of copies there, `step_races` doubts.
    bool isOfCopies = node.kind == AccessNode::Kind::Commit || node.kind == AccessNode::Kind::Wait;
    bool isOfOrder = isLeaf(node) && node.kind != AccessNode::Kind::Leaf && !isOfCopies;
    return isOfOrder ||
           llvm::any_of(node.accesses, [](const Access &a) { return a.mbarrier.has_value(); }) ||
           llvm::any_of(node.children, [&](uint32_t child) { return holdsSynchronisation(child); });
  }

  // ---- mbarriers

  bool waitPhase(size_t index, const LaneStep &step) {
    isFollowed_ &= step.mbarrier != LaneStep::Unknown && step.parity != LaneStep::Unknown;
    if (!isFollowed_)
      return false;
    const Mbarrier &mbarrier = mbarriers_[static_cast<size_t>(step.mbarrier)];
    if (mbarrier.ended % 2 == step.parity)
      return false;
    if (mbarrier.ended != 0)
      join(actors_[index].now, mbarrier.over);
    return true;
  }

  // Threads that arrive together must not end a phase halfway.
  void arrive(size_t index, const LaneStep &step, const AccessNode &node) {
    isFollowed_ &= step.mbarrier != LaneStep::Unknown && node.count > 0;
    if (!isFollowed_)
      return;
    Mbarrier &mbarrier = mbarriers_[static_cast<size_t>(step.mbarrier)];
    int64_t count = node.count * (node.oneThread ? 1 : actors_[index].weight);
    isFollowed_ &= count <= mbarrier.pending;
    join(mbarrier.arrived, actors_[index].now);
    if (notesKnowledge_)
      mbarrier.arrived[index] =
          std::max(mbarrier.arrived[index], static_cast<int32_t>(actors_[index].at + 1));
    mbarrier.pending -= count;
    test(static_cast<size_t>(step.mbarrier));
  }

  void addBytes(size_t index, const LaneStep &step, int number, int64_t bytes) {
    bool isByOne = program_.nodes[step.node].oneThread || actors_[index].weight == 1;
    bool isOneStrand = program_.nodes[step.node].oneThread || laneOf(index).threads == 1;
    isFollowed_ &= number != LaneStep::Unknown && bytes != 0 && isByOne && isOneStrand;
    if (!isFollowed_)
      return;
    mbarriers_[static_cast<size_t>(number)].bytes += bytes;
    test(static_cast<size_t>(number));
  }

  // Arrives in the phase that is open.
  void copy(size_t index, const LaneStep &step, int number, int64_t bytes) {
    isFollowed_ &= number != LaneStep::Unknown && bytes > 0;
    if (!isFollowed_)
      return;
    int32_t phases = mbarriers_[static_cast<size_t>(number)].ended + 1;
    if (notesKnowledge_)
      run_.order.arrivals[run_.order.strands[index].lane][actors_[index].at].push_back(
          {number, phases});
    addBytes(index, step, number, -bytes);
  }

  void test(size_t number) {
    Mbarrier &mbarrier = mbarriers_[number];
    if (mbarrier.pending != 0 || mbarrier.bytes != 0)
      return;
    ++mbarrier.ended;
    mbarrier.pending = program_.mbarriers[number].arrivals;
    mbarrier.over = mbarrier.arrived;
    if (notesKnowledge_)
      mbarrier.over[run_.order.strands.size() + number] = mbarrier.ended;
  }

  // ---- Barriers

  bool meet(size_t index, int64_t barrier, int64_t threads) {
    Actor &actor = actors_[index];
    if (actor.hasCome)
      return false;
    actor.hasCome = true;
    Meeting &meeting = meetings_[barrier];
    bool isByOne = program_.nodes[stepsOf(actor)[actor.at].node].oneThread;
    meeting.threads += isByOne ? 1 : actor.weight;
    meeting.who.push_back(index);
    meeting.known.resize(width());
    join(meeting.known, actor.now);
    isFollowed_ &= threads > 0 && meeting.threads <= threads;
    if (meeting.threads != threads)
      return false;
    // The last one lets the others go on; it goes on itself when this returns.
    Meeting met = std::move(meeting);
    meetings_.erase(barrier);
    for (size_t who : met.who) {
      join(actors_[who].now, met.known);
      if (who != index)
        pass(who);
    }
    return true;
  }

  const AccessProgram &program_;
  const LaneSteps &lanes_;
  bool isAbreast_;
  bool notesKnowledge_;
  LaneRun run_;
  std::vector<Actor> actors_;              // as run_.order.strands
  std::vector<std::vector<size_t>> turns_; // per lane: of each step, and of its end
  std::vector<size_t> madeOf_;             // per lane: steps before this one are noted, if made
  size_t outsideTurn_ = 0;                 // of the last step outside of the roles that is noted
  std::vector<Mbarrier> mbarriers_;
  std::map<int64_t, Meeting> meetings_; // that some wait for
  bool isFollowed_ = true;
};

} // namespace

LaneRun runLanes(const AccessProgram &program, const LaneSteps &lanes, size_t outsideLane) {
  return Runner(program, lanes, outsideLane, Noted::Knowledge).run();
}

StmtId stuckAt(const AccessProgram &program, const LaneSteps &lanes, size_t outsideLane) {
  return Runner(program, lanes, outsideLane, Noted::Stuck).run().stuckAt;
}

LaneRun runAbreast(const AccessProgram &program, const LaneSteps &lanes) {
  return Runner(program, lanes, 0, Noted::Abreast).run();
}

} // namespace tilescope
