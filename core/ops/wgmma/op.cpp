// T.wgmma(a, b, c): a warp group starts c += op(a) @ op(b), or c = op(a) @ op(b) where
// `clear_accum` is true, for 64 rows and as many columns as b has, 32 bytes deep, of tiles in
// shared memory. Of c one thread holds half as many elements as there are columns. a may be in
// registers, 16 bytes of each thread. Elements of 8 bits lie side by side along K, and a and b may
// be of either kind of fp8, or signed and unsigned.
//     transpose_A: a is K x M, else M x K       transpose_B: b is N x K, else K x N
#include "core/ir/build.h"
#include "core/ir/op_check.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr int64_t Rows = 64;
constexpr int64_t DepthBits = 256;

constexpr int64_t MaxColumns = 256;
constexpr int64_t ColumnUnit = 8, IntegerColumnUnit = 16;
constexpr int64_t ThreadsOfGroup = 128;

// The last two extents, axes before them being 1; nothing: not constant.
struct Matrix {
  std::optional<int64_t> rows, columns;
};

Matrix matrixOf(const OpCheck &check, size_t operand) {
  llvm::SmallVector<const Expr *> extents = check.extents(operand);
  if (extents.size() < 2)
    return {};
  return {constantValue(extents[extents.size() - 2]), constantValue(extents.back())};
}

void checkTile(OpCheck &check, size_t operand, int64_t depth, bool depthIsRow) {
  const Buffer &buffer = check.buffer(operand);
  check.requireScope(operand, {Scope::Shared});
  constexpr int64_t RowsOfPattern = 8;
  bool isAligned = buffer.layout && buffer.layout->isAligned && buffer.shape.size() >= 2;
  if (!isAligned ||
      constantValue(buffer.shape[buffer.shape.size() - 2]).value_or(1) % RowsOfPattern != 0)
    return check.fail(DiagId::OperandNotSwizzled, check.operandName(operand), check.opName());
  Matrix matrix = matrixOf(check, operand);
  bool isDeep = (depthIsRow ? matrix.rows : matrix.columns) == depth;
  std::optional<int64_t> other = depthIsRow ? matrix.columns : matrix.rows;
  int64_t unit = buffer.dtype.isInteger() ? IntegerColumnUnit : ColumnUnit;
  if (depthIsRow)
    unit = buffer.layout->spanBytes * 8 / buffer.dtype.bits;
  bool fits = operand == 0 ? other == Rows
                           : other && *other > 0 && *other <= MaxColumns && *other % unit == 0;
  if (!isDeep || !fits)
    check.fail(DiagId::OperandNoWgmmaTile, check.operandName(operand), check.opName(),
               extentsText(check.extents(operand)),
               operand == 0 ? "64" : llvm::formatv("a multiple of {0} up to 256", unit).str(),
               depth);
}

bool isInteger8(DType dtype) { return dtype.isInteger() && dtype.bits == 8; }

void checkTypes(OpCheck &check) {
  DType a = check.buffer(0).dtype, b = check.buffer(1).dtype;
  bool areIntegers = isInteger8(a) && isInteger8(b);
  bool areOf8Bits = areIntegers || (a.isFloat8() && b.isFloat8());
  if (!areOf8Bits)
    check.requireSameType(0, 1);
  if (!areOf8Bits && a != DType::bfloat16())
    check.requireBufferType(0, DType::float16());
  if (areOf8Bits) {
    check.requireAttr(Attr::TransposeA, {0});
    check.requireAttr(Attr::TransposeB, {1});
  }
  if (areIntegers)
    check.requireBufferType(2, DType::int32());
  else if (a == DType::bfloat16() || check.buffer(2).dtype != DType::float16())
    check.requireBufferType(2, DType::float32());
}

bool verifyWgmma(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  DType dtype = check.buffer(0).dtype;
  checkTypes(check);
  check.requireScope(2, {Scope::Local});
  check.requireArgType(0, DType::boolean());
  int64_t depth = DepthBits / dtype.bits;
  if (check.buffer(0).scope == Scope::Local) {
    check.requireRun(0, Rows * DepthBits / ThreadsOfGroup);
    check.requireAttr(Attr::TransposeA, {0});
  } else {
    checkTile(check, 0, depth, op.attr(Attr::TransposeA) != 0);
  }
  checkTile(check, 1, depth, op.attr(Attr::TransposeB) == 0);
  Matrix b = matrixOf(check, 1);
  std::optional<int64_t> columns = op.attr(Attr::TransposeB) ? b.rows : b.columns;
  if (check.passed())
    check.requireRun(2, *columns / 2 * check.buffer(2).dtype.bits);
  return check.passed();
}

} // namespace

const OpInfo &infoOfWgmma() {
  static const OperandInfo Operands[] = {
      {"a", Effect::Read},
      {"b", Effect::Read},
      {.name = "c", .effect = Effect::ReadWrite, .clearedByArg = 0}};
  static const ArgInfo Args[] = {{"clear_accum", /*optional=*/true}};
  static const AttrInfo Attrs[] = {{Attr::TransposeA, AttrType::Bool},
                                   {Attr::TransposeB, AttrType::Bool}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .scope = OpScope::WarpGroup,
                           .work = OpWork::MatrixMultiply,
                           .async = AsyncWhen::Always,
                           .queue = AsyncQueue::Wgmma,
                           .verify = verifyWgmma};
  return Info;
}

} // namespace tilescope
