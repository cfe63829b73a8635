#include "core/exports/perfetto_roles.h"

#include "core/stages/role_texts.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

constexpr int64_t RowNanoseconds = 1000;

std::vector<const RoleRow *> listedRows(const RoleLoop &loop) {
  std::vector<const RoleRow *> rows;
  for (const RoleRow &row : loop.rows)
    if (actionOf(loop.accesses->program, row) != RoleAction::Other)
      rows.push_back(&row);
  return rows;
}

// What one pipelined loop of a role does.
class RoleTrack {
public:
  // An iteration takes `width` rows.
  RoleTrack(const PassState &state, const RoleLoop &loop, int64_t width)
      : state_(state), loop_(loop), width_(width), rows_(listedRows(loop)) {}

  std::string name() const {
    const TraceLine *line = state_.firstLineOf(loop_.loop);
    return roleName(*state_.facets(), loop_) +
           (line ? lineText(", line ", line->sourceLine()) : "");
  }

  std::vector<PerfettoSlice> slices() const {
    std::vector<PerfettoSlice> slices;
    int64_t count = 0;
    for (const RoleRow *row : rows_)
      count = std::max(count, row->steps.back().iteration + 1);
    for (int64_t iteration = 0; iteration != count; ++iteration)
      slices.push_back(
          {"iteration " + std::to_string(iteration), timeOf(iteration), timeOf(iteration + 1)});
    if (!loop_.trips)
      slices.push_back({"...", timeOf(count), timeOf(count + 1)});
    for (size_t place = 0; place != rows_.size(); ++place)
      addRow(*rows_[place], static_cast<int64_t>(place) * RowNanoseconds, slices);
    return slices;
  }

private:
  int64_t timeOf(int64_t iteration) const { return iteration * width_ * RowNanoseconds; }

  void addRow(const RoleRow &row, int64_t offset, std::vector<PerfettoSlice> &slices) const {
    std::string name = textOf(*state_.facets(), loop_, row).whole();
    const AccessNode &node = loop_.accesses->program.nodes[row.node];
    const TraceLine *line = state_.firstLineOf(node.stmt);
    for (const RoleStep &step : row.steps) {
      int64_t begin = timeOf(step.iteration) + offset;
      PerfettoSlice &slice = slices.emplace_back();
      slice = {name, begin, begin + RowNanoseconds};
      addArguments(step, slice);
      if (line)
        slice.addSourceLine(line->sourceLine());
      if (line)
        slice.arguments.emplace_back("statement", llvm::StringRef(line->text).trim().str());
    }
  }

  // What is not known is left out.
  void addArguments(const RoleStep &step, PerfettoSlice &slice) const {
    if (step.slot)
      slice.arguments.emplace_back("slot", *step.slot);
    if (step.mbarrier)
      slice.arguments.emplace_back(
          "mbarrier", loop_.accesses->program.mbarriers[static_cast<size_t>(*step.mbarrier)].name);
    if (step.phase)
      slice.arguments.emplace_back("phase", *step.phase);
    if (step.passesAtOnce)
      slice.arguments.emplace_back("passesAtOnce", int64_t(1));
  }

  const PassState &state_;
  const RoleLoop &loop_;
  int64_t width_;
  std::vector<const RoleRow *> rows_;
};

} // namespace

void addRoles(const PassState &state, PerfettoTracks &tracks) {
  std::vector<RoleLoop> loops = roleLoopsOf(state.snapshot());
  std::map<std::string, int64_t> widths; // by function
  for (const RoleLoop &loop : loops) {
    int64_t &width = widths[loop.accesses->function];
    width = std::max(width, static_cast<int64_t>(listedRows(loop).size()));
  }
  std::map<std::string, PerfettoTracks::TrackId> processes;
  for (const RoleLoop &loop : loops) {
    if (!loop.refusal.empty())
      continue;
    const std::string &function = loop.accesses->function;
    auto [process, isNew] = processes.try_emplace(function, 0);
    if (isNew)
      process->second = tracks.addProcess("roles of " + function);
    RoleTrack track(state, loop, widths[function]);
    tracks.addSlices(tracks.addTrack(process->second, track.name()), track.slices());
  }
}

} // namespace tilescope
