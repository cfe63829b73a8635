#include "viewer/model/lifetimes_model.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

LifetimeFunction functionOf(const Trace &trace, const TraceSnapshot &snapshot,
                            const AccessRecord &record) {
  LifetimeFunction function;
  function.function = record.function;
  function.points = pointsOf(trace, snapshot, record.program);
  for (const BufferLifetime &lifetime : record.lifetimes.buffers) {
    LifetimeLane lane{lifetime.buffer,
                      "",
                      lifetime.intervals,
                      lifetime.inFlight,
                      lifetime.defs,
                      lifetime.uses,
                      hueOf(snapshot, lifetime.buffer)};
    for (const AccessBuffer &buffer : record.program.buffers)
      if (buffer.id == lifetime.buffer)
        lane.name = buffer.name;
    function.lanes.push_back(std::move(lane));
  }
  return function;
}

// One character a point: what happens there, else whether the buffer is live.
char markOf(const LifetimeLane &lane, ProgramPoint point) {
  bool isDef = llvm::is_contained(lane.defs, point);
  bool isUse = llvm::is_contained(lane.uses, point);
  if (isDef || isUse)
    return isDef && isUse ? 'X' : isDef ? 'D' : 'U';
  if (contains(lane.inFlight, point))
    return '~';
  return contains(lane.live, point) ? '|' : '.';
}

void printFunction(const LifetimeFunction &function, llvm::raw_ostream &out) {
  write(out, function.function, {Ink::Strong});
  out << '\n';
  std::vector<std::vector<std::string>> rows{{"point"}};
  for (const LifetimeLane &lane : function.lanes)
    rows[0].push_back(lane.name);
  rows[0].push_back("line");
  rows[0].push_back("statement");
  for (size_t point = 0; point < function.points.size(); ++point) {
    std::vector<std::string> row{std::to_string(point)};
    for (const LifetimeLane &lane : function.lanes)
      row.emplace_back(1, markOf(lane, static_cast<ProgramPoint>(point)));
    const TracePoint &what = function.points[point];
    row.push_back(what.sourceLine ? std::to_string(what.sourceLine) : "");
    row.push_back(what.text);
    rows.push_back(std::move(row));
  }
  size_t lanes = function.lanes.size();
  printTable(out, rows, rows[0].size(), [&](size_t row, size_t column) {
    if (column >= 1 && column <= lanes)
      return Ink::ofHue(function.lanes[column - 1].hueDegrees);
    return headingInk(row, column);
  });
  for (const LifetimeLane &lane : function.lanes) {
    write(out, lane.name, Ink::ofHue(lane.hueDegrees));
    out << " live";
    for (const LiveInterval &interval : lane.live)
      out << llvm::formatv(" [{0}, {1})", interval.begin, interval.end);
    out << '\n';
  }
}

} // namespace

LifetimesView buildLifetimes(const Trace &trace, const Selection &selection) {
  LifetimesView view;
  view.pass = selectedPass(trace, selection).name;
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  for (const AccessRecord &record : *snapshot.accesses)
    view.functions.push_back(functionOf(trace, snapshot, record));
  return view;
}

void print(const LifetimesView &view, llvm::raw_ostream &out) {
  out << "after " << view.pass << ": D definition, U use, X both, ~ in flight, | live, . dead\n\n";
  for (const LifetimeFunction &function : view.functions)
    printFunction(function, out);
}

} // namespace tilescope
