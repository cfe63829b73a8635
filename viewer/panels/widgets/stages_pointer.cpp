// What is under the pointer of a stages_plot.h.
#include "viewer/panels/widgets/stages_plot.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace tilescope {

namespace {

// Of a statement of the loop; the line is 0 where the list of statements lacks it.
Pick statementPick(const StagesLoop &loop, StmtId stmt) {
  Pick pick;
  pick.stmt = stmt;
  for (const StagesStatement &statement : loop.statements)
    if (statement.stmt == stmt)
      pick.sourceLine = statement.sourceLine;
  return pick;
}

std::string exactText(int64_t bytes) { return groupedNumber(bytes) + " bytes"; }

std::string statementText(const StagesLoop &loop, StmtId stmt) {
  for (const StagesStatement &statement : loop.statements)
    if (stmt.isValid() && statement.stmt == stmt)
      return lineText("line ", statement.sourceLine, ": ") + statement.text;
  return "";
}

} // namespace

std::string nameOf(const StagesRow &row) {
  return llvm::formatv("{0}[{1}]", row.name, row.slot).str();
}

Pick StagesPlot::syncAt(double tick) const {
  for (const StageSync &sync : loop_.stages.syncs) {
    if (sync.tick != static_cast<int64_t>(tick))
      continue;
    std::string groups;
    for (const StageNumber &group : sync.groups)
      groups += " g" + toText(group, "m");
    std::string what =
        sync.isWait
            ? llvm::formatv("waits until at most {0} groups are in flight", sync.pending).str()
            : "commits a group of copies";
    if (!groups.empty())
      what += (sync.isWait ? ": ends" : ":") + groups;
    Pick pick = statementPick(loop_, sync.stmt);
    showDetails(picture_.theme, {what, statementText(loop_, sync.stmt)}, pick.sourceLine);
    return pick;
  }
  return {};
}

Pick StagesPlot::pickAt(const PanelContext &context, const Box &plot, ImVec2 mouse) const {
  double row = std::floor(zoom_.y.unit(mouse.y)), tick = std::floor(zoom_.x.unit(mouse.x));
  if (row >= first_ && row < stepRow()) {
    showDetails(picture_.theme, {titleText(), loop_.text}, loop_.sourceLine);
    return statementPick(loop_, loop_.stages.loop);
  }
  if (!isRefused() && row >= endRow() && row < end())
    showTooltip(bytesText(loop_, exactText));
  if (!isRefused() && row == stepRow() && plot.contains(mouse))
    for (size_t i = 0; i != loop_.steps.size(); ++i)
      if (const StageStep &step = loop_.stages.steps[i]; // its name may have found no room
          static_cast<double>(step.begin) <= tick && tick < static_cast<double>(step.end))
        showTooltip(loop_.steps[i].name);
  if (isRefused() || row < slotRow() || row >= endRow())
    return {};
  if (row >= syncRow())
    return plot.contains(mouse) ? syncAt(tick) : Pick();
  auto index = static_cast<size_t>(row - slotRow());
  Pick pick = pickOf(context, loop_.rows[index].buffer, loop_.rows[index].slot);
  if (!plot.contains(mouse))
    return pick;
  for (const StageEvent &event : loop_.stages.events)
    if (event.row == index && static_cast<double>(event.tick) == tick) {
      Pick statement = statementPick(loop_, event.stmt);
      pick.stmt = statement.stmt;
      pick.sourceLine = statement.sourceLine;
      showDetails(picture_.theme, detailsOf(event), statement.sourceLine);
    }
  return pick;
}

std::vector<std::string> StagesPlot::detailsOf(const StageEvent &event) const {
  std::string tile = toText(event.tile), name = nameOf(loop_.rows[event.row]);
  std::vector<std::string> lines;
  switch (event.access) {
  case StageAccess::Fill:
    lines = {name + " is filled for iteration " + tile};
    break;
  case StageAccess::AsyncFill:
    lines = {name + ": a copy for iteration " + tile + " starts",
             "in group g" + toText(event.group, "m")};
    break;
  case StageAccess::Update:
    lines = {name + ": the tile of iteration " + tile + " is changed"};
    break;
  case StageAccess::Read:
    lines = {name + ": the tile of iteration " + tile + " is read"};
    break;
  }
  if (event.producer != StageEvent::None) {
    const StageEvent &fill = loop_.stages.events[event.producer];
    lines.push_back("filled in step " + loop_.steps[fill.step].name);
  }
  if (event.isConditional)
    lines.push_back("only on a condition");
  if (std::string text = statementText(loop_, event.stmt); !text.empty())
    lines.push_back(text);
  return lines;
}

} // namespace tilescope
