// Where a thread stands in its block: the index of its lane, its warp, its group of warps.
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"

namespace tilescope::frontend {

// A positive constant; nullopt after reporting.
static std::optional<int64_t> sizeOf(const Args &args, llvm::StringRef param, int64_t fallback) {
  std::optional<int64_t> size = args.integer(param, fallback);
  if (size && *size > 0)
    return size;
  if (size)
    args.wrongType(param, "a positive integer");
  return std::nullopt;
}

static Value indexAmong(Args &args, BinaryOp op, std::optional<int64_t> size) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !size)
    return Value();
  Builder &ir = args.evaluation.ir;
  return Value::expr(ir.binary(op, kernel->launch()->threadVar, ir.integer(*size)));
}

Value tileLaneIndex(Args &args) {
  return indexAmong(args, BinaryOp::FloorMod, sizeOf(args, "warp_size", 32));
}

Value tileWarpIndex(Args &args) {
  return indexAmong(args, BinaryOp::FloorDiv, sizeOf(args, "warp_size", 32));
}

Value tileWarpGroupIndex(Args &args) {
  std::optional<int64_t> lanes = sizeOf(args, "warp_size", 32);
  std::optional<int64_t> warps = lanes ? sizeOf(args, "warps_per_group", 4) : std::nullopt;
  int64_t threads = 0;
  if (warps && __builtin_mul_overflow(*lanes, *warps, &threads))
    return args.wrongType("warps_per_group", "a smaller integer");
  return indexAmong(args, BinaryOp::FloorDiv,
                    warps ? std::optional<int64_t>(threads) : std::nullopt);
}

// The lowest thread of a group is the one; of all threads with 0.
Value tileShuffleElect(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> extent = kernel ? args.integer("thread_extent") : std::nullopt;
  if (!extent)
    return Value();
  if (*extent < 0)
    return args.wrongType("thread_extent", "no negative number");
  Builder &ir = args.evaluation.ir;
  const Expr *place = kernel->launch()->threadVar;
  if (*extent != 0)
    place = ir.floorMod(place, ir.integer(*extent));
  return Value::expr(ir.binary(BinaryOp::Equal, place, ir.integer(0)));
}

} // namespace tilescope::frontend
