#include "core/check/step_races.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>

namespace tilescope {

namespace {

constexpr size_t MaxTouches = 1 << 17; // and of the slots that they may be of
constexpr size_t MaxPairs = 1 << 21;
constexpr int64_t MaxBytes = 1 << 24; // of which it is asked which threads touch them

constexpr int32_t Never = -1;        // a step: no wait covers the access
constexpr int32_t FirstInLanes = -1; // downwards, of steps of all lanes that stand in lanes

// A lane and its step; of a step that all lanes make, no lane and its number among those.
using Place = std::pair<size_t, int32_t>;

// An access as one strand makes it at one step.
struct Touch {
  const Access *access = nullptr;
  uint32_t node = 0;
  uint32_t strand = 0;
  int32_t step = 0;
  int32_t overAt = Never; // the step of the strand at which it is over; of a copy that an mbarrier
                          // counts it is not used
  int32_t mayBeOverAt = Never; // of a copy: the first step in which there may be a wait for it
  bool isSlotKnown = false;
  bool isRepeated = false; // it stands inside of a step, which makes it any number of times
  bool isOnce = false;     // though it does, each thread that is known to touch it does so once
  // What its strand knows there, and where that is: asked of each pair that it is in.
  llvm::ArrayRef<int32_t> known;
  Place place;
  llvm::ArrayRef<PhaseNeed> needs; // of a copy that an mbarrier counts: when it has arrived
};

// It is made, once, and touches this slot.
bool isSure(const Touch &touch) {
  return touch.isSlotKnown && !touch.isRepeated && !touch.access->mayNotHappen;
}

// What TMA and wgmma do is one operation of whoever makes it, on all of its elements.
bool isWhole(const Touch &touch) { return touch.access->full && touch.access->isOfAsyncProxy; }

bool mayConflict(const Access &x, const Access &y) {
  bool isWritten = x.kind == AccessKind::Write || y.kind == AccessKind::Write;
  return isWritten && !(x.atomic && y.atomic);
}

// Of one buffer: no element of it is in both boxes.
bool areApart(const Access &x, const Access &y) {
  return x.box.size() == y.box.size() && llvm::any_of(llvm::zip(x.box, y.box), [](auto pair) {
           auto &[one, other] = pair;
           return one.end <= other.begin || other.end <= one.begin;
         });
}

class RaceFinder {
public:
  RaceFinder(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
             const StepOrder &order)
      : program_(program), order_(order), width_(order.knownAt(0, 0).size()),
        bytes_(program.buffers.size()) {
    for (const BufferBytes &place : bytes)
      if (std::optional<size_t> buffer = indexOf(program, place.buffer))
        bytes_[*buffer] = place;
    for (const AccessBuffer &buffer : program.buffers) {
      firstSlot_.push_back(owners_.size());
      for (int64_t slot = 0; slot < std::max<int64_t>(buffer.versions, 1); ++slot)
        owners_.push_back({firstSlot_.size() - 1, slot});
    }
    bySlot_.resize(owners_.size());
    for (auto [number, lane] : llvm::enumerate(order.lanes.lanes))
      placeSteps(number, lane);
    fences_.resize(order.strands.size());
  }

  StepRaces run() {
    for (uint32_t strand = 0; strand != order_.strands.size(); ++strand)
      collect(strand);
    for (size_t slot = 0; slot != bySlot_.size(); ++slot)
      series_.push_back(seriesOf(slot));
    for (size_t a = 0; a != bySlot_.size(); ++a)
      for (size_t b = a; b != bySlot_.size() && !result_.isTooMuch; ++b)
        if (share(a, b))
          compareSlots(a, b);
    for (auto &[key, race] : found_)
      result_.races.push_back(race);
    return std::move(result_);
  }

  bool areOverAt(llvm::ArrayRef<uint32_t> barriers) {
    for (uint32_t strand = 0; strand != order_.strands.size(); ++strand)
      collect(strand);
    for (auto [at, step] : llvm::enumerate(order_.stepsOf(0)))
      if (llvm::is_contained(barriers, step.node) && !areOverBehind(static_cast<int32_t>(at)))
        return false;
    return !result_.isTooMuch;
  }

private:
  struct Owner {
    size_t buffer = 0;
    int64_t slot = 0;
  };

  // Steps that all lanes make alike: outside of the roles by their order, in lanes by which time it
  // is of their statement.
  void placeSteps(size_t number, const Lane &lane) {
    const size_t all = order_.lanes.lanes.size();
    int32_t count = 0;
    std::map<StmtId, int32_t> times;
    places_.emplace_back();
    for (auto [at, step] : llvm::enumerate(lane.steps)) {
      const AccessNode &node = program_.nodes[step.node];
      Place place(number, static_cast<int32_t>(at));
      if (step.isOutside)
        place = {all, count++};
      else if (node.isOfAllLanes && !step.isOpaque)
        place = {all, FirstInLanes - commonInLanes_
                                         .try_emplace({node.stmt, times[node.stmt]++},
                                                      static_cast<int32_t>(commonInLanes_.size()))
                                         .first->second};
      places_.back().push_back(place);
    }
  }

  // The same for all lanes that make an access alike.
  const Access *accessOf(const Touch &touch) {
    const AccessNode &node = program_.nodes[touch.node];
    if (!node.isOfAllLanes || touch.isRepeated)
      return touch.access;
    auto index = touch.access - node.accesses.data();
    return firstOfLanes_.try_emplace({node.stmt, index}, touch.access).first->second;
  }

  // ---- What each strand touches -----------------------------------------------------------------

  // Groups of one queue of a strand, the oldest first, and behind them what is in none yet.
  struct Groups {
    std::vector<size_t> touches;
    std::vector<size_t> ends; // of the groups, in `touches`
    size_t over = 0;          // so many groups are over
  };

  void collect(uint32_t strand) {
    std::map<uint32_t, Groups> queues;
    for (auto [at, step] : llvm::enumerate(order_.stepsOf(strand))) {
      if (!order_.makes(program_, strand, step))
        continue;
      auto place = static_cast<int32_t>(at);
      const AccessNode &node = program_.nodes[step.node];
      if (step.isOpaque)
        collectUnder(step.node, true, strand, place, queues);
      else if (node.kind == AccessNode::Kind::Commit)
        queues[node.queue].ends.push_back(queues[node.queue].touches.size());
      else if (node.kind == AccessNode::Kind::Wait)
        wait(queues[node.queue], node.pending, place);
      else if (node.kind == AccessNode::Kind::ProxyFence)
        fences_[strand].push_back(place);
      else
        for (auto [access, slot] : llvm::zip(node.accesses, step.slotsOf))
          add({&access, step.node, strand, place, place, Never, slot != LaneStep::Unknown, false},
              slot, queues);
    }
  }

  // `isOnce`: nothing around it but conditions on the thread, of which `touchedBy` knows.
  void collectUnder(uint32_t index, bool isOnce, uint32_t strand, int32_t place,
                    std::map<uint32_t, Groups> &queues) {
    const AccessNode &node = program_.nodes[index];
    if (result_.isTooMuch)
      return;
    bool isDivided = node.kind == AccessNode::Kind::If && node.isDivergent;
    isOnce &=
        isDivided || node.kind == AccessNode::Kind::Seq || node.kind == AccessNode::Kind::Leaf;
    // How often it waits there, and for which groups, is not followed.
    if (node.kind == AccessNode::Kind::Wait || node.kind == AccessNode::Kind::Commit)
      loseCount(queues[node.queue], place);
    for (const Access &access : node.accesses)
      add({&access, index, strand, place, place, Never, false, true,
           isOnce && access.touchedBy != 0},
          LaneStep::Unknown, queues);
    for (uint32_t child : node.children)
      collectUnder(child, isOnce, strand, place, queues);
  }

  void add(Touch touch, int slot, std::map<uint32_t, Groups> &queues) {
    if (result_.isTooMuch)
      return;
    std::optional<size_t> buffer = indexOf(program_, touch.access->buffer);
    if (!buffer)
      return;
    bool isQueued = touch.access->async && !touch.access->mbarrier;
    if (isQueued) {
      touch.overAt = Never;
      queues[touch.access->queue].touches.push_back(touches_.size());
    }
    int64_t count = std::max<int64_t>(program_.buffers[*buffer].versions, 1);
    touch.isSlotKnown |= count == 1;
    touch.known = knownAt(touch.strand, touch.step);
    size_t lane = order_.strands[touch.strand].lane, step = static_cast<size_t>(touch.step);
    touch.place = places_[lane][step];
    if (touch.access->mbarrier)
      touch.needs = order_.arrivals[lane][step];
    bool isOne = slot >= 0 && slot < count;
    result_.isTooMuch |= (entries_ += isOne ? 1 : static_cast<size_t>(count)) > MaxTouches;
    for (int64_t at = isOne ? slot : 0; at != (isOne ? slot + 1 : count); ++at)
      bySlot_[firstSlot_[*buffer] + static_cast<size_t>(at)].push_back(touches_.size());
    touches_.push_back(touch);
  }

  // In `touches`: what is not over begins here.
  static size_t beginOf(const Groups &groups) {
    return groups.over == 0 ? 0 : groups.ends[groups.over - 1];
  }

  void loseCount(const Groups &groups, int32_t place) {
    for (size_t touch : llvm::ArrayRef(groups.touches).drop_front(beginOf(groups)))
      if (touches_[touch].mayBeOverAt == Never)
        touches_[touch].mayBeOverAt = place;
  }

  void wait(Groups &groups, int64_t pending, int32_t place) {
    size_t begin = beginOf(groups);
    while (static_cast<int64_t>(groups.ends.size() - groups.over) > pending)
      ++groups.over;
    for (; begin != beginOf(groups); ++begin)
      touches_[groups.touches[begin]].overAt = place;
  }

  // ---- Pairs ------------------------------------------------------------------------------------

  std::pair<int64_t, int64_t> rangeOf(const Owner &owner) const {
    const BufferBytes &place = *bytes_[owner.buffer];
    int64_t begin = place.offsetBytes + owner.slot * place.strideBytes;
    return {begin, begin + place.sizeBytes};
  }

  bool share(size_t a, size_t b) const {
    if (owners_[a].buffer == owners_[b].buffer)
      return a == b;
    if (!bytes_[owners_[a].buffer] || !bytes_[owners_[b].buffer])
      return false;
    auto [beginA, endA] = rangeOf(owners_[a]);
    auto [beginB, endB] = rangeOf(owners_[b]);
    return beginA < endB && beginB < endA;
  }

  // All of `b` lies in `a`, so that what touches all of `a` meets whatever touches `b`.
  bool contains(size_t a, size_t b) const {
    if (a == b)
      return true;
    auto [beginA, endA] = rangeOf(owners_[a]);
    auto [beginB, endB] = rangeOf(owners_[b]);
    return beginA <= beginB && endB <= endA;
  }

  // What one strand touches of a slot by one access, the earliest first.
  struct Series {
    std::vector<size_t> touches;
    bool isOverInOrder = true; // whenever one is over, those before it are
  };

  std::vector<Series> seriesOf(size_t slot) const {
    std::vector<Series> series;
    llvm::SmallDenseMap<std::pair<const Access *, uint32_t>, size_t, 32> numbers;
    for (size_t at : bySlot_[slot]) {
      const Touch &touch = touches_[at];
      auto [number, isNew] = numbers.try_emplace({touch.access, touch.strand}, series.size());
      if (isNew)
        series.emplace_back();
      Series &own = series[number->second];
      own.isOverInOrder &= isNew || isOverBy(touches_[own.touches.back()], touch);
      own.touches.push_back(at);
    }
    return series;
  }

  // Both are made by one access of one strand.
  bool isOverBy(const Touch &earlier, const Touch &later) const {
    if (!earlier.access->mbarrier)
      return later.overAt == Never || (earlier.overAt != Never && earlier.overAt <= later.overAt);
    return earlier.needs.size() == later.needs.size() &&
           llvm::all_of(llvm::zip(earlier.needs, later.needs), [](auto needs) {
             auto &[one, other] = needs;
             return one.mbarrier != PhaseNeed::Nothing && one.mbarrier == other.mbarrier &&
                    one.phases <= other.phases;
           });
  }

  void compareSlots(size_t a, size_t b) {
    const std::vector<Series> &first = series_[a], &second = series_[b];
    for (auto [at, xs] : llvm::enumerate(first))
      for (const Series &ys : llvm::ArrayRef<Series>(second).drop_front(a == b ? at : 0)) {
        const Access &x = *touches_[xs.touches[0]].access, &y = *touches_[ys.touches[0]].access;
        if (mayConflict(x, y) && !(a == b && areApart(x, y)))
          compareSeries(xs, ys, a, b);
      }
  }

  void compareSeries(const Series &xs, const Series &ys, size_t a, size_t b) {
    // By bounds, and where no fence is asked for, all pairs that have an order of the two
    // statements have one finding.
    bool isOneFinding = !order_.outsideLane && touches_[xs.touches[0]].access->isOfAsyncProxy ==
                                                   touches_[ys.touches[0]].access->isOfAsyncProxy;
    bool isFound[] = {false, false};
    for (auto [at, x] : llvm::enumerate(xs.touches)) {
      llvm::ArrayRef<size_t> others = ys.touches;
      for (size_t y :
           unorderedWith(touches_[x], others.drop_front(&xs == &ys ? at : 0), ys.isOverInOrder)) {
        result_.isTooMuch |= ++pairs_ > MaxPairs;
        if (result_.isTooMuch)
          return;
        bool isTurned = a == b && y < x;
        if (!isFound[isTurned])
          isFound[isTurned] =
              compare(touches_[isTurned ? y : x], touches_[isTurned ? x : y], a, b) && isOneFinding;
      }
    }
  }

  // What a thread knows it knows from then on. So if x is over before one of a series, it is before
  // all that follow; and if one is over before x, so are those before it, in a series whose touches
  // are over in order.
  llvm::ArrayRef<size_t> unorderedWith(const Touch &x, llvm::ArrayRef<size_t> series,
                                       bool isOverInOrder) const {
    auto precedes = [&](const Touch &one, const Touch &other) {
      return isOver(one, other) && isSeen(one, other);
    };
    auto isFree = [&](size_t y) { return !precedes(x, touches_[y]); };
    auto isDone = [&](size_t y) { return precedes(touches_[y], x); };
    const size_t *end = llvm::partition_point(series, isFree);
    const size_t *begin =
        isOverInOrder ? std::partition_point(series.begin(), end, isDone) : series.begin();
    return {begin, end};
  }

  // True: there is a finding.
  bool compare(const Touch &x, const Touch &y, size_t slotX, size_t slotY) {
    bool isOfOneThread = x.access->sameThreadToken != 0 && slotX == slotY &&
                         x.access->sameThreadToken == y.access->sameThreadToken;
    bool isAtOnce = !x.access->async && !y.access->async;
    if ((isOfOneThread && (isAtOnce || areInOtherLanes(x, y))) || isOneStatement(x, y) ||
        meet(x, y, slotX, slotY) == Meeting::SameThread)
      return false;
    bool isOverX = isOver(x, y);
    if (isOverX && isSeen(x, y))
      return false;
    bool isOverY = isOver(y, x);
    if (isOverY && isSeen(y, x))
      return false;
    const Touch &first = isOverY ? y : x, &second = isOverY ? x : y;
    // What bounds do not order may be in order all the same.
    bool isRun = order_.outsideLane.has_value();
    bool doMeet = isRun && meetForSure(x, y, slotX, slotY);
    // Of a read that is over no copy takes anything, whatever the memory model says of fences.
    if (isOverX || isOverY)
      report(first, second, HazardFault::Kind::NotFenced,
             doMeet && first.access->kind == AccessKind::Write);
    else
      report(first, second, HazardFault::Kind::Unordered,
             isRun && ((doMeet && !mayBeOver(x, y) && !mayBeOver(y, x)) ||
                       isInFlight(x, y, slotX, slotY) || isInFlight(y, x, slotY, slotX) ||
                       meetsSome(x, y) || meetsSome(y, x) || meetsOthers(x, y, slotX, slotY)));
    return true;
  }

  // No thread makes both: what is of one thread, whenever it is touched, they do not share.
  bool areInOtherLanes(const Touch &x, const Touch &y) const {
    const Strand &a = order_.strands[x.strand], &b = order_.strands[y.strand];
    return a.lane != b.lane && !a.isOutside && !b.isOutside;
  }

  // By the threads that touch each element; what goes on by itself is no thread's.
  Meeting meet(const Touch &x, const Touch &y, size_t slotX, size_t slotY) {
    auto byOf = [&](const Touch &touch) -> const ElementThreads * {
      uint32_t number = touch.access->touchedBy;
      return number == 0 || number > program_.elementThreads.size()
                 ? nullptr
                 : &program_.elementThreads[number - 1];
    };
    const ElementThreads *byX = byOf(x), *byY = byOf(y);
    bool isSameSlot = slotX == slotY;
    auto areKnown = [&](size_t slot) { return bytes_[owners_[slot].buffer].has_value(); };
    if (!byX || !byY || !(isSameSlot || (areKnown(slotX) && areKnown(slotY))))
      return Meeting::Unknown;
    auto [known, isNew] = meetings_.try_emplace({byX, byY, slotX, slotY}, Meeting::Unknown);
    if (isNew)
      known->second = meetingOf(*byX, isSameSlot ? 0 : rangeOf(owners_[slotX]).first, *byY,
                                isSameSlot ? 0 : rangeOf(owners_[slotY]).first, bytesLeft_);
    bool isAtOnce = !x.access->async && !y.access->async;
    return known->second == Meeting::SameThread && !isAtOnce ? Meeting::Unknown : known->second;
  }

  // Whichever two threads do that touch one byte, nothing orders them.
  bool meetsOthers(const Touch &x, const Touch &y, size_t slotX, size_t slotY) {
    if (x.strand == y.strand || !(isSure(x) || isSureOfThreads(x)) ||
        !(isSure(y) || isSureOfThreads(y)) || meet(x, y, slotX, slotY) != Meeting::OtherThread)
      return false;
    return llvm::all_of(madeWith(x), [&](size_t mine) {
      return llvm::all_of(madeWith(y), [&](size_t other) {
        const Touch &first = touches_[mine], &second = touches_[other];
        return first.strand == second.strand ||
               (!mayBeOver(first, second) && !mayBeOver(second, first));
      });
    });
  }

  // Made at once by the threads that make it: what its own threads do to each other is asked of the
  // statement. So is all that one thread does in a step itself.
  bool isOneStatement(const Touch &x, const Touch &y) const {
    if (x.place != y.place)
      return false;
    bool isOfOneThread = x.strand == y.strand && order_.strands[x.strand].threads == 1;
    return !x.isRepeated || (isOfOneThread && !x.access->async && !y.access->async);
  }

  llvm::ArrayRef<int32_t> knownAt(uint32_t strand, int32_t step) const {
    return {order_.known[strand].data() + static_cast<size_t>(step) * width_, width_};
  }

  bool isOver(const Touch &x, const Touch &y) const { return isOverWhere(x, y.known); }

  bool isOverWhere(const Touch &x, llvm::ArrayRef<int32_t> known) const {
    if (!x.access->mbarrier)
      return x.overAt != Never && known[x.strand] > x.overAt;
    return !x.needs.empty() && llvm::all_of(x.needs, [&](const PhaseNeed &need) {
      return need.mbarrier != PhaseNeed::Nothing &&
             need.phases <= known[order_.strands.size() + static_cast<size_t>(need.mbarrier)];
    });
  }

  // Or may be, by what stands inside of a step.
  bool mayBeOver(const Touch &x, const Touch &y) const {
    return isOver(x, y) || (x.mayBeOverAt != Never && y.known[x.strand] > x.mayBeOverAt);
  }

  bool isSeen(const Touch &x, const Touch &y) const {
    return !y.access->isOfAsyncProxy || x.access->isOfAsyncProxy || isFencedByFirst(x, y) ||
           isFencedBySecond(x, y);
  }

  // Whoever made x has made a fence after it, and whoever makes y knows of that.
  bool isFencedByFirst(const Touch &x, const Touch &y) const {
    llvm::ArrayRef<int32_t> fences = fences_[x.strand];
    const int32_t *fence = llvm::lower_bound(fences, std::max(x.overAt, x.step));
    return fence != fences.end() && y.known[x.strand] > *fence;
  }

  // Whoever makes y has made a fence before it, and knew then that x was over (hazard_check.cpp).
  bool isFencedBySecond(const Touch &x, const Touch &y) const {
    llvm::ArrayRef<int32_t> fences = fences_[y.strand];
    const int32_t *behind = llvm::lower_bound(fences, y.step);
    return behind != fences.begin() && isOverWhere(x, knownAt(y.strand, *std::prev(behind)));
  }

  // By whatever a thread does behind the barrier.
  bool areOverBehind(int32_t barrier) const {
    Access any;
    any.isOfAsyncProxy = true;
    Touch later{&any};
    later.step = barrier + 1;
    for (later.strand = 0; later.strand != order_.strands.size(); ++later.strand) {
      later.known = knownAt(later.strand, later.step);
      for (const Touch &touch : touches_)
        if (touch.step < barrier && !(isOver(touch, later) && isSeen(touch, later)))
          return false;
    }
    return true;
  }

  // It is made, once, and touches this slot: by the threads that are known to touch its elements,
  // if there are any.
  static bool isSureOfThreads(const Touch &touch) {
    return touch.isSlotKnown && touch.isOnce && !touch.access->mayNotHappen;
  }

  // There is a byte that both touch.
  bool meetForSure(const Touch &x, const Touch &y, size_t slotX, size_t slotY) const {
    if (!isSure(x) || !isSure(y))
      return false;
    return (isWhole(x) && (isWhole(y) || contains(slotX, slotY))) ||
           (isWhole(y) && contains(slotY, slotX));
  }

  // Threads copy all of a slot together, each a part of it. One of them copies what is touched
  // here; if the copy of none of them is ordered with that, neither is its.
  bool isInFlight(const Touch &copy, const Touch &touch, size_t slotCopy, size_t slotTouch) {
    if (slotCopy != slotTouch || !copy.access->async || !copy.access->full || !isSure(copy) ||
        !isSure(touch))
      return false;
    return areUnordered(copy, touch);
  }

  // Threads touch all of a slot together, so one of them touches a byte of what is copied whole.
  bool meetsSome(const Touch &whole, const Touch &shared) {
    return isWhole(whole) && shared.access->full && isSure(whole) && isSure(shared) &&
           areUnordered(shared, whole);
  }

  // Whoever makes `shared`.
  bool areUnordered(const Touch &shared, const Touch &other) {
    return llvm::all_of(madeWith(shared), [&](size_t index) {
      return !mayBeOver(touches_[index], other) && !mayBeOver(other, touches_[index]);
    });
  }

  // An access as all strands make it at one place. Of a program without races nobody asks.
  llvm::ArrayRef<size_t> madeWith(const Touch &touch) {
    if (made_.empty())
      for (auto [index, made] : llvm::enumerate(touches_))
        if (made.access->async || made.access->full || made.access->touchedBy != 0)
          made_[{accessOf(made), made.place}].push_back(index);
    return made_.at({accessOf(touch), touch.place});
  }

  void report(const Touch &first, const Touch &second, HazardFault::Kind kind, bool isCertain) {
    StepRace race;
    race.fault.kind = kind;
    race.fault.first = first.access->buffer;
    race.fault.second = second.access->buffer;
    race.fault.firstStmt = program_.nodes[first.node].stmt;
    race.fault.secondStmt = program_.nodes[second.node].stmt;
    race.isCertain = isCertain;
    // What is compared next is mostly the same again, at other steps.
    Key key = {first.node, second.node, race.fault.first, race.fault.second,
               static_cast<int>(kind)};
    if (!last_ || last_->first != key)
      last_ = &*found_.try_emplace(key, race).first;
    last_->second.isCertain |= isCertain;
  }

  // An access at one place, by whichever strands make it there.
  using Made = std::pair<const Access *, Place>;
  using Key = std::tuple<uint32_t, uint32_t, BufferId, BufferId, int>;

  const AccessProgram &program_;
  const StepOrder &order_;
  size_t width_;                                  // figures of a step
  std::vector<std::optional<BufferBytes>> bytes_; // per buffer; nothing: storage of its own
  std::vector<size_t> firstSlot_;                 // per buffer: into owners_
  std::vector<Owner> owners_;                     // of all slots
  std::vector<std::vector<size_t>> bySlot_;       // indices into touches_
  std::vector<std::vector<Series>> series_;       // of each slot
  std::vector<Touch> touches_;
  std::vector<std::vector<int32_t>> fences_;                    // per strand: the steps, in order
  std::vector<std::vector<Place>> places_;                      // per lane and step
  std::map<std::pair<StmtId, int32_t>, int32_t> commonInLanes_; // by statement and time
  std::map<std::pair<StmtId, ptrdiff_t>, const Access *> firstOfLanes_;
  // Of asynchronous ones and of those of all elements: indices into touches_. Empty: nobody asked.
  std::map<Made, std::vector<size_t>> made_;
  std::map<std::tuple<const ElementThreads *, const ElementThreads *, size_t, size_t>, Meeting>
      meetings_; // of two slots
  std::map<Key, StepRace> found_;
  std::pair<const Key, StepRace> *last_ = nullptr; // of found_, reported last
  size_t pairs_ = 0, entries_ = 0;
  int64_t bytesLeft_ = MaxBytes;
  StepRaces result_;
};

} // namespace

StepRaces findStepRaces(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                        const StepOrder &order) {
  return RaceFinder(program, bytes, order).run();
}

bool areOver(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
             const StepOrder &order, llvm::ArrayRef<uint32_t> barriers) {
  return RaceFinder(program, bytes, order).areOverAt(barriers);
}

} // namespace tilescope
