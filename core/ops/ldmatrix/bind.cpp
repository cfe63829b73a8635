// T.ptx_ldmatrix: the row of 16 bytes that this lane names, and the registers that it gets.
#include "core/frontend/result_registers.h"

namespace tilescope::frontend {

Value tilePtxLdmatrix(Args &args) {
  constexpr int64_t RowBytes = 16;
  constexpr int64_t BytesOfLane = 4;
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<bool> isTransposed = args.boolean("trans");
  std::optional<int64_t> matrices = isTransposed ? args.integer("num") : std::nullopt;
  if (!matrices)
    return Value();
  if (*matrices != 1 && *matrices != 2 && *matrices != 4)
    return args.wrongType("num", "1, 2 or 4 matrices");
  std::optional<Operand> source = toBytes(args, "src_access_ptr", RowBytes);
  std::optional<Operand> destination =
      source ? toBytes(args, "dst_access_ptr", *matrices * BytesOfLane) : std::nullopt;
  if (!destination)
    return Value();
  evaluation.kernel->emit(evaluation.ir.op(
      evaluation.ir.fresh(args.span), Op::Ldmatrix,
      {source->region(evaluation.context), destination->region(evaluation.context)}, {},
      {{Attr::Matrices, *matrices}, {Attr::Transposed, int64_t{*isTransposed}}}));
  return Value::none();
}

} // namespace tilescope::frontend
