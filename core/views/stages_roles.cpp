#include "core/views/stages_roles.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace tilescope {

const char *const RolesLegend =
    "[0] 1 phase 1 of mbarrier [0], - it passes at once, x done, ? not known, . not done";

namespace {

// This many iterations are all shown; of more the first and the last.
constexpr int64_t FewIterations = 10;
constexpr int64_t MostInFront = 8;
constexpr int64_t AtTheEnd = 2;

// Iterations that are shown; -1 stands for those between.
std::vector<int64_t> shownOf(const RoleLoop &loop, const PipelineRecord &record) {
  int64_t most = 1, known = 0;
  for (const auto &[buffer, versions] : record.versions)
    most = std::max(most, versions);
  for (const RoleRow &row : loop.rows)
    known = std::max(known, row.steps.back().iteration + 1);
  bool showsAll = loop.trips && known <= FewIterations;
  int64_t front = showsAll ? known : std::min({known, 2 * most, MostInFront});
  std::vector<int64_t> shown;
  for (int64_t iteration = 0; iteration != front; ++iteration)
    shown.push_back(iteration);
  if (showsAll)
    return shown;
  shown.push_back(-1);
  if (loop.trips)
    for (int64_t iteration = std::max(front, known - AtTheEnd); iteration < known; ++iteration)
      shown.push_back(iteration);
  return shown;
}

void fillCells(const AccessProgram &program, const RoleRow &row, const std::vector<int64_t> &shown,
               StagesRoleRow &result) {
  for (int64_t iteration : shown) {
    auto at = llvm::lower_bound(row.steps, iteration, [](const RoleStep &step, int64_t wanted) {
      return step.iteration < wanted;
    });
    bool isThere = at != row.steps.end() && at->iteration == iteration;
    result.cells.push_back(isThere ? stepText(program, row, *at) : iteration < 0 ? "" : ".");
    result.slots.push_back(isThere ? at->slot.value_or(-1) : -1);
    result.phases.push_back(isThere ? RolePhase{at->mbarrier.value_or(-1), at->phase.value_or(-1)}
                                    : RolePhase());
  }
}

StagesRoleRow rowOf(const PassState &state, const RoleLoop &loop, const RoleRow &row) {
  const AccessNode &node = loop.accesses->program.nodes[row.node];
  RoleText text = textOf(*state.facets(), loop, row);
  StagesRoleRow result;
  result.stmt = node.stmt;
  result.text = text.whole();
  result.brief = text.what;
  result.action = actionOf(loop.accesses->program, row);
  if (node.mbarrier)
    result.mbarriers = mbarriersOf(loop.accesses->program, row);
  result.bytes = node.bytes;
  if (row.access != RoleRow::NoAccess) {
    result.buffer = node.accesses[row.access].buffer;
    result.hueDegrees = state.facets()->hueOf(result.buffer);
  }
  if (const TraceLine *line = state.firstLineOf(result.stmt)) {
    result.sourceLine = line->sourceLine();
    result.statement = llvm::StringRef(line->text).trim().str();
  }
  return result;
}

// A statement of which no line speaks counts to the one before at its mbarrier, as the arrival of
// what expects bytes there.
void addRow(const PassState &state, const RoleLoop &loop, const RoleRow &row, const RoleRow *before,
            std::vector<StagesRoleRow> &rows) {
  StagesRoleRow result = rowOf(state, loop, row);
  const AccessProgram &program = loop.accesses->program;
  const std::optional<MbarrierRef> &mbarrier = program.nodes[row.node].mbarrier;
  if (result.statement.empty() && mbarrier && before &&
      program.nodes[before->node].mbarrier == mbarrier) {
    result.stmt = rows.back().stmt;
    result.sourceLine = rows.back().sourceLine;
    result.statement = rows.back().statement;
  }
  rows.push_back(std::move(result));
}

StagesRole roleOf(const PassState &state, const RoleLoop &loop, const PipelineRecord &record) {
  StagesRole role;
  role.function = loop.accesses->function;
  role.loop = loop.loop;
  role.name = roleName(*state.facets(), loop);
  role.number = loop.lane + 1;
  role.count = loop.laneCount;
  role.threads = loop.threads;
  role.registers = registersOf(*state.facets(), loop);
  role.numStages = record.numStages;
  role.trips = loop.trips ? std::to_string(*loop.trips) : record.trips;
  role.refusal = loop.refusal;
  if (const TraceLine *line = state.firstLineOf(loop.loop)) {
    role.text = llvm::StringRef(line->text).trim().str();
    role.sourceLine = line->sourceLine();
  }
  std::vector<int64_t> shown = shownOf(loop, record);
  for (int64_t iteration : shown)
    role.columns.push_back(iteration < 0 ? "..." : std::to_string(iteration));
  const RoleRow *before = nullptr;
  for (const RoleRow &row : loop.rows) {
    if (actionOf(loop.accesses->program, row) == RoleAction::Other)
      continue;
    addRow(state, loop, row, std::exchange(before, &row), role.rows);
    fillCells(loop.accesses->program, row, shown, role.rows.back());
  }
  return role;
}

} // namespace

std::vector<StagesRole> buildStagesRoles(const PassState &state) {
  std::vector<StagesRole> roles;
  for (const RoleLoop &loop : roleLoopsOf(state.snapshot())) {
    auto record = llvm::find_if(*state.snapshot().pipelines,
                                [&](const PipelineRecord &each) { return each.loop == loop.loop; });
    roles.push_back(roleOf(state, loop, *record));
  }
  return roles;
}

std::string titleOf(const StagesRole &role) {
  return role.function + lineText(", line ", role.sourceLine) + ", " + role.name;
}

std::string headingOf(const StagesRole &role) {
  return std::to_string(role.numStages) + (role.numStages == 1 ? " stage, " : " stages, ") +
         role.trips + (role.trips == "1" ? " iteration" : " iterations");
}

void print(const StagesRole &role, llvm::raw_ostream &out) {
  write(out, role.function, {Ink::Strong});
  out << llvm::StringRef(titleOf(role)).drop_front(role.function.size()) << ": " << headingOf(role)
      << "\n  ";
  write(out, role.text, {Ink::Quiet});
  out << '\n';
  if (!role.refusal.empty()) {
    out << "  " << role.refusal << '\n';
    return;
  }
  out << '\n';
  std::vector<std::vector<std::string>> rows{{"  an iteration", "line"}};
  rows[0].insert(rows[0].end(), role.columns.begin(), role.columns.end());
  for (const StagesRoleRow &row : role.rows) {
    rows.push_back({"  " + row.text, lineText(row.sourceLine)});
    rows.back().insert(rows.back().end(), row.cells.begin(), row.cells.end());
  }
  printTable(out, rows, rows[0].size());
}

} // namespace tilescope
