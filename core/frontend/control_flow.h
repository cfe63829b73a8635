// How statements end, and what the statement that runs stands inside.
#pragma once

#include "core/frontend/value.h"

namespace tilescope::frontend {

// How a statement ended.
enum class Flow : uint8_t { Normal, Break, Continue, Return, Failed };

struct ControlFlow {
  unsigned tryDepth = 0;         // of nested `try` bodies
  unsigned deviceDepth = 0;      // of device loops and branches around this statement
  unsigned frameDeviceDepth = 0; // the same where the running function was entered
  Span discarded;                // the call whose value the statement that runs makes nothing of
  Value returned;
  Span returnSpan;            // where the last function that ended returned; its name if at its end
  Value raised;               // the exception that is under way; invalid: what Python has none for
  std::vector<Value> handled; // exceptions whose handlers are running
};

} // namespace tilescope::frontend
