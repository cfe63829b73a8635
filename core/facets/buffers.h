// Facet `buffers`: the declarations of all buffers.
#pragma once

#include "core/access/linear_lanes.h"
#include "core/support/buffer_key.h"
#include "core/support/source.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

class Module;
struct Target;

// Where a buffer lives. Recorded programs have more than ours (core/ir/module.h).
enum class BufferScope : uint8_t {
  Unknown, // recorded without one, or with one that has no name here
  Global,
  SharedDynamic, // in the arena
  SharedStatic,  // an array of its own
  SharedBarrier, // an mbarrier
  SharedClusterBarrier,
  TensorMemory, // a memory of its own, though recorded as "shared.tmem"
  Fragment,
  Local,
  LocalVar,
  WgmmaDescriptor,
};
// As a trace has them, in order.
inline constexpr const char *BufferScopeNames[] = {"",
                                                   "global",
                                                   "shared.dyn",
                                                   "shared",
                                                   "shared.barrier",
                                                   "shared.cluster_barrier",
                                                   "shared.tmem",
                                                   "local.fragment",
                                                   "local",
                                                   "local.var",
                                                   "local.descriptor.wgmma"};

inline const char *nameOf(BufferScope scope) {
  return BufferScopeNames[static_cast<size_t>(scope)];
}
BufferScope bufferScopeOf(llvm::StringRef name); // Unknown if it has no name here
// In the shared memory of the block.
bool isShared(BufferScope scope);

// What an access to shared memory asks of its banks (core/analysis/bank_conflicts.h).
struct BankRecord {
  StmtId stmt;
  bool isWrite = false;
  int64_t laneBytes = 0;
  int64_t passes = 0; // 0: not known
  int64_t leastPasses = 0;
  // By warp, where its lanes begin, in the iteration in which it takes most passes: packLanes of
  // core/access/bank_passes.h. Empty: not known.
  std::vector<std::vector<int64_t>> warps;
  bool isShifted = false; // all of them lie further, by what is known at run time only

  friend bool operator==(const BankRecord &, const BankRecord &) = default;
};

// An access of a layout that is linear over bits, of another compiler's program: what it asks of
// the banks is worked out when the trace is opened (core/recorded/linear_banks.h).
struct LinearRecord : LinearAccess {
  StmtId stmt;
  bool isWrite = false;
  bool isPart = false; // of a part of the buffer, all elements lie further

  friend bool operator==(const LinearRecord &, const LinearRecord &) = default;
};

// What an access to a tensor moves of global memory (core/analysis/global_accesses.h).
struct SectorRecord {
  StmtId stmt;
  bool isWrite = false;
  int64_t laneBytes = 0;
  int64_t sectors = 0; // 0: not known
  int64_t leastSectors = 0;
  int64_t lines = 0; // 0: not known
  // As those of BankRecord, in the iteration in which a warp moves most sectors.
  std::vector<std::vector<int64_t>> warps;
  bool isShifted = false;

  friend bool operator==(const SectorRecord &, const SectorRecord &) = default;
};

struct BufferRecord {
  BufferId id;
  BufferKey key;
  std::string name;
  std::string dtype;
  std::vector<std::string> shape; // expressions as text; constants as digits
  BufferScope scope = BufferScope::Unknown;
  int64_t versions = 1;
  std::string layout;                 // "" : not decided
  std::optional<int64_t> sizeBytes;   // all versions; nullopt: symbolic
  std::optional<int64_t> offsetBytes; // in the arena
  BufferId origin;
  Span span;
  // Of functions whose arena is planned.
  std::vector<BankRecord> banks; // in program order
  std::vector<SectorRecord> sectors;
  std::vector<LinearRecord> linear;
  // The element, in row-major order, that each bit of a place in a slot adds, by exclusive or
  // (core/access/linear_lanes.h); empty: not known.
  std::vector<int64_t> places;
  // Of 32 bits, that a thread holds it in from one statement to another, both of which count, in
  // the order of the text (core/analysis/live_registers.h); 0: not known, or none.
  int64_t registers = 0;
  StmtId liveFrom, liveTo;

  friend bool operator==(const BufferRecord &, const BufferRecord &) = default;
};

void computeFacet(const Module &module, const Target &target, std::vector<BufferRecord> &records);

} // namespace tilescope
