#include "core/views/steps_model.h"

#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <tuple>

namespace tilescope {

namespace {

constexpr llvm::StringLiteral Hows[] = {"reads", "writes", "copies to", "waits for"};

// A trace may name what it does not declare.
const SteppedBuffer *bufferOf(const BlockSteps &block, BufferId id) {
  auto found = llvm::find_if(block.buffers, [&](const SteppedBuffer &b) { return b.id == id; });
  return found == block.buffers.end() ? nullptr : &*found;
}

std::string iterationText(const SteppedStatement &statement, llvm::ArrayRef<int64_t> first,
                          llvm::ArrayRef<int64_t> last) {
  std::vector<std::string> parts;
  for (size_t loop = 0; loop != statement.loops.size(); ++loop) {
    parts.push_back(llvm::formatv("{0}={1}", statement.loops[loop], first[loop]));
    if (first[loop] != last[loop])
      parts.back() += ".." + std::to_string(last[loop]);
  }
  return llvm::join(parts, ", ");
}

std::string rangeText(const SlotBytes &slot) {
  std::string text = "[" + groupedNumber(slot.begin) + ", " + groupedNumber(slot.end) + ")";
  if (slot.ranges > 1)
    text += llvm::formatv(", {0} bytes in {1} ranges", groupedNumber(slot.bytes),
                          groupedNumber(slot.ranges));
  return text;
}

class StepsBuilder {
public:
  StepsBuilder(const Trace &trace, const BlockSteps &block, size_t step, StepsView &view)
      : block_(block), step_(step), view_(view), hues_(touchHuesOf(trace, block)) {}

  void build() {
    view_.bytes = block_.bytes;
    const SteppedStatement &statement = block_.statementOf(step_);
    view_.stmt = statement.stmt;
    view_.sourceLine = statement.span.line;
    view_.text = statement.text;
    view_.iteration = tilescope::iterationText(block_, step_);
    for (int64_t touch : block_.touchesOf(step_))
      addTouch(static_cast<size_t>(touch));
    addWritten();
  }

private:
  SlotBytes slotOf(size_t touch) const {
    const StepTouch &touched = block_.touches[touch];
    return {.buffer = touched.buffer,
            .slot = touched.slot,
            .name = slotNameOf(block_, touched),
            .hueDegrees = hues_[touch]};
  }

  static void add(SlotBytes &slot, int64_t begin, int64_t end) {
    bool isFirst = slot.ranges == 0;
    slot.ranges += isFirst || slot.end != begin;
    slot.begin = isFirst ? begin : std::min(slot.begin, begin);
    slot.end = std::max(slot.end, end);
    slot.bytes += end - begin;
  }

  void addTouch(size_t index) {
    const StepTouch &touch = block_.touches[index];
    TouchedBytes touched{Hows[static_cast<size_t>(touch.kind)].str(), slotOf(index)};
    for (size_t at = 0; at != touch.bytes.size(); at += 2)
      add(touched.slot, touch.bytes[at], touch.bytes[at + 1]);
    view_.touches.push_back(std::move(touched));
  }

  // Boxes of one row: of one statement, but for the innermost loop around it of one iteration.
  auto rowOf(const StepBox &box) const {
    const StepTouch &touch = block_.touches[box.touch];
    std::vector<int64_t> outer = block_.iterationOf(box.writer).vec();
    if (!outer.empty())
      outer.pop_back();
    return std::tuple(block_.steps[box.writer].front(), touch.buffer, touch.slot, box.isInFlight,
                      std::move(outer));
  }

  void addWritten() {
    std::vector<StepBox> boxes;
    for (const StepBox &box : stepBoxesOf(block_))
      if (box.from <= step_ && step_ < box.until)
        boxes.push_back(box);
    llvm::sort(boxes, [](const StepBox &a, const StepBox &b) { return a.begin < b.begin; });
    view_.unwrittenBytes = block_.bytes;
    std::map<decltype(rowOf(boxes.front())), std::vector<StepBox>> rows;
    for (const StepBox &box : boxes) {
      rows[rowOf(box)].push_back(box);
      view_.unwrittenBytes -= box.end - box.begin;
    }
    for (const auto &[row, of] : rows)
      addRow(of);
    llvm::stable_sort(view_.written, [](const WrittenBytes &a, const WrittenBytes &b) {
      return a.slot.begin < b.slot.begin;
    });
  }

  void addRow(llvm::ArrayRef<StepBox> boxes) {
    auto [first, last] =
        std::minmax_element(boxes.begin(), boxes.end(),
                            [](const StepBox &a, const StepBox &b) { return a.writer < b.writer; });
    const SteppedStatement &statement = block_.statementOf(first->writer);
    WrittenBytes row{.slot = slotOf(first->touch),
                     .firstStep = offset() + static_cast<int64_t>(first->writer),
                     .lastStep = offset() + static_cast<int64_t>(last->writer),
                     .stmt = statement.stmt,
                     .sourceLine = statement.span.line,
                     .text = statement.text,
                     .iteration = iterationText(statement, block_.iterationOf(first->writer),
                                                block_.iterationOf(last->writer)),
                     .isInFlight = first->isInFlight};
    for (const StepBox &box : boxes)
      add(row.slot, box.begin, box.end);
    view_.written.push_back(std::move(row));
  }

  int64_t offset() const { return view_.launches[static_cast<size_t>(view_.launch)].firstStep; }

  const BlockSteps &block_;
  size_t step_;
  StepsView &view_;
  std::vector<int> hues_; // by touch
};

} // namespace

int64_t versionOf(const BlockSteps &block, const StepTouch &touch) {
  const SteppedBuffer *buffer = bufferOf(block, touch.buffer);
  return buffer && buffer->versions > 1 ? touch.slot : -1;
}

std::string slotNameOf(const BlockSteps &block, const StepTouch &touch) {
  const SteppedBuffer *buffer = bufferOf(block, touch.buffer);
  std::string name = buffer ? buffer->name : "?";
  int64_t version = versionOf(block, touch);
  return version < 0 ? name : llvm::formatv("{0}[{1}]", name, version).str();
}

std::string iterationText(const BlockSteps &block, size_t step) {
  llvm::ArrayRef<int64_t> values = block.iterationOf(step);
  return iterationText(block.statementOf(step), values, values);
}

std::optional<LaunchStep> launchStepOf(const ExecutionRecord &execution, int64_t step) {
  for (size_t launch = 0; step >= 0 && launch != execution.blocks.size(); ++launch) {
    auto count = static_cast<int64_t>(execution.blocks[launch].steps.size());
    if (step < count)
      return LaunchStep{launch, static_cast<size_t>(step)};
    step -= count;
  }
  return std::nullopt;
}

int64_t stepCountOf(const Trace &trace) {
  int64_t count = 0;
  if (trace.execution)
    for (const BlockSteps &block : trace.execution->blocks)
      count += static_cast<int64_t>(block.steps.size());
  return count;
}

llvm::Error checkStep(const Trace &trace, int64_t step) {
  int64_t count = stepCountOf(trace);
  if (count == 0 || (0 <= step && step < count))
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv("no step {0}: they are 0 to {1}", step, count - 1));
}

std::vector<int> touchHuesOf(const Trace &trace, const BlockSteps &block) {
  BufferHues hues = BufferHues::of(trace);
  std::map<BufferId, int> known;
  const std::vector<BufferRecord> *before = nullptr; // most snapshots share theirs
  for (const TraceSnapshot &snapshot : trace.snapshots)
    if (const std::vector<BufferRecord> *buffers = snapshot.buffers.get();
        std::exchange(before, buffers) != buffers)
      for (const BufferRecord &buffer : *buffers)
        known.try_emplace(buffer.id, hues.hueOf(buffer.key));
  std::vector<int> result;
  for (const StepTouch &touch : block.touches) {
    auto hue = known.find(touch.buffer);
    result.push_back(hue == known.end() ? 0 : hue->second);
  }
  return result;
}

std::optional<int64_t> nextOfStatement(const ExecutionRecord &execution, int64_t step,
                                       int direction) {
  std::optional<LaunchStep> at = launchStepOf(execution, step);
  if (!at)
    return std::nullopt;
  const BlockSteps &block = execution.blocks[at->launch];
  auto count = static_cast<int64_t>(block.steps.size()), own = static_cast<int64_t>(at->step);
  for (int64_t other = own + direction; 0 <= other && other < count; other += direction)
    if (block.steps[static_cast<size_t>(other)].front() == block.steps[at->step].front())
      return step + other - own;
  return std::nullopt;
}

StepsView buildSteps(const Trace &trace, const Selection &selection) {
  StepsView view;
  if (!trace.execution) {
    view.missing = "no steps are recorded: 'tilescope exec --trace FILE --steps BLOCK' does";
    return view;
  }
  view.pass = passPlace(trace, trace.execution->pass);
  for (const BlockSteps &block : trace.execution->blocks) {
    auto count = static_cast<int64_t>(block.steps.size());
    view.launches.push_back({block.function, block.block, view.stepCount, count, block.isCut});
    view.stepCount += count;
  }
  if (view.stepCount == 0) {
    view.missing = "no shared memory is touched";
    return view;
  }
  int64_t last = view.stepCount - 1;
  view.step = selection.step < 0 ? last : std::min(selection.step, last);
  LaunchStep at = *launchStepOf(*trace.execution, view.step);
  view.launch = static_cast<int64_t>(at.launch);
  StepsBuilder(trace, trace.execution->blocks[at.launch], at.step, view).build();
  return view;
}

std::string headingOf(const StepsView &view) {
  std::string text =
      llvm::formatv("step {0} of {1}", groupedNumber(view.step), groupedNumber(view.stepCount));
  text += lineText(", line ", view.sourceLine);
  if (!view.iteration.empty())
    text += ", " + view.iteration;
  return text + ": " + view.text;
}

std::string toText(const TouchedBytes &touched) {
  return touched.how + " " + touched.slot.name + ": " + rangeText(touched.slot);
}

std::string launchText(const StepsView &view) {
  const StepsLaunch &launch = view.launches[static_cast<size_t>(view.launch)];
  return llvm::formatv("block {0} of {1}, run after {2}: {3} steps from {4} on{5}", launch.block,
                       launch.function, view.pass, groupedNumber(launch.stepCount),
                       groupedNumber(launch.firstStep),
                       launch.isCut ? "; the rest is cut off" : "");
}

void print(const StepsView &view, llvm::raw_ostream &out) {
  if (!view.missing.empty()) {
    out << view.missing << '\n';
    return;
  }
  out << launchText(view) << "\n\n";
  write(out, headingOf(view), {Ink::Strong});
  out << '\n';
  for (const TouchedBytes &touched : view.touches) {
    out << "  " << touched.how << ' ';
    write(out, touched.slot.name, Ink::ofHue(touched.slot.hueDegrees));
    out << ": " << rangeText(touched.slot) << '\n';
  }
  out << '\n';
  std::vector<std::vector<std::string>> rows{
      {"  bytes", "written", "steps", "line", "iteration", "by"}};
  for (const WrittenBytes &written : view.written) {
    std::string steps = groupedNumber(written.firstStep);
    if (written.lastStep != written.firstStep)
      steps += " to " + groupedNumber(written.lastStep);
    rows.push_back({"  " + rangeText(written.slot),
                    written.slot.name + (written.isInFlight ? " in flight" : ""), steps,
                    lineText("", written.sourceLine), written.iteration, written.text});
  }
  printTable(out, rows, rows.front().size(), [&](size_t row, size_t column) {
    if (row == 0)
      return Ink{Ink::Strong};
    return column == 1 ? Ink::ofHue(view.written[row - 1].slot.hueDegrees) : Ink();
  });
  if (view.unwrittenBytes > 0)
    out << "  " << groupedNumber(view.unwrittenBytes) << " bytes that nobody has written\n";
}

} // namespace tilescope
