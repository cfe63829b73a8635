// T.barrier(): all threads of the block (or with scope="warp" of the warp, or those lanes of it
// that `mask` names) arrive, and see each other's writes to shared memory.
#include "core/access/access_program.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyBarrier(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireArgType(0, DType::uint32());
  if (op.args[0])
    check.requireAttr(Attr::Scope, {static_cast<int64_t>(BarrierScope::Warp)});
  return check.passed();
}

} // namespace

const OpInfo &infoOfBarrier() {
  static const ArgInfo Args[] = {{"mask", /*optional=*/true}};
  // In the order of BarrierScope.
  static const llvm::StringRef Scopes[] = {"warp", "block"};
  static const AttrInfo Attrs[] = {{Attr::Scope, AttrType::Name, /*defaultValue=*/1, Scopes}};
  static const OpInfo Info{
      .args = Args, .attrs = Attrs, .sync = OpSync::Barrier, .lanes = 0, .verify = verifyBarrier};
  return Info;
}

} // namespace tilescope
