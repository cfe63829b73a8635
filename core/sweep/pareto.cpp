#include "core/sweep/pareto.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <map>
#include <set>

namespace tilescope {

namespace {

// Less is better in each.
using Costs = std::array<int64_t, 7>;

struct Known {
  bool globalBytes = true; // of all points that are compared
  bool registers = true;
  bool times = true;
};

Costs costsOf(const SweepFigures &figures, Known known) {
  return {figures.peakBytes,
          -figures.blocksPerSm.value_or(0),
          figures.barriers,
          known.globalBytes ? *figures.globalBytes : 0,
          known.registers ? *figures.registers : 0,
          known.registers ? *figures.spillBytes : 0,
          known.times ? *figures.medianNs : 0};
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

// Points that are compared with each other.
struct Group {
  Known known;
  std::set<Costs> front;
};

} // namespace

std::vector<bool> paretoMarks(const SweepGrid &grid, llvm::ArrayRef<SweepRow> rows) {
  bool knowsRegisters = llvm::all_of(rows, [](const SweepRow &row) {
    return !row.error.empty() || (row.figures.registers && row.figures.spillBytes);
  });
  bool knowsTimes = llvm::all_of(
      rows, [](const SweepRow &row) { return !row.error.empty() || row.figures.medianNs; });
  uint64_t pointsOfTarget = grid.size() / grid.targets.size();
  std::map<std::pair<uint64_t, llvm::StringRef>, Group> groups;
  auto groupOf = [&](const SweepRow &row) -> Group & {
    return groups[{row.point / pointsOfTarget, row.problem}];
  };
  for (const SweepRow &row : rows) {
    if (!row.error.empty())
      continue;
    Known &known = groupOf(row).known;
    known.globalBytes &= row.figures.globalBytes.has_value();
    known.registers = knowsRegisters;
    known.times = knowsTimes;
  }
  for (const SweepRow &row : rows) {
    if (!row.error.empty())
      continue;
    Group &group = groupOf(row);
    group.front.insert(costsOf(row.figures, group.known));
  }
  for (auto &[key, group] : groups)
    group.front = frontOf(group.front);
  std::vector<bool> marks;
  for (const SweepRow &row : rows) {
    const Group &group = groupOf(row);
    marks.push_back(row.error.empty() && group.front.contains(costsOf(row.figures, group.known)));
  }
  return marks;
}

size_t countProblems(llvm::ArrayRef<SweepRow> rows) {
  std::set<llvm::StringRef> problems;
  for (const SweepRow &row : rows)
    if (row.error.empty())
      problems.insert(row.problem);
  return problems.size();
}

} // namespace tilescope
