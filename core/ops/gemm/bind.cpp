// T.gemm, T.wgmma_gemm: two tiles multiplied into a third.
#include "core/frontend/expr_operators.h"
#include "core/frontend/mbarriers.h"
#include "core/frontend/tile_operands.h"
#include "core/ir/product_check.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::frontend {

static std::optional<int64_t> warpPolicy(Args &args) {
  if (!args.has("policy"))
    return static_cast<int64_t>(WarpPolicy::Square);
  // The members are numbers, in this order.
  if (Value number = args["policy"]; number.isInt() && number.asInt() >= 0 && number.asInt() <= 2)
    return number.asInt();
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

// What follows the operands; nullopt after reporting.
struct GemmOptions {
  bool transposeA = false, transposeB = false;
  int64_t policy = 0;
  const Expr *clear = nullptr;
};

static std::optional<GemmOptions> gemmOptions(Args &args) {
  std::optional<bool> transposeA = args.boolean("transpose_A");
  std::optional<bool> transposeB = transposeA ? args.boolean("transpose_B") : std::nullopt;
  std::optional<int64_t> policy = transposeB ? warpPolicy(args) : std::nullopt;
  const Expr *clear = nullptr;
  if (!policy || !clearCondition(args, clear))
    return std::nullopt;
  return GemmOptions{*transposeA, *transposeB, *policy, clear};
}

static Value emitGemm(Args &args, llvm::ArrayRef<BufferRegion> regions,
                      const GemmOptions &options) {
  Evaluation &evaluation = args.evaluation;
  evaluation.kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Gemm, regions,
                                           options.clear,
                                           {{Attr::TransposeA, options.transposeA},
                                            {Attr::TransposeB, options.transposeB},
                                            {Attr::Policy, options.policy}}));
  return Value::none();
}

static Value emitSparseGemm(Args &args, llvm::ArrayRef<BufferRegion> regions,
                            const GemmOptions &options, bool transposeE) {
  Evaluation &evaluation = args.evaluation;
  evaluation.kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::GemmSparse, regions,
                                           options.clear,
                                           {{Attr::TransposeA, options.transposeA},
                                            {Attr::TransposeB, options.transposeB},
                                            {Attr::TransposeE, transposeE},
                                            {Attr::Policy, options.policy}}));
  return Value::none();
}

static Value emitProduct(Args &args) {
  std::optional<Operand> a = toTile(args, "A");
  std::optional<Operand> b = a ? toTile(args, "B") : std::nullopt;
  std::optional<Operand> c = b ? toTile(args, "C") : std::nullopt;
  std::optional<GemmOptions> options = c ? gemmOptions(args) : std::nullopt;
  Context &context = args.evaluation.context;
  return options ? emitGemm(args, {a->region(context), b->region(context), c->region(context)},
                            *options)
                 : Value();
}

Value tileGemm(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  return kernel && args.refuse({"mbar"}) ? emitProduct(args) : Value();
}

// The next statement waits for it: T.wait_wgmma has nothing left to do.
Value tileWgmmaGemm(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  return kernel && requireOnTarget(args) ? emitProduct(args) : Value();
}

namespace {

// Whether T.gemm_sparse is carried out: mma.sp takes such types, and steps of such depth.
bool hasSparseProduct(const Operand &a, const Operand &e, const Operand &c, bool transposeA) {
  const Buffer &kept = a.buffer->draft, &words = e.buffer->draft, &sums = c.buffer->draft;
  if (!isSparseProduct(kept.dtype, sums.dtype) || sums.scope != Scope::Fragment ||
      !isShared(words.scope) || words.dtype.bits > 32)
    return false;
  constexpr int64_t KeptBitsOfStep = 256;
  std::optional<int64_t> columns =
      constantValue(a.axes[a.axes.size() - (transposeA ? 2 : 1)].extent);
  return columns && *columns * kept.dtype.bits % KeptBitsOfStep == 0;
}

// `T.gemm_sp(A, E, B, C)` by a dense product: of every four (of 32 bits: two) neighbours along K, A
// holds two (one), and four bits of E say which, two for each: the first of four in the lowest. The
// dense tile is made in registers first.
class SparseGemm {
public:
  SparseGemm(Args &args, const Operand &a, const Operand &e, bool transposeA, bool transposeE)
      : ir_(args.evaluation.ir), args_(args), a_(a), e_(e), transposeA_(transposeA),
        transposeE_(transposeE), isWide_(a.buffer->draft.dtype.bits == 32) {}

  // False after reporting.
  bool checkShapes() {
    const auto [rows, kept] = extentsOf(a_, transposeA_);
    const auto [metaRows, meta] = extentsOf(e_, transposeE_);
    DType metaType = e_.buffer->draft.dtype;
    perMeta_ = int64_t{metaType.bits} / 4 * (isWide_ ? 2 : 4);
    bool isShaped = kept && rows && rows == metaRows && meta && *kept * 2 == *meta * perMeta_;
    bool isFine = isShaped && metaType.isInteger() && metaType.bits >= 8;
    if (!isFine)
      args_.wrongType("E", "integers with four bits for every group of A");
    return isFine;
  }

  // The dense tile, M x K.
  BufferRegion makeDense() {
    Evaluation &evaluation = args_.evaluation;
    const auto [rows, kept] = extentsOf(a_, transposeA_);
    DType dtype = a_.buffer->draft.dtype;
    BufferObject *dense = evaluation.kernel->addBuffer(evaluation.heap, dtype,
                                                       {ir_.integer(*rows), ir_.integer(*kept * 2)},
                                                       Scope::Fragment, args_.span);
    evaluation.kernel->nameBuffer(*dense, a_.buffer->sourceName + "_dense");
    const Var *row = ir_.var("i"), *column = ir_.var("k");
    Context &context = evaluation.context;
    const Stmt *store =
        context.make<Store>(ir_.fresh(args_.span), dense->draft.id, nullptr,
                            context.copy<const Expr *>({row, column}), element(row, column));
    evaluation.kernel->emit(context.make<Parallel>(
        ir_.fresh(args_.span), context.copy<const Var *>({row, column}),
        context.copy<const Expr *>({ir_.integer(*rows), ir_.integer(*kept * 2)}), store));
    return ir_.region(
        dense->draft.id, nullptr,
        {{ir_.integer(0), ir_.integer(*rows)}, {ir_.integer(0), ir_.integer(*kept * 2)}},
        args_.span);
  }

private:
  static std::pair<std::optional<int64_t>, std::optional<int64_t>> extentsOf(const Operand &operand,
                                                                             bool isTransposed) {
    if (operand.axes.size() < 2)
      return {};
    const Axis *last = &operand.axes.back();
    const Axis *row = last - 1;
    if (isTransposed)
      std::swap(row, last);
    return {constantValue(row->extent), constantValue(last->extent)};
  }

  const Expr *at(const Operand &operand, bool isTransposed, const Expr *row, const Expr *column) {
    if (isTransposed)
      std::swap(row, column);
    llvm::SmallVector<const Expr *> indices;
    for (const Axis &axis : operand.axes)
      indices.push_back(axis.start);
    for (auto [index, step] :
         {std::pair(&indices[indices.size() - 2], row), {&indices.back(), column}})
      *index = ir_.add(*index, ir_.cast((*index)->dtype(), step));
    return ir_.load(operand.buffer->draft, nullptr, indices);
  }

  // The bits [first, first + 2) of the group that element `k` of a row is in.
  const Expr *position(const Expr *row, const Expr *k, int64_t first) {
    int64_t group = isWide_ ? 2 : 4;
    const Expr *meta = at(e_, transposeE_, row, ir_.floorDiv(k, ir_.integer(perMeta_)));
    DType dtype = meta->dtype().bits < 32 ? DType::int32() : meta->dtype();
    const Expr *shift = ir_.add(
        ir_.mul(ir_.floorMod(ir_.floorDiv(k, ir_.integer(group)), ir_.integer(perMeta_ / group)),
                ir_.integer(4)),
        ir_.integer(first));
    const Expr *bits =
        ir_.binary(BinaryOp::ShiftRight, ir_.cast(dtype, meta), ir_.cast(dtype, shift));
    return ir_.cast(DType::int32(), ir_.binary(BinaryOp::BitAnd, bits, ir_.integer(3, dtype)));
  }

  const Expr *element(const Expr *row, const Expr *k) {
    const Expr *zero = a_.buffer->draft.dtype.isFloat()
                           ? static_cast<const Expr *>(ir_.floating(0, a_.buffer->draft.dtype))
                           : ir_.integer(0, a_.buffer->draft.dtype);
    auto isHere = [&](int64_t first, const Expr *place) {
      return ir_.binary(BinaryOp::Equal, position(row, k, first), place);
    };
    if (isWide_)
      return ir_.select(isHere(0, ir_.mul(ir_.floorMod(k, ir_.integer(2)), ir_.integer(2))),
                        at(a_, transposeA_, row, ir_.floorDiv(k, ir_.integer(2))), zero);
    const Expr *place = ir_.floorMod(k, ir_.integer(4));
    const Expr *first = ir_.mul(ir_.floorDiv(k, ir_.integer(4)), ir_.integer(2));
    const Expr *second = at(a_, transposeA_, row, ir_.add(first, ir_.integer(1)));
    return ir_.select(isHere(0, place), at(a_, transposeA_, row, first),
                      ir_.select(isHere(2, place), second, zero));
  }

  Builder &ir_;
  Args &args_;
  const Operand &a_, &e_;
  bool transposeA_, transposeE_;
  bool isWide_;         // of 32 bits
  int64_t perMeta_ = 0; // elements along K for each of E
};

} // namespace

Value tileSparseGemm(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<Operand> a = toTile(args, "A_sparse");
  std::optional<Operand> e = a ? toTile(args, "E") : std::nullopt;
  std::optional<Operand> b = e ? toTile(args, "B") : std::nullopt;
  std::optional<Operand> c = b ? toTile(args, "C") : std::nullopt;
  std::optional<GemmOptions> options = c ? gemmOptions(args) : std::nullopt;
  std::optional<bool> transposeE = options ? args.boolean("transpose_E") : std::nullopt;
  if (!transposeE)
    return Value();
  SparseGemm sparse(args, *a, *e, options->transposeA, *transposeE);
  if (!sparse.checkShapes())
    return Value();
  Context &context = evaluation.context;
  BufferRegion right = b->region(context), sums = c->region(context);
  if (hasSparseProduct(*a, *e, *c, options->transposeA))
    return emitSparseGemm(args, {a->region(context), right, sums, e->region(context)}, *options,
                          *transposeE);
  evaluation.fail(DiagId::SparseGemmDense, args.span, a->buffer->sourceName);
  options->transposeA = false;
  return emitGemm(args, {sparse.makeDense(), right, sums}, *options);
}

} // namespace tilescope::frontend
