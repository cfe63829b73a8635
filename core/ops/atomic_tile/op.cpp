// T.atomic_tile(dst, src, kind="max", use_tma=True): adds a tile to memory that other blocks add to
// as well, or leaves there the larger element, ... Axes of extent 1 may be added or left out on
// either side.
#include "core/ir/atomic_attrs.h"
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyAtomicTile(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireAtomic(0, atomicKindOf(op.attr(Attr::Kind)));
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  return check.passed();
}

} // namespace

const OpInfo &infoOfAtomicTile() {
  static const OperandInfo Operands[] = {
      {.name = "dst", .effect = Effect::ReadWrite, .isAtomic = true}, {"src", Effect::Read}};
  static const AttrInfo Attrs[] = {AtomicKindAttr, MemoryOrderAttr, {Attr::UseTma, AttrType::Bool}};
  static const OpInfo Info{.operands = Operands, .attrs = Attrs, .verify = verifyAtomicTile};
  return Info;
}

} // namespace tilescope
