#include "core/views/stages_moment.h"

#include "core/views/stages_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

bool hasPicture(const StagesLoop &loop) {
  return loop.stages.refusal.empty() && !loop.stages.steps.empty();
}

std::string slotName(const StagesLoop &loop, size_t row) {
  return llvm::formatv("{0}[{1}]", loop.rows[row].name, loop.rows[row].slot);
}

bool writes(const StageEvent &event) { return event.access != StageAccess::Read; }

std::string happeningOf(const StagesLoop &loop, const StageEvent &event) {
  std::string name = slotName(loop, event.row), tile = toText(event.tile);
  switch (event.access) {
  case StageAccess::Fill:
    return "fills " + name + " for iteration " + tile;
  case StageAccess::AsyncFill:
    return "copies to " + name + " for iteration " + tile;
  case StageAccess::Update:
    return "changes " + name + " of iteration " + tile;
  case StageAccess::Read:
    return "reads " + name + " of iteration " + tile;
  }
  return "";
}

std::string happeningOf(const StageSync &sync) {
  std::string groups;
  for (const StageNumber &group : sync.groups)
    groups += " g" + toText(group, "m");
  if (!sync.isWait)
    return groups.empty() ? "commits a group of nothing" : "commits" + groups;
  return groups.empty() ? "waits, and nothing has to end" : "waits for" + groups;
}

class MomentBuilder {
public:
  MomentBuilder(const PassState &state, const StagesLoop &loop, int64_t tick)
      : loop_(loop), stages_(loop.stages) {
    moment_.tick = std::clamp<int64_t>(tick, 0, tickCount(loop) - 1);
    if (const FunctionState *function = state.facets()->find(stages_.function))
      points_ = &state.textOf(*function).points;
  }

  StagesMoment build() {
    for (size_t i = 0; i != stages_.steps.size(); ++i)
      if (stages_.steps[i].begin <= moment_.tick && moment_.tick < stages_.steps[i].end)
        moment_.step = loop_.steps[i].name;
    for (const StageSync &sync : stages_.syncs)
      if (sync.tick == moment_.tick)
        happens(happeningOf(sync), sync.point, sync.stmt);
    for (const StageEvent &event : stages_.events)
      if (event.tick == moment_.tick)
        happens(happeningOf(loop_, event), event.point, event.stmt);
    for (size_t row = 0; row != loop_.rows.size(); ++row)
      moment_.slots.push_back(slotAt(row));
    return std::move(moment_);
  }

private:
  const TracePoint *pointAt(ProgramPoint point) const {
    bool isKnown = points_ && point >= 0 && static_cast<size_t>(point) < points_->size();
    return isKnown ? &(*points_)[static_cast<size_t>(point)] : nullptr;
  }

  void happens(std::string what, ProgramPoint point, StmtId stmt) {
    moment_.happens.push_back(std::move(what));
    moment_.point = point;
    moment_.stmt = stmt;
    if (const TracePoint *known = pointAt(point)) {
      moment_.sourceLine = known->sourceLine;
      moment_.text = known->text;
    }
  }

  SlotAtMoment slotAt(size_t row) const {
    const StagesRow &shown = loop_.rows[row];
    SlotAtMoment slot{.buffer = shown.buffer,
                      .slot = shown.slot,
                      .name = shown.name,
                      .hueDegrees = shown.hueDegrees};
    auto held = llvm::find_if(stages_.occupancies, [&](const SlotOccupancy &occupancy) {
      return occupancy.row == row && occupancy.begin <= moment_.tick &&
             moment_.tick < occupancy.end;
    });
    if (held == stages_.occupancies.end())
      return slot;
    slot.tile = toText(held->tile);
    slot.isInFlight = moment_.tick < held->ready;
    for (const StageEvent &event : stages_.events)
      if (event.row == row && writes(event) && event.tick >= held->begin &&
          event.tick <= moment_.tick)
        tellWriter(event, slot);
    return slot;
  }

  void tellWriter(const StageEvent &event, SlotAtMoment &slot) const {
    slot.writer = event.stmt;
    slot.writerStep = loop_.steps[event.step].name;
    if (const TracePoint *known = pointAt(event.point)) {
      slot.writerLine = known->sourceLine;
      slot.writerText = known->text;
    }
  }

  const StagesLoop &loop_;
  const PipelineStages &stages_;
  const std::vector<TracePoint> *points_ = nullptr;
  StagesMoment moment_;
};

} // namespace

int64_t tickCount(const StagesLoop &loop) {
  return hasPicture(loop) ? loop.stages.steps.back().end : 0;
}

const StagesLoop *loopOf(const StagesView &view, const LoopMoment &moment, size_t pass) {
  auto found = llvm::find_if(view.loops, [&](const StagesLoop &loop) {
    return moment.loop.isValid() && loop.stages.loop == moment.loop && tickCount(loop) > 0;
  });
  return moment.pass == pass && found != view.loops.end() ? &*found : nullptr;
}

llvm::Expected<LoopMoment> momentNamed(const StagesView &view, size_t pass, llvm::StringRef text) {
  auto [line, tick] = text.contains(':') ? text.split(':') : std::pair(llvm::StringRef("0"), text);
  uint32_t wantedLine = 0;
  LoopMoment moment{.pass = pass};
  if (line.getAsInteger(10, wantedLine) || tick.getAsInteger(10, moment.tick) || moment.tick < 0)
    return llvm::createStringError("a moment is a tick, or LINE:TICK, not '" + text + "'");
  for (const StagesLoop &loop : view.loops)
    if (tickCount(loop) > moment.tick && !loop.stages.isInRole &&
        (wantedLine == 0 || loop.sourceLine.number == wantedLine)) {
      moment.loop = loop.stages.loop;
      return moment;
    }
  return llvm::createStringError("no pipelined loop " +
                                 (wantedLine ? "in line " + line + " " : llvm::Twine()).str() +
                                 "has a tick " + tick + " after " + view.pass);
}

std::string nameOf(const StagesView &view, const LoopMoment &moment) {
  const StagesLoop *loop = loopOf(view, moment, moment.pass);
  std::string tick = std::to_string(moment.tick);
  return loop && loop->sourceLine ? std::to_string(loop->sourceLine.number) + ":" + tick : tick;
}

StagesMoment momentOf(const PassState &state, const StagesLoop &loop, int64_t tick) {
  return MomentBuilder(state, loop, tick).build();
}

int64_t nextTick(const StagesLoop &loop, int64_t tick, int direction, bool bySteps) {
  std::vector<int64_t> ticks; // at which one can stop
  if (bySteps)
    for (const StageStep &step : loop.stages.steps)
      ticks.push_back(step.begin);
  else
    for (const StageEvent &event : loop.stages.events)
      ticks.push_back(event.tick);
  for (const StageSync &sync : loop.stages.syncs)
    if (!bySteps)
      ticks.push_back(sync.tick);
  llvm::sort(ticks);
  if (direction > 0) {
    auto next = llvm::upper_bound(ticks, tick);
    return next == ticks.end() ? tick : *next;
  }
  auto next = llvm::lower_bound(ticks, tick);
  return next == ticks.begin() ? tick : *std::prev(next);
}

std::string headingOf(const StagesMoment &moment) {
  bool isIteration =
      !moment.step.empty() && (moment.step[0] == 'n' || llvm::isDigit(moment.step[0]));
  std::string text = isIteration            ? "iteration " + moment.step
                     : moment.step == "..." ? "iterations that are left out"
                                            : moment.step;
  return moment.happens.empty() ? text : text + ": " + llvm::join(moment.happens, ", ");
}

std::string toText(const SlotAtMoment &slot) {
  return slot.tile.empty() ? "free" : slot.tile + (slot.isInFlight ? " in flight" : "");
}

void print(const StagesMoment &moment, llvm::raw_ostream &out) {
  write(out, headingOf(moment), {Ink::Strong});
  out << '\n';
  if (!moment.text.empty())
    out << "  " << lineText("line ", moment.sourceLine, ": ") << moment.text << '\n';
  std::vector<std::vector<std::string>> rows{{"  slot", "holds", "written in", "by"}};
  for (const SlotAtMoment &slot : moment.slots)
    rows.push_back(
        {llvm::formatv("  {0}[{1}]", slot.name, slot.slot), toText(slot), slot.writerStep,
         slot.writerText.empty() ? ""
                                 : lineText("line ", slot.writerLine, ": ") + slot.writerText});
  printTable(out, rows, 4);
}

} // namespace tilescope
