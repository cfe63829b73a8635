// T.named_barrier(number=1, threads=64, waits=True): threads of some warps arrive at a barrier of
// the block that has a number; with `waits` they go on when as many as it takes have arrived.
// PTX ISA, "bar.sync" and "bar.arrive".
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

constexpr int64_t Barriers = 16;
constexpr int64_t LanesOfWarp = 32;

bool verifyNamedBarrier(const OpStmt &op, const Function &, Diagnostics &diagnostics) {
  int64_t number = op.attr(Attr::Number), threads = op.attr(Attr::Threads);
  auto report = [&](Attr attr, int64_t value, const char *wanted) {
    diagnostics.report(DiagId::AttributeValue, op.span(), nameOf(attr), nameOf(op.op), value,
                       wanted);
  };
  bool isNumber = 0 < number && number < Barriers;
  bool isWarps = threads > 0 && threads % LanesOfWarp == 0;
  if (!isNumber)
    report(Attr::Number, number, "1 to 15, since 0 is the barrier of all threads");
  if (!isWarps)
    report(Attr::Threads, threads, "a number of whole warps");
  return isNumber && isWarps;
}

} // namespace

const OpInfo &infoOfNamedBarrier() {
  static const AttrInfo Attrs[] = {{Attr::Number, AttrType::Int, /*defaultValue=*/1},
                                   {Attr::Threads, AttrType::Int},
                                   {Attr::Waits, AttrType::Bool, /*defaultValue=*/1}};
  static const OpInfo Info{.attrs = Attrs,
                           .scope = OpScope::Warp,
                           .sync = OpSync::NamedBarrier,
                           .verify = verifyNamedBarrier};
  return Info;
}

} // namespace tilescope
