#include "core/views/stages_model.h"

#include "core/trace/trace_origin.h"
#include "core/views/stages_contents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

const char *const StagesLegend =
    "D0 filled for iteration 0, ~0 in flight, U0 read, X0 changed, |0 held, . free; g0 a group of "
    "copies";

namespace {

// Most bytes that are live at one of the points.
int64_t mostLive(const ArenaRecord &arena, const LiveInterval &points) {
  if (points.begin >= points.end)
    return 0;
  std::vector<int64_t> changes(static_cast<size_t>(points.end - points.begin) + 1);
  for (const ArenaBuffer &buffer : arena.problem.buffers)
    for (const LiveInterval &live : buffer.live) {
      ProgramPoint begin = std::max(live.begin, points.begin), end = std::min(live.end, points.end);
      if (begin >= end)
        continue;
      changes[begin - points.begin] += buffer.sizeBytes;
      changes[end - points.begin] -= buffer.sizeBytes;
    }
  int64_t bytes = 0, most = 0;
  for (int64_t change : changes)
    most = std::max(most, bytes += change);
  return most;
}

void addBytes(const FunctionState &function, const PipelineRecord &record, StagesLoop &loop) {
  const ArenaRecord *arena = function.arena;
  if (!arena)
    return;
  loop.prologueBytes = mostLive(*arena, loop.stages.prologue);
  loop.bodyBytes = mostLive(*arena, loop.stages.body);
  loop.epilogueBytes = mostLive(*arena, loop.stages.epilogue);
  loop.freeBytes = arena->problem.capacityBytes - arena->plan.heightBytes;
  loop.nextStageBytes = 0;
  for (const auto &[id, count] : record.versions) {
    bool isRow = llvm::any_of(loop.rows, [&](const StagesRow &row) { return row.buffer == id; });
    if (!isRow)
      continue;
    const SharedBuffer *shared = function.find(id);
    const ArenaBuffer *buffer = shared ? shared->inArena : nullptr;
    if (!buffer || !loop.nextStageBytes) {
      loop.nextStageBytes.reset(); // its size is known at launch only
      continue;
    }
    if (count + 1 <= buffer->versions)
      continue;
    *loop.nextStageBytes += buffer->strideBytes;
    loop.nextStage.push_back({buffer->name, buffer->strideBytes});
  }
}

StagesLoop loopOf(const PassState &state, const PipelineRecord &record, PipelineStages stages) {
  StagesLoop loop;
  loop.stages = std::move(stages);
  loop.numStages = record.numStages;
  loop.trips = loop.stages.trips ? std::to_string(*loop.stages.trips) : record.trips;
  if (const TraceLine *line = state.firstLineOf(record.loop)) {
    loop.text = llvm::StringRef(line->text).trim().str();
    loop.sourceLine = line->sourceLine();
  }
  for (const StageRow &row : loop.stages.rows) {
    const BufferRecord *buffer = state.facets()->declaration(row.buffer);
    loop.rows.push_back(
        {row.buffer, buffer ? buffer->name : "?", row.slot, state.facets()->hueOf(row.buffer), {}});
  }
  fillCells(loop);
  if (const FunctionState *function = state.facets()->find(loop.stages.function)) {
    addBytes(*function, record, loop);
    if (loop.stages.refusal.empty())
      fillStatements(loop, state.textOf(*function).points);
  }
  return loop;
}

// What the passes up to this one said of loops that they left alone.
std::vector<std::string> reasonsOf(const PassState &state) {
  const Trace &trace = state.trace();
  std::vector<std::string> reasons;
  if (isForeign(trace.header))
    return reasons;
  for (size_t i = 0; i <= state.pass(); ++i)
    for (const TraceRemark &remark : trace.passes[i].remarks)
      if (remark.id == "LoopNotPipelined")
        reasons.push_back(lineText("line ", remark.span.line, ": ") + remark.text);
  if (reasons.empty())
    reasons.push_back("no loop asks for stages: T.Pipelined(..., num_stages=2) does");
  return reasons;
}

} // namespace

std::string headingOf(const StagesLoop &loop) {
  std::string stages = "as scheduled";
  if (loop.numStages > 0)
    stages = llvm::formatv("{0} stage{1}", loop.numStages, loop.numStages == 1 ? "" : "s");
  std::string planned = loop.stages.isPlanned ? ", planned" : "";
  return stages + ", " + loop.trips + (loop.trips == "1" ? " iteration" : " iterations") + planned;
}

std::string bytesText(const StagesLoop &loop, std::string (*textOf)(int64_t bytes)) {
  std::string text;
  if (loop.nextStageBytes == 0)
    text = "one more stage costs nothing: another loop gives its tiles as many slots; ";
  else if (loop.nextStageBytes)
    text = "one more stage: " + textOf(*loop.nextStageBytes);
  if (loop.nextStageBytes.value_or(0) != 0 && !loop.stages.isPlanned)
    text += loop.freeBytes < 0 ? ", " + textOf(-loop.freeBytes) + " over the capacity already"
                               : ", " + textOf(loop.freeBytes) + " are free";
  if (loop.nextStageBytes.value_or(0) != 0)
    text += "; ";
  text += "live at most " + textOf(loop.bodyBytes) + " in the loop";
  if (loop.prologueBytes != 0)
    text += ", " + textOf(loop.prologueBytes) + " in the prologue";
  if (loop.epilogueBytes != 0)
    text += ", " + textOf(loop.epilogueBytes) + " in the epilogue";
  return text;
}

std::vector<AxisLabel> mergeLabels(const std::vector<AxisLabel> &labels, double gap,
                                   llvm::function_ref<double(llvm::StringRef)> widthOf) {
  struct Merged {
    const AxisLabel *first;
    const AxisLabel *last;
    std::string text;
  };
  std::vector<Merged> merged;
  for (const AxisLabel &label : labels) {
    Merged next{&label, &label, label.text};
    while (!merged.empty() &&
           merged.back().first->begin + widthOf(merged.back().text) + gap > next.first->begin) {
      next.first = merged.back().first;
      next.text = next.first->text == next.last->text ? next.first->text
                                                      : next.first->text + ".." + next.last->text;
      merged.pop_back();
    }
    merged.push_back(std::move(next));
  }
  std::vector<AxisLabel> result;
  result.reserve(merged.size());
  for (Merged &label : merged)
    result.push_back({std::move(label.text), label.first->begin});
  return result;
}

namespace {

// ---- Text ---------------------------------------------------------------------------------------

void printCells(const StagesLoop &loop, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{{"  slot"}};
  std::vector<std::string> commits{"  commits"}, waits{"  waits"};
  for (const StagesStep &step : loop.steps) {
    rows[0].push_back(step.name);
    commits.push_back(step.commits);
    waits.push_back(step.waits);
  }
  for (const StagesRow &row : loop.rows) {
    rows.push_back({llvm::formatv("  {0}[{1}]", row.name, row.slot)});
    rows.back().insert(rows.back().end(), row.cells.begin(), row.cells.end());
  }
  rows.push_back(std::move(commits));
  if (!loop.stages.isPlanned)
    rows.push_back(std::move(waits));
  printTable(out, rows, rows[0].size(), [&](size_t row, size_t column) {
    if (row == 0)
      return Ink{Ink::Strong};
    if (row > loop.rows.size())
      return column == 0 ? Ink() : Ink{Ink::Quiet};
    return Ink::ofHue(loop.rows[row - 1].hueDegrees);
  });
}

void printStatements(const StagesLoop &loop, llvm::raw_ostream &out) {
  out << '\n';
  std::vector<std::vector<std::string>> rows{{"  an iteration", "line", "statement"}};
  for (const StagesStatement &statement : loop.statements)
    rows.push_back({"  " + statement.role, lineText(statement.sourceLine), statement.text});
  printTable(out, rows, 3);
}

void printBytes(const StagesLoop &loop, llvm::raw_ostream &out) {
  std::string slots = slotsText(loop);
  out << '\n' << (slots.empty() ? "" : "  " + slots + "\n") << "  live at most: ";
  if (loop.prologueBytes != 0)
    out << groupedNumber(loop.prologueBytes) << " bytes in the prologue, ";
  out << groupedNumber(loop.bodyBytes) << " in the loop";
  if (loop.epilogueBytes != 0)
    out << ", " << groupedNumber(loop.epilogueBytes) << " in the epilogue";
  out << '\n';
  if (!loop.nextStageBytes)
    return;
  if (*loop.nextStageBytes == 0) {
    out << "  one more stage: no bytes, since another loop gives its tiles as many slots\n";
    return;
  }
  out << "  one more stage: " << groupedNumber(*loop.nextStageBytes) << " bytes";
  const char *separator = " (";
  for (const StageCost &cost : loop.nextStage) {
    out << separator << cost.buffer << ' ' << groupedNumber(cost.bytes);
    separator = ", ";
  }
  if (loop.stages.isPlanned) { // the bytes of the planned slots are not in the arena yet
    out << ")\n";
    return;
  }
  out << "); ";
  std::string bytes = groupedNumber(std::abs(loop.freeBytes));
  if (loop.freeBytes < 0)
    write(out, bytes + " over the capacity", {Ink::Bad});
  else
    out << bytes << " are free";
  out << '\n';
}

void printLoop(const StagesLoop &loop, llvm::raw_ostream &out) {
  write(out, loop.stages.function, {Ink::Strong});
  out << lineText(", line ", loop.sourceLine) << ": " << headingOf(loop) << "\n  ";
  write(out, loop.text, {Ink::Quiet});
  out << '\n';
  if (!loop.stages.refusal.empty()) {
    out << "  " << loop.stages.refusal << '\n';
    return;
  }
  out << '\n';
  printCells(loop, out);
  if (loop.stages.hasHidden)
    out << "  accesses that choose their slot at run time are left out\n";
  printStatements(loop, out);
  printBytes(loop, out);
}

} // namespace

StagesView buildStages(const PassState &state) {
  StagesView view;
  view.pass = state.place();
  std::vector<PipelineStages> all = pipelineStagesOf(state.snapshot());
  for (size_t i = 0; i != all.size(); ++i)
    view.loops.push_back(loopOf(state, (*state.snapshot().pipelines)[i], std::move(all[i])));
  view.roles = buildStagesRoles(state);
  view.handovers = handoversOf(view.roles);
  if (!view.loops.empty())
    return view;
  const TraceHeader &header = state.trace().header;
  view.summary = hasPipelines(header)
                     ? "no loop is pipelined"
                     : "pipelined loops of " + header.compiler + " are not recorded";
  view.reasons = reasonsOf(state);
  return view;
}

StagesView buildStages(const Trace &trace, const Selection &selection) {
  PassState state(trace, selection.pass);
  StagesView view = buildStages(state);
  if (const StagesLoop *loop = loopOf(view, selection.moment, selection.pass))
    view.moment = momentOf(state, *loop, selection.moment.tick);
  return view;
}

void print(const StagesView &view, llvm::raw_ostream &out) {
  out << "stages after " << view.pass << '\n';
  if (view.loops.empty()) {
    out << '\n' << view.summary << '\n';
    for (const std::string &reason : view.reasons)
      out << "  " << reason << '\n';
    return;
  }
  auto isInRole = [](const StagesLoop &loop) { return loop.stages.isInRole; };
  if (!llvm::all_of(view.loops, isInRole))
    out << StagesLegend << '\n';
  for (const StagesLoop &loop : view.loops) {
    if (isInRole(loop))
      continue;
    out << '\n';
    printLoop(loop, out);
  }
  if (view.moment) {
    out << '\n';
    print(*view.moment, out);
  }
  print(view.roles, view.handovers, out);
}

} // namespace tilescope
