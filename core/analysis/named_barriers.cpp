#include "core/analysis/named_barriers.h"

#include "core/analysis/active_threads.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

namespace tilescope {

namespace {

using Meeting = NamedBarrierPlace::Meeting;

constexpr size_t WarpThreads = 32;

class BarrierWalk {
public:
  explicit BarrierWalk(const Function &function) : active_(function, OpScope::Block) {}

  std::vector<NamedBarrierPlace> run() {
    active_.walk([this](const OpStmt &op) {
      if (op.opInfo().sync == OpSync::NamedBarrier)
        add(op);
    });
    for (auto [place, who] : llvm::zip(places_, who_))
      judge(place, who);
    return std::move(places_);
  }

private:
  void add(const OpStmt &op) {
    const std::vector<bool> &threads = active_.threads();
    NamedBarrierPlace place{.op = &op, .dividedBy = active_.dividedBy()};
    if (active_.areKnown())
      place.threads = llvm::count(threads, true);
    place.hasParts = active_.areKnown() && hasPartsOfWarps(threads);
    place.isOfAll = !place.dividedBy && place.threads == op.attr(Attr::Threads);
    placesOf_[op.attr(Attr::Number)].push_back(places_.size());
    places_.push_back(place);
    who_.push_back(threads);
  }

  static bool hasPartsOfWarps(const std::vector<bool> &threads) {
    for (size_t thread = 0; thread != threads.size(); ++thread)
      if (threads[thread] != threads[thread - thread % WarpThreads])
        return true;
    return false;
  }

  // Who meets, all places of one number decide.
  void judge(NamedBarrierPlace &place, const std::vector<bool> &who) const {
    int64_t wanted = place.op->attr(Attr::Threads);
    std::vector<bool> any(who.size(), false);
    bool isKnown = true, areAlike = true;
    for (size_t at : placesOf_.at(place.op->attr(Attr::Number))) {
      const NamedBarrierPlace &other = places_[at];
      isKnown &= other.threads.has_value();
      areAlike &= who_[at] == who && other.op->attr(Attr::Waits) != 0 &&
                  other.op->attr(Attr::Threads) == wanted;
      for (size_t thread = 0; thread != any.size() && thread < who_[at].size(); ++thread)
        any[thread] = any[thread] || who_[at][thread];
    }
    bool isTooMany = place.threads && *place.threads > wanted;
    bool isTooFew = isKnown && place.threads != 0 && llvm::count(any, true) < wanted;
    if (place.hasParts || (isKnown && areAlike && isTooMany) || isTooFew)
      place.meeting = Meeting::Wrong;
    else if (isKnown && areAlike && place.threads == wanted)
      place.meeting = Meeting::Fixed;
    place.isOfAll &= place.meeting == Meeting::Fixed;
  }

  ActiveThreads active_;
  std::vector<NamedBarrierPlace> places_;
  std::vector<std::vector<bool>> who_; // of each place
  std::map<int64_t, std::vector<size_t>> placesOf_;
};

bool isOneWarp(const std::vector<bool> &threads) {
  size_t first = static_cast<size_t>(llvm::find(threads, true) - threads.begin());
  size_t count = static_cast<size_t>(llvm::count(threads, true));
  return first % WarpThreads == 0 && count == WarpThreads && first + count <= threads.size() &&
         std::all_of(threads.begin() + static_cast<ptrdiff_t>(first),
                     threads.begin() + static_cast<ptrdiff_t>(first + count),
                     [](bool isThere) { return isThere; });
}

} // namespace

std::vector<NamedBarrierPlace> findNamedBarriers(const Function &function) {
  return BarrierWalk(function).run();
}

bool hasUnknownMeeting(const Function &function) {
  return llvm::any_of(findNamedBarriers(function), [](const NamedBarrierPlace &place) {
    return place.meeting == NamedBarrierPlace::Meeting::Unknown;
  });
}

llvm::DenseSet<const OpStmt *> findBarriersOfOneWarp(const Function &function) {
  llvm::DenseSet<const OpStmt *> found;
  ActiveThreads active(function, OpScope::Block);
  active.walk([&](const OpStmt &op) {
    bool isOfWarp = op.opInfo().sync == OpSync::Barrier && scopeOf(op) == OpScope::Warp;
    if (isOfWarp && !op.args[0] && active.areKnown() && active.dividedBy() &&
        isOneWarp(active.threads()))
      found.insert(&op);
  });
  return found;
}

} // namespace tilescope
