#include "core/views/lifetimes_model.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>
#include <unordered_map>

namespace tilescope {

namespace {

// The points at which each buffer is filled by a copy that does not wait. A trace is untrusted and
// may use any number as an id, so no DenseMap.
std::unordered_map<BufferId, std::vector<ProgramPoint>> copiesOf(const AccessProgram &program) {
  std::unordered_map<BufferId, std::vector<ProgramPoint>> copies;
  std::vector<uint32_t> leaves = leavesInOrder(program);
  for (size_t point = 0; point != leaves.size(); ++point)
    for (const Access &access : program.nodes[leaves[point]].accesses)
      if (access.async && access.kind == AccessKind::Write)
        copies[access.buffer].push_back(static_cast<ProgramPoint>(point));
  return copies;
}

LifetimeLane laneOf(const SharedBuffer &buffer, const BufferLifetime &lifetime) {
  LifetimeLane lane;
  lane.buffer = lifetime.buffer;
  lane.live = lifetime.intervals;
  lane.inFlight = lifetime.inFlight;
  lane.defs = lifetime.defs;
  lane.uses = lifetime.uses;
  lane.type = buffer.type();
  lane.hueDegrees = buffer.hueDegrees;
  if (buffer.accessed) {
    lane.name = buffer.accessed->name;
    lane.versions = buffer.accessed->versions;
  }
  return lane;
}

// By first definition: of each buffer the index of its lane. Lanes are filled in the order of the
// buffers, since what the facets say of neighbours lies together in memory.
std::vector<size_t> placesOf(llvm::ArrayRef<BufferLifetime> lifetimes) {
  std::vector<std::pair<ProgramPoint, size_t>> order;
  order.reserve(lifetimes.size());
  for (const BufferLifetime &lifetime : lifetimes)
    order.emplace_back(lifetime.defs.empty() ? std::numeric_limits<ProgramPoint>::max()
                                             : lifetime.defs.front(),
                       order.size());
  llvm::sort(order);
  std::vector<size_t> places(order.size());
  for (size_t place = 0; place != order.size(); ++place)
    places[order[place].second] = place;
  return places;
}

LifetimeFunction functionOf(const FunctionState &state) {
  LifetimeFunction function;
  function.function = state.name;
  auto copies = copiesOf(state.accesses->program);
  const std::vector<BufferLifetime> &lifetimes = state.accesses->lifetimes.buffers;
  std::vector<size_t> places = placesOf(lifetimes);
  function.lanes.resize(lifetimes.size());
  for (size_t buffer = 0; buffer != lifetimes.size(); ++buffer) {
    LifetimeLane &lane = function.lanes[places[buffer]];
    lane = laneOf(*state.find(lifetimes[buffer].buffer), lifetimes[buffer]);
    if (auto found = copies.find(lane.buffer); found != copies.end())
      lane.copies = std::move(found->second);
  }
  return function;
}

// One character a point: what happens there, else whether the buffer is live.
char markOf(const LifetimeLane &lane, ProgramPoint point) {
  bool isDef = llvm::binary_search(lane.defs, point);
  bool isUse = llvm::binary_search(lane.uses, point);
  if (isDef || isUse)
    return isDef && isUse ? 'X' : isDef ? 'D' : 'U';
  if (contains(lane.inFlight, point))
    return '~';
  return contains(lane.live, point) ? '|' : '.';
}

// More characters than anybody reads, of which each is a cell in memory.
constexpr size_t MostMarks = size_t(1) << 22;

void printMarks(const LifetimeFunction &function, llvm::raw_ostream &out) {
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
    row.push_back(lineText(what.sourceLine));
    row.push_back(what.text);
    rows.push_back(std::move(row));
  }
  size_t lanes = function.lanes.size();
  printTable(out, rows, rows[0].size(), [&](size_t row, size_t column) {
    if (column >= 1 && column <= lanes)
      return Ink::ofHue(function.lanes[column - 1].hueDegrees);
    return headingInk(row, column);
  });
}

void printFunction(const LifetimeFunction &function, llvm::raw_ostream &out) {
  write(out, function.function, {Ink::Strong});
  out << '\n';
  size_t points = function.points.size(), lanes = function.lanes.size();
  if (points * (lanes + 1) <= MostMarks)
    printMarks(function, out);
  else
    out << llvm::formatv("{0} points of {1} buffers are too many for a table\n", points, lanes);
  for (const LifetimeLane &lane : function.lanes) {
    write(out, lane.name, Ink::ofHue(lane.hueDegrees));
    out << " live";
    for (const LiveInterval &interval : lane.live)
      out << llvm::formatv(" [{0}, {1})", interval.begin, interval.end);
    out << '\n';
  }
}

} // namespace

LifetimesView buildLifetimesOfFacets(const FacetState &facets) {
  LifetimesView view;
  for (const FunctionState &state : facets.functions())
    if (state.accesses)
      view.functions.push_back(functionOf(state));
  return view;
}

void completeLifetimes(LifetimesView &view, const PassState &state) {
  view.pass = state.place();
  auto function = view.functions.begin();
  for (const FunctionState &joined : state.functions()) {
    if (!joined.accesses)
      continue;
    function->points = state.textOf(joined).points;
    function->loops = state.textOf(joined).loops;
    ++function;
  }
}

LifetimesView buildLifetimes(const PassState &state) {
  LifetimesView view = buildLifetimesOfFacets(*state.facets());
  completeLifetimes(view, state);
  return view;
}

std::vector<std::string> loopLabels(const TraceLoop &loop) {
  std::vector<std::string> labels;
  if (loop.sourceLine)
    labels.push_back(lineText("line ", loop.sourceLine, "  ") + loop.text);
  labels.push_back(loop.text);
  auto [head, rest] = llvm::StringRef(loop.text).split(" in ");
  if (!rest.empty() && head.starts_with("for ")) {
    if (loop.sourceLine)
      labels.push_back(lineText("line ", loop.sourceLine, "  ") + head.str());
    labels.push_back(head.str());
    labels.push_back(head.drop_front(4).str());
  }
  return labels;
}

void print(const LifetimesView &view, llvm::raw_ostream &out) {
  out << "after " << view.pass << ": D definition, U use, X both, ~ in flight, | live, . dead\n\n";
  for (const LifetimeFunction &function : view.functions)
    printFunction(function, out);
}

} // namespace tilescope
