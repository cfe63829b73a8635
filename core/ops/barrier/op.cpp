// T.barrier(): all threads of the block (or with scope="warp" of the warp) arrive, and see each
// other's writes to shared memory.
#include "core/ir/op_check.h"

namespace tilescope {

const OpInfo &infoOfBarrier() {
  // In the order of BarrierScope.
  static const llvm::StringRef Scopes[] = {"warp", "block"};
  static const AttrInfo Attrs[] = {{Attr::Scope, AttrType::Name, /*defaultValue=*/1, Scopes}};
  static const OpInfo Info{.attrs = Attrs, .sync = OpSync::Barrier};
  return Info;
}

} // namespace tilescope
