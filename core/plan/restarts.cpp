#include "core/plan/restarts.h"

#include <algorithm>

namespace tilescope {

namespace {

// How far noise moves a box, as a part of the whole order: by turns, so that no problem gets the
// wrong one only.
constexpr double Noise[] = {0.1, 0.3, 0.03};
// What one more run leaves of the failures known before.
constexpr double FailureDecay = 0.95;
// After so many runs all is forgotten: what was learned may lead astray.
constexpr size_t RunsToForget = 288;
constexpr size_t RunsOfOneLength = 24;
// Of the budget of short runs, one part in so many is one long run.
constexpr int64_t LongPart = 16;
// A box so many sections away waits until the focus is filled.
constexpr int64_t SectionsInFocus = 50;
// Together with an address still an int32_t.
constexpr int64_t MaxDelay = 1 << 30;
// Any would do; with this one minimalloc's problems are solved soonest of the few tried.
constexpr uint32_t Seed = 10;

} // namespace

RestartingSearch::RestartingSearch(const SearchProblem &problem)
    : problem_(problem), search_(problem), failures_(problem.sectionCount, 0), random_(Seed) {
  for (BoxOrder order : {BoxOrder::TotalWidthArea, BoxOrder::WidthAreaTotal, BoxOrder::Area})
    for (bool sumsFailures : {true, false})
      strategies_.push_back({sortBoxes(problem, order), sumsFailures});
}

SearchGuide RestartingSearch::nextGuide(int64_t capacity) {
  size_t run = runs_++;
  const Strategy &strategy = strategies_[run % strategies_.size()];
  if (run < strategies_.size())
    return {strategy.order, {}};
  if (run % RunsToForget == 0)
    std::fill(failures_.begin(), failures_.end(), 0);
  SearchGuide guide;
  guide.order = drawOrder(strategy, Noise[run / strategies_.size() % std::size(Noise)]);
  if (strategy.sumsFailures)
    guide.delay = drawDelays(capacity);
  return guide;
}

// In [0, 1), from the generator's bits alone: distributions differ between libraries.
double RestartingSearch::draw() { return static_cast<double>(random_()) / 4294967296.0; }

// What failed most comes first; among what failed alike, noise and the order of the strategy
// decide.
std::vector<int32_t> RestartingSearch::drawOrder(const Strategy &strategy, double noise) {
  std::vector<double> failures(problem_.boxes.size(), 0);
  double most = 1;
  for (size_t box = 0; box != failures.size(); ++box) {
    for (const SectionRange &range : problem_.boxes[box].live)
      for (int32_t section = range.begin; section != range.end; ++section)
        failures[box] = strategy.sumsFailures ? failures[box] + failures_[section]
                                              : std::max(failures[box], failures_[section]);
    most = std::max(most, failures[box]);
  }
  constexpr double FailureWeight = 100;
  std::vector<std::pair<double, int32_t>> keys;
  for (size_t rank = 0; rank != strategy.order.size(); ++rank) {
    int32_t box = strategy.order[rank];
    double position = static_cast<double>(rank) / static_cast<double>(strategy.order.size());
    keys.emplace_back(position + noise * draw() - FailureWeight * failures[box] / most, box);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int32_t> order;
  order.reserve(keys.size());
  for (auto [key, box] : keys)
    order.push_back(box);
  return order;
}

// By the distance in time from a section drawn by its failures.
std::vector<int32_t> RestartingSearch::drawDelays(int64_t capacity) {
  int32_t focus = 0;
  double most = -1;
  for (int32_t section = 0; section != problem_.sectionCount; ++section)
    if (double weight = failures_[section] * draw(); weight > most) {
      most = weight;
      focus = section;
    }
  int64_t perSection = std::max<int64_t>(capacity / SectionsInFocus, 1);
  std::vector<int32_t> delays;
  for (const SearchBox &box : problem_.boxes) {
    int64_t distance =
        std::max({box.live.front().begin - focus, focus - box.live.back().end + 1, 0});
    delays.push_back(static_cast<int32_t>(std::min(perSection * distance, MaxDelay)));
  }
  return delays;
}

void RestartingSearch::learn() {
  for (size_t section = 0; section != failures_.size(); ++section)
    failures_[section] = failures_[section] * FailureDecay + search_.failures()[section];
}

SearchOutcome RestartingSearch::run(int64_t capacity, int64_t nodeBudget, RunLengths lengths,
                                    const std::function<bool()> &stop) {
  bool isShort = lengths == RunLengths::Short;
  int64_t boxes = static_cast<int64_t>(problem_.boxes.size());
  int64_t last = nodeBudget < INT64_MAX - nodes() ? nodes() + nodeBudget : INT64_MAX;
  int64_t shortLast = isShort ? last - nodeBudget / LongPart : last;
  int64_t runNodes = (isShort ? 2 : 4) * boxes + 16;
  for (size_t run = 1; nodes() < last && !(stop && stop()); ++run) {
    if (nodes() >= shortLast)
      runNodes = last - nodes();
    SearchGuide guide = nextGuide(capacity);
    SearchOutcome outcome = search_.run(guide, capacity, std::min(runNodes, last - nodes()), stop);
    if (outcome != SearchOutcome::OutOfNodes)
      return outcome;
    learn();
    if (!isShort && run % RunsOfOneLength == 0)
      runNodes *= 2;
  }
  return SearchOutcome::OutOfNodes;
}

} // namespace tilescope
