// What differs between two traces: passes aligned by name, kernels and their shared memory, buffers
// matched by identity. The one place that compares compiles.
#pragma once

#include "core/diff/buffer_matching.h"
#include "core/trace/register_use.h"

namespace tilescope {

enum class BufferChange : uint8_t {
  New,
  Gone,
  Resized,         // bytes of one version
  VersionsChanged, // number of versions
  TypeChanged,     // dtype, shape or scope
  LayoutChanged,
  Moved,           // offset in the arena
  LifetimeChanged, // it is first written or last needed by another statement
  Renamed,
  NowShares,      // bytes with a buffer that it did not share with
  NoLongerShares, // the same, the other way round
};

// One side of a buffer.
struct BufferState {
  BufferId id;
  BufferKey key;
  std::string name;
  std::string type; // see typeText
  BufferScope scope = BufferScope::Unknown;
  uint32_t sourceLine = 0;
  std::optional<int64_t> sizeBytes;   // all versions; nullopt: symbolic
  std::optional<int64_t> offsetBytes; // planned or previewed; nullopt: not in the arena
  int64_t versions = 1;
  std::vector<LiveInterval> live; // in program points of its own trace
};

struct BufferDiff {
  std::optional<BufferState> before; // nullopt: it is new
  std::optional<BufferState> after;  // nullopt: it is gone
  MatchedBy matchedBy = MatchedBy::Nothing;
  std::vector<BufferChange> changes; // in the order of the enumeration; empty: the same
  // Buffers of NowShares and NoLongerShares, by their newer names.
  std::vector<std::string> nowSharesWith;
  std::vector<std::string> noLongerSharesWith;

  const BufferState &state() const { return after ? *after : *before; } // the newer
};

// Of one side of a buffer: "[0, 32,768)", "32,768 bytes" where it is not in the arena.
std::string placeText(std::optional<int64_t> sizeBytes, std::optional<int64_t> offsetBytes);

struct PassDiff {
  std::optional<size_t> before; // indices into Trace::passes; nullopt: that compile lacks the pass
  std::optional<size_t> after;
  // Shared bytes after the pass, of the side that has it. Of a missing one: what that side had.
  int64_t bytesBefore = 0;
  int64_t bytesAfter = 0;

  int64_t deltaBytes() const { return bytesAfter - bytesBefore; }
};

// One side of a kernel.
struct KernelState {
  std::string function;
  bool isPreview = true;
  int64_t peakBytes = 0;
  int64_t capacityBytes = 0;      // 0: unlimited
  int64_t paddingBytes = 0;       // of all buffers
  std::optional<int> blocksPerSm; // nullopt: unknown target, or sizes known at launch only
  RegisterUse registers;

  bool fits() const { return capacityBytes <= 0 || peakBytes <= capacityBytes; }
};

struct KernelDiff {
  std::optional<KernelState> before; // nullopt: no shared memory, or no such kernel
  std::optional<KernelState> after;

  int64_t deltaBytes() const {
    return (after ? after->peakBytes : 0) - (before ? before->peakBytes : 0);
  }
};

// Blocks per SM of both sides, counted alike: with registers where each side that is there knows
// them.
struct ComparedBlocks {
  std::optional<int> before; // nullopt: unknown, or that side is not there
  std::optional<int> after;
  bool areWithRegisters = false;
};
ComparedBlocks comparedBlocks(const KernelDiff &kernel);

struct TraceDiff {
  std::vector<PassDiff> passes;    // in program order; a pass of `before` alone stands first
  std::vector<KernelDiff> kernels; // after the last pass
  // After the last pass: in the order of `after`, then those that are gone.
  std::vector<BufferDiff> buffers;

  // Of the highest kernels.
  int64_t peakBefore = 0;
  int64_t peakAfter = 0;
};

// Either trace may lack passes.
TraceDiff diffTraces(const Trace &before, const Trace &after);

// Passes aligned by name and order, so that as many as can be are paired; options do not count.
std::vector<PassDiff> alignPasses(const Trace &before, const Trace &after);

// Another compiler may flatten shapes, and its layouts may not be recorded: no change of a buffer.
enum class Compilers : uint8_t { Same, Different };

// Buffers of two snapshots, matched and classified.
std::vector<BufferDiff> diffBuffers(const TraceSnapshot &before, const TraceSnapshot &after,
                                    Compilers compilers = Compilers::Same);

struct TextDifference {
  std::optional<size_t> pass; // index into the passes that were aligned; nullopt: all are the same
  // False: passes before it (all of them, if there is none) are not loaded and may differ too.
  bool isExact = true;
};

// The first pair of passes after which the IR texts differ. Looks at the text of every snapshot up
// to there.
TextDifference firstTextDifference(const Trace &before, const Trace &after,
                                   const std::vector<PassDiff> &passes);

// "moved", "lifetime changed", ...
const char *nameOf(BufferChange change);
// Of the changes of one buffer: "same", "new", "moved, renamed".
std::string toText(const std::vector<BufferChange> &changes);
// The same, and with whom it shares: "moved, no longer shares with B_shared".
std::string toText(const BufferDiff &buffer);

} // namespace tilescope
