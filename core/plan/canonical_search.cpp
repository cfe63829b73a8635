#include "core/plan/canonical_search.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

namespace tilescope {

namespace {

constexpr size_t MaxBoxes = 2000;
constexpr int64_t MaxUnits = std::numeric_limits<int32_t>::max() / 4;
constexpr int32_t Never = std::numeric_limits<int32_t>::max();
constexpr int64_t NodesBetweenPolls = 256;
constexpr size_t MaxRefreshes = 3;

} // namespace

class CanonicalSearch::State {
public:
  explicit State(const SearchProblem &problem);

  SearchOutcome run(const SearchGuide &guide, int64_t capacity, int64_t nodeBudget,
                    const std::function<bool()> &stop);

  Offsets found;
  int64_t nodes = 0;
  std::vector<int32_t> failures; // of a section, in this run

private:
  // What the boxes left in one section imply. Ends are lowest addresses plus sizes.
  struct SectionState {
    int32_t lowest = Never;
    int32_t firstEnd = Never; // least end, of box `first`
    int32_t secondEnd = Never;
    int32_t first = -1;

    friend bool operator==(const SectionState &, const SectionState &) = default;
  };

  // Before a change.
  struct BoxChange {
    int32_t box;
    int32_t lowest;
    int32_t floor;
  };
  struct SectionChange {
    int32_t section;
    SectionState state;
  };

  struct Box {
    int32_t size;
    int32_t alignment;
    int32_t firstEntry; // of its entries in sections_, one a section
    int32_t entryCount;
    int32_t firstSection; // hull
    int32_t lastSection;
    bool isPinned;
  };
  // One box in one section.
  struct Entry {
    int32_t section;
    int32_t position; // in the members of the section
  };
  struct Mark {
    size_t placed;
    size_t boxes;
    size_t sections;
  };

  void buildSections(const SearchProblem &problem);
  void buildNeighbours(const SearchProblem &problem);
  void addNeighbour(const SearchProblem &problem, int32_t box, int32_t other);
  void reset(const SearchGuide &guide);
  bool placePins();

  // Boxes of order_[begin, end) are left.
  SearchOutcome solve(int32_t begin, int32_t end);
  SearchOutcome solveParts(int32_t begin, int32_t end, int32_t firstSection, int32_t lastSection);
  bool comesBefore(int32_t box, int32_t other) const;
  int32_t chooseBox(int32_t begin, int32_t end) const;
  bool isDominant(int32_t box) const;

  bool place(int32_t box);
  void unplace(int32_t box);
  bool postpone(int32_t box);
  bool raise(int32_t box, int32_t lowest);
  bool raiseFloor(int32_t box, int32_t floor);
  void liftAbovePins(int32_t box, int32_t &address) const;
  int32_t leastSupport(int32_t box) const;

  bool propagate(bool fits);
  bool refresh(int32_t section);
  void markSections(int32_t box);
  Mark mark() const { return {placed_.size(), boxTrail_.size(), sectionTrail_.size()}; }
  void undo(const Mark &mark);

  llvm::ArrayRef<Entry> entriesOf(int32_t box) const {
    return llvm::ArrayRef(entries_).slice(boxes_[box].firstEntry, boxes_[box].entryCount);
  }
  llvm::ArrayRef<int32_t> neighboursOf(int32_t box) const {
    return llvm::ArrayRef(neighbours_)
        .slice(firstNeighbour_[box], firstNeighbour_[box + 1] - firstNeighbour_[box]);
  }
  llvm::ArrayRef<int32_t> membersOf(int32_t section) const {
    return llvm::ArrayRef(members_).slice(firstMember_[section], memberCount_[section]);
  }

  std::vector<Box> boxes_;
  std::vector<Entry> entries_;
  std::vector<int32_t> firstNeighbour_, neighbours_;
  std::vector<std::pair<int32_t, int32_t>> pins_;                         // box, offset
  std::vector<std::vector<std::pair<int32_t, int32_t>>> interferingPins_; // of a box: [begin, end)

  // The boxes left in a section are its first memberCount_ members.
  std::vector<int32_t> firstMember_, memberCount_, members_, memberEntry_;
  std::vector<int32_t> total_;    // of their sizes
  std::vector<int32_t> crossing_; // boxes left that are live before and after the end of a section
  std::vector<SectionState> states_;

  int32_t capacity_ = 0;
  int64_t lastNode_ = 0;
  const std::function<bool()> *stop_ = nullptr;
  std::vector<int32_t> order_, rank_, delay_;
  std::vector<char> isLeft_;
  // Of a box: the lowest address it can have, and the address that placed boxes leave it. Only
  // where they are the same it can be placed now.
  std::vector<int32_t> lowest_, floor_;
  std::vector<int32_t> dirty_; // sections to look at again
  std::vector<char> isDirty_;
  std::vector<int32_t> placed_;
  std::vector<BoxChange> boxTrail_;
  std::vector<SectionChange> sectionTrail_;
};

CanonicalSearch::State::State(const SearchProblem &problem) {
  size_t count = problem.boxes.size();
  for (size_t index = 0; index != count; ++index) {
    const SearchBox &box = problem.boxes[index];
    boxes_.push_back({static_cast<int32_t>(box.size), static_cast<int32_t>(box.alignment), 0, 0,
                      box.live.front().begin, box.live.back().end - 1, box.pinned.has_value()});
    if (box.pinned)
      pins_.emplace_back(index, *box.pinned);
  }
  buildSections(problem);
  buildNeighbours(problem);
  rank_.resize(count);
  isLeft_.resize(count);
  lowest_.resize(count);
  floor_.resize(count);
  isDirty_.resize(problem.sectionCount, false);
  found.resize(count);
  failures.resize(problem.sectionCount, 0);
}

void CanonicalSearch::State::buildSections(const SearchProblem &problem) {
  firstMember_.assign(problem.sectionCount + 1, 0);
  for (size_t box = 0; box != boxes_.size(); ++box) {
    boxes_[box].firstEntry = static_cast<int32_t>(entries_.size());
    for (const SectionRange &range : problem.boxes[box].live)
      for (int32_t section = range.begin; section != range.end; ++section) {
        entries_.push_back({section, firstMember_[section + 1]++});
      }
    boxes_[box].entryCount = static_cast<int32_t>(entries_.size()) - boxes_[box].firstEntry;
  }
  for (int32_t section = 0; section != problem.sectionCount; ++section)
    firstMember_[section + 1] += firstMember_[section];
  members_.resize(entries_.size());
  memberEntry_.resize(entries_.size());
  memberCount_.resize(problem.sectionCount);
  total_.resize(problem.sectionCount);
  crossing_.resize(problem.sectionCount);
  states_.resize(problem.sectionCount);
}

void CanonicalSearch::State::buildNeighbours(const SearchProblem &problem) {
  std::vector<std::vector<int32_t>> inSection(problem.sectionCount);
  std::vector<int32_t> seenBy(boxes_.size(), -1);
  for (size_t box = 0; box != boxes_.size(); ++box)
    for (const Entry &entry : entriesOf(static_cast<int32_t>(box)))
      inSection[entry.section].push_back(static_cast<int32_t>(box));
  interferingPins_.resize(pins_.empty() ? 0 : boxes_.size());
  firstNeighbour_ = {0};
  for (int32_t box = 0; box != static_cast<int32_t>(boxes_.size()); ++box) {
    seenBy[box] = box;
    for (const Entry &entry : entriesOf(box))
      for (int32_t other : inSection[entry.section])
        if (std::exchange(seenBy[other], box) != box)
          addNeighbour(problem, box, other);
    firstNeighbour_.push_back(static_cast<int32_t>(neighbours_.size()));
  }
  for (auto &pins : interferingPins_)
    std::sort(pins.begin(), pins.end());
}

void CanonicalSearch::State::addNeighbour(const SearchProblem &problem, int32_t box,
                                          int32_t other) {
  if (std::optional<int64_t> pin = problem.boxes[other].pinned)
    interferingPins_[box].emplace_back(*pin, *pin + boxes_[other].size);
  else
    neighbours_.push_back(other);
}

void CanonicalSearch::State::reset(const SearchGuide &guide) {
  delay_ = guide.delay;
  order_.clear();
  placed_.clear();
  boxTrail_.clear();
  sectionTrail_.clear();
  dirty_.clear();
  std::fill(isDirty_.begin(), isDirty_.end(), false);
  std::fill(failures.begin(), failures.end(), 0);
  std::fill(memberCount_.begin(), memberCount_.end(), 0);
  std::fill(total_.begin(), total_.end(), 0);
  std::fill(crossing_.begin(), crossing_.end(), 0);
  // Until a section is looked at, what it implies is nothing.
  std::fill(states_.begin(), states_.end(), SectionState{0, 0, 0, -1});
  std::fill(isLeft_.begin(), isLeft_.end(), false);
  for (size_t position = 0; position != guide.order.size(); ++position) {
    int32_t box = guide.order[position];
    rank_[box] = static_cast<int32_t>(position);
    lowest_[box] = floor_[box] = 0;
    if (boxes_[box].isPinned)
      continue;
    order_.push_back(box);
    isLeft_[box] = true;
    for (int32_t section = boxes_[box].firstSection; section != boxes_[box].lastSection; ++section)
      ++crossing_[section];
    for (int32_t at = 0; at != boxes_[box].entryCount; ++at) {
      Entry &entry = entries_[boxes_[box].firstEntry + at];
      entry.position = firstMember_[entry.section] + memberCount_[entry.section]++;
      members_[entry.position] = box;
      memberEntry_[entry.position] = boxes_[box].firstEntry + at;
      total_[entry.section] += boxes_[box].size;
    }
    markSections(box);
  }
}

// Pins stand before the search: other boxes lie below or above them.
bool CanonicalSearch::State::placePins() {
  for (auto [box, offset] : pins_) {
    found[box] = offset;
    if (offset + boxes_[box].size > capacity_)
      return false;
  }
  if (!pins_.empty())
    for (int32_t box : order_)
      if (!raiseFloor(box, 0))
        return false;
  return true;
}

SearchOutcome CanonicalSearch::State::run(const SearchGuide &guide, int64_t capacity,
                                          int64_t nodeBudget, const std::function<bool()> &stop) {
  capacity_ = static_cast<int32_t>(std::min(capacity, MaxUnits));
  lastNode_ = nodeBudget < INT64_MAX - nodes ? nodes + nodeBudget : INT64_MAX;
  stop_ = &stop;
  reset(guide);
  if (!propagate(placePins()))
    return SearchOutcome::Impossible;
  return solveParts(0, static_cast<int32_t>(order_.size()), 0,
                    static_cast<int32_t>(crossing_.size()));
}

// To an address that the pins which interfere with `box` allow: above those that it would overlap.
void CanonicalSearch::State::liftAbovePins(int32_t box, int32_t &address) const {
  address = static_cast<int32_t>(alignUp(address, boxes_[box].alignment));
  if (interferingPins_.empty())
    return;
  for (auto [begin, end] : interferingPins_[box])
    if (begin < address + boxes_[box].size && address < end)
      address = static_cast<int32_t>(alignUp(end, boxes_[box].alignment));
}

// Where a box can rest that does not lie at its floor: on a box that is left, or on a pin.
int32_t CanonicalSearch::State::leastSupport(int32_t box) const {
  int32_t support = Never;
  for (const Entry &entry : entriesOf(box)) {
    const SectionState &state = states_[entry.section];
    support = std::min(support, state.first == box ? state.secondEnd : state.firstEnd);
  }
  if (!interferingPins_.empty())
    for (auto [begin, end] : interferingPins_[box])
      if (end > lowest_[box])
        support = std::min(support, end);
  return support;
}

void CanonicalSearch::State::markSections(int32_t box) {
  for (const Entry &entry : entriesOf(box))
    if (!isDirty_[entry.section]) {
      isDirty_[entry.section] = true;
      dirty_.push_back(entry.section);
    }
}

bool CanonicalSearch::State::raise(int32_t box, int32_t lowest) {
  if (lowest == Never)
    return false;
  liftAbovePins(box, lowest);
  if (lowest + boxes_[box].size > capacity_)
    return false;
  boxTrail_.push_back({box, lowest_[box], floor_[box]});
  lowest_[box] = lowest;
  markSections(box);
  return true;
}

bool CanonicalSearch::State::raiseFloor(int32_t box, int32_t floor) {
  liftAbovePins(box, floor);
  if (floor <= floor_[box])
    return true;
  boxTrail_.push_back({box, lowest_[box], floor_[box]});
  floor_[box] = floor;
  if (floor <= lowest_[box])
    return true;
  lowest_[box] = floor;
  markSections(box);
  return floor + boxes_[box].size <= capacity_;
}

// Draws the conclusions of the header from one section.
bool CanonicalSearch::State::refresh(int32_t section) {
  SectionState state;
  for (int32_t box : membersOf(section)) {
    int32_t end = lowest_[box] + boxes_[box].size;
    state.lowest = std::min(state.lowest, lowest_[box]);
    if (end < state.firstEnd) {
      state.secondEnd = state.firstEnd;
      state.firstEnd = end;
      state.first = box;
    } else {
      state.secondEnd = std::min(state.secondEnd, end);
    }
  }
  if (memberCount_[section] == 0)
    return true;
  int32_t room = capacity_ - total_[section];
  if (state.lowest > room)
    return false;
  if (!(state == states_[section])) {
    sectionTrail_.push_back({section, states_[section]});
    states_[section] = state;
  }
  for (int32_t box : membersOf(section)) {
    int32_t others = state.first == box ? state.secondEnd : state.firstEnd;
    if (lowest_[box] >= others)
      continue;
    if (lowest_[box] > room && !raise(box, others))
      return false;
    if (lowest_[box] > floor_[box] && lowest_[box] < others) {
      int32_t support = leastSupport(box);
      if (support > lowest_[box] && !raise(box, support))
        return false;
    }
  }
  return true;
}

// To no fixpoint: a few refreshes of a section are worth their time, but boxes that rest on each
// other could raise themselves all the way up in small steps.
bool CanonicalSearch::State::propagate(bool fits) {
  size_t last = dirty_.size() * MaxRefreshes;
  for (size_t at = 0; at != dirty_.size(); ++at) {
    int32_t section = dirty_[at];
    isDirty_[section] = false;
    if (fits && at < last) {
      fits = refresh(section);
      failures[section] += !fits;
    }
  }
  dirty_.clear();
  return fits;
}

bool CanonicalSearch::State::place(int32_t box) {
  isLeft_[box] = false;
  placed_.push_back(box);
  found[box] = lowest_[box];
  for (const Entry &entry : entriesOf(box)) {
    int32_t last = firstMember_[entry.section] + --memberCount_[entry.section];
    int32_t position = entry.position;
    std::swap(members_[position], members_[last]);
    std::swap(memberEntry_[position], memberEntry_[last]);
    entries_[memberEntry_[last]].position = last;
    entries_[memberEntry_[position]].position = position;
    total_[entry.section] -= boxes_[box].size;
  }
  for (int32_t section = boxes_[box].firstSection; section != boxes_[box].lastSection; ++section)
    --crossing_[section];
  markSections(box);
  int32_t end = lowest_[box] + boxes_[box].size;
  for (int32_t other : neighboursOf(box))
    if (isLeft_[other] && floor_[other] < end && !raiseFloor(other, end))
      return false;
  return true;
}

// Members keep their order: the box is the one just behind those left.
void CanonicalSearch::State::unplace(int32_t box) {
  isLeft_[box] = true;
  for (const Entry &entry : entriesOf(box)) {
    ++memberCount_[entry.section];
    total_[entry.section] += boxes_[box].size;
  }
  for (int32_t section = boxes_[box].firstSection; section != boxes_[box].lastSection; ++section)
    ++crossing_[section];
}

void CanonicalSearch::State::undo(const Mark &mark) {
  for (; placed_.size() > mark.placed; placed_.pop_back())
    unplace(placed_.back());
  for (; boxTrail_.size() > mark.boxes; boxTrail_.pop_back()) {
    const BoxChange &change = boxTrail_.back();
    lowest_[change.box] = change.lowest;
    floor_[change.box] = change.floor;
  }
  for (; sectionTrail_.size() > mark.sections; sectionTrail_.pop_back())
    states_[sectionTrail_.back().section] = sectionTrail_.back().state;
}

// Not at its lowest address: it rests on something higher.
bool CanonicalSearch::State::postpone(int32_t box) {
  return raise(box, std::max(leastSupport(box), lowest_[box] + 1));
}

// A dominance rule: every box left that conflicts lies above `box` at its lowest address, so there
// it takes no room from any of them and no other address is better.
bool CanonicalSearch::State::isDominant(int32_t box) const {
  int32_t end = lowest_[box] + boxes_[box].size;
  return std::none_of(neighboursOf(box).begin(), neighboursOf(box).end(),
                      [&](int32_t other) { return isLeft_[other] && lowest_[other] < end; });
}

bool CanonicalSearch::State::comesBefore(int32_t box, int32_t other) const {
  return std::pair(lowest_[box], rank_[box]) < std::pair(lowest_[other], rank_[other]);
}

// Position in order_, or -1 if no box can be placed now.
int32_t CanonicalSearch::State::chooseBox(int32_t begin, int32_t end) const {
  int32_t best = -1, bestKey = Never;
  for (int32_t at = begin; at != end; ++at) {
    int32_t box = order_[at];
    if (lowest_[box] != floor_[box])
      continue;
    int32_t key = lowest_[box] + (delay_.empty() ? 0 : delay_[box]);
    if (key < bestKey || (key == bestKey && rank_[box] < rank_[order_[best]])) {
      best = at;
      bestKey = key;
    }
  }
  if (best < 0 || delay_.empty())
    return best;
  int32_t box = order_[best];
  for (int32_t from = -1; from != box;) {
    from = box;
    for (int32_t other : neighboursOf(from))
      if (isLeft_[other] && lowest_[other] == floor_[other] && comesBefore(other, box))
        box = other;
  }
  return static_cast<int32_t>(llvm::find(order_, box) - order_.begin());
}

SearchOutcome CanonicalSearch::State::solve(int32_t begin, int32_t end) {
  if (begin == end)
    return SearchOutcome::Found;
  Mark before = mark();
  while (true) {
    ++nodes;
    if (nodes > lastNode_ || (*stop_ && nodes % NodesBetweenPolls == 0 && (*stop_)()))
      return SearchOutcome::OutOfNodes;
    int32_t at = chooseBox(begin, end);
    if (at < 0)
      break;
    int32_t box = order_[at];
    std::swap(order_[at], order_[end - 1]);
    Mark unplaced = mark();
    if (propagate(place(box))) {
      SearchOutcome outcome =
          solveParts(begin, end - 1, boxes_[box].firstSection, boxes_[box].lastSection);
      if (outcome != SearchOutcome::Impossible)
        return outcome;
    }
    undo(unplaced);
    if (isDominant(box) || !propagate(postpone(box)))
      break;
  }
  undo(before);
  return SearchOutcome::Impossible;
}

// The boxes left may fall apart where nothing crosses from one section to the next any more. Few
// boxes first: a part that fails saves the others.
SearchOutcome CanonicalSearch::State::solveParts(int32_t begin, int32_t end, int32_t firstSection,
                                                 int32_t lastSection) {
  bool mayFallApart = std::find(crossing_.begin() + firstSection, crossing_.begin() + lastSection,
                                0) != crossing_.begin() + lastSection;
  if (!mayFallApart)
    return solve(begin, end);
  std::sort(order_.begin() + begin, order_.begin() + end,
            [&](int32_t a, int32_t b) { return boxes_[a].firstSection < boxes_[b].firstSection; });
  llvm::SmallVector<std::pair<int32_t, int32_t>> parts; // [begin, end)
  int32_t reach = -1;
  for (int32_t at = begin; at != end; ++at) {
    const Box &box = boxes_[order_[at]];
    if (box.firstSection > reach)
      parts.emplace_back(at, at);
    parts.back().second = at + 1;
    reach = std::max(reach, box.lastSection);
  }
  llvm::stable_sort(parts, [](auto a, auto b) { return a.second - a.first < b.second - b.first; });
  for (auto [partBegin, partEnd] : parts)
    if (SearchOutcome outcome = solve(partBegin, partEnd); outcome != SearchOutcome::Found)
      return outcome;
  return SearchOutcome::Found;
}

bool CanonicalSearch::canSearch(const SearchProblem &problem) {
  int64_t units = 0;
  for (const SearchBox &box : problem.boxes) {
    units += std::max(box.size + box.alignment, box.pinned.value_or(0) + box.size);
    if (units > MaxUnits)
      return false;
  }
  return problem.boxes.size() <= MaxBoxes;
}

CanonicalSearch::CanonicalSearch(const SearchProblem &problem)
    : state_(std::make_unique<State>(problem)) {}
CanonicalSearch::~CanonicalSearch() = default;

SearchOutcome CanonicalSearch::run(const SearchGuide &guide, int64_t capacity, int64_t nodeBudget,
                                   const std::function<bool()> &stop) {
  return state_->run(guide, capacity, nodeBudget, stop);
}

const Offsets &CanonicalSearch::offsets() const { return state_->found; }
int64_t CanonicalSearch::nodes() const { return state_->nodes; }
llvm::ArrayRef<int32_t> CanonicalSearch::failures() const { return state_->failures; }

} // namespace tilescope
