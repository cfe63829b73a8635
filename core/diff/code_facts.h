// What the code of a compile does, in figures: barriers, copy instructions, pipelined loops, the
// text of its CUDA.
#pragma once

#include "core/trace/trace.h"

#include "llvm/ADT/StringRef.h"

#include <map>

namespace tilescope {

struct PipelineFacts {
  KernelLine sourceLine; // of the loop
  int64_t stages = 0;
  int64_t groups = 0; // commit groups an iteration

  // Where the loop stands does not count.
  friend bool operator==(const PipelineFacts &a, const PipelineFacts &b) {
    return a.stages == b.stages && a.groups == b.groups;
  }
};

struct LaunchFacts {
  std::string kernel;
  int64_t threads = 0;           // of a block
  std::vector<std::string> grid; // blocks in x, y, z: numbers, or expressions
  std::vector<int64_t> cluster;  // blocks in x, y, z; empty: each stands alone

  // What the kernel is called does not count.
  friend bool operator==(const LaunchFacts &a, const LaunchFacts &b) {
    return a.threads == b.threads && a.grid == b.grid && a.cluster == b.cluster;
  }
};

struct CodeFacts {
  int64_t barriers = 0;                  // of a block, as statements: not how often they run
  std::map<std::string, int64_t> copies; // calls in the CUDA, "cp_async<16>", as statements
  // In program order; nullopt: another compiler's, of which no schedule is recorded.
  std::optional<std::vector<PipelineFacts>> pipelines;
  std::vector<LaunchFacts> launches; // in program order; empty: not recorded
  bool isSound = true;             // false: the verifier or a checker objected to the last snapshot
  std::vector<std::string> faults; // what they said: "line 7: 'a' and 'b' share [0, 64)"

  friend bool operator==(const CodeFacts &, const CodeFacts &) = default;
  // Both are recorded, and differ.
  bool hasOtherLaunches(const CodeFacts &other) const {
    return !launches.empty() && !other.launches.empty() && launches != other.launches;
  }
};

CodeFacts codeFactsOf(const Trace &trace);

// The lines of the CUDA without comments, blank lines and surrounding blanks. They point into it.
std::vector<llvm::StringRef> cudaCode(llvm::StringRef cuda);

// Lines of code that were added and removed; comments do not count.
struct CudaDiff {
  int64_t added = 0;
  int64_t removed = 0;
  bool hasOtherComments = false; // the texts differ, the code does not
  bool isPtx = false;            // of both sides

  bool isSameCode() const { return added == 0 && removed == 0; }
};

CudaDiff diffCuda(llvm::StringRef before, llvm::StringRef after);

} // namespace tilescope
