// Compiles on a thread of its own, so that the window keeps responding.
#pragma once

#include "core/driver/compile.h"
#include "core/session/newest_request.h"

namespace tilescope {

struct FinishedCompile {
  Trace trace;             // as far as the compile came; may have no pass
  std::string diagnostics; // as printed; "": none
  bool succeeded = false;
};

class LiveCompile : public NewestRequest<CompileRequest, FinishedCompile> {
public:
  explicit LiveCompile(std::function<void()> wake);
};

} // namespace tilescope
