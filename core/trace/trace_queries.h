// What is asked of a trace: its passes by name, its buffers by id, what a kernel demands of an SM.
// The state after one pass is joined in pass_state.h.
#pragma once

#include "core/target/occupancy.h"
#include "core/trace/trace.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <unordered_map>

namespace tilescope {

// The lines of the kernel file without surrounding blanks; line n is at n - 1. They point into the
// trace.
std::vector<llvm::StringRef> sourceLinesOf(const Trace &trace);

// The name of a pass by which it is told from the others: "simplify#2" is the second simplify, as
// options of passes and patches call it. `pass` is an index into Trace::passes.
std::string passPlace(const Trace &trace, size_t pass);

// By a name alone the last that has it, by "simplify#1" the first. nullopt: there is none.
std::optional<size_t> passOfPlace(const Trace &trace, llvm::StringRef place);

// By which passOfPlace finds this one: its place, or "simplify#1".
std::string placeToFind(const Trace &trace, size_t pass);

// False: a trace that is opened piece by piece knows nothing of this snapshot yet.
bool isLoaded(const TraceSnapshot &snapshot);

// The accesses of one function; nullptr: the snapshot has none.
const AccessRecord *accessesOf(const TraceSnapshot &snapshot, llvm::StringRef function);

// nullptr: the snapshot has no such buffer. Looks through all of them; a BufferTable answers often.
const BufferRecord *recordOf(const TraceSnapshot &snapshot, BufferId id);

// The declarations of a snapshot by id; the first where a corrupt trace has two.
class BufferTable {
public:
  explicit BufferTable(SharedPart<BufferRecord> buffers);

  const BufferRecord *find(BufferId id) const; // nullptr: it is not declared

private:
  SharedPart<BufferRecord> buffers_;
  // A trace is untrusted and may use any number as an id, so no DenseMap.
  std::unordered_map<BufferId, size_t> positions_;
};

// nullptr: a target that this program does not know.
const Target *targetOf(const Trace &trace);

// What a trace records of the code for the device, or, of PTX without that, why there is nothing.
// Null: the toolkit is asked, with the CUDA.
std::shared_ptr<const DeviceListing> deviceOf(const Trace &trace);

// "float16 (128, 32) x3": type, shape and versions of a buffer.
std::string typeText(const BufferRecord &buffer);

// Registers of a thread that a trace records of its kernels, by name.
std::map<std::string, int64_t> registersOf(const Trace &trace);
// Bytes that a thread of them spills, stores and loads.
std::map<std::string, int64_t> spillBytesOf(const Trace &trace);

// Threads are known if the compile came to its end, registers if the trace has them; static bytes
// are what the capacity of the arena lacks to that of a block.
BlockDemand demandOf(llvm::ArrayRef<LaunchRecord> launches,
                     const std::map<std::string, int64_t> &registers, const ArenaRecord &arena,
                     const Target &target);
inline BlockDemand demandOf(const Trace &trace, const ArenaRecord &arena, const Target &target) {
  return demandOf(trace.launches, registersOf(trace), arena, target);
}

// Where the buffers lie after the last pass, by toString(BufferKey). nullopt: there is only a
// preview. The trace has at least one pass.
std::optional<std::map<std::string, int64_t>> plannedOffsets(const Trace &trace);

// Where most bytes are live: the point of the certificate, else the first such point.
ProgramPoint peakPoint(const ArenaRecord &arena);

// Whether one of the intervals holds the point.
bool contains(const std::vector<LiveInterval> &intervals, ProgramPoint point);

} // namespace tilescope
