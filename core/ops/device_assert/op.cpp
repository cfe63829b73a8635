// T.device_assert(n <= 2, message="too many"): the launch fails where one thread finds the
// condition false.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyDeviceAssert(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireArgType(0, DType::boolean());
  return check.passed();
}

} // namespace

const OpInfo &infoOfDeviceAssert() {
  static const ArgInfo Args[] = {{"condition"}};
  static const AttrInfo Attrs[] = {{Attr::Message, AttrType::Text}};
  static const OpInfo Info{
      .args = Args, .attrs = Attrs, .scope = OpScope::Thread, .verify = verifyDeviceAssert};
  return Info;
}

} // namespace tilescope
