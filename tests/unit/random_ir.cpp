#include "random_ir.h"

#include "core/ir/build.h"

#include <limits>
#include <random>

namespace tilescope {

namespace {

class Generator {
public:
  Generator(Context &context, unsigned seed, bool identity)
      : context_(context), builder_(context), random_(seed), identity_(identity) {}

  const Module *module() {
    Module module;
    module.context = &context_;
    module.fastMath = chance(2);
    module.functions = context_.copy<const Function *>({function("first"), function("second")});
    return context_.make<Module>(module);
  }

private:
  using Vars = std::vector<const Var *>;

  int64_t below(size_t limit) { return static_cast<int64_t>(random_() % limit); }
  bool chance(size_t oneIn) { return below(oneIn) == 0; }
  template <typename T> T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }

  Span span() {
    if (!identity_ || chance(3))
      return {};
    auto number = [&] { return static_cast<uint32_t>(1 + below(99)); };
    return {FileId(7), number(), number(), number(), number()};
  }
  StmtInfo info() {
    StmtInfo info = builder_.fresh(span());
    if (identity_ && chance(3))
      info.origin = StmtId(static_cast<uint32_t>(below(info.id.value + 1)));
    if (identity_ && chance(3))
      info.anchor = StmtId(static_cast<uint32_t>(below(info.id.value + 1)));
    return info;
  }
  llvm::StringRef name() {
    return pick<llvm::StringRef>({"k", "i", "j", "T", "for", "A", "k_1", "2x", "a \"b\" #c", "x"});
  }
  // Stays in scope until the caller takes it out of `vars_`.
  const Var *newVar(DType dtype = DType::int32()) {
    const Var *var = builder_.var(name(), dtype);
    vars_.push_back(var);
    return var;
  }

  const Function *function(llvm::StringRef name);
  const Buffer *buffer(size_t number, Scope scope);
  const Expr *expr(DType dtype, int depth);
  const Expr *leaf(DType dtype);
  const Expr *load(DType dtype, int depth);
  const Expr *boolean(int depth);
  const Expr *arithmetic(DType dtype, int depth);
  double floating();
  ExprList indicesOf(const Buffer &buffer, int depth);
  const Expr *slotOf(const Buffer &buffer, int depth);
  Range range();
  const Stmt *stmt(int depth);
  const Stmt *body(int depth);
  const Stmt *loop(int depth);
  const Pipeline *pipeline(const Stmt *body);
  const Stmt *parallel(int depth);
  const Stmt *launch(int depth);
  const Stmt *store();
  const Stmt *op();

  Context &context_;
  Builder builder_;
  std::mt19937 random_;
  bool identity_;
  Vars vars_;
  bool inParallel_ = false;
  std::vector<const Buffer *> buffers_;
};

// ---- Expressions --------------------------------------------------------------------------------

double Generator::floating() {
  return pick({0.0, -0.0, 1.0, -2.5, 0.1, 1e300, 5e-324, 123456789012345.0,
               std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
               std::numeric_limits<double>::quiet_NaN()});
}

const Expr *Generator::leaf(DType dtype) {
  for (const Var *var : vars_)
    if (var->dtype() == dtype && chance(2))
      return var;
  if (dtype.isFloat())
    return builder_.floating(floating(), dtype);
  return builder_.integer(dtype.isUnsigned() ? below(8) : below(16) - 8, dtype);
}

const Expr *Generator::load(DType dtype, int depth) {
  for (const Buffer *buffer : buffers_)
    if (buffer->dtype == dtype && chance(2))
      return builder_.load(*buffer, slotOf(*buffer, depth), indicesOf(*buffer, depth));
  return leaf(dtype);
}

const Expr *Generator::boolean(int depth) {
  if (depth <= 0)
    return builder_.boolean(chance(2));
  switch (below(4)) {
  case 0:
    return context_.make<Unary>(UnaryOp::Not, boolean(depth - 1));
  case 1:
    return context_.make<Binary>(pick({BinaryOp::And, BinaryOp::Or, BinaryOp::Equal}),
                                 boolean(depth - 1), boolean(depth - 1));
  default: {
    DType dtype = pick({DType::int32(), DType::float32(), DType::int64()});
    return context_.make<Binary>(pick({BinaryOp::Less, BinaryOp::GreaterEqual, BinaryOp::NotEqual}),
                                 expr(dtype, depth - 1), expr(dtype, depth - 1));
  }
  }
}

const Expr *Generator::arithmetic(DType dtype, int depth) {
  BinaryOp op = dtype.isFloat() ? pick({BinaryOp::Add, BinaryOp::Sub, BinaryOp::Div, BinaryOp::Max})
                                : pick({BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Min,
                                        BinaryOp::FloorDiv, BinaryOp::FloorMod, BinaryOp::BitAnd,
                                        BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::ShiftLeft});
  return context_.make<Binary>(op, expr(dtype, depth), expr(dtype, depth));
}

const Expr *Generator::expr(DType dtype, int depth) {
  if (dtype.isBool())
    return boolean(depth);
  if (depth <= 0)
    return leaf(dtype);
  switch (below(6)) {
  case 0:
    return context_.make<Unary>(dtype.isFloat() ? UnaryOp::Negate
                                                : pick({UnaryOp::Negate, UnaryOp::BitNot}),
                                expr(dtype, depth - 1));
  case 1:
    return context_.make<Cast>(dtype, expr(pick({DType::int32(), DType::int64(), DType::float16(),
                                                 DType::float32(), DType::boolean()}),
                                           depth - 1));
  case 2:
    return context_.make<Select>(boolean(depth - 1), expr(dtype, depth - 1),
                                 expr(dtype, depth - 1));
  case 3:
    return load(dtype, depth - 1);
  case 4:
    if (dtype.isFloat())
      return context_.make<Math>(
          MathFn::Pow, context_.copy<const Expr *>({expr(dtype, depth - 1), leaf(dtype)}));
    [[fallthrough]];
  default:
    return arithmetic(dtype, depth - 1);
  }
}

ExprList Generator::indicesOf(const Buffer &buffer, int depth) {
  llvm::SmallVector<const Expr *> indices;
  for (size_t axis = 0; axis < buffer.shape.size(); ++axis)
    indices.push_back(expr(chance(4) ? DType::int64() : DType::int32(), depth - 1));
  return context_.copy<const Expr *>(indices);
}

const Expr *Generator::slotOf(const Buffer &buffer, int depth) {
  return buffer.versions > 1 ? expr(DType::int32(), depth - 1) : nullptr;
}

// Of every shape that has a text form of its own, and some that have none.
Range Generator::range() {
  const Expr *min = chance(3) ? leaf(DType::int32()) : expr(DType::int32(), 2);
  switch (below(5)) {
  case 0:
    return {min, expr(DType::int32(), 2)};
  case 1:
    return {min, builder_.integer(8, DType::int64())};
  case 2:
    return {context_.make<Binary>(pick({BinaryOp::Add, BinaryOp::Sub}), min, builder_.integer(4)),
            builder_.integer(below(10))};
  case 3:
    return {builder_.integer(0), expr(DType::int32(), 1)};
  default:
    return {min, builder_.integer(1 + below(3))};
  }
}

// ---- Statements ---------------------------------------------------------------------------------

const Stmt *Generator::store() {
  const Buffer &buffer = *buffers_[below(buffers_.size())];
  return context_.make<Store>(info(), buffer.id, slotOf(buffer, 2), indicesOf(buffer, 2),
                              expr(buffer.dtype, 3));
}

const Stmt *Generator::op() {
  const Buffer &buffer = *buffers_[below(buffers_.size())];
  llvm::SmallVector<Range> ranges;
  for (size_t axis = 0; axis < buffer.shape.size(); ++axis)
    ranges.push_back(range());
  BufferRegion region = builder_.region(buffer.id, slotOf(buffer, 2), ranges, span());
  // Tile operations may not stand inside of a parallel loop.
  switch (inParallel_ ? 2 + below(2) : below(4)) {
  case 0:
    return builder_.op(info(), Op::Fill, region, expr(buffer.dtype, 2));
  case 1: {
    const BufferRegion both[] = {region, region};
    return builder_.op(info(), Op::Copy, both, {},
                       {{Attr::CoalescedWidth, below(3)}, {Attr::Prefer, below(3)}});
  }
  case 2:
    return builder_.op(info(), Op::WaitGroup, {}, {}, {{Attr::Pending, below(3)}});
  default:
    return builder_.op(info(), Op::Barrier, {}, {}, {{Attr::Scope, below(2)}});
  }
}

const Stmt *Generator::body(int depth) {
  size_t outer = vars_.size();
  size_t count = pick({0, 1, 2, 3});
  llvm::SmallVector<const Stmt *> stmts;
  for (size_t index = 0; index < count; ++index) {
    if (!chance(3)) {
      stmts.push_back(stmt(depth - 1));
      continue;
    }
    const Expr *value = expr(DType::int64(), 2);
    stmts.push_back(context_.make<Bind>(info(), newVar(DType::int64()), value));
  }
  vars_.resize(outer);
  if (count == 1 && !(identity_ && chance(2)))
    return stmts.front();
  return context_.make<Seq>(info(), context_.copy<const Stmt *>(stmts));
}

const Pipeline *Generator::pipeline(const Stmt *body) {
  Pipeline pipeline;
  pipeline.numStages = below(4);
  if (chance(2))
    pipeline.order = context_.copy<int64_t>({2, 0, -1});
  if (chance(2))
    pipeline.stage = context_.copy<int64_t>({1});
  if (const auto *seq = llvm::dyn_cast<Seq>(body); seq && !seq->stmts.empty())
    pipeline.schedule = context_.copy<ScheduledStmt>({{seq->stmts.back()->id(), below(3), 1, -1}});
  if (chance(2))
    pipeline.versions = context_.copy<VersionCount>({{buffers_.front()->id, 1}});
  pipeline.injected = chance(2);
  return context_.make<Pipeline>(pipeline);
}

const Stmt *Generator::loop(int depth) {
  Range bounds = range();
  ForKind kind = pick({ForKind::Serial, ForKind::Unrolled, ForKind::Pipelined});
  // A loop counts in one type.
  if (bounds.extent->dtype() != bounds.min->dtype())
    bounds.extent = builder_.integer(4);
  size_t outer = vars_.size();
  const Var *var = newVar();
  const Stmt *inner = body(depth);
  vars_.resize(outer);
  bool hasPipeline = kind == ForKind::Pipelined || chance(3);
  return context_.make<For>(info(), var, bounds.min, bounds.extent, kind, inner,
                            hasPipeline ? pipeline(inner) : nullptr);
}

const Stmt *Generator::parallel(int depth) {
  ExprList extents = context_.copy<const Expr *>({builder_.integer(8), expr(DType::int32(), 1)});
  size_t outer = vars_.size();
  llvm::ArrayRef<const Var *> vars = context_.copy<const Var *>({newVar(), newVar()});
  inParallel_ = true;
  const Stmt *inner = body(depth);
  inParallel_ = false;
  vars_.resize(outer);
  const Layout *layout =
      chance(2) ? parseLayout(context_, "fragment(8@t4 | 4@t1 2@r1 ; 2@t32)") : nullptr;
  return context_.make<Parallel>(info(), vars, extents, inner, below(3), layout);
}

const Stmt *Generator::launch(int depth) {
  ExprList extents = context_.copy<const Expr *>({expr(DType::int32(), 2), builder_.integer(4)});
  size_t outer = vars_.size();
  llvm::ArrayRef<const Var *> vars = context_.copy<const Var *>({newVar(), newVar()});
  const Var *thread = newVar();
  const Stmt *inner = body(depth);
  vars_.resize(outer);
  return context_.make<Launch>(info(), vars, extents, thread, 128, inner,
                               BlockRaster{below(3), chance(2)});
}

const Stmt *Generator::stmt(int depth) {
  size_t kind = depth <= 0 ? below(2) : below(6);
  switch (kind) {
  case 0:
    return store();
  case 1:
    return op();
  case 2:
    return loop(depth);
  case 3:
    return inParallel_ ? loop(depth) : parallel(depth);
  default: {
    const Expr *condition = boolean(3);
    const Stmt *thenBody = body(depth);
    return context_.make<If>(info(), condition, thenBody, chance(2) ? body(depth) : nullptr);
  }
  }
}

// ---- Declarations -------------------------------------------------------------------------------

const Buffer *Generator::buffer(size_t number, Scope scope) {
  Buffer buffer;
  buffer.id = context_.nextBufferId();
  buffer.name = context_.intern(name().str() + std::to_string(number));
  buffer.sourceName = chance(2) ? buffer.name : context_.intern("source");
  buffer.ordinal = below(2);
  buffer.role = chance(3) ? "part" : "";
  buffer.dtype = pick({DType::float16(), DType::float32(), DType::int32(), DType::boolean()});
  buffer.scope = scope;
  const Expr *extent = scope == Scope::Global ? leaf(DType::int32()) : builder_.integer(64);
  if (std::optional<int64_t> value = constantValue(extent); value && *value < 0)
    extent = builder_.integer(-*value);
  for (size_t rank = below(4); rank > buffer.shape.size();)
    buffer.shape =
        context_.copy<const Expr *>(std::vector<const Expr *>(buffer.shape.size() + 1, extent));
  if (scope == Scope::Shared) {
    buffer.versions = 1 + below(3);
    buffer.layout = chance(2) ? makeRowMajor(context_, 8) : nullptr;
    buffer.layoutPinned = chance(3);
    if (chance(2))
      buffer.offsetBytes = 1024;
  } else if (scope == Scope::Global && chance(2)) {
    buffer.strides = buffer.shape;
  }
  if (identity_ && chance(2))
    buffer.origin = BufferId(0);
  buffer.span = span();
  buffers_.push_back(context_.make<Buffer>(buffer));
  return buffers_.back();
}

const Function *Generator::function(llvm::StringRef name) {
  vars_.clear();
  buffers_.clear();
  Function function;
  function.name = name;
  function.span = span();
  if (chance(2))
    function.properties = PropertySet(Property::Tile) | Property::LayoutsInferred;
  const Var *scalar = newVar();
  llvm::SmallVector<Param> params;
  for (size_t number = 0; number < 2; ++number)
    params.push_back(Param{buffer(number, Scope::Global)->id, nullptr, chance(2)});
  params.push_back(Param{BufferId(), scalar});
  for (size_t number = 2; number < 6; ++number)
    buffer(number, pick({Scope::Shared, Scope::Fragment, Scope::LocalVar, Scope::SharedStatic}));
  function.params = context_.copy<Param>(params);
  function.buffers = context_.copy<const Buffer *>(buffers_);
  function.body = launch(5);
  return context_.make<Function>(function);
}

} // namespace

const Module *randomModule(Context &context, unsigned seed, bool identity) {
  return Generator(context, seed, identity).module();
}

} // namespace tilescope
