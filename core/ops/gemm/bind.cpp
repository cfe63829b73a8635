// T.gemm: two tiles multiplied into a third.
#include "core/frontend/expr_operators.h"
#include "core/frontend/tile_operands.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::frontend {

static std::optional<int64_t> warpPolicy(Args &args) {
  if (!args.has("policy"))
    return static_cast<int64_t>(WarpPolicy::Square);
  const auto *member = args["policy"].as<EnumObject>();
  std::optional<WarpPolicy> policy =
      llvm::StringSwitch<std::optional<WarpPolicy>>(member ? member->name : "")
          .Case("Square", WarpPolicy::Square)
          .Case("FullRow", WarpPolicy::FullRow)
          .Case("FullCol", WarpPolicy::FullCol)
          .Default(std::nullopt);
  if (policy)
    return static_cast<int64_t>(*policy);
  args.wrongType("policy", "a member of T.GemmWarpPolicy");
  return std::nullopt;
}

// False statically: null. True statically: the constant. Else the device's condition.
static bool clearCondition(Args &args, const Expr *&condition) {
  condition = nullptr;
  Value value = args["clear_accum"];
  if (!value || value.isNone() || (value.isIntegral() && value.asInt() == 0))
    return true;
  condition = toCondition(args.evaluation, value, args.spanOf("clear_accum"));
  return condition != nullptr;
}

Value tileGemm(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !args.refuse({"mbar"}))
    return Value();
  std::optional<Operand> a = toTile(args, "A");
  std::optional<Operand> b = a ? toTile(args, "B") : std::nullopt;
  std::optional<Operand> c = b ? toTile(args, "C") : std::nullopt;
  std::optional<bool> transposeA = c ? args.boolean("transpose_A") : std::nullopt;
  std::optional<bool> transposeB = transposeA ? args.boolean("transpose_B") : std::nullopt;
  std::optional<int64_t> policy = transposeB ? warpPolicy(args) : std::nullopt;
  const Expr *clear = nullptr;
  if (!policy || !clearCondition(args, clear))
    return Value();
  Context &context = evaluation.context;
  kernel->emit(evaluation.ir.op(
      evaluation.ir.fresh(args.span), Op::Gemm,
      {a->region(context), b->region(context), c->region(context)}, clear,
      {{Attr::TransposeA, *transposeA}, {Attr::TransposeB, *transposeB}, {Attr::Policy, *policy}}));
  return Value::none();
}

} // namespace tilescope::frontend
