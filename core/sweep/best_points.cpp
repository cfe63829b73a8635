#include "core/sweep/best_points.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

std::vector<RankedProblem> rankProblems(const SweepJournal &sweep) {
  std::vector<SweepRow> rows = sweep.rows;
  llvm::sort(rows, [](const SweepRow &a, const SweepRow &b) { return a.point < b.point; });
  std::vector<RankedProblem> problems;
  for (const SweepRow &row : rows) {
    if (!row.error.empty() || !row.figures.medianNs)
      continue;
    std::string target = sweep.header.grid.point(row.point).target;
    auto found = llvm::find_if(problems, [&](const RankedProblem &known) {
      return known.target == target && known.problem == row.problem;
    });
    if (found == problems.end()) {
      problems.push_back({target, row.problem, {}, row});
      found = problems.end() - 1;
    }
    found->rows.push_back(row);
  }
  for (RankedProblem &problem : problems)
    llvm::stable_sort(problem.rows, [](const SweepRow &a, const SweepRow &b) {
      return *a.figures.medianNs < *b.figures.medianNs;
    });
  return problems;
}

} // namespace tilescope
