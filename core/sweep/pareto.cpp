#include "core/sweep/pareto.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <map>
#include <set>

namespace tilescope {

namespace {

// Less is better in each.
using Costs = std::array<int64_t, 5>;

Costs costsOf(const SweepFigures &figures, bool knowsRegisters) {
  return {figures.peakBytes, -figures.blocksPerSm.value_or(0), figures.barriers,
          knowsRegisters ? *figures.registers : 0, knowsRegisters ? *figures.spillBytes : 0};
}

bool isNowhereWorse(const Costs &a, const Costs &b) {
  for (size_t i = 0; i != a.size(); ++i)
    if (a[i] > b[i])
      return false;
  return true;
}

// In order of the costs, only what stands before a point can beat it, and what is beaten itself
// need not be asked.
std::set<Costs> frontOf(const std::set<Costs> &all) {
  std::vector<Costs> front;
  for (const Costs &costs : all)
    if (llvm::none_of(front, [&](const Costs &other) { return isNowhereWorse(other, costs); }))
      front.push_back(costs);
  return {front.begin(), front.end()};
}

} // namespace

std::vector<bool> paretoMarks(const SweepGrid &grid, llvm::ArrayRef<SweepRow> rows) {
  bool knowsRegisters = llvm::all_of(rows, [](const SweepRow &row) {
    return !row.error.empty() || (row.figures.registers && row.figures.spillBytes);
  });
  uint64_t pointsOfTarget = grid.size() / grid.targets.size();
  std::map<uint64_t, std::set<Costs>> costs;
  for (const SweepRow &row : rows)
    if (row.error.empty())
      costs[row.point / pointsOfTarget].insert(costsOf(row.figures, knowsRegisters));
  for (auto &[target, all] : costs)
    all = frontOf(all);
  std::vector<bool> marks;
  for (const SweepRow &row : rows)
    marks.push_back(row.error.empty() && costs[row.point / pointsOfTarget].contains(
                                             costsOf(row.figures, knowsRegisters)));
  return marks;
}

} // namespace tilescope
