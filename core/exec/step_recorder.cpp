#include "core/exec/step_recorder.h"

#include "core/ir/printer.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

static std::string firstLineOf(llvm::StringRef text) {
  return text.trim().split('\n').first.rtrim().str();
}

StepRecorder::StepRecorder(const Function &function, BlockSteps about)
    : function_(function), result_(std::move(about)) {}

void StepRecorder::begin(const Stmt &stmt, llvm::SmallVector<LoopValue> loops) {
  flush();
  stmt_ = &stmt;
  loops_ = std::move(loops);
}

void StepRecorder::touch(StepTouch::Kind kind, BufferId buffer, int64_t slot, UnitRange bytes) {
  Ranges &ranges = touched_[{kind, buffer, slot}];
  if (!ranges.empty() && ranges.back().end == bytes.begin)
    ranges.back().end = bytes.end;
  else
    ranges.push_back(bytes);
}

int64_t StepRecorder::statementIndex() {
  auto next = static_cast<int64_t>(result_.statements.size());
  auto [found, isNew] = statements_.try_emplace(stmt_->id().value, next);
  if (isNew) {
    SteppedStatement &statement = result_.statements.emplace_back();
    statement.stmt = stmt_->id();
    statement.span = stmt_->span();
    statement.text = firstLineOf(printStmt(function_, *stmt_));
    for (const LoopValue &loop : loops_)
      statement.loops.push_back(loop.loop->var->name.str());
  }
  return found->second;
}

// Nothing: it would be one more than there is room for.
std::optional<size_t> StepRecorder::currentStep() {
  std::vector<int64_t> place{statementIndex()};
  for (const LoopValue &loop : loops_)
    place.push_back(loop.value);
  auto found = numbers_.find(place);
  if (found != numbers_.end())
    return found->second;
  if (result_.isCut || steps_.size() == MostSteps || rangeCount_ >= MostStepRanges) {
    result_.isCut = true;
    return std::nullopt;
  }
  numbers_.emplace(place, steps_.size());
  steps_.push_back({std::move(place), {}});
  return steps_.size() - 1;
}

// Gives how many ranges there are more.
size_t StepRecorder::merge(Ranges &into, Ranges more) {
  size_t before = into.size();
  llvm::append_range(into, more);
  llvm::sort(into, [](UnitRange a, UnitRange b) { return a.begin < b.begin; });
  Ranges merged;
  for (UnitRange range : into)
    if (!merged.empty() && range.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(range);
  into = std::move(merged);
  return into.size() > before ? into.size() - before : 0;
}

void StepRecorder::flush() {
  if (touched_.empty())
    return;
  std::map<Way, Ranges> touched = std::exchange(touched_, {});
  if (std::optional<size_t> step = currentStep())
    for (auto &[way, ranges] : touched)
      rangeCount_ += merge(steps_[*step].touched[way], std::move(ranges));
}

void StepRecorder::addTouches(Step &step) {
  for (const auto &[way, ranges] : step.touched) {
    StepTouch touch{way.kind, way.buffer, way.slot, {}};
    for (UnitRange range : ranges)
      llvm::append_values(touch.bytes, static_cast<int64_t>(range.begin),
                          static_cast<int64_t>(range.end));
    auto next = static_cast<int64_t>(result_.touches.size());
    auto [found, isNew] = touches_.try_emplace(touch, next);
    step.place.push_back(found->second);
    if (!isNew)
      continue;
    if (buffers_.try_emplace(way.buffer, result_.buffers.size()).second) {
      const Buffer &buffer = function_.buffer(way.buffer);
      result_.buffers.push_back({way.buffer, buffer.name.str(), buffer.versions});
    }
    result_.touches.push_back(std::move(touch));
  }
}

// Later warps may have added to steps that were made while there was room.
BlockSteps StepRecorder::take() {
  flush();
  size_t rangeCount = 0;
  for (Step &step : steps_) {
    for (const auto &[way, ranges] : step.touched)
      rangeCount += ranges.size();
    if (rangeCount > MostStepRanges) {
      result_.isCut = true;
      break;
    }
    addTouches(step);
    result_.steps.push_back(std::move(step.place));
  }
  return std::move(result_);
}

} // namespace tilescope
