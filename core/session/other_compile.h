// What a kernel is compared with: itself at a revision of its git repository, compiled on a thread.
#pragma once

#include "core/driver/compile.h"
#include "core/session/newest_request.h"

namespace tilescope {

struct OtherRequest {
  CompileRequest request;
  std::string revision; // as compileAtRevision takes it
};

struct OtherResult {
  std::string revision;
  std::optional<Trace> trace; // nullopt: `error` says why
  std::string error;
};

class OtherCompile : public NewestRequest<OtherRequest, OtherResult> {
public:
  explicit OtherCompile(std::function<void()> wake);
};

} // namespace tilescope
