// ONE LINE OF HELP.
//
//     before        after
//
// Requires: nothing. Ensures: nothing.
#include "core/pass/pass.h"

namespace tilescope {

namespace {

class NewName : public Pass {
public:
  const Module *run(const Module &module, PassContext & /*context*/) override { return &module; }
};

} // namespace

std::unique_ptr<Pass> createNewName() { return std::make_unique<NewName>(); }

} // namespace tilescope
