// What the program points of a snapshot are: statement, IR text, line of the kernel file.
#pragma once

#include "core/trace/trace.h"

#include "llvm/ADT/StringRef.h"

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

// The accesses of one function; nullptr: the snapshot has none.
const AccessRecord *accessesOf(const TraceSnapshot &snapshot, llvm::StringRef function);

} // namespace tilescope
