// T.print(value=x, message="x is"): one thread writes a line: where it is, and a value. With an
// index the value is that element of a buffer, counted in order.
#include "core/ir/op_check.h"

namespace tilescope {

const OpInfo &infoOfPrint() {
  static const ArgInfo Args[] = {{"value", /*optional=*/true}, {"index", /*optional=*/true}};
  static const AttrInfo Attrs[] = {{Attr::Message, AttrType::Text},
                                   {Attr::BufferName, AttrType::Text}};
  static const OpInfo Info{.args = Args, .attrs = Attrs, .scope = OpScope::Thread};
  return Info;
}

} // namespace tilescope
