// What one block of a launch did to shared memory when it was run, step by step.
//
// A step is a statement in one iteration of the loops around it, done by all threads that come
// there; what touches no shared memory is none. Steps stand in the order in which the block made
// them; between two barriers, where warps have no order, in that of the first warp.
#pragma once

#include "core/support/ids.h"
#include "core/support/source.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace tilescope {

// Bytes that a step touches through one slot of a buffer.
struct StepTouch {
  // Copy: an asynchronous one into them has begun; Arrival: it is there, and was waited for.
  enum class Kind : uint8_t { Read, Write, Copy, Arrival };

  Kind kind = Kind::Read;
  BufferId buffer;
  int64_t slot = 0;
  // Of shared memory: begin, end, begin, end, ...; half-open, ascending, apart from each other.
  std::vector<int64_t> bytes;

  size_t rangeCount() const { return bytes.size() / 2; }
  friend auto operator<=>(const StepTouch &, const StepTouch &) = default;
};

// A statement that touches shared memory.
struct SteppedStatement {
  StmtId stmt;
  Span span;
  std::string text;               // its first line
  std::vector<std::string> loops; // the variables of the loops around it, the outermost first
};

struct SteppedBuffer {
  BufferId id;
  std::string name;
  int64_t versions = 1;
};

struct BlockSteps {
  std::string function;
  StmtId launch;
  int64_t block = 0;                  // in its grid, x fastest
  int64_t bytes = 0;                  // of shared memory
  std::vector<SteppedBuffer> buffers; // that are touched
  std::vector<SteppedStatement> statements;
  std::vector<StepTouch> touches; // each once, however many steps make it
  // Of each step: its statement, the value of each of its loops, its touches. Where threads of a
  // step differ in the value of a loop it is that of the first.
  std::vector<std::vector<int64_t>> steps;
  bool isCut = false; // the block went on; there is no room for more

  const SteppedStatement &statementOf(size_t step) const {
    return statements[static_cast<size_t>(steps[step].front())];
  }
  llvm::ArrayRef<int64_t> iterationOf(size_t step) const {
    return llvm::ArrayRef(steps[step]).slice(1, statementOf(step).loops.size());
  }
  llvm::ArrayRef<int64_t> touchesOf(size_t step) const {
    return llvm::ArrayRef(steps[step]).drop_front(1 + statementOf(step).loops.size());
  }
};

inline constexpr size_t MostSteppedLaunches = 64;
// What is recorded of a block: more than these are cut off.
inline constexpr size_t MostSteps = size_t{1} << 16;
inline constexpr size_t MostStepRanges = size_t{1} << 20; // of all steps together

} // namespace tilescope
