// What is open in a viewer: what panels may read besides the selection.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// NAME=VALUE of a live kernel, as asked for; the trace holds what the last compile used.
struct RequestedArgument {
  std::string name;
  std::string value; // a Python literal

  friend bool operator==(const RequestedArgument &, const RequestedArgument &) = default;
};

struct Document {
  const Trace *trace = nullptr; // nullptr: nothing is open; else it has at least one pass
  const Trace *other = nullptr; // what it is compared with; nullptr: nothing
  // Changes whenever a trace is replaced or grows. Views are cached by it, the pass, and what else
  // they show.
  uint64_t revision = 0;
  std::string message; // why nothing is open, or what of it could not be read; "": all is well

  bool isLive = false;      // compiled here, so that arguments and IR can be changed
  bool isCompiling = false; // the trace is that of the compile before
  std::vector<RequestedArgument> requested;
  std::string requestedTarget;
};

} // namespace tilescope
