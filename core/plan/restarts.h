// Many short searches instead of one long one.
//
// The order in which boxes are asked for decides more than the length of a search: nearly all that
// succeed do so within a few nodes a box. So runs are short, and learn from each other: boxes of
// sections that could not hold what was left come first in later runs. Runs differ in the order
// that breaks ties, in how failures are counted, and in noise; half of them begin at one section
// and work outwards, so that a hard stretch of time is settled before the rest.
#pragma once

#include "core/plan/canonical_search.h"
#include "core/plan/greedy_placement.h"

#include <random>

namespace tilescope {

enum class RunLengths : uint8_t {
  Doubling, // now and then, so that a proof is found where there is one
  Short,    // a few nodes a box, and at the end one run over a part of the budget, for the proof
};

class RestartingSearch {
public:
  // `problem` must outlive this, and CanonicalSearch::canSearch it.
  explicit RestartingSearch(const SearchProblem &problem);

  // Until one run ends with an answer, or `nodeBudget` or `stop` ends them all. What earlier calls
  // learned is kept.
  SearchOutcome run(int64_t capacity, int64_t nodeBudget, RunLengths lengths,
                    const std::function<bool()> &stop);

  const Offsets &offsets() const { return search_.offsets(); }
  int64_t nodes() const { return search_.nodes(); }

private:
  struct Strategy {
    std::vector<int32_t> order;
    // Failures of a box: the sum over its sections, else the most of one.
    bool sumsFailures = false;
  };

  SearchGuide nextGuide(int64_t capacity);
  std::vector<int32_t> drawOrder(const Strategy &strategy, double noise);
  double draw();
  std::vector<int32_t> drawDelays(int64_t capacity);
  void learn();

  const SearchProblem &problem_;
  CanonicalSearch search_;
  std::vector<Strategy> strategies_;
  size_t runs_ = 0;
  std::vector<double> failures_; // of a section; older ones count less
  std::mt19937 random_;
};

} // namespace tilescope
