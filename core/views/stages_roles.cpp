#include "core/views/stages_roles.h"

#include "core/support/number_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

const char *const RolesLegend =
    "[0] 1 phase 1 of mbarrier [0], - it passes at once, x done, ? not known, . not done";

namespace {

using Kind = AccessNode::Kind;

// This many iterations are all shown; of more the first and the last.
constexpr int64_t FewIterations = 10;
constexpr int64_t MostInFront = 8;
constexpr int64_t AtTheEnd = 2;

// ---- Rows ---------------------------------------------------------------------------------------

// "[4]" of "mbarrier[4]".
llvm::StringRef indexOf(llvm::StringRef name) {
  size_t at = name.find('[');
  return at == llvm::StringRef::npos ? name : name.substr(at);
}

// "mbarrier[4..5]" of mbarriers that follow each other in an array, else all of them.
std::string namesOf(const AccessProgram &program, const RoleRow &row) {
  std::set<int> numbers;
  for (const RoleStep &step : row.steps)
    if (step.mbarrier)
      numbers.insert(*step.mbarrier);
  if (numbers.empty())
    return "an mbarrier";
  llvm::StringRef first = program.mbarriers[static_cast<size_t>(*numbers.begin())].name;
  llvm::StringRef last = program.mbarriers[static_cast<size_t>(*numbers.rbegin())].name;
  bool isRange = *numbers.rbegin() - *numbers.begin() + 1 == static_cast<int>(numbers.size());
  llvm::StringRef array = first.take_until([](char c) { return c == '['; });
  if (numbers.size() == 1)
    return first.str();
  if (isRange && first.size() > array.size() && last.starts_with(array))
    return (first.drop_back() + ".." + indexOf(last).drop_front()).str();
  std::vector<std::string> names;
  names.reserve(numbers.size());
  for (int number : numbers)
    names.push_back(program.mbarriers[static_cast<size_t>(number)].name);
  return llvm::join(names, ", ");
}

std::string accessText(const PassState &state, const AccessProgram &program, const RoleRow &row) {
  const Access &access = program.nodes[row.node].accesses[row.access];
  const BufferRecord *buffer = state.facets()->declaration(access.buffer);
  std::string name = buffer ? buffer->name : "?";
  if (access.kind == AccessKind::Read)
    return "reads " + name;
  if (!access.async)
    return "writes " + name;
  return "copies to " + name +
         (access.mbarrier ? ", counted by " + namesOf(program, row) : std::string());
}

// "" of what is not listed.
std::string nodeText(const AccessProgram &program, const RoleRow &row, int64_t threads) {
  const AccessNode &node = program.nodes[row.node];
  switch (node.kind) {
  case Kind::WaitPhase:
    return "waits for " + namesOf(program, row);
  case Kind::Expect:
    return "expects " + (node.bytes > 0 ? groupedNumber(node.bytes) + " bytes" : "bytes") + " at " +
           namesOf(program, row);
  case Kind::Arrive:
    threads = node.oneThread ? 1 : threads;
    return "arrives at " + namesOf(program, row) +
           (threads == 1  ? ", 1 thread"
            : threads > 1 ? llvm::formatv(", {0} threads", threads).str()
                          : "");
  case Kind::Wait:
    return node.queue == CopyQueue ? "waits for its copies"
                                   : "waits for what it does asynchronously";
  case Kind::Barrier:
    return "meets at a barrier";
  case Kind::NamedBarrier:
    return llvm::formatv("meets at barrier {0}", node.barrierId);
  default:
    return "";
  }
}

std::string cellText(const AccessProgram &program, const RoleRow &row, const RoleStep &step) {
  const AccessNode &node = program.nodes[row.node];
  if (row.access != RoleRow::NoAccess)
    return "slot " + (step.slot ? std::to_string(*step.slot) : "?");
  if (node.kind == Kind::Wait)
    return node.pending > 0 ? llvm::formatv("all but {0}", node.pending).str() : "all";
  if (!node.mbarrier)
    return "x";
  if (!step.mbarrier)
    return "?";
  std::string phase = step.passesAtOnce ? "-" : step.phase ? std::to_string(*step.phase) : "?";
  return (indexOf(program.mbarriers[static_cast<size_t>(*step.mbarrier)].name) + " " + phase).str();
}

// ---- A role -------------------------------------------------------------------------------------

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

std::vector<std::string> cellsOf(const AccessProgram &program, const RoleRow &row,
                                 const std::vector<int64_t> &shown) {
  std::vector<std::string> cells;
  for (int64_t iteration : shown) {
    auto at = llvm::lower_bound(row.steps, iteration, [](const RoleStep &step, int64_t wanted) {
      return step.iteration < wanted;
    });
    bool isThere = at != row.steps.end() && at->iteration == iteration;
    cells.push_back(isThere ? cellText(program, row, *at) : iteration < 0 ? "" : ".");
  }
  return cells;
}

void fillRows(const PassState &state, const RoleLoop &loop, const std::vector<int64_t> &shown,
              StagesRole &role) {
  const AccessProgram &program = loop.accesses->program;
  for (const RoleRow &row : loop.rows) {
    StagesRoleRow result;
    result.stmt = program.nodes[row.node].stmt;
    result.text = row.access == RoleRow::NoAccess ? nodeText(program, row, loop.threads)
                                                  : accessText(state, program, row);
    if (result.text.empty())
      continue;
    if (const TraceLine *line = state.firstLineOf(result.stmt))
      result.sourceLine = line->span.line;
    result.cells = cellsOf(program, row, shown);
    role.rows.push_back(std::move(result));
  }
}

// What the role asks for where each of the kernel's asks for some.
int64_t registersOf(const PassState &state, const RoleLoop &loop) {
  for (const LaunchRecord &launch : state.trace().launches)
    if (launch.kernel == loop.accesses->function && launch.roleRegisters.size() == loop.laneCount)
      return launch.roleRegisters[loop.lane].registers;
  return 0;
}

StagesRole roleOf(const PassState &state, const RoleLoop &loop, const PipelineRecord &record) {
  StagesRole role;
  role.function = loop.accesses->function;
  role.loop = loop.loop;
  role.number = loop.lane + 1;
  role.count = loop.laneCount;
  role.threads = loop.threads;
  role.registers = registersOf(state, loop);
  role.numStages = record.numStages;
  role.trips = loop.trips ? std::to_string(*loop.trips) : record.trips;
  role.refusal = loop.refusal;
  if (const TraceLine *line = state.firstLineOf(loop.loop)) {
    role.text = llvm::StringRef(line->text).trim().str();
    role.sourceLine = line->span.line;
  }
  std::vector<int64_t> shown = shownOf(loop, record);
  for (int64_t iteration : shown)
    role.columns.push_back(iteration < 0 ? "..." : std::to_string(iteration));
  fillRows(state, loop, shown, role);
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

void print(const StagesRole &role, llvm::raw_ostream &out) {
  write(out, role.function, {Ink::Strong});
  if (role.sourceLine)
    out << ", line " << role.sourceLine;
  out << ", role " << role.number << " of " << role.count;
  if (role.threads)
    out << ", " << role.threads << (role.threads == 1 ? " thread" : " threads");
  if (role.registers)
    out << " of " << role.registers << " registers";
  out << ": " << role.numStages << (role.numStages == 1 ? " stage, " : " stages, ") << role.trips
      << (role.trips == "1" ? " iteration" : " iterations") << "\n  ";
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
    rows.push_back({"  " + row.text, row.sourceLine ? std::to_string(row.sourceLine) : ""});
    rows.back().insert(rows.back().end(), row.cells.begin(), row.cells.end());
  }
  printTable(out, rows, rows[0].size());
}

} // namespace tilescope
