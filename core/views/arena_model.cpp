#include "core/views/arena_model.h"

#include "core/json/json_schema.h"
#include "core/trace/trace_queries.h"
#include "core/views/ir_gutter.h"
#include "core/views/placement_words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <unordered_map>

namespace tilescope {

namespace {

// A trace is untrusted and may use any number as an id, so no DenseMap.
using Records = std::unordered_map<BufferId, const BufferRecord *>;
using Buffers = std::unordered_map<BufferId, const ArenaBuffer *>;

Records recordsOf(const TraceSnapshot &snapshot) {
  Records records;
  records.reserve(snapshot.buffers->size());
  for (const BufferRecord &record : *snapshot.buffers)
    records.try_emplace(record.id, &record);
  return records;
}

template <typename Map> auto find(const Map &map, BufferId id) -> typename Map::mapped_type {
  auto found = map.find(id);
  return found == map.end() ? nullptr : found->second;
}

// One arena with its buffers and declarations by id.
struct Arena {
  Arena(const ArenaRecord &record, const Records &records) : record(record), records(records) {
    buffers.reserve(record.problem.buffers.size());
    for (const ArenaBuffer &buffer : record.problem.buffers)
      buffers.try_emplace(buffer.id, &buffer);
  }

  std::string nameOf(BufferId id) const {
    const ArenaBuffer *buffer = find(buffers, id);
    return buffer ? buffer->name : "?";
  }
  std::vector<std::string> namesOf(const std::vector<BufferId> &ids) const {
    std::vector<std::string> names;
    names.reserve(ids.size());
    for (BufferId id : ids)
      names.push_back(nameOf(id));
    return names;
  }
  std::string typeOf(BufferId id) const {
    const BufferRecord *declaration = find(records, id);
    return declaration ? typeText(*declaration) : "";
  }
  int hueOf(BufferId id) const {
    const BufferRecord *declaration = find(records, id);
    return declaration ? hueDegrees(declaration->key) : 0;
  }

  const ArenaRecord &record;
  const Records &records;
  Buffers buffers;
};

} // namespace

namespace {

std::string liveSetText(const ArenaRecord &record) {
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

namespace {

ArenaRow rowOf(const Arena &arena, const Placement &placement) {
  ArenaRow row;
  row.buffer = placement.id;
  row.name = arena.nameOf(placement.id);
  row.type = arena.typeOf(placement.id);
  row.offsetBytes = placement.offsetBytes;
  row.sizeBytes = placement.sizeBytes;
  row.paddingBytes = placement.paddingBytes;
  if (const ArenaBuffer *buffer = find(arena.buffers, placement.id)) {
    row.live = buffer->live;
    row.versions = buffer->versions;
    row.strideBytes = buffer->strideBytes;
  }
  if (const BufferRecord *declaration = find(arena.records, placement.id))
    if (const ArenaBuffer *origin = find(arena.buffers, declaration->origin))
      row.viewOf = origin->name;
  row.hueDegrees = arena.hueOf(placement.id);
  row.sharesWith = arena.namesOf(placement.sharesWith);
  row.reason = placementText(placement, [&](BufferId id) { return arena.nameOf(id); });
  return row;
}

LaunchSizedRow rowOf(const Arena &arena, const LaunchSizedBuffer &buffer) {
  LaunchSizedRow row;
  row.buffer = buffer.id;
  row.name = buffer.name;
  row.type = arena.typeOf(buffer.id);
  row.region = buffer.region;
  row.live = buffer.live;
  for (const LaunchSizedBuffer &other : arena.record.launchSized)
    if (other.region == buffer.region && other.id != buffer.id)
      row.sharesWith.push_back(other.name);
  row.hueDegrees = arena.hueOf(buffer.id);
  return row;
}

void addRows(const Arena &arena, ArenaFunction &function) {
  std::vector<const Placement *> placements;
  for (const Placement &placement : arena.record.plan.placements) {
    function.sumBytes += placement.sizeBytes;
    placements.push_back(&placement);
  }
  llvm::stable_sort(placements, [](const Placement *a, const Placement *b) {
    return a->offsetBytes < b->offsetBytes;
  });
  function.buffers.reserve(placements.size());
  for (const Placement *placement : placements)
    function.buffers.push_back(rowOf(arena, *placement));
  for (const LaunchSizedBuffer &buffer : arena.record.launchSized)
    function.launchSized.push_back(rowOf(arena, buffer));
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
    const ArenaRow &first = function.buffers[conflict.first];
    const ArenaRow &second = function.buffers[conflict.second];
    return first.viewOf == second.name || second.viewOf == first.name;
  });
}

void addPoints(const Trace &trace, const TraceSnapshot &snapshot, ArenaFunction &function) {
  if (const AccessRecord *accesses = accessesOf(snapshot, function.function)) {
    function.points = pointsOf(trace, snapshot, accesses->program);
    function.irLines = irLinesOf(trace, snapshot, accesses->program);
    function.loops = loopsOf(trace, snapshot, accesses->program);
  }
  function.pointCount =
      std::max(function.pointCount, static_cast<ProgramPoint>(function.points.size()));
}

ArenaFunction functionOf(const Trace &trace, const TraceSnapshot &snapshot, const Arena &arena) {
  const ArenaRecord &record = arena.record;
  ArenaFunction function;
  function.function = record.function;
  function.preview = record.preview;
  function.unknown = record.unknown;
  function.peakBytes = record.plan.heightBytes;
  function.capacityBytes = record.problem.capacityBytes;
  function.proof = proofWord(record.plan);
  function.certificate = certificateText(record);
  function.boundBytes = record.plan.certificate.boundBytes;
  function.occupancy = occupancyOf(trace, record);
  function.steps = occupancyStepsOf(trace, record);
  function.peakPoint = peakPoint(record);
  addRows(arena, function);
  addBoxes(function);
  function.outside = outsideOf(snapshot, function.function, &record);
  addPoints(trace, snapshot, function);
  return function;
}

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

ArenaView buildArena(const Trace &trace, const Selection &selection) {
  ArenaView view;
  view.pass = selectedPlace(trace, selection);
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  Records records = recordsOf(snapshot);
  for (const ArenaRecord &arena : *snapshot.arenas)
    view.functions.push_back(functionOf(trace, snapshot, Arena(arena, records)));
  view.capacityBytes = trace.header.capacityBytes;
  view.scaleBytes = scaleOf(trace);
  for (const StaticArray &array : staticArraysOf(snapshot)) {
    auto found = llvm::find_if(view.functions, [&](const ArenaFunction &function) {
      return function.function == array.function;
    });
    if (found == view.functions.end())
      found = view.functions.insert(found, withoutArena(array.function, view.capacityBytes));
    if (found->outside.empty())
      found->outside = outsideOf(snapshot, array.function, nullptr);
    found->statics.push_back(array);
    if (found->buffers.empty() && found->launchSized.empty())
      found->capacityBytes -= array.sizeBytes;
  }
  return view;
}

void relabelArena(ArenaView &view, const Trace &trace, const Selection &selection) {
  view.pass = selectedPlace(trace, selection);
  view.scaleBytes = scaleOf(trace);
  for (ArenaFunction &function : view.functions)
    addPoints(trace, selectedSnapshot(trace, selection), function);
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
