// What emission makes, as plain values: the text, what each line stands for, how to launch it.
#pragma once

#include "core/support/kernel_line.h"
#include "core/support/source.h"

#include <string>
#include <vector>

namespace tilescope {

struct CudaLine {
  uint32_t line = 0;             // of the CUDA text, from 1
  StmtId stmt;                   // of the final snapshot; invalid: none
  Span span;                     // of the kernel
  std::vector<BufferId> buffers; // shared buffers that the line names
  bool isCarried = false;        // as of a TraceLine

  KernelLine sourceLine() const { return {span.line, isCarried}; }
  friend bool operator==(const CudaLine &, const CudaLine &) = default;
};

struct LaunchParam {
  std::string name;
  std::string dtype;
  std::vector<std::string> shape; // expressions over scalar parameters; empty: a scalar
  // "input", "output" (only written), "inout", "scalar", "workspace" (allocated by the caller); of
  // another compiler's kernel also "written" (and perhaps read), "descriptor" (of a tensor, for
  // TMA)
  std::string role;

  friend bool operator==(const LaunchParam &, const LaunchParam &) = default;
};

// What the host encodes of a tensor for copies of boxes, and gives the kernel behind its parameters
// (core/hopper/tensor_map.h). Dimensions are innermost first.
struct LaunchTensorMap {
  std::string name;
  std::string tensor; // the parameter
  std::string dtype;
  std::vector<std::string> dims;    // elements
  std::vector<std::string> strides; // bytes from one element of dimension i + 1 to the next
  std::vector<int64_t> box;         // elements that one copy moves
  int64_t swizzleBytes = 0;         // 0: none

  friend bool operator==(const LaunchTensorMap &, const LaunchTensorMap &) = default;
};

// That the threads of a role ask for, each.
struct RoleRegisters {
  int64_t threads = 0;
  int64_t registers = 0;

  friend bool operator==(const RoleRegisters &, const RoleRegisters &) = default;
};

// How to launch one device kernel. Expressions are text over the scalar parameters, in the syntax
// of IR text.
struct LaunchRecord {
  std::string kernel;
  std::vector<std::string> grid; // x, y, z
  int64_t threads = 0;
  std::string dynamicSharedBytes;
  int64_t staticSharedBytes = 0;
  std::vector<LaunchParam> params;         // in order
  std::vector<LaunchTensorMap> tensorMaps; // parameters of the kernel behind those
  bool isCooperative = false;              // all blocks must run at the same time
  bool beginsEarly = false; // before the launches before it have ended, for which it waits itself
  std::vector<int64_t> cluster; // blocks in x, y, z; empty: each block stands alone
  int64_t minBlocks = 0;        // that one multiprocessor is to hold; 0: nothing is asked
  std::vector<RoleRegisters> roleRegisters; // setmaxnreg, in the order of the roles; empty: none

  friend bool operator==(const LaunchRecord &, const LaunchRecord &) = default;
};

// A run of lines of the text.
struct ForeignLines {
  uint32_t first = 0; // from 1
  uint32_t count = 0;
};

struct CudaSource {
  std::string text;
  std::vector<ForeignLines> foreign; // CUDA that the kernel's author wrote
  std::vector<CudaLine> lineMap;     // one entry a line that stands for a statement
  std::vector<LaunchRecord> launches;
};

} // namespace tilescope
