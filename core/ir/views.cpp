#include "core/ir/views.h"

#include "core/ir/expr_equal.h"
#include "core/ir/view_shapes.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

using Bounds = std::optional<std::pair<int64_t, int64_t>>; // least and greatest value

// What an index can be, from the constant extents of loops and launches.
class IndexBounds {
public:
  explicit IndexBounds(const Stmt *body) {
    walk(body, [&](const Stmt *stmt) {
      if (const auto *loop = llvm::dyn_cast<For>(stmt))
        learn(loop->var, loop->min, loop->extent);
      if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt))
        for (auto [var, extent] : llvm::zip_equal(parallel->vars, parallel->extents))
          learn(var, nullptr, extent);
      if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
        for (auto [var, extent] : llvm::zip_equal(launch->blockVars, launch->gridExtents))
          learn(var, nullptr, extent);
        bounds_[launch->threadVar] = {0, launch->threads - 1};
      }
      if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
        if (Bounds value = of(bind->value))
          bounds_[bind->var] = *value;
      return true;
    });
  }

  Bounds of(const Expr *expr) const {
    if (std::optional<int64_t> value = constantValue(expr))
      return std::pair(*value, *value);
    if (const auto *var = llvm::dyn_cast<Var>(expr)) {
      auto found = bounds_.find(var);
      return found == bounds_.end() ? Bounds() : found->second;
    }
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    Bounds a = binary ? of(binary->lhs) : Bounds(), b = binary ? of(binary->rhs) : Bounds();
    return a && b ? ofBinary(binary->op, *a, *b)
           : b && b->first == b->second && b->first > 0 && binary->op == BinaryOp::FloorMod
               ? Bounds({0, b->first - 1})
               : std::nullopt;
  }

  // Whether all of [min, min + extent) lies in [0, size).
  bool isInside(const Range &range, const Expr *size) const {
    Bounds first = of(range.min), count = of(range.extent), room = of(size);
    return first && count && room && first->first >= 0 &&
           first->second + count->second <= room->first;
  }

  // `min` null: from 0.
  void learn(const Var *var, const Expr *min, const Expr *extent) {
    Bounds first = min ? of(min) : Bounds({0, 0}), count = of(extent);
    if (first && count && count->second >= 1 && count->second < Most)
      bounds_[var] = {first->first, first->second + count->second - 1};
  }

private:
  static constexpr int64_t Most = int64_t{1} << 31; // products of two fit 64 bits

  static Bounds ofBinary(BinaryOp op, std::pair<int64_t, int64_t> a,
                         std::pair<int64_t, int64_t> b) {
    for (int64_t bound : {a.first, a.second, b.first, b.second})
      if (bound <= -Most || bound >= Most)
        return std::nullopt;
    bool isCount = b.first == b.second && b.first > 0 && a.first >= 0;
    switch (op) {
    case BinaryOp::Add:
      return {{a.first + b.first, a.second + b.second}};
    case BinaryOp::Sub:
      return {{a.first - b.second, a.second - b.first}};
    case BinaryOp::Mul:
      if (a.first < 0 || b.first < 0)
        return std::nullopt;
      return {{a.first * b.first, a.second * b.second}};
    case BinaryOp::FloorDiv:
      return isCount ? Bounds({a.first / b.first, a.second / b.first}) : std::nullopt;
    case BinaryOp::FloorMod:
      return isCount ? Bounds({0, std::min(a.second, b.first - 1)}) : std::nullopt;
    default:
      return std::nullopt;
    }
  }

  llvm::DenseMap<const Var *, std::pair<int64_t, int64_t>> bounds_;
};

bool hasSameExtents(llvm::ArrayRef<Range> a, llvm::ArrayRef<Range> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip_equal(a, b), [](const auto &pair) {
           return isSameExpr(std::get<0>(pair).extent, std::get<1>(pair).extent);
         });
}

// The buffers that are one memory, the one that is no view first.
struct Family {
  llvm::SmallVector<const Buffer *> shapes;
  const Buffer *kept = nullptr; // whose shape all accesses get
};

class ViewResolver {
public:
  ViewResolver(Context &context, const Function &function, Diagnostics &diagnostics)
      : context_(context), ir_(context), function_(function), diagnostics_(diagnostics),
        bounds_(function.body) {}

  const Function *run() {
    unsigned before = diagnostics_.errorCount();
    for (const Buffer *buffer : function_.buffers)
      if (buffer->viewOf.isValid())
        addView(*buffer);
    if (diagnostics_.errorCount() != before)
      return nullptr;
    if (families_.empty())
      return &function_;
    for (auto &[base, family] : families_)
      choose(family);
    const Stmt *body =
        rewriteStmt(context_, function_.body, [&](const Stmt *stmt) { return rewrite(stmt); });
    if (diagnostics_.errorCount() != before)
      return nullptr;
    return withBuffers(context_, *withBody(context_, function_, body), table());
  }

private:
  void addView(const Buffer &view) {
    const Buffer *base = function_.findBuffer(view.viewOf);
    llvm::StringRef wrong = !base                       ? "not declared"
                            : base->viewOf.isValid()    ? "a view itself"
                            : base->dtype != view.dtype ? "of another type"
                            : base->scope != view.scope ? "in other memory"
                            : !base->strides.empty()    ? "a tensor with strides"
                                                        : "";
    if (!wrong.empty()) {
      diagnostics_.report(DiagId::UnknownView, view.span, view.name, view.viewOf.value, wrong);
      return;
    }
    Family &family = families_[base->id];
    if (family.shapes.empty())
      family.shapes.push_back(base);
    family.shapes.push_back(&view);
    byBuffer_[base->id.value] = byBuffer_[view.id.value] = base->id;
  }

  // Null: of no family.
  const Family *familyOf(BufferId buffer) const {
    auto found = byBuffer_.find(buffer.value);
    return found == byBuffer_.end() ? nullptr : &families_.at(found->second);
  }

  ShapeMap mapOf(BufferId from, const Family &family) {
    return ShapeMap(ir_, function_.buffer(from).shape, family.kept->shape);
  }

  // ---- Which shape ----

  bool mayKeep(const Family &family, const Buffer &shape) const {
    const Buffer &base = *family.shapes.front();
    std::optional<int64_t> count = elementCount(shape.shape);
    return &shape == &base || (count && count == elementCount(base.shape) && !base.layoutPinned);
  }

  // The first of those that cost least.
  void choose(Family &family) {
    std::optional<int64_t> least;
    const Buffer *best = family.shapes.front();
    for (const Buffer *shape : family.shapes) {
      if (!mayKeep(family, *shape))
        continue;
      family.kept = shape;
      int64_t cost = costOf(family);
      if (least && cost >= *least)
        continue;
      least = cost;
      best = shape;
    }
    family.kept = best;
  }

  // Moves can be done element by element; what else has no box needs a tile of its own, and an
  // element that may lie outside of its view has no place at all.
  int64_t costOf(const Family &family) {
    int64_t cost = 0;
    walk(function_.body, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(context_, stmt)) {
        if (familyOf(access.buffer) != &family || access.buffer == family.kept->id)
          continue;
        const auto *op = llvm::dyn_cast<OpStmt>(stmt);
        if (!access.operand)
          cost += isShownInside(access.buffer, access.ranges, family) ? 0 : 10000;
        else if (!boxOf(*op, access.buffer, access.ranges, family))
          cost += isMove(*op) ? 1 : isProduct(*op) ? 1000 : 100;
      }
      return true;
    });
    return cost;
  }

  bool isShownInside(BufferId buffer, llvm::ArrayRef<Range> ranges, const Family &family) {
    const Buffer &shape = function_.buffer(buffer);
    return llvm::all_of(mapOf(buffer, family).innerAxes(), [&](size_t axis) {
      return bounds_.isInside(ranges[axis], shape.shape[axis]);
    });
  }

  std::optional<llvm::SmallVector<Range>>
  boxOf(const OpStmt &op, BufferId buffer, llvm::ArrayRef<Range> ranges, const Family &family) {
    if (!isShownInside(buffer, ranges, family))
      return std::nullopt;
    // Which axes elements lie on means nothing to what gives all the same value, little to a move,
    // and much to what names an axis or wants a matrix.
    bool anyAxes = op.regions.size() == 1 && op.operand(0).effect == Effect::Write;
    std::optional<llvm::SmallVector<Range>> box = mapOf(buffer, family).box(ranges, anyAxes);
    if (box && !anyAxes && !isMove(op) && !hasSameExtents(*box, ranges))
      return std::nullopt;
    return box;
  }

  // Stands in loops, where its accumulator should stay where it is.
  static bool isProduct(const OpStmt &op) { return op.opInfo().work == OpWork::MatrixMultiply; }

  static bool isMove(const OpStmt &op) {
    return op.opInfo().work == OpWork::Move && op.regions.size() == 2 && op.args.empty();
  }

  // ---- Rewriting ----

  const Stmt *rewrite(const Stmt *stmt) {
    span_ = stmt->span();
    stmt = mapExprs(context_, stmt, [&](const Expr *expr) {
      return rewriteExpr(context_, expr, [&](const Expr *node) {
        const auto *load = llvm::dyn_cast<Load>(node);
        return load && familyOf(load->buffer) ? loadOf(load->buffer, load->indices) : node;
      });
    });
    if (const auto *store = llvm::dyn_cast<Store>(stmt); store && familyOf(store->buffer))
      return storeOf(store->info(), store->buffer, store->indices, store->value);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      return rewriteOp(*op);
    return stmt;
  }

  llvm::SmallVector<const Expr *> elementOf(BufferId buffer, ExprList indices,
                                            const Family &family) {
    llvm::SmallVector<Range> ranges;
    for (const Expr *index : indices)
      ranges.push_back({index, ir_.integer(1, index->dtype())});
    if (!isShownInside(buffer, ranges, family))
      diagnostics_.report(DiagId::ViewIndexUnknown, span_, function_.buffer(buffer).name,
                          family.shapes.front()->name);
    return mapOf(buffer, family).element(indices);
  }

  // Of what is in no family, the element itself.
  const Expr *loadOf(BufferId buffer, ExprList indices) {
    const Family *family = familyOf(buffer);
    if (!family)
      return ir_.load(bufferOf(buffer), nullptr, indices);
    return ir_.load(*family->shapes.front(), nullptr, elementOf(buffer, indices, *family));
  }

  const Stmt *storeOf(const StmtInfo &info, BufferId buffer, ExprList indices, const Expr *value) {
    value = ir_.cast(bufferOf(buffer).dtype, value);
    llvm::SmallVector<const Expr *> mapped(indices);
    if (const Family *family = familyOf(buffer)) {
      mapped = elementOf(buffer, indices, *family);
      buffer = idOf(*family);
    }
    return context_.make<Store>(info, buffer, nullptr, context_.copy<const Expr *>(mapped), value);
  }

  const Stmt *rewriteOp(const OpStmt &op) {
    llvm::SmallVector<BufferRegion> regions(op.regions);
    llvm::SmallVector<size_t> boxless;
    for (auto [operand, region] : llvm::enumerate(regions)) {
      const Family *family = familyOf(region.buffer);
      if (!family)
        continue;
      if (auto box = boxOf(op, region.buffer, region.ranges, *family)) {
        region.buffer = idOf(*family);
        region.ranges = context_.copy<Range>(*box);
      } else {
        boxless.push_back(operand);
      }
    }
    if (!boxless.empty() && isMove(op))
      return moveElements(op, op.info(), op.regions[0], op.regions[1]);
    llvm::SmallVector<const Stmt *> before, after;
    for (size_t operand : boxless)
      if (!stage(op, operand, regions[operand], before, after))
        return &op;
    before.push_back(context_.make<OpStmt>(op.info(), op.op, context_.copy<BufferRegion>(regions),
                                           op.args, op.attrs));
    before.append(after);
    return before.size() == 1 ? before.front() : ir_.seq(ir_.fresh(op.span()), before);
  }

  // The operand becomes a fragment of its own, which gets the elements before and gives them after.
  bool stage(const OpStmt &op, size_t operand, BufferRegion &region,
             llvm::SmallVectorImpl<const Stmt *> &before,
             llvm::SmallVectorImpl<const Stmt *> &after) {
    const Buffer &view = function_.buffer(region.buffer);
    if (view.scope != Scope::Fragment) {
      diagnostics_.report(DiagId::ViewNoBox, op.span(), view.name, familyOf(view.id)->kept->name);
      return false;
    }
    BufferRegion own = region;
    own.buffer = tileOf(view).id;
    Effect effect = op.operand(operand).effect;
    if (effect != Effect::Write)
      before.push_back(moveElements(op, ir_.fresh(op.span()), region, own));
    if (effect != Effect::Read)
      after.push_back(moveElements(op, ir_.fresh(op.span()), own, region));
    region = own;
    return true;
  }

  const Buffer &tileOf(const Buffer &view) {
    for (const Buffer *tile : tiles_)
      if (tile->origin == view.id)
        return *tile;
    Buffer tile = view;
    tile.id = context_.nextBufferId();
    tile.origin = view.id;
    tile.viewOf = BufferId();
    // The name of a view is free: no access is left of it.
    if (!view.viewOf.isValid()) {
      tile.name = context_.intern((view.name + "_tile").str());
      tile.role = "tile";
    }
    tiles_.push_back(context_.make<Buffer>(tile));
    return *tiles_.back();
  }

  const Stmt *moveElements(const OpStmt &op, const StmtInfo &info, const BufferRegion &source,
                           const BufferRegion &destination) {
    llvm::SmallVector<const Var *> vars;
    llvm::SmallVector<const Expr *> extents;
    for (const Range &range : destination.ranges)
      if (constantValue(range.extent) != 1) {
        vars.push_back(ir_.var("i", range.extent->dtype()));
        extents.push_back(range.extent);
        bounds_.learn(vars.back(), nullptr, range.extent);
      }
    span_ = op.span();
    const Expr *value = loadOf(source.buffer, pointOf(source, vars));
    const Stmt *store =
        storeOf(ir_.fresh(op.span()), destination.buffer, pointOf(destination, vars), value);
    int64_t width = op.opInfo().has(Attr::CoalescedWidth) ? op.attr(Attr::CoalescedWidth) : 0;
    return context_.make<Parallel>(info, context_.copy<const Var *>(vars),
                                   context_.copy<const Expr *>(extents), store, width);
  }

  // Where the variables of the wide axes are in a region.
  llvm::SmallVector<const Expr *> pointOf(const BufferRegion &region,
                                          llvm::ArrayRef<const Var *> vars) {
    llvm::SmallVector<const Expr *> point;
    for (const Range &range : region.ranges) {
      point.push_back(range.min);
      if (constantValue(range.extent) == 1 || vars.empty())
        continue;
      DType dtype = range.min->dtype().bits > vars.front()->dtype().bits ? range.min->dtype()
                                                                         : vars.front()->dtype();
      point.back() = ir_.add(ir_.cast(dtype, range.min), ir_.cast(dtype, vars.front()));
      vars = vars.drop_front();
    }
    return point;
  }

  // ---- Declarations ----

  BufferId idOf(const Family &family) const { return family.shapes.front()->id; }

  const Buffer &bufferOf(BufferId id) const {
    for (const Buffer *tile : tiles_)
      if (tile->id == id)
        return *tile;
    return function_.buffer(id);
  }

  std::vector<const Buffer *> table() {
    std::vector<const Buffer *> buffers;
    for (const Buffer *buffer : function_.buffers) {
      const Family *family = familyOf(buffer->id);
      if (family && buffer->id != idOf(*family))
        continue;
      if (family && family->kept != buffer) {
        Buffer reshaped = *buffer;
        reshaped.shape = family->kept->shape;
        buffer = context_.make<Buffer>(reshaped);
      }
      buffers.push_back(buffer);
    }
    buffers.insert(buffers.end(), tiles_.begin(), tiles_.end());
    return buffers;
  }

  Context &context_;
  Builder ir_;
  const Function &function_;
  Diagnostics &diagnostics_;
  IndexBounds bounds_;
  Span span_;                           // of the statement that is rewritten
  std::map<BufferId, Family> families_; // by the buffer that is no view
  llvm::DenseMap<uint32_t, BufferId> byBuffer_;
  std::vector<const Buffer *> tiles_; // of operands that have no box
};

} // namespace

const Function *resolveViews(Context &context, const Function &function, Diagnostics &diagnostics) {
  return ViewResolver(context, function, diagnostics).run();
}

} // namespace tilescope
