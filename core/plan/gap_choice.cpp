#include "core/plan/gap_choice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>

namespace tilescope {

namespace {

std::vector<unsigned> chooseGreedily(llvm::ArrayRef<double> runs,
                                     std::vector<const llvm::BitVector *> left) {
  std::vector<unsigned> settles(runs.size(), 0); // per gap: how many of those left
  for (const llvm::BitVector *set : left)
    for (unsigned gap : set->set_bits())
      ++settles[gap];
  std::vector<unsigned> chosen;
  while (!left.empty()) {
    unsigned best = 0;
    double bestRate = -1;
    for (unsigned gap = 0; gap != runs.size(); ++gap) {
      double rate = settles[gap] / runs[gap];
      if (rate >= bestRate) {
        bestRate = rate;
        best = gap;
      }
    }
    chosen.push_back(best);
    llvm::erase_if(left, [&](const llvm::BitVector *set) {
      if (!set->test(best))
        return false;
      for (unsigned gap : set->set_bits())
        --settles[gap];
      return true;
    });
  }
  return chosen;
}

// The dearest are dropped first.
std::vector<unsigned> dropSuperfluous(llvm::ArrayRef<double> runs,
                                      llvm::ArrayRef<const llvm::BitVector *> sets,
                                      std::vector<unsigned> chosen) {
  llvm::stable_sort(chosen, [&](unsigned a, unsigned b) { return runs[a] > runs[b]; });
  std::vector<size_t> covers; // per set: how many of the chosen are in it
  for (const llvm::BitVector *set : sets)
    covers.push_back(llvm::count_if(chosen, [&](unsigned gap) { return set->test(gap); }));
  for (unsigned gap : std::exchange(chosen, {})) {
    bool isNeeded = llvm::any_of(llvm::zip(sets, covers), [&](auto one) {
      return std::get<0>(one)->test(gap) && std::get<1>(one) == 1;
    });
    if (isNeeded)
      chosen.push_back(gap);
    for (auto [set, count] : llvm::zip(sets, covers))
      count -= !isNeeded && set->test(gap);
  }
  llvm::sort(chosen);
  return chosen;
}

// Branches over the gaps of the first set that has none yet. Sets with no gap in common need one
// each, which bounds what is left from below.
class FewestGaps {
public:
  FewestGaps(llvm::ArrayRef<double> runs, llvm::ArrayRef<const llvm::BitVector *> sets,
             std::vector<unsigned> known)
      : runs_(runs), sets_(sets), best_(std::move(known)), chosen_(gapCount()) {
    llvm::stable_sort(sets_, [](const llvm::BitVector *a, const llvm::BitVector *b) {
      return a->count() < b->count();
    });
    for (unsigned gap : best_)
      bestCost_ = bestCost_ + costOf(gap);
  }

  GapChoice run() {
    search({});
    llvm::sort(best_);
    return {best_, nodesLeft_ > 0};
  }

private:
  struct Cost {
    double runs = 0;
    size_t gaps = 0;

    Cost operator+(Cost other) const { return {runs + other.runs, gaps + other.gaps}; }
    friend auto operator<=>(const Cost &, const Cost &) = default;
  };

  static constexpr int MaxNodes = 2000;

  unsigned gapCount() const { return static_cast<unsigned>(runs_.size()); }
  Cost costOf(unsigned gap) const { return {runs_[gap], 1}; }

  Cost boundOfRest() const {
    Cost bound;
    llvm::BitVector used(gapCount());
    for (const llvm::BitVector *set : sets_) {
      if (set->anyCommon(chosen_) || set->anyCommon(used))
        continue;
      used |= *set;
      double least = std::numeric_limits<double>::max();
      for (unsigned gap : set->set_bits())
        least = std::min(least, runs_[gap]);
      bound = bound + Cost{least, 1};
    }
    return bound;
  }

  void search(Cost cost) {
    if (--nodesLeft_ <= 0 || !(cost + boundOfRest() < bestCost_))
      return;
    const auto *open =
        llvm::find_if(sets_, [&](const llvm::BitVector *set) { return !set->anyCommon(chosen_); });
    if (open == sets_.end()) {
      bestCost_ = cost;
      best_.assign(chosen_.set_bits_begin(), chosen_.set_bits_end());
      return;
    }
    for (int last = (*open)->find_last(); last >= 0; last = (*open)->find_prev(last)) {
      auto gap = static_cast<unsigned>(last);
      chosen_.set(gap);
      search(cost + costOf(gap));
      chosen_.reset(gap);
    }
  }

  llvm::ArrayRef<double> runs_;
  llvm::SmallVector<const llvm::BitVector *> sets_; // the smallest first
  std::vector<unsigned> best_;
  Cost bestCost_;
  llvm::BitVector chosen_;
  int nodesLeft_ = MaxNodes;
};

} // namespace

GapChoice chooseGaps(llvm::ArrayRef<double> runs, llvm::ArrayRef<const llvm::BitVector *> sets) {
  std::vector<unsigned> known = dropSuperfluous(runs, sets, chooseGreedily(runs, sets.vec()));
  if (known.size() <= 1 && sets.size() <= 1)
    return {known, true};
  return FewestGaps(runs, sets, std::move(known)).run();
}

} // namespace tilescope
