#include "core/views/arena_model.h"

#include "core/json/json_schema.h"
#include "core/json/json_value.h"
#include "core/views/placement_words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <unordered_map>

namespace tilescope {

namespace {

std::string liveSetText(const ArenaRecord &record) {
  // A trace is untrusted and may use any number as an id, so no DenseMap.
  std::unordered_map<BufferId, llvm::StringRef> names;
  for (BufferId id : record.plan.certificate.liveSet)
    names.try_emplace(id, "?");
  for (const ArenaBuffer &buffer : record.problem.buffers)
    if (auto name = names.find(buffer.id); name != names.end())
      name->second = buffer.name;
  std::string text;
  for (BufferId id : record.plan.certificate.liveSet)
    text += (text.empty() ? "" : ", ") + names[id].str();
  return text;
}

} // namespace

std::string certificateText(const ArenaRecord &arena) {
  const Certificate &certificate = arena.plan.certificate;
  int64_t height = arena.plan.heightBytes, capacity = arena.problem.capacityBytes;
  std::string kind;
  if (capacity > 0 && height > capacity)
    kind = llvm::formatv("does not fit: {0} bytes over the capacity; ",
                         groupedNumber(height - capacity));
  if (certificate.kind == ProofKind::Gap && certificate.boundBytes == 0)
    return kind + "the least height is not known";
  if (certificate.kind == ProofKind::Gap)
    return llvm::formatv("{0}within {1} bytes of the bound {2}", kind,
                         groupedNumber(height - certificate.boundBytes),
                         groupedNumber(certificate.boundBytes))
        .str();
  if (arena.plan.isLeast())
    kind += "optimal: ";
  else
    kind += llvm::formatv(
        "{0} bytes above the least height {1}: ", groupedNumber(height - certificate.boundBytes),
        groupedNumber(certificate.boundBytes));
  if (certificate.kind == ProofKind::Exhausted)
    return kind + "search exhausted";
  return llvm::formatv("{0}live at point {1} = {2}: {3}", kind, certificate.point,
                       groupedNumber(certificate.boundBytes), liveSetText(arena))
      .str();
}

std::vector<std::string> writersAt(const ArenaFunction &function, uint32_t row,
                                   ProgramPoint point) {
  const std::vector<ProgramPoint> &writes = function.buffers[row].writes;
  std::vector<std::string> writers;
  auto tell = [&](ProgramPoint at, const char *when) {
    auto index = static_cast<size_t>(at);
    if (index >= function.points.size())
      return;
    std::string line =
        index < function.irLines.size() ? std::to_string(function.irLines[index]) + " " : "";
    writers.push_back(line + function.points[index].text + when);
  };
  auto above = llvm::upper_bound(writes, point);
  if (above != writes.begin())
    tell(*std::prev(above), "");
  // The innermost loop that comes back to the point from a later write.
  const TraceLoop *around = nullptr;
  for (const TraceLoop &loop : function.loops)
    if (loop.begin <= point && point < loop.end && above != writes.end() && *above < loop.end &&
        (!around || loop.begin >= around->begin))
      around = &loop;
  if (around)
    tell(*std::prev(llvm::lower_bound(writes, around->end)), ", in the iteration before");
  return writers;
}

bool areViews(const ArenaRow &a, const ArenaRow &b) {
  return a.viewOf == b.name || b.viewOf == a.name;
}

namespace {

ArenaRow rowOf(const FunctionState &state, const Placement &placement) {
  const SharedBuffer &buffer = *state.find(placement.id);
  ArenaRow row;
  row.buffer = placement.id;
  row.name = state.nameOf(placement.id);
  row.type = buffer.type();
  row.offsetBytes = placement.offsetBytes;
  row.sizeBytes = placement.sizeBytes;
  row.paddingBytes = placement.paddingBytes;
  if (buffer.inArena) {
    row.live = buffer.inArena->live;
    row.alignmentBytes = buffer.inArena->alignmentBytes;
    row.versions = buffer.inArena->versions;
    row.strideBytes = buffer.inArena->strideBytes;
  }
  if (buffer.lifetime)
    row.writes = buffer.lifetime->defs;
  if (buffer.declaration) {
    row.sourceLine = buffer.declaration->span.line;
    if (const SharedBuffer *origin = state.find(buffer.declaration->origin);
        origin && origin->inArena)
      row.viewOf = origin->inArena->name;
  }
  row.hueDegrees = buffer.hueDegrees;
  for (BufferId other : placement.sharesWith)
    row.sharesWith.push_back(state.nameOf(other));
  row.reason = placementText(placement, [&](BufferId id) { return state.nameOf(id); });
  return row;
}

LaunchSizedRow rowOf(const FunctionState &state, const LaunchSizedBuffer &buffer) {
  const SharedBuffer &shared = *state.find(buffer.id);
  LaunchSizedRow row;
  row.buffer = buffer.id;
  row.name = buffer.name;
  row.type = shared.type();
  row.region = buffer.region;
  row.live = buffer.live;
  for (const LaunchSizedBuffer &other : state.arena->launchSized)
    if (other.region == buffer.region && other.id != buffer.id)
      row.sharesWith.push_back(other.name);
  if (shared.declaration)
    row.sourceLine = shared.declaration->span.line;
  row.hueDegrees = shared.hueDegrees;
  return row;
}

void addRows(const FunctionState &state, ArenaFunction &function) {
  std::vector<const Placement *> placements;
  for (const Placement &placement : state.arena->plan.placements) {
    function.sumBytes += placement.sizeBytes;
    placements.push_back(&placement);
  }
  llvm::stable_sort(placements, [](const Placement *a, const Placement *b) {
    return a->offsetBytes < b->offsetBytes;
  });
  function.buffers.reserve(placements.size());
  for (const Placement *placement : placements)
    function.buffers.push_back(rowOf(state, *placement));
  for (const LaunchSizedBuffer &buffer : state.arena->launchSized)
    function.launchSized.push_back(rowOf(state, buffer));
  llvm::stable_sort(function.launchSized, [](const LaunchSizedRow &a, const LaunchSizedRow &b) {
    return a.region < b.region;
  });
}

void addBoxes(ArenaFunction &function) {
  for (uint32_t row = 0; row != function.buffers.size(); ++row) {
    const ArenaRow &buffer = function.buffers[row];
    function.ranges.push_back({buffer.offsetBytes, buffer.offsetBytes + buffer.sizeBytes});
    for (const LiveInterval &interval : buffer.live) {
      function.boxes.push_back({row, interval.begin, interval.end});
      function.pointCount = std::max(function.pointCount, interval.end);
    }
  }
  sortByBegin(function.boxes);
  function.conflicts = findConflicts(function.boxes, function.ranges);
  // Lives that may be shorter than they are known to be accuse nobody.
  if (!function.preview && !function.unknown.empty())
    function.conflicts.clear();
  llvm::erase_if(function.conflicts, [&](const ArenaConflict &conflict) {
    return areViews(function.buffers[conflict.first], function.buffers[conflict.second]);
  });
}

// What is proven of its height is of no use.
void dropProof(ArenaFunction &function, const ArenaRecord &record) {
  ArenaRecord unproven = record;
  unproven.plan.certificate = Certificate();
  function.proof = proofWord(unproven.plan);
  function.certificate = certificateText(unproven);
  function.boundBytes = 0;
}

} // namespace

ArenaFunction arenaOf(const FacetState &facets, const FunctionState &state) {
  const ArenaRecord &record = *state.arena;
  ArenaFunction function;
  function.function = record.function;
  function.preview = record.preview;
  function.unknown = record.unknown;
  function.peakBytes = record.plan.heightBytes;
  function.capacityBytes = record.problem.capacityBytes;
  function.proof = proofWord(record.plan);
  function.certificate = certificateText(record);
  function.boundBytes = record.plan.certificate.boundBytes;
  function.occupancy = occupancyOf(facets, state);
  function.steps = occupancyStepsOf(facets, state);
  function.peakPoint = peakPoint(record);
  addRows(state, function);
  addBoxes(function);
  function.outside = outsideOf(facets, function.function, &record);
  if (!function.conflicts.empty())
    dropProof(function, record);
  return function;
}

namespace {

ArenaFunction withoutArena(std::string name, int64_t capacityBytes) {
  ArenaFunction function;
  function.function = std::move(name);
  function.preview = false;
  function.capacityBytes = capacityBytes;
  function.proof = "optimal";
  function.certificate = "no dynamic shared memory";
  return function;
}

// The capacity belongs onto the scale, unless the arenas would be slivers beside it.
int64_t scaleOf(const Trace &trace) {
  int64_t height = 1;
  for (const TracePass &pass : trace.passes) {
    if (pass.figures) {
      height = std::max(height, pass.figures->sharedBytes);
      continue;
    }
    for (const ArenaRecord &arena : *trace.snapshots[pass.snapshot].arenas)
      height = std::max(height, arena.plan.heightBytes);
  }
  int64_t capacity = trace.header.capacityBytes;
  if (capacity > 0 && capacity / 4 <= height)
    return std::max(height, capacity);
  return height + height / 4;
}

} // namespace

ArenaView buildArenaOfFacets(const FacetState &facets) {
  ArenaView view;
  for (const FunctionState &state : facets.functions())
    if (state.arena)
      view.functions.push_back(arenaOf(facets, state));
  view.capacityBytes = facets.compile().capacityBytes;
  for (const StaticArray &array : staticArraysOf(facets.parts())) {
    auto found = llvm::find_if(view.functions, [&](const ArenaFunction &function) {
      return function.function == array.function;
    });
    if (found == view.functions.end())
      found = view.functions.insert(found, withoutArena(array.function, view.capacityBytes));
    if (found->outside.empty())
      found->outside = outsideOf(facets, array.function, nullptr);
    found->statics.push_back(array);
    if (found->buffers.empty() && found->launchSized.empty())
      found->capacityBytes -= array.sizeBytes;
  }
  return view;
}

void completeArena(ArenaView &view, const PassState &state) {
  view.pass = state.place();
  view.scaleBytes = scaleOf(state.trace());
  for (ArenaFunction &function : view.functions) {
    const FunctionState *joined = state.facets()->find(function.function);
    if (!joined || !joined->arena)
      continue;
    const FunctionText &text = state.textOf(*joined);
    function.points = text.points;
    function.irLines = text.irLines;
    function.loops = text.loops;
    function.pointCount =
        std::max(function.pointCount, static_cast<ProgramPoint>(function.points.size()));
  }
}

ArenaView buildArena(const PassState &state) {
  ArenaView view = buildArenaOfFacets(*state.facets());
  completeArena(view, state);
  return view;
}

Json toJson(const ArenaView &view) {
  Json json = toJson<ArenaView>(view);
  if (view.functions.size() == 1)
    json.update(toJson(view.functions.front()));
  if (view.functions.empty())
    json.update(toJson(withoutArena("", view.capacityBytes)));
  return json;
}

Json arenaSchema() {
  Json schema = schemaOf<ArenaView>();
  schema["properties"].update(schemaOf<ArenaFunction>()["properties"]);
  return schema;
}

} // namespace tilescope
