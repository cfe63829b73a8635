// Whatever the verifier lets through compiles: every operator, math function and exchange between
// threads, of every element type.
#include "core/ir/verify_expr.h"
#include "tests/unit/emitter_fixture.h"

namespace tilescope {
namespace {

constexpr UnaryOp UnaryOps[] = {
#define UNARY(Name, spelling) UnaryOp::Name,
#include "core/ir/operators.def"
};
constexpr BinaryOp BinaryOps[] = {
#define BINARY(Name, spelling, isPredicate) BinaryOp::Name,
#include "core/ir/operators.def"
};
constexpr std::pair<MathFn, int> MathFns[] = {
#define MATH(Name, spelling, arity, typing) {MathFn::Name, arity},
#include "core/ir/operators.def"
};

class DTypeFunctionsTest : public EmitterTest {
protected:
  Buffer *global(llvm::StringRef name, DType dtype) {
    Buffer *buffer = declare(name, dtype, {number(512)}, Scope::Global);
    params.push_back({buffer->id, nullptr, true});
    return buffer;
  }
  const Expr *load(const Buffer &buffer, int64_t index) {
    return b.load(buffer, nullptr, context.copy(llvm::ArrayRef<const Expr *>(number(index))));
  }
  const Stmt *store(const Buffer &buffer, int64_t index, const Expr *value) {
    return context.make<Store>(info(), buffer.id, nullptr,
                               context.copy(llvm::ArrayRef<const Expr *>(number(index))), value);
  }

  // All that can be made of two values.
  std::vector<const Expr *> expressionsOf(const Expr *x, const Expr *y) {
    std::vector<const Expr *> all{context.make<Select>(b.boolean(true), x, y)};
    for (UnaryOp op : UnaryOps)
      all.push_back(context.make<Unary>(op, x));
    for (BinaryOp op : BinaryOps)
      all.push_back(context.make<Binary>(op, x, y));
    for (auto [fn, arity] : MathFns)
      all.push_back(b.math(fn, llvm::ArrayRef({x, y, x}).take_front(static_cast<size_t>(arity))));
    return all;
  }
  bool isLegal(const Expr *expr) {
    Diagnostics diagnostics;
    ExprVerifier(table(), diagnostics).check(expr);
    return !diagnostics.hasErrors();
  }
  bool isLegal(const Stmt *op) {
    Diagnostics diagnostics;
    const auto *checked = llvm::cast<OpStmt>(op);
    return checked->opInfo().verify(*checked, table(), diagnostics);
  }
  Function table() {
    Function function;
    std::vector<const Buffer *> pointers;
    pointers.reserve(buffers.size());
    for (auto &buffer : buffers)
      pointers.push_back(buffer.get());
    function.buffers = context.copy<const Buffer *>(pointers);
    return function;
  }

  // Operators on elements, on a literal, and on variables of both kinds.
  void addExpressions(DType dtype, std::vector<const Stmt *> &stmts) {
    Buffer *in = global("in_" + dtype.name(), dtype);
    Buffer *out = global("out_" + dtype.name(), dtype);
    Buffer *answers = global("answers_" + dtype.name(), DType::boolean());
    Buffer *mutableValue = declare("mutable_" + dtype.name(), dtype, {number(1)}, Scope::LocalVar);
    const Var *bound = b.var("bound_" + dtype.name(), dtype);
    stmts.push_back(context.make<Bind>(info(), bound, load(*in, 7)));
    stmts.push_back(store(*mutableValue, 0, load(*in, 8)));
    const Expr *one = dtype.isFloat()  ? static_cast<const Expr *>(b.floating(1.5, dtype))
                      : dtype.isBool() ? b.boolean(true)
                                       : b.integer(1, dtype);
    int64_t next = 0;
    auto add = [&](const Expr *expr) {
      stmts.push_back(store(expr->dtype() == dtype ? *out : *answers, next++, expr));
    };
    for (const Expr *expr : expressionsOf(load(*in, 0), load(*in, 1)))
      if (isLegal(expr))
        add(expr);
    for (BinaryOp op : BinaryOps)
      if (const Expr *expr = context.make<Binary>(op, load(*in, 0), one); isLegal(expr))
        add(expr);
    add(bound);
    add(load(*mutableValue, 0));
  }

  void addExchange(DType dtype, std::vector<const Stmt *> &stmts) {
    Buffer *own = declare("own_" + dtype.name(), dtype, {number(2)}, Scope::Local);
    Buffer *other = declare("other_" + dtype.name(), dtype, {number(2)}, Scope::Local);
    Buffer *sum = global("sum_" + dtype.name(), dtype);
    stmts.push_back(store(*own, 1, load(*sum, 1)));
    const Stmt *shuffle = b.op(info(), Op::Shuffle, {run(*other, nullptr, {number(1)}, 1)},
                               context.copy<const Expr *>({load(*own, 1), number(1), nullptr}),
                               {{Attr::Kind, static_cast<int64_t>(ShuffleKind::Xor)}});
    ASSERT_TRUE(isLegal(shuffle));
    stmts.push_back(shuffle);
    stmts.push_back(store(*sum, 1, load(*other, 1)));
    const Expr *value[] = {load(*own, 1)};
    const Stmt *atomic = b.op(info(), Op::AtomicElement, {run(*sum, nullptr, {tx}, 1)},
                              context.copy<const Expr *>(value));
    if (isLegal(atomic))
      stmts.push_back(atomic);
  }
};

TEST_F(DTypeFunctionsTest, OperatorsCompile) {
  std::vector<const Stmt *> stmts;
  for (DType dtype : allDTypes())
    addExpressions(dtype, stmts);
  CudaSource source = emit(stmts);
  EXPECT_TRUE(contains(source, "out_uint64[")) << source.text;
  expectCompiles(source);
}

TEST_F(DTypeFunctionsTest, ExchangesCompile) {
  std::vector<const Stmt *> stmts;
  for (DType dtype : allDTypes())
    addExchange(dtype, stmts);
  CudaSource source = emit(stmts);
  EXPECT_TRUE(contains(source, "atomicAdd(reinterpret_cast<u64 *>(&sum_int64[tx]), "))
      << source.text;
  expectNvrtcCompiles(source);
  expectCompiles(source);
}

// Each type alone: its header must come with its first use, not with a buffer.
TEST_F(DTypeFunctionsTest, IntermediateTypesBringTheirHeaders) {
  Buffer *in = global("in", DType::float32());
  Buffer *out = global("out", DType::float32());
  for (DType dtype : allDTypes()) {
    if (!dtype.isFloat() || dtype.bits > 16)
      continue;
    CudaSource source =
        emit({store(*out, 0, b.cast(DType::float32(), b.cast(dtype, load(*in, 0))))});
    expectNvrtcCompiles(source);
  }
}

} // namespace
} // namespace tilescope
