#include "viewer/model/arena_model.h"

#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

std::string nameOf(const ArenaRecord &arena, BufferId id) {
  for (const ArenaBuffer &buffer : arena.problem.buffers)
    if (buffer.id == id)
      return buffer.name;
  return "?";
}

std::vector<std::string> namesOf(const ArenaRecord &arena, const std::vector<BufferId> &ids) {
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (BufferId id : ids)
    names.push_back(nameOf(arena, id));
  return names;
}

std::string typeOf(const TraceSnapshot &snapshot, BufferId id) {
  const BufferRecord *record = recordOf(snapshot, id);
  return record ? typeText(*record) : "";
}

std::string reasonOf(const ArenaRecord &arena, const Placement &placement) {
  switch (placement.reason) {
  case PlacementReason::OnlyBuffer:
    return "alone";
  case PlacementReason::LowestFree:
    return placement.below.empty() ? "lowest free"
                                   : "above " + llvm::join(namesOf(arena, placement.below), ", ");
  case PlacementReason::ReusesBytes:
    return "reuses bytes of " + llvm::join(namesOf(arena, placement.sharesWith), ", ");
  case PlacementReason::Pinned:
    return "pinned";
  }
  return "";
}

} // namespace

std::string certificateText(const ArenaRecord &arena) {
  const Certificate &certificate = arena.plan.certificate;
  std::string kind = "optimal: ";
  if (!arena.plan.isLeast())
    kind = llvm::formatv("{0} bytes above the least height {1}: ",
                         groupedNumber(arena.plan.heightBytes - certificate.boundBytes),
                         groupedNumber(certificate.boundBytes));
  switch (certificate.kind) {
  case ProofKind::LiveAtPoint:
    return llvm::formatv("{0}live at point {1} = {2}: {3}", kind, certificate.point,
                         groupedNumber(certificate.boundBytes),
                         llvm::join(namesOf(arena, certificate.liveSet), ", "))
        .str();
  case ProofKind::Exhausted:
    return kind + "search exhausted";
  case ProofKind::Gap:
    return llvm::formatv("within {0} bytes of the bound {1}",
                         groupedNumber(arena.plan.heightBytes - certificate.boundBytes),
                         groupedNumber(certificate.boundBytes))
        .str();
  }
  return "";
}

namespace {

ArenaRow rowOf(const ArenaRecord &arena, const TraceSnapshot &snapshot,
               const Placement &placement) {
  ArenaRow row;
  row.buffer = placement.id;
  row.name = nameOf(arena, placement.id);
  row.type = typeOf(snapshot, placement.id);
  row.offsetBytes = placement.offsetBytes;
  row.sizeBytes = placement.sizeBytes;
  row.paddingBytes = placement.paddingBytes;
  for (const ArenaBuffer &buffer : arena.problem.buffers)
    if (buffer.id == placement.id)
      row.live = buffer.live;
  row.hueDegrees = hueOf(snapshot, placement.id);
  row.sharesWith = namesOf(arena, placement.sharesWith);
  row.reason = reasonOf(arena, placement);
  return row;
}

LaunchSizedRow rowOf(const ArenaRecord &arena, const TraceSnapshot &snapshot,
                     const LaunchSizedBuffer &buffer) {
  LaunchSizedRow row;
  row.buffer = buffer.id;
  row.name = buffer.name;
  row.type = typeOf(snapshot, buffer.id);
  row.region = buffer.region;
  row.live = buffer.live;
  for (const LaunchSizedBuffer &other : arena.launchSized)
    if (other.region == buffer.region && other.id != buffer.id)
      row.sharesWith.push_back(other.name);
  row.hueDegrees = hueOf(snapshot, buffer.id);
  return row;
}

ArenaFunction functionOf(const Trace &trace, const ArenaRecord &arena,
                         const TraceSnapshot &snapshot) {
  ArenaFunction function;
  function.function = arena.function;
  function.preview = arena.preview;
  function.unknown = arena.unknown;
  function.peakBytes = arena.plan.heightBytes;
  function.capacityBytes = arena.problem.capacityBytes;
  function.proof = proofWord(arena.plan);
  function.certificate = certificateText(arena);
  function.boundBytes = arena.plan.certificate.boundBytes;
  function.occupancy = occupancyOf(trace, arena);
  for (const Placement &placement : arena.plan.placements) {
    function.sumBytes += placement.sizeBytes;
    function.buffers.push_back(rowOf(arena, snapshot, placement));
  }
  llvm::stable_sort(function.buffers, [](const ArenaRow &a, const ArenaRow &b) {
    return a.offsetBytes < b.offsetBytes;
  });
  for (const LaunchSizedBuffer &buffer : arena.launchSized)
    function.launchSized.push_back(rowOf(arena, snapshot, buffer));
  llvm::stable_sort(function.launchSized, [](const LaunchSizedRow &a, const LaunchSizedRow &b) {
    return a.region < b.region;
  });
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

// The bytes of a buffer drawn on the scale of the whole arena.
std::string barOf(const ArenaRow &row, int64_t peakBytes) {
  constexpr int64_t Width = 32;
  std::string bar(Width, '.');
  if (peakBytes == 0)
    return bar;
  int64_t begin = row.offsetBytes * Width / peakBytes;
  int64_t end = std::max(begin + 1, (row.offsetBytes + row.sizeBytes) * Width / peakBytes);
  for (int64_t i = begin; i < std::min(end, Width); ++i)
    bar[i] = '#';
  return bar;
}

std::string textOf(const std::vector<LiveInterval> &live) {
  std::string text;
  for (const LiveInterval &interval : live)
    text += llvm::formatv("{0}[{1}, {2})", text.empty() ? "" : " ", interval.begin, interval.end);
  return text;
}

void printLaunchSized(const ArenaFunction &function, llvm::raw_ostream &out) {
  if (function.launchSized.empty())
    return;
  out << "  sized at launch, above these bytes; the certificate does not cover them\n";
  std::vector<std::vector<std::string>> rows{{"  buffer", "type", "region", "live", "why"}};
  for (const LaunchSizedRow &row : function.launchSized)
    rows.push_back({"  " + row.name, row.type, std::to_string(row.region), textOf(row.live),
                    row.sharesWith.empty()
                        ? "alone"
                        : "shares bytes with " + llvm::join(row.sharesWith, ", ")});
  printTable(out, rows, 5, [&](size_t row, size_t column) {
    if (row == 0)
      return Ink{Ink::Strong};
    return column == 0 ? Ink::ofHue(function.launchSized[row - 1].hueDegrees) : Ink();
  });
}

void printFunction(const ArenaFunction &function, llvm::raw_ostream &out) {
  bool fits = function.capacityBytes == 0 || function.peakBytes <= function.capacityBytes;
  write(out, function.function, {Ink::Strong});
  out << ": ";
  write(out, groupedNumber(function.peakBytes), {fits ? Ink::Strong : Ink::Bad});
  out << " of " << groupedNumber(function.capacityBytes) << " bytes"
      << (function.preview ? " (preview)" : "") << "\n  ";
  write(out, function.certificate, {function.proof == "optimal" ? Ink::Good : Ink::Notice});
  out << '\n';
  if (function.occupancy)
    out << "  " << toText(*function.occupancy) << '\n';
  if (function.preview && !function.unknown.empty())
    out << "  may still change: " << llvm::join(function.unknown, ", ") << '\n';
  printStatics(function.statics, function.function, out);
  if (function.buffers.empty() && function.launchSized.empty())
    return;
  std::vector<std::vector<std::string>> rows{
      {"  buffer", "type", "arena", "live", "why", "bytes", "size"}};
  for (const ArenaRow &row : function.buffers) {
    rows.push_back({"  " + row.name, row.type, barOf(row, function.peakBytes), textOf(row.live),
                    row.reason,
                    llvm::formatv("[{0}, {1})", groupedNumber(row.offsetBytes),
                                  groupedNumber(row.offsetBytes + row.sizeBytes)),
                    groupedNumber(row.sizeBytes)});
  }
  constexpr size_t Name = 0, Bar = 2;
  printTable(out, rows, 5, [&](size_t row, size_t column) {
    if (row == 0)
      return Ink{Ink::Strong};
    bool isBuffer = column == Name || column == Bar;
    return isBuffer ? Ink::ofHue(function.buffers[row - 1].hueDegrees) : Ink();
  });
  printLaunchSized(function, out);
}

} // namespace

ArenaView buildArena(const Trace &trace, const Selection &selection) {
  ArenaView view;
  view.pass = selectedPass(trace, selection).name;
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  for (const ArenaRecord &arena : *snapshot.arenas)
    view.functions.push_back(functionOf(trace, arena, snapshot));
  view.capacityBytes = trace.header.capacityBytes;
  for (const StaticArray &array : staticArraysOf(snapshot)) {
    auto found = llvm::find_if(view.functions, [&](const ArenaFunction &function) {
      return function.function == array.function;
    });
    if (found == view.functions.end())
      found = view.functions.insert(found, withoutArena(array.function, view.capacityBytes));
    found->statics.push_back(array);
    if (found->buffers.empty() && found->launchSized.empty())
      found->capacityBytes -= array.sizeBytes;
  }
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

void print(const ArenaView &view, llvm::raw_ostream &out) {
  out << "shared memory after " << view.pass << "\n\n";
  if (view.functions.empty())
    out << "this kernel uses no shared memory\n";
  for (const ArenaFunction &function : view.functions)
    printFunction(function, out);
}

} // namespace tilescope
