#include "core/exports/perfetto_tracks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace tilescope {

namespace {

// Numbers of fields, from perfetto/trace/{trace_packet,track_event/*}.proto.
namespace field {
enum Trace : uint32_t { Packet = 1 };
enum TracePacket : uint32_t {
  Timestamp = 8,
  SequenceId = 10,
  Event = 11,
  SequenceFlags = 13,
  Descriptor = 60,
};
enum TrackDescriptor : uint32_t {
  Uuid = 1,
  Name = 2,
  Process = 3,
  ParentUuid = 5,
  Counter = 8,
  ChildOrdering = 11,
  SiblingOrderRank = 12,
};
enum ProcessDescriptor : uint32_t { Pid = 1, ProcessName = 6 };
enum CounterDescriptor : uint32_t { Unit = 3 };
enum TrackEvent : uint32_t {
  Annotations = 4,
  Type = 9,
  TrackUuid = 11,
  EventName = 23,
  CounterValue = 30,
};
enum DebugAnnotation : uint32_t { IntValue = 4, StringValue = 6, AnnotationName = 10 };
} // namespace field

enum EventType : uint32_t { SliceBegin = 1, SliceEnd = 2, CounterEvent = 4 };
constexpr uint64_t SizeInBytes = 3;      // CounterDescriptor.Unit
constexpr uint64_t ExplicitOrdering = 3; // TrackDescriptor.ChildTracksOrdering
constexpr uint64_t StateCleared = 1;     // TracePacket.SequenceFlags
constexpr uint64_t OurSequence = 1;

std::string utf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

ProtoWriter annotation(llvm::StringRef name, const std::variant<int64_t, std::string> &value) {
  ProtoWriter out;
  out.bytes(field::AnnotationName, name);
  if (const int64_t *number = std::get_if<int64_t>(&value))
    out.number(field::IntValue, static_cast<uint64_t>(*number));
  else
    out.bytes(field::StringValue, utf8(std::get<std::string>(value)));
  return out;
}

} // namespace

void PerfettoTracks::addPacket(ProtoWriter &packet) {
  packet.number(field::SequenceId, OurSequence);
  if (std::exchange(isFirst_, false))
    packet.number(field::SequenceFlags, StateCleared);
  trace_.message(field::Packet, packet);
}

PerfettoTracks::TrackId PerfettoTracks::describe(ProtoWriter &descriptor, llvm::StringRef name,
                                                 TrackId parent) {
  TrackId id = ++lastTrack_;
  descriptor.number(field::Uuid, id);
  descriptor.bytes(field::Name, utf8(name));
  if (parent != 0) {
    descriptor.number(field::ParentUuid, parent);
    descriptor.number(field::SiblingOrderRank, id);
  }
  ProtoWriter packet;
  packet.message(field::Descriptor, descriptor);
  addPacket(packet);
  return id;
}

void PerfettoSlice::addSourceLine(const KernelLine &line) {
  if (line)
    arguments.emplace_back("sourceLine", int64_t(line.number));
  if (line && line.isCarried)
    arguments.emplace_back("carried", int64_t(1));
}

PerfettoTracks::TrackId PerfettoTracks::addProcess(llvm::StringRef name) {
  ProtoWriter process;
  process.number(field::Pid, ++lastProcess_);
  process.bytes(field::ProcessName, utf8(name));
  ProtoWriter descriptor;
  descriptor.message(field::Process, process);
  descriptor.number(field::ChildOrdering, ExplicitOrdering);
  return describe(descriptor, name, 0);
}

PerfettoTracks::TrackId PerfettoTracks::addTrack(TrackId process, llvm::StringRef name) {
  ProtoWriter descriptor;
  return describe(descriptor, name, process);
}

PerfettoTracks::TrackId PerfettoTracks::addByteCounter(TrackId process, llvm::StringRef name) {
  ProtoWriter counter;
  counter.number(field::Unit, SizeInBytes);
  ProtoWriter descriptor;
  descriptor.message(field::Counter, counter);
  return describe(descriptor, name, process);
}

void PerfettoTracks::addEvent(TrackId track, int64_t nanoseconds, const PerfettoSlice *begun) {
  ProtoWriter event;
  event.number(field::Type, begun ? SliceBegin : SliceEnd);
  event.number(field::TrackUuid, track);
  if (begun) {
    event.bytes(field::EventName, utf8(begun->name));
    for (const auto &[name, value] : begun->arguments)
      event.message(field::Annotations, annotation(name, value));
  }
  ProtoWriter packet;
  packet.number(field::Timestamp, static_cast<uint64_t>(nanoseconds));
  packet.message(field::Event, event);
  addPacket(packet);
}

void PerfettoTracks::addSlices(TrackId track, std::vector<PerfettoSlice> slices) {
  llvm::stable_sort(slices, [](const PerfettoSlice &a, const PerfettoSlice &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<int64_t> open; // ends, the innermost last
  auto closeUntil = [&](int64_t time) {
    for (; !open.empty() && open.back() <= time; open.pop_back())
      addEvent(track, open.back(), nullptr);
  };
  for (const PerfettoSlice &slice : slices) {
    closeUntil(slice.begin);
    addEvent(track, slice.begin, &slice);
    open.push_back(slice.end);
  }
  closeUntil(INT64_MAX);
}

void PerfettoTracks::addLanes(TrackId process, llvm::StringRef name,
                              std::vector<PerfettoSlice> slices) {
  llvm::stable_sort(
      slices, [](const PerfettoSlice &a, const PerfettoSlice &b) { return a.begin < b.begin; });
  std::vector<std::vector<PerfettoSlice>> lanes;
  std::multimap<int64_t, size_t> ends; // of the last slice of each lane
  for (PerfettoSlice &slice : slices) {
    auto free = ends.begin();
    size_t lane = lanes.size();
    if (free != ends.end() && free->first <= slice.begin) {
      lane = free->second;
      ends.erase(free);
    } else {
      lanes.emplace_back();
    }
    ends.emplace(slice.end, lane);
    lanes[lane].push_back(std::move(slice));
  }
  for (std::vector<PerfettoSlice> &lane : lanes)
    addSlices(addTrack(process, name), std::move(lane));
}

void PerfettoTracks::addCount(TrackId counter, int64_t nanoseconds, int64_t bytes) {
  ProtoWriter event;
  event.number(field::Type, CounterEvent);
  event.number(field::TrackUuid, counter);
  event.number(field::CounterValue, static_cast<uint64_t>(bytes));
  ProtoWriter packet;
  packet.number(field::Timestamp, static_cast<uint64_t>(nanoseconds));
  packet.message(field::Event, event);
  addPacket(packet);
}

} // namespace tilescope
