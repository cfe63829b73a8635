#include "core/views/stages_contents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

// "U3", "U(n-2)".
std::string labelled(const char *letter, const StageNumber &number, const char *end = "n") {
  std::string text = toText(number, end);
  return letter + (number.isFromEnd ? "(" + text + ")" : text);
}

const char *letterOf(StageAccess access) {
  switch (access) {
  case StageAccess::Fill:
  case StageAccess::AsyncFill:
    return "D";
  case StageAccess::Update:
    return "X";
  case StageAccess::Read:
    return "U";
  }
  return "";
}

std::string nameOf(const StageStep &step) {
  switch (step.kind) {
  case StageStep::Kind::Prologue:
    return "prologue";
  case StageStep::Kind::Iteration:
    return toText(step.iteration);
  case StageStep::Kind::LeftOut:
    return "...";
  case StageStep::Kind::Epilogue:
    return "epilogue";
  }
  return "";
}

// The cells of rows and steps.
class Cells {
public:
  explicit Cells(StagesLoop &loop) : loop_(loop), stages_(loop.stages) {}

  void fill() {
    for (const StageStep &step : stages_.steps)
      loop_.steps.push_back({nameOf(step), "", ""});
    for (StagesRow &row : loop_.rows)
      row.cells.resize(loop_.steps.size());
    for (const StageEvent &event : stages_.events)
      add(loop_.rows[event.row].cells[event.step], labelled(letterOf(event.access), event.tile));
    for (const StageSync &sync : stages_.syncs)
      for (const StageNumber &group : sync.groups) {
        StagesStep &step = loop_.steps[sync.step];
        add(sync.isWait ? step.waits : step.commits, labelled("g", group, "m"));
      }
    for (const SlotOccupancy &occupancy : stages_.occupancies)
      fillHeld(occupancy);
    for (StagesRow &row : loop_.rows)
      for (size_t step = 0; step != row.cells.size(); ++step)
        if (row.cells[step].empty())
          row.cells[step] = stages_.steps[step].kind == StageStep::Kind::LeftOut ? "" : ".";
  }

private:
  // What happens again in a step is not said again, and no cell says more than can be read.
  static void add(std::string &cell, const std::string &text) {
    if (cell.size() < MostCharacters &&
        !llvm::is_contained(llvm::split(cell, ' '), llvm::StringRef(text)))
      cell += (cell.empty() ? "" : " ") + text;
  }

  // Steps in which nothing touches the tile.
  void fillHeld(const SlotOccupancy &occupancy) {
    for (size_t i = 0; i != stages_.steps.size(); ++i) {
      const StageStep &step = stages_.steps[i];
      std::string &cell = loop_.rows[occupancy.row].cells[i];
      bool isInside = occupancy.begin < step.end && step.begin < occupancy.end;
      if (isInside && cell.empty() && step.kind != StageStep::Kind::LeftOut)
        cell = labelled(step.end <= occupancy.ready ? "~" : "|", occupancy.tile);
    }
  }

  static constexpr size_t MostCharacters = 256;

  StagesLoop &loop_;
  const PipelineStages &stages_;
};

// How many iterations ahead a fill runs, in an iteration from the front.
int64_t aheadOf(const PipelineStages &stages, const StageEvent &event) {
  const StageStep &step = stages.steps[event.step];
  return step.kind == StageStep::Kind::Iteration ? event.tile.value - step.iteration.value : 0;
}

// "copies to", ", 2 ahead": what stands before and behind the names.
std::pair<std::string, std::string> verbOf(const PipelineStages &stages, const StageEvent &event) {
  std::string behind;
  bool isFill = event.access == StageAccess::Fill || event.access == StageAccess::AsyncFill;
  if (int64_t ahead = aheadOf(stages, event); isFill && ahead > 0)
    behind = llvm::formatv(", {0} ahead", ahead).str();
  if (event.isConditional)
    behind += ", on a condition";
  switch (event.access) {
  case StageAccess::Fill:
    return {"fills", behind};
  case StageAccess::AsyncFill:
    return {"copies to", behind};
  case StageAccess::Update:
    return {"changes", behind};
  case StageAccess::Read:
    return {"reads", behind};
  }
  return {};
}

// The iteration in which most happens, of those from the front the first.
size_t typicalStep(const PipelineStages &stages) {
  std::vector<size_t> counts(stages.steps.size());
  for (const StageEvent &event : stages.events)
    if (stages.steps[event.step].kind == StageStep::Kind::Iteration)
      ++counts[event.step];
  return static_cast<size_t>(llvm::max_element(counts) - counts.begin());
}

class Statements {
public:
  Statements(StagesLoop &loop, const std::vector<TracePoint> &points)
      : loop_(loop), stages_(loop.stages), points_(points), step_(typicalStep(stages_)) {}

  void fill() {
    auto sync = stages_.syncs.begin();
    for (auto event = stages_.events.begin(); event != stages_.events.end();) {
      if (event->step != step_) {
        ++event;
        continue;
      }
      for (; sync != stages_.syncs.end() && sync->tick <= event->tick; ++sync)
        addSync(*sync);
      event = addAccesses(event);
    }
    for (; sync != stages_.syncs.end(); ++sync)
      addSync(*sync);
  }

private:
  using Event = std::vector<StageEvent>::const_iterator;

  // Those of one tick, by verb.
  Event addAccesses(Event event) {
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>> verbs;
    Event first = event;
    for (; event != stages_.events.end() && event->tick == first->tick; ++event) {
      auto verb = verbOf(stages_, *event);
      auto found = llvm::find_if(verbs, [&](const auto &entry) { return entry.first == verb; });
      if (found == verbs.end())
        found = verbs.insert(found, {verb, {}});
      const std::string &name = loop_.rows[event->row].name;
      if (!llvm::is_contained(found->second, name))
        found->second.push_back(name);
    }
    std::string role;
    for (const auto &[verb, names] : verbs)
      role += (role.empty() ? "" : "; ") + verb.first + " " + llvm::join(names, ", ") + verb.second;
    add(first->point, first->stmt, std::move(role));
    return event;
  }

  void addSync(const StageSync &sync) {
    if (sync.step != step_)
      return;
    std::string role = "commits the group";
    if (sync.isWait)
      role = sync.pending == 0 ? "waits for all groups"
                               : llvm::formatv("waits for all but {0} group{1}", sync.pending,
                                               sync.pending == 1 ? "" : "s")
                                     .str();
    add(sync.point, sync.stmt, std::move(role));
  }

  void add(ProgramPoint point, StmtId stmt, std::string role) {
    StagesStatement statement{stmt, 0, std::move(role), ""};
    if (stmt.isValid() && static_cast<size_t>(point) < points_.size()) {
      statement.sourceLine = points_[point].sourceLine;
      statement.text = points_[point].text;
    }
    loop_.statements.push_back(std::move(statement));
  }

  StagesLoop &loop_;
  const PipelineStages &stages_;
  const std::vector<TracePoint> &points_;
  size_t step_;
};

} // namespace

void fillCells(StagesLoop &loop) { Cells(loop).fill(); }

void fillStatements(StagesLoop &loop, const std::vector<TracePoint> &points) {
  Statements(loop, points).fill();
}

// Iterations that are left out are as those before them: see LoopUnroller.
std::string slotsText(const StagesLoop &loop) {
  std::map<BufferId, int64_t> slots;
  for (const StagesRow &row : loop.rows)
    ++slots[row.buffer];
  if (loop.stages.hasHidden)
    return "";
  std::set<BufferId> isShown; // the numbers of some of its tiles
  for (const SlotOccupancy &held : loop.stages.occupancies) {
    const StagesRow &row = loop.rows[held.row];
    if (held.tile.isFromEnd || held.tile.value < 0)
      continue;
    if (held.tile.value % slots[row.buffer] != row.slot)
      return "";
    isShown.insert(row.buffer);
  }
  std::vector<std::pair<int64_t, std::string>> tiles; // by number of slots, in order of the rows
  for (const StagesRow &row : loop.rows) {
    int64_t count = slots[row.buffer];
    if (row.slot != 0 || count == 1)
      continue;
    if (!isShown.contains(row.buffer))
      return "";
    auto same = llvm::find_if(tiles, [&](const auto &tile) { return tile.first == count; });
    if (same == tiles.end())
      tiles.emplace_back(count, row.name);
    else
      same->second += ", " + row.name;
  }
  std::string text;
  for (const auto &[count, names] : tiles) {
    text += text.empty() ? "iteration i is in slot" : "; slot";
    text += " i mod " + std::to_string(count) + (tiles.size() > 1 ? " of " + names : "");
  }
  return text;
}

} // namespace tilescope
