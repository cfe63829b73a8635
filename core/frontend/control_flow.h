// How statements end, and what the statement that runs stands inside.
#pragma once

#include "core/frontend/value.h"

namespace tilescope::frontend {

// How a statement ended.
enum class Flow : uint8_t { Normal, Break, Continue, Return, Failed };

// A body of a device loop or branch whose statements are being collected.
struct DeviceBody {
  // Ifs that what comes next in the body belongs into: a side of theirs has ended the iteration.
  struct OpenIf {
    StmtInfo info;
    const Expr *condition = nullptr;
    const Stmt *ended = nullptr; // the side that has; null: none, the condition says who goes on
    bool isThenOpen = true;
  };
  llvm::SmallVector<OpenIf, 2> open;
  bool hasJumped = false; // some threads that got into the body have ended the iteration
};

// The innermost loop of the device.
struct DeviceLoop {
  llvm::StringRef name;          // of what `break` and `continue` cannot end; "": they can
  size_t body = 0;               // its body among ControlFlow::bodies
  BufferObject *skips = nullptr; // 1 in threads that have ended the iteration; made when needed
  bool hasBreak = false;
  bool isLaunch = false; // no loop: T.thread_return alone ends it
  size_t callDepth = 0;  // of a launch
};

// The generator whose body runs, and who takes what it yields.
struct RunningGenerator;

struct ControlFlow {
  unsigned tryDepth = 0;          // of nested `try` bodies
  unsigned deviceDepth = 0;       // of device loops and branches around this statement
  unsigned frameDeviceDepth = 0;  // the same where the running function was entered
  unsigned loopDeviceDepth = 0;   // the same where the innermost loop of Python was entered
  DeviceLoop *loop = nullptr;     // null: the innermost loop is one of Python, or there is none
  std::vector<DeviceBody> bodies; // of device loops and branches, the innermost last
  Flow jumped = Flow::Normal;     // by a call in the expression that is evaluated: T.loop_break()
  RunningGenerator *generator = nullptr; // null: none
  Env *stopIn = nullptr; // whose function ends where it defines `stopAt`; null: none
  llvm::StringRef stopAt;
  Span discarded; // the call whose value the statement that runs makes nothing of
  Value returned;
  Span returnSpan;            // where the last function that ended returned; its name if at its end
  Value raised;               // the exception that is under way; invalid: what Python has none for
  std::vector<Value> handled; // exceptions whose handlers are running
};

} // namespace tilescope::frontend
