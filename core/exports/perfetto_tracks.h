// Tracks, slices and counters of a Perfetto trace, and the packets that they become.
#pragma once

#include "core/exports/proto_writer.h"
#include "core/support/kernel_line.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tilescope {

struct PerfettoSlice {
  std::string name;
  int64_t begin = 0; // nanoseconds, half-open
  int64_t end = 0;
  std::vector<std::pair<const char *, std::variant<int64_t, std::string>>> arguments = {};

  void addSourceLine(const KernelLine &line);
};

class PerfettoTracks {
public:
  using TrackId = uint64_t;

  TrackId addProcess(llvm::StringRef name);
  // Tracks of a process stand in the order in which they are added.
  TrackId addTrack(TrackId process, llvm::StringRef name);
  TrackId addByteCounter(TrackId process, llvm::StringRef name);

  // Two slices are nested or apart.
  void addSlices(TrackId track, std::vector<PerfettoSlice> slices);
  // Slices that may overlap, on as many tracks of one name as that takes.
  void addLanes(TrackId process, llvm::StringRef name, std::vector<PerfettoSlice> slices);
  void addCount(TrackId counter, int64_t nanoseconds, int64_t bytes);

  // The message `Trace`.
  const std::string &text() const { return trace_.text(); }

private:
  TrackId describe(ProtoWriter &descriptor, llvm::StringRef name, TrackId parent);
  void addEvent(TrackId track, int64_t nanoseconds, const PerfettoSlice *begun);
  void addPacket(ProtoWriter &packet);

  ProtoWriter trace_;
  TrackId lastTrack_ = 0;
  uint64_t lastProcess_ = 0;
  bool isFirst_ = true;
};

} // namespace tilescope
