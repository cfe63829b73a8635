// What views and exports ask of a trace: what the program points of a snapshot are, what a kernel
// demands of an SM.
#pragma once

#include "core/target/occupancy.h"
#include "core/trace/trace.h"

#include "llvm/ADT/StringRef.h"

#include <map>

namespace tilescope {

struct TracePoint {
  StmtId stmt;
  std::string text;        // first IR line of the statement, without indentation
  uint32_t sourceLine = 0; // of the kernel file, from 1; 0: none
};

// A loop over points [begin, end), which is not empty.
struct TraceLoop {
  ProgramPoint begin = 0;
  ProgramPoint end = 0;
  int depth = 0; // 0: outermost
  StmtId stmt;
  std::string text;
  uint32_t sourceLine = 0;
};

// Index is the ProgramPoint.
std::vector<TracePoint> pointsOf(const Trace &trace, const TraceSnapshot &snapshot,
                                 const AccessProgram &program);

// Outer loops before inner ones, else in program order.
std::vector<TraceLoop> loopsOf(const Trace &trace, const TraceSnapshot &snapshot,
                               const AccessProgram &program);

// The lines of the kernel file without surrounding blanks; line n is at n - 1. They point into the
// trace.
std::vector<llvm::StringRef> sourceLinesOf(const Trace &trace);

// The name of a pass by which it is told from the others: "simplify#2" is the second simplify, as
// options of passes and patches call it. `pass` is an index into Trace::passes.
std::string passPlace(const Trace &trace, size_t pass);

// By the above, else the last of the name. nullopt: there is none.
std::optional<size_t> passOfPlace(const Trace &trace, llvm::StringRef place);

// False: a trace that is opened piece by piece knows nothing of this snapshot yet.
bool isLoaded(const TraceSnapshot &snapshot);

// The accesses of one function; nullptr: the snapshot has none.
const AccessRecord *accessesOf(const TraceSnapshot &snapshot, llvm::StringRef function);

// nullptr: the snapshot has no such buffer. By a table that is made at the first question.
const BufferRecord *recordOf(const TraceSnapshot &snapshot, BufferId id);

// nullptr: a target that this program does not know.
const Target *targetOf(const Trace &trace);

// "float16 (128, 32) x3": type, shape and versions of a buffer.
std::string typeText(const BufferRecord &buffer);

// Threads are known if the compile came to its end; static bytes are what the capacity of the arena
// lacks to that of a block.
BlockDemand demandOf(const Trace &trace, const ArenaRecord &arena, const Target &target);

// Where the buffers lie after the last pass, by toString(BufferKey). nullopt: there is only a
// preview. The trace has at least one pass.
std::optional<std::map<std::string, int64_t>> plannedOffsets(const Trace &trace);

// Where most bytes are live: the point of the certificate, else the first such point.
ProgramPoint peakPoint(const ArenaRecord &arena);

// Whether one of the intervals holds the point.
bool contains(const std::vector<LiveInterval> &intervals, ProgramPoint point);

} // namespace tilescope
