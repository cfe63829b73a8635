#include "core/views/timeline_model.h"

#include "core/trace/pass_figures.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

TimelineRow rowOf(const Trace &trace, size_t index) {
  const TracePass &pass = trace.passes[index];
  TimelineRow row;
  row.index = index;
  row.name = pass.name;
  row.depth = pass.depth;
  row.isGroup = index > 0 && trace.passes[index - 1].depth > pass.depth;
  row.changed = pass.status == PassStatus::Changed;
  row.failed = pass.status == PassStatus::Failed;
  // A trace is untrusted: sums of these do not overflow.
  row.wallMicroseconds = std::clamp<int64_t>(pass.wallMicroseconds, 0, int64_t(1) << 40);
  PassFigures figures = figuresOf(trace, index);
  row.sharedBytes = figures.sharedBytes;
  row.sharedIsPreview = figures.sharedIsPreview;
  return row;
}

std::string milliseconds(int64_t microseconds) {
  return llvm::formatv("{0:f3}", static_cast<double>(microseconds) / 1000).str();
}

constexpr int64_t BarWidth = 24;

std::string barOf(const TimelineRow &row, int64_t most) {
  if (most <= 0 || row.wallMicroseconds == 0)
    return "";
  double share = static_cast<double>(row.wallMicroseconds) / static_cast<double>(most);
  return std::string(static_cast<size_t>(std::max(1.0, share * BarWidth)), '#');
}

} // namespace

TimelineView buildTimeline(const Trace &trace, const Selection & /*selection*/) {
  TimelineView view;
  if (!trace.passes.empty())
    view.capacityBytes = capacityAfter(trace, trace.passes.size() - 1);
  int64_t before = 0;
  for (size_t index = 0; index != trace.passes.size(); ++index) {
    TimelineRow row = rowOf(trace, index);
    row.startMicroseconds = view.totalMicroseconds;
    if (row.isGroup) {
      size_t first = firstOfGroup(trace, index);
      row.startMicroseconds = view.rows[first].startMicroseconds;
      row.sharedDeltaBytes = row.sharedBytes - (first ? view.rows[first - 1].sharedBytes : 0);
    } else {
      row.sharedDeltaBytes = row.sharedBytes - before;
    }
    before = row.sharedBytes;
    // What a pass with others inside took beside them counts too.
    view.totalMicroseconds =
        std::max(view.totalMicroseconds, row.startMicroseconds + row.wallMicroseconds);
    view.mostMicroseconds = std::max(view.mostMicroseconds, row.wallMicroseconds);
    if (row.sharedBytes > view.mostBytes) {
      view.mostBytes = row.sharedBytes;
      view.peakIndex = index;
    }
    view.rows.push_back(std::move(row));
  }
  for (TimelineRow &row : view.rows)
    if (view.totalMicroseconds > 0)
      row.share =
          static_cast<double>(row.wallMicroseconds) / static_cast<double>(view.totalMicroseconds);
  return view;
}

std::string peakText(const TimelineView &view) {
  if (view.mostBytes == 0)
    return "";
  return llvm::formatv("the peak rose to {0} bytes in {1}", groupedNumber(view.mostBytes),
                       view.rows[view.peakIndex].name);
}

void print(const TimelineView &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{
      {"pass", "time", "ms", "share", "shared bytes", "change"}};
  for (const TimelineRow &row : view.rows) {
    std::string name = std::string(2 * static_cast<size_t>(row.depth), ' ') + row.name;
    rows.push_back({std::move(name), barOf(row, view.mostMicroseconds),
                    milliseconds(row.wallMicroseconds), llvm::formatv("{0:f1} %", row.share * 100),
                    groupedNumber(row.sharedBytes) + (row.sharedIsPreview ? " ~" : "  "),
                    row.sharedDeltaBytes ? signedNumber(row.sharedDeltaBytes) : ""});
  }
  printTable(out, rows, 2, [&](size_t row, size_t column) {
    if (row == 0)
      return Ink{Ink::Strong};
    bool isQuiet = !view.rows[row - 1].changed && !view.rows[row - 1].failed && column == 0;
    return view.rows[row - 1].failed ? Ink{Ink::Bad} : isQuiet ? Ink{Ink::Quiet} : Ink();
  });
  out << '\n' << milliseconds(view.totalMicroseconds) << " ms in all";
  if (std::string text = peakText(view); !text.empty())
    out << "; " << text;
  out << "\n~ preview: later passes may change sizes, versions or lifetimes\n";
}

} // namespace tilescope
