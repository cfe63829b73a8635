#include "core/views/ir_gutter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <numeric>
#include <queue>

namespace tilescope {

namespace {

// The line after the function that prints `line`: the next one without indentation.
uint32_t endOfFunction(const Trace &trace, const std::vector<LineId> &lines, uint32_t line) {
  do
    ++line;
  while (line < lines.size() && llvm::StringRef(trace.lines[lines[line]].text).starts_with(" "));
  return line;
}

size_t indentationOf(llvm::StringRef line) { return line.size() - line.ltrim(' ').size(); }

// The line after what each point reaches: the next point, or the end of the block it stands in.
std::vector<uint32_t> linesAfterPoints(const Trace &trace, const std::vector<LineId> &lines,
                                       const std::vector<uint32_t> &lineOfPoint,
                                       uint32_t functionEnd) {
  auto indentation = [&](uint32_t line) { return indentationOf(trace.lines[lines[line]].text); };
  std::vector<uint32_t> after(lineOfPoint.size());
  for (size_t point = lineOfPoint.size(); point-- != 0;) {
    uint32_t begin = lineOfPoint[point];
    bool isLast = point + 1 == lineOfPoint.size();
    uint32_t limit = isLast ? functionEnd : lineOfPoint[point + 1];
    if (!isLast && limit == begin) {
      after[point] = after[point + 1];
      continue;
    }
    after[point] = begin + 1;
    while (after[point] < limit && indentation(after[point]) >= indentation(begin))
      ++after[point];
  }
  return after;
}

class GutterBuilder {
public:
  // All bars and marks stand before `lineCount`. `lineOfPoint` ascends.
  GutterBuilder(IrGutter &gutter, std::vector<uint32_t> lineOfPoint,
                std::vector<uint32_t> lineAfterPoint, uint32_t lineCount)
      : gutter_(gutter), lineOfPoint_(std::move(lineOfPoint)),
        lineAfterPoint_(std::move(lineAfterPoint)), lineCount_(lineCount) {}

  void run(const std::vector<BufferLifetime> &lifetimes) {
    using Begin = std::pair<ProgramPoint, const BufferLifetime *>;
    std::vector<Begin> order;
    order.reserve(lifetimes.size());
    for (const BufferLifetime &lifetime : lifetimes)
      if (!lifetime.intervals.empty())
        order.emplace_back(lifetime.intervals.front().begin, &lifetime);
    llvm::stable_sort(order, llvm::less_first());
    for (const auto &[begin, lifetime] : order)
      add(*lifetime);
  }

private:
  struct LaneEnd {
    uint32_t line; // where its last buffer ends
    size_t lane;

    bool operator>(const LaneEnd &other) const {
      return std::pair(line, lane) > std::pair(other.line, other.lane);
    }
  };

  // Points beyond the program, of a corrupt trace, count as its end.
  uint32_t lineOf(ProgramPoint point) const {
    if (point < 0)
      return 0;
    return static_cast<size_t>(point) < lineOfPoint_.size() ? lineOfPoint_[point] : lineCount_;
  }

  // The end of the lines of an interval that ends with `point`.
  uint32_t lineBefore(ProgramPoint point) const {
    if (point <= 0)
      return 0;
    auto last = static_cast<size_t>(point) - 1;
    return last < lineAfterPoint_.size() ? lineAfterPoint_[last] : lineCount_;
  }

  // Bars whose lines meet become one.
  std::vector<GutterBar> barsOf(BufferId buffer, const std::vector<LiveInterval> &intervals) const {
    std::vector<GutterBar> bars;
    for (const LiveInterval &interval : intervals) {
      GutterBar bar{buffer, lineOf(interval.begin), lineBefore(interval.end)};
      // Points of one line: the bar covers at least that line.
      bar.end = std::max(bar.end, std::min(bar.begin + 1, lineCount_));
      if (!bars.empty() && bar.begin <= bars.back().end)
        bars.back().end = std::max(bars.back().end, bar.end);
      else if (bar.begin < bar.end)
        bars.push_back(bar);
    }
    return bars;
  }

  std::vector<GutterMark> marksOf(const BufferLifetime &lifetime) const {
    std::vector<GutterMark> marks;
    marks.reserve(lifetime.defs.size() + lifetime.uses.size());
    for (ProgramPoint point : lifetime.defs)
      marks.push_back({lifetime.buffer, lineOf(point), true, false});
    for (ProgramPoint point : lifetime.uses)
      marks.push_back({lifetime.buffer, lineOf(point), false, true});
    llvm::stable_sort(marks,
                      [](const GutterMark &a, const GutterMark &b) { return a.line < b.line; });
    std::vector<GutterMark> merged;
    for (const GutterMark &mark : marks) {
      if (mark.line >= lineCount_)
        break;
      if (merged.empty() || merged.back().line != mark.line) {
        merged.push_back(mark);
        continue;
      }
      merged.back().isDef |= mark.isDef;
      merged.back().isUse |= mark.isUse;
    }
    return merged;
  }

  // The lane that has been free for longest, else a new one; nullptr: neither.
  GutterLane *laneFrom(uint32_t begin) {
    bool hasFree = !ends_.empty() && ends_.top().line <= begin;
    if (!hasFree && gutter_.lanes.size() == MaxGutterLanes)
      return nullptr;
    if (!hasFree)
      return &gutter_.lanes.emplace_back();
    size_t lane = ends_.top().lane;
    ends_.pop();
    return &gutter_.lanes[lane];
  }

  void add(const BufferLifetime &lifetime) {
    // A definition that nothing reads may stand before all that is live.
    uint32_t begin = lineOf(lifetime.intervals.front().begin);
    for (const std::vector<ProgramPoint> *points : {&lifetime.defs, &lifetime.uses})
      if (!points->empty())
        begin = std::min(begin, lineOf(points->front()));
    GutterLane *lane = laneFrom(begin);
    if (!lane) {
      ++gutter_.hiddenBuffers;
      return;
    }
    llvm::append_range(lane->live, barsOf(lifetime.buffer, lifetime.intervals));
    llvm::append_range(lane->inFlight, barsOf(lifetime.buffer, lifetime.inFlight));
    llvm::append_range(lane->marks, marksOf(lifetime));
    uint32_t end = begin;
    if (!lane->live.empty())
      end = std::max(end, lane->live.back().end);
    if (!lane->marks.empty())
      end = std::max(end, lane->marks.back().line + 1);
    ends_.push({end, static_cast<size_t>(lane - gutter_.lanes.data())});
  }

  IrGutter &gutter_;
  std::vector<uint32_t> lineOfPoint_, lineAfterPoint_;
  uint32_t lineCount_;
  std::priority_queue<LaneEnd, std::vector<LaneEnd>, std::greater<>> ends_;
};

// Points in the order of their lines, where that is another order than theirs.
//
//     points  0 1 2 3 4     lines  9 10  4 5  11     ranks  2 3  0 1  4
//
class TextOrder {
public:
  explicit TextOrder(const std::vector<uint32_t> &lineOfPoint) : ranks_(lineOfPoint.size()) {
    std::vector<uint32_t> points(lineOfPoint.size());
    std::iota(points.begin(), points.end(), 0);
    llvm::stable_sort(points,
                      [&](uint32_t a, uint32_t b) { return lineOfPoint[a] < lineOfPoint[b]; });
    for (auto [rank, point] : llvm::enumerate(points)) {
      ranks_[point] = static_cast<ProgramPoint>(rank);
      lines_.push_back(lineOfPoint[point]);
    }
    for (size_t point = 0; point != ranks_.size(); ++point)
      if (point == 0 || ranks_[point] != ranks_[point - 1] + 1)
        runs_.push_back(static_cast<ProgramPoint>(point));
    runs_.push_back(static_cast<ProgramPoint>(ranks_.size()));
  }

  // By rank; they ascend.
  const std::vector<uint32_t> &lines() const { return lines_; }
  // Whether points have other ranks than numbers. Hostile traces have more runs than any kernel.
  bool isOther() const { return runs_.size() > 2 && runs_.size() <= MostRuns; }

  BufferLifetime ranked(const BufferLifetime &lifetime) const {
    BufferLifetime result = lifetime;
    result.intervals = ranked(lifetime.intervals);
    result.inFlight = ranked(lifetime.inFlight);
    for (std::vector<ProgramPoint> *points : {&result.defs, &result.uses}) {
      for (ProgramPoint &point : *points)
        if (point >= 0 && static_cast<size_t>(point) < ranks_.size())
          point = ranks_[point];
      llvm::sort(*points);
    }
    return result;
  }

private:
  static constexpr size_t MostRuns = 256;

  std::vector<LiveInterval> ranked(const std::vector<LiveInterval> &intervals) const {
    std::vector<LiveInterval> result;
    for (const LiveInterval &interval : intervals)
      for (size_t run = 0; run + 1 < runs_.size(); ++run) {
        ProgramPoint begin = std::max(interval.begin, runs_[run]);
        ProgramPoint end = std::min(interval.end, runs_[run + 1]);
        if (begin < end)
          result.push_back({ranks_[begin], ranks_[end - 1] + 1});
      }
    llvm::sort(result,
               [](const LiveInterval &a, const LiveInterval &b) { return a.begin < b.begin; });
    // What meets is one: a bar has no gap where a role ends and another begins.
    std::vector<LiveInterval> merged;
    for (const LiveInterval &interval : result)
      if (!merged.empty() && merged.back().end == interval.begin)
        merged.back().end = interval.end;
      else
        merged.push_back(interval);
    return merged;
  }

  std::vector<ProgramPoint> ranks_;
  std::vector<uint32_t> lines_;
  std::vector<ProgramPoint> runs_; // first points of runs whose ranks follow each other; the end
};

} // namespace

std::vector<IrGutter> buildGutters(const PassState &state) {
  const std::vector<LineId> &lines = *state.snapshot().lines;
  std::vector<IrGutter> gutters;
  for (const FunctionState &function : state.functions()) {
    if (!function.accesses)
      continue;
    IrGutter &gutter = gutters.emplace_back();
    gutter.function = function.name;
    for (uint32_t line : state.textOf(function).irLines)
      gutter.lineOfPoint.push_back(line - 1);
    if (gutter.lineOfPoint.empty() || lines.empty())
      continue;
    TextOrder order(gutter.lineOfPoint);
    uint32_t end = endOfFunction(state.trace(), lines, order.lines().back());
    GutterBuilder builder(gutter, order.lines(),
                          linesAfterPoints(state.trace(), lines, order.lines(), end), end);
    const std::vector<BufferLifetime> &lifetimes = function.accesses->lifetimes.buffers;
    if (order.isOther()) {
      std::vector<BufferLifetime> ranked;
      ranked.reserve(lifetimes.size());
      for (const BufferLifetime &lifetime : lifetimes)
        ranked.push_back(order.ranked(lifetime));
      builder.run(ranked);
    } else {
      builder.run(lifetimes);
    }
  }
  return gutters;
}

} // namespace tilescope
