// Panel `compare`: what differs between two compiles. `other` is what the trace is compared with:
// the one before. The view does not depend on the selection.
#pragma once

#include "core/diff/setting_diff.h"
#include "core/diff/trace_diff_fields.h"
#include "core/target/register_limit.h"
#include "core/views/arena_model.h"
#include "core/views/view.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

struct CompareKernel {
  std::string function;               // of the newer side that has it
  std::optional<int64_t> bytesBefore; // peak; nullopt: that side has no such kernel
  std::optional<int64_t> bytesAfter;
  int64_t deltaBytes = 0;
  int64_t capacityBytes = 0;       // of the newer side
  bool isPreview = false;          // either side
  std::optional<int> blocksBefore; // per SM, by shared memory and threads; nullopt: unknown
  std::optional<int> blocksAfter;
  RegisterUse registersBefore;
  RegisterUse registersAfter;
};

struct CompareSide {
  BufferKey key;
  std::string name;
  std::string type;
  std::string scope;
  std::string layout; // "": not decided
  std::optional<int64_t> sizeBytes;
  std::optional<int64_t> offsetBytes; // nullopt: not in the arena
  int64_t versions = 1;
  std::vector<LiveInterval> live;      // in program points of its own trace
  std::vector<std::string> sharesWith; // buffers that have bytes of it at other times
};

struct CompareBuffer {
  BufferKey key; // of the newer side
  std::string name;
  std::vector<BufferChange> changes; // empty: the same
  std::optional<CompareSide> before;
  std::optional<CompareSide> after;
  int64_t deltaBytes = 0; // of its size
  bool isShared = false;
  int hueDegrees = 0;
};

struct ComparePass {
  std::string name;
  int depth = 0;
  std::optional<size_t> before; // indices into Trace::passes; nullopt: that side lacks it
  std::optional<size_t> after;
  int64_t bytesBefore = 0;
  int64_t bytesAfter = 0;
  int64_t deltaBytes = 0;
};

struct CompareView {
  std::string kernelBefore; // "gemm.py:matmul for sm_80"
  std::string kernelAfter;
  std::string argumentsBefore; // "M=512, num_stages=3"
  std::string argumentsAfter;
  std::vector<SettingDiff> settings; // those that differ
  int64_t peakBefore = 0;
  int64_t peakAfter = 0;
  std::vector<CompareKernel> kernels;
  // Shared ones first, changed ones before those that are the same. Buffers outside of shared
  // memory only where they changed.
  std::vector<CompareBuffer> buffers;
  size_t sameElsewhere = 0; // those left out
  std::vector<ComparePass> passes;
  std::optional<size_t> firstDifference; // index into `passes`: there the IR differs first
  bool isFirstExact = true; // false: not all passes are loaded, so that it may be an earlier one
  // What of the two compiles cannot be told, since the state after the last pass is not loaded; "":
  // nothing. Then there are no kernels and buffers.
  std::string missing;
};

CompareView buildCompare(const Trace &trace, const Trace &other, const Selection &selection);
void print(const CompareView &view, llvm::raw_ostream &out);

// The arenas after the last passes, at one scale.
struct CompareArenas {
  ArenaView before;
  ArenaView after;
};
CompareArenas buildCompareArenas(const Trace &trace, const Trace &other);

// "versions 1 -> 2, moved 65,536 -> 98,304"; "same".
std::string changesText(const CompareBuffer &buffer);
// "+16.5"; "" for none.
std::string kibDelta(int64_t bytes);
// "[0, 32,768)", "32,768 bytes" where it is not in the arena, "" where it is not at all.
std::string placeText(const std::optional<CompareSide> &side);
// "the IR differs first after simplify", and the like.
std::string firstDifferenceText(const CompareView &view);
// "2 -> 1 blocks/SM", "2 blocks/SM", "" where neither side knows.
std::string blocksText(const CompareKernel &kernel);
// As changeText of register_use.h.
std::string registersText(const CompareKernel &kernel);

template <typename Archive> void fields(Archive &archive, CompareKernel &kernel) {
  archive("function", kernel.function);
  archive.always("bytesBefore", kernel.bytesBefore);
  archive.always("bytesAfter", kernel.bytesAfter);
  archive.always("deltaBytes", kernel.deltaBytes);
  archive("capacityBytes", kernel.capacityBytes);
  archive("preview", kernel.isPreview);
  archive("blocksBefore", kernel.blocksBefore);
  archive("blocksAfter", kernel.blocksAfter);
  archive("registersBefore", kernel.registersBefore);
  archive("registersAfter", kernel.registersAfter);
}

template <typename Archive> void fields(Archive &archive, CompareSide &side) {
  archive("name", side.name);
  archive("type", side.type);
  archive("scope", side.scope);
  archive("layout", side.layout);
  archive("sizeBytes", side.sizeBytes);
  archive("offsetBytes", side.offsetBytes);
  archive("versions", side.versions);
  archive("live", side.live);
  archive("sharesWith", side.sharesWith);
}

template <typename Archive> void fields(Archive &archive, CompareBuffer &buffer) {
  archive("name", buffer.name);
  archive.always("changes", buffer.changes);
  archive("before", buffer.before);
  archive("after", buffer.after);
  archive.always("deltaBytes", buffer.deltaBytes);
  archive.always("shared", buffer.isShared);
}

template <typename Archive> void fields(Archive &archive, ComparePass &pass) {
  archive("name", pass.name);
  archive("depth", pass.depth);
  archive("before", pass.before);
  archive("after", pass.after);
  archive.always("bytesBefore", pass.bytesBefore);
  archive.always("bytesAfter", pass.bytesAfter);
  archive.always("deltaBytes", pass.deltaBytes);
}

template <typename Archive> void fields(Archive &archive, CompareView &view) {
  archive("kernelBefore", view.kernelBefore);
  archive("kernelAfter", view.kernelAfter);
  archive("argumentsBefore", view.argumentsBefore);
  archive("argumentsAfter", view.argumentsAfter);
  archive.always("settings", view.settings);
  archive.always("peakBefore", view.peakBefore);
  archive.always("peakAfter", view.peakAfter);
  archive.always("kernels", view.kernels);
  archive.always("buffers", view.buffers);
  archive("sameElsewhere", view.sameElsewhere);
  bool knowsBlocks = llvm::any_of(view.kernels, [](const CompareKernel &kernel) {
    return kernel.blocksBefore || kernel.blocksAfter;
  });
  std::string blocksBy = knowsBlocks ? BlocksWithoutRegisters.str() : "";
  archive("blocksPerSmBy", blocksBy);
  archive.always("passes", view.passes);
  archive("firstDifference", view.firstDifference);
  archive("firstIsExact", view.isFirstExact);
  archive("missing", view.missing);
}

} // namespace tilescope
