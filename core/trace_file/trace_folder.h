// A folder of traces, as a program leaves one that ran with TILESCOPE_RECORD: each `*.trace` in it
// is an instance of a kernel, known by the first record of the trace and never by the name of its
// file.
//
//     run/matmul-1f0c.trace   { function "matmul", target "sm_90a", parameters M = 1024, ... }
//     run/matmul-9ad3.trace   { function "matmul", target "sm_90a", parameters M = 4096, ... }
//     run/index.json          for people; what is no `*.trace` is left alone
#pragma once

#include "core/trace/trace.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// What the first record of a trace says of its instance.
struct TraceInstance {
  std::string path; // of the trace file
  std::string file; // that the kernel is written in
  std::string function;
  std::vector<std::pair<std::string, std::string>> arguments; // sorted by name
  std::string target;
  // Who compiled it, and with which passes and options: what tells traces of equal arguments apart.
  std::string configuration;
};

// A trace that cannot be read, or not to its end, and why.
struct UnreadTrace {
  std::string path;
  std::string why;
};

struct TraceFolder {
  // By function, arguments, target, file, configuration and, last, by name: those of equal
  // arguments are in the same order in each recording of a program.
  std::vector<TraceInstance> traces;
  std::vector<UnreadTrace> unread; // sorted by path
};

// Reads the first record alone. An error: there is none.
llvm::Expected<TraceInstance> readTraceInstance(const std::string &path);

// Of all traces right in the folder. An error: it cannot be listed, or has no trace.
llvm::Expected<TraceFolder> readTraceFolder(const std::string &path);

} // namespace tilescope
