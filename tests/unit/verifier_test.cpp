// Breaches that text cannot say; the others are tests/ops/fail_*.py.
#include "core/ir/verifier.h"

#include "core/ir/build.h"
#include "ir_text.h"

namespace tilescope {
namespace {

class VerifierTest : public testing::Test {
protected:
  VerifierTest() {
    function.name = "f";
    function.body = store(nullptr, {builder.integer(0), builder.integer(0)});
    function.buffers = context.copy<const Buffer *>({buffer(0, Scope::Global, 1)});
  }

  const Buffer *buffer(uint32_t id, Scope scope, int64_t versions) {
    Buffer buffer;
    buffer.id = BufferId(id);
    buffer.name = buffer.sourceName = "A";
    buffer.dtype = DType::int32();
    buffer.scope = scope;
    buffer.versions = versions;
    buffer.shape = context.copy<const Expr *>({builder.integer(8), builder.integer(8)});
    return context.make<Buffer>(buffer);
  }
  const Stmt *store(const Expr *slot, std::initializer_list<const Expr *> indices) {
    return context.make<Store>(builder.fresh(Span()), BufferId(0), slot,
                               context.copy<const Expr *>(indices), builder.integer(1));
  }
  const Stmt *seq(std::initializer_list<const Stmt *> stmts) {
    return context.make<Seq>(builder.fresh(Span()), context.copy<const Stmt *>(stmts));
  }
  // The names of all breaches, in order.
  std::string breaches() {
    Module module;
    module.context = &context;
    module.functions = context.copy<const Function *>({context.make<Function>(function)});
    Diagnostics diagnostics;
    bool isFine = verifyModule(module, diagnostics);
    std::string names;
    for (const Diagnostic &diagnostic : diagnostics.all())
      names += (names.empty() ? "" : " ") + nameOf(diagnostic.id).str();
    EXPECT_EQ(isFine, names.empty());
    return names;
  }

  Context context;
  Builder builder{context};
  Function function;
};

TEST_F(VerifierTest, AStoreIsFine) { EXPECT_EQ(breaches(), ""); }

TEST_F(VerifierTest, StatementsHaveIdsOfTheirOwn) {
  const Stmt *twice = function.body;
  const Stmt *nameless = context.make<Seq>(StmtInfo(), StmtList());
  function.body = seq({twice, twice});
  EXPECT_EQ(breaches(), "StatementTwice");
  function.body = nameless;
  EXPECT_EQ(breaches(), "StatementWithoutId");
}

TEST_F(VerifierTest, SequencesAreFlat) {
  function.body = seq({seq({}), seq({})});
  EXPECT_EQ(breaches(), "NestedSequence");
}

TEST_F(VerifierTest, BodiesAndExpressionsAreThere) {
  function.body = nullptr;
  EXPECT_EQ(breaches(), "MissingBody");
  Range first{builder.integer(0), builder.integer(1)};
  BufferRegion region = builder.region(BufferId(0), nullptr, {first, first});
  function.body = builder.op(builder.fresh(Span()), Op::Fill, region);
  EXPECT_EQ(breaches(), "MissingExpression");
}

TEST_F(VerifierTest, VariablesAreBoundBeforeUse) {
  const Var *i = builder.var("i");
  const Stmt *use = store(nullptr, {i, i});
  const Stmt *bind = context.make<Bind>(builder.fresh(Span()), i, builder.integer(3));
  function.body = seq({bind, use});
  EXPECT_EQ(breaches(), "");
  function.body = seq({use, bind});
  EXPECT_EQ(breaches(), "UnboundVariable UnboundVariable");
}

TEST_F(VerifierTest, ABindEndsWithItsSequence) {
  const Var *i = builder.var("i");
  const Stmt *bind = context.make<Bind>(builder.fresh(Span()), i, builder.integer(3));
  const Stmt *inner = seq({bind, store(nullptr, {i, i})});
  const Stmt *branch =
      context.make<If>(builder.fresh(Span()), builder.boolean(true), inner, nullptr);
  function.body = seq({branch, store(nullptr, {i, builder.integer(0)})});
  EXPECT_EQ(breaches(), "UnboundVariable");
}

TEST_F(VerifierTest, BuffersAreDeclared) {
  function.buffers = {};
  EXPECT_EQ(breaches(), "UndeclaredBuffer");
}

TEST_F(VerifierTest, ParametersAreGlobal) {
  function.buffers = context.copy<const Buffer *>({buffer(0, Scope::Shared, 1)});
  function.params = context.copy<Param>({Param{BufferId(0)}});
  EXPECT_EQ(breaches(), "ParamScope");
}

TEST_F(VerifierTest, SlotsGoWithVersions) {
  const Expr *zero = builder.integer(0);
  function.body = store(zero, {zero, zero});
  EXPECT_EQ(breaches(), "SurplusSlot");
  function.buffers = context.copy<const Buffer *>({buffer(0, Scope::Shared, 2)});
  EXPECT_EQ(breaches(), "");
  function.body = store(nullptr, {zero, zero});
  EXPECT_EQ(breaches(), "MissingSlot");
}

TEST_F(VerifierTest, ParallelLoopsHaveAnExtentEach) {
  function.body = context.make<Parallel>(builder.fresh(Span()), llvm::ArrayRef<const Var *>(),
                                         ExprList(), function.body);
  EXPECT_EQ(breaches(), "ParallelShape");
}

TEST_F(VerifierTest, OperationsHaveTheirParts) {
  function.body =
      context.make<OpStmt>(builder.fresh(Span()), Op::Copy, llvm::ArrayRef<BufferRegion>(),
                           ExprList(), llvm::ArrayRef<int64_t>());
  EXPECT_EQ(breaches(), "OpParts");
}

} // namespace
} // namespace tilescope
