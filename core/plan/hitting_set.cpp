#include "core/plan/hitting_set.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>

namespace tilescope {

namespace {

std::vector<unsigned> hitGreedily(llvm::ArrayRef<double> weights,
                                  std::vector<const llvm::BitVector *> left) {
  std::vector<unsigned> hits(weights.size(), 0); // per element: how many of those left
  for (const llvm::BitVector *set : left)
    for (unsigned element : set->set_bits())
      ++hits[element];
  std::vector<unsigned> chosen;
  while (!left.empty()) {
    unsigned best = 0;
    double bestRate = -1;
    for (unsigned element = 0; element != weights.size(); ++element) {
      double rate = hits[element] / weights[element];
      if (rate >= bestRate) {
        bestRate = rate;
        best = element;
      }
    }
    chosen.push_back(best);
    llvm::erase_if(left, [&](const llvm::BitVector *set) {
      if (!set->test(best))
        return false;
      for (unsigned element : set->set_bits())
        --hits[element];
      return true;
    });
  }
  return chosen;
}

// The heaviest are dropped first.
std::vector<unsigned> dropRedundant(llvm::ArrayRef<double> weights,
                                    llvm::ArrayRef<const llvm::BitVector *> sets,
                                    std::vector<unsigned> chosen) {
  llvm::stable_sort(chosen, [&](unsigned a, unsigned b) { return weights[a] > weights[b]; });
  std::vector<size_t> covers; // per set: how many of the chosen are in it
  for (const llvm::BitVector *set : sets)
    covers.push_back(llvm::count_if(chosen, [&](unsigned element) { return set->test(element); }));
  for (unsigned element : std::exchange(chosen, {})) {
    bool isOnlyOne = llvm::any_of(llvm::zip(sets, covers), [&](auto one) {
      return std::get<0>(one)->test(element) && std::get<1>(one) == 1;
    });
    if (isOnlyOne)
      chosen.push_back(element);
    for (auto [set, count] : llvm::zip(sets, covers))
      count -= !isOnlyOne && set->test(element);
  }
  llvm::sort(chosen);
  return chosen;
}

// Branches over the elements of the first set that is not hit yet. Sets with no element in common
// take one each, which bounds what is left from below.
class BranchAndBound {
public:
  BranchAndBound(llvm::ArrayRef<double> weights, llvm::ArrayRef<const llvm::BitVector *> sets,
                 std::vector<unsigned> incumbent)
      : weights_(weights), sets_(sets), best_(std::move(incumbent)), chosen_(elementCount()) {
    llvm::stable_sort(sets_, [](const llvm::BitVector *a, const llvm::BitVector *b) {
      return a->count() < b->count();
    });
    for (unsigned element : best_)
      bestCost_ = bestCost_ + costOf(element);
  }

  HittingSet run() {
    search({});
    llvm::sort(best_);
    return {best_, nodesLeft_ > 0};
  }

private:
  struct Cost {
    double weight = 0;
    size_t elements = 0;

    Cost operator+(Cost other) const { return {weight + other.weight, elements + other.elements}; }
    friend auto operator<=>(const Cost &, const Cost &) = default;
  };

  // Counted, not timed: the same sets give the same answer. Ended early it is right, only not
  // proven to be least.
  static constexpr int MaxNodes = 2000;

  unsigned elementCount() const { return static_cast<unsigned>(weights_.size()); }
  Cost costOf(unsigned element) const { return {weights_[element], 1}; }

  Cost lowerBoundOfRest() const {
    Cost bound;
    llvm::BitVector used(elementCount());
    for (const llvm::BitVector *set : sets_) {
      if (set->anyCommon(chosen_) || set->anyCommon(used))
        continue;
      used |= *set;
      double least = std::numeric_limits<double>::max();
      for (unsigned element : set->set_bits())
        least = std::min(least, weights_[element]);
      bound = bound + Cost{least, 1};
    }
    return bound;
  }

  void search(Cost cost) {
    if (--nodesLeft_ <= 0 || !(cost + lowerBoundOfRest() < bestCost_))
      return;
    const auto *unhit =
        llvm::find_if(sets_, [&](const llvm::BitVector *set) { return !set->anyCommon(chosen_); });
    if (unhit == sets_.end()) {
      bestCost_ = cost;
      best_.assign(chosen_.set_bits_begin(), chosen_.set_bits_end());
      return;
    }
    for (int last = (*unhit)->find_last(); last >= 0; last = (*unhit)->find_prev(last)) {
      auto element = static_cast<unsigned>(last);
      chosen_.set(element);
      search(cost + costOf(element));
      chosen_.reset(element);
    }
  }

  llvm::ArrayRef<double> weights_;
  llvm::SmallVector<const llvm::BitVector *> sets_; // the smallest first
  std::vector<unsigned> best_;
  Cost bestCost_;
  llvm::BitVector chosen_;
  int nodesLeft_ = MaxNodes;
};

} // namespace

HittingSet findHittingSet(llvm::ArrayRef<double> weights,
                          llvm::ArrayRef<const llvm::BitVector *> sets) {
  std::vector<unsigned> incumbent = dropRedundant(weights, sets, hitGreedily(weights, sets.vec()));
  if (incumbent.size() <= 1 && sets.size() <= 1)
    return {incumbent, true};
  return BranchAndBound(weights, sets, std::move(incumbent)).run();
}

} // namespace tilescope
