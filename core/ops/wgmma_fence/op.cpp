// T.wgmma_fence(): before the first wgmma that adds to registers which threads have written or read
// since the last.
#include "core/ir/op_check.h"

namespace tilescope {

const OpInfo &infoOfWgmmaFence() {
  static const OpInfo Info{.scope = OpScope::WarpGroup};
  return Info;
}

} // namespace tilescope
